import { PaymentError } from './port.ts';

/** Timeout of a whole call, so that the user gets a response within ten seconds (R6). */
export const CALL_TIMEOUT_MS = 7_500;

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
