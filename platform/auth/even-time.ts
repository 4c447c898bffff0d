import { setTimeout as pause } from 'node:timers/promises';

/** Longer than the work it hides on a healthy machine, in milliseconds. */
export const FLOOR_MS = 300;

/**
 * Answers no sooner than 300 ms, so that the time says nothing about whether an account was there (B-090, B-092). Limits
 * on how often one may ask keep the rest from being averaged out.
 */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const floor = pause(FLOOR_MS);
  try {
    return await work();
  } finally {
    await floor;
  }
}
