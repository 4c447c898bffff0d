import { setTimeout as pause } from 'node:timers/promises';

/** Longer than the work that it hides takes under normal load, in milliseconds. */
export const MINIMUM_DURATION_MS = 300;

/**
 * Resolves no sooner than after 300 ms, so that the response time does not reveal whether an account exists. Rate limits
 * keep an attacker from averaging out what remains.
 */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const minimum = pause(MINIMUM_DURATION_MS);
  try {
    return await work();
  } finally {
    await minimum;
  }
}
