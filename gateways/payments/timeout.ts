import { PaymentError } from './port.ts';

/** Timeout of a whole call, so that a page answers within ten seconds (R6), on a busy machine and over a slow line too. */
export const CALL_TIMEOUT_MS = 5_000;

/**
 * Runs work with a timeout. Work that is too late is left to its own timeouts; repeating the call with the same key finds
 * its result.
 * @throws PaymentError `unavailable` after `milliseconds`
 */
export async function withTimeout<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const refusal = new PaymentError('unavailable', 'The payment provider does not answer in time');
    timer = setTimeout(() => reject(refusal), milliseconds);
  });
  try {
    return await Promise.race([work(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
