import { PaymentError } from './port.ts';

/** How long one call may take in all, so that a person gets an answer within ten seconds (R6). */
export const CALL_MS = 7_500;

/**
 * The result of the work, or no answer when it takes longer. Work that came too late is left to end by its own timeouts;
 * what it did is found again by repeating the call with its key.
 * @throws PaymentError `unavailable` after `milliseconds`
 */
export async function withinDeadline<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
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
