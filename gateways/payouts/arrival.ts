import { DAY } from '#platform/durations.ts';

/** A seller's bank has the money two days after it has become available in the seller's balance at Stripe. */
const BANK_MS = 2 * DAY;

/** When money that becomes available in a seller's balance at Stripe is in the seller's bank. */
export const inBankAt = (availableAt: Date): Date => new Date(availableAt.getTime() + BANK_MS);
