import type { Account, Posting } from './model.ts';
import { withoutZeros } from './rules.ts';

/** Where the money of payouts leaves from: a provider's account, or our bank for those made by hand. */
export type PayoutSide = Extract<Account, 'clearing' | 'bank'>;

const move = (from: Account, to: Account, cents: number): Posting[] =>
  withoutZeros([
    { account: from, cents },
    { account: to, cents: -cents },
  ]);

/** L3: a payout is on its way. */
export const reservedPostings = (cents: number): Posting[] =>
  move('seller_payable', 'payout_in_transit', cents);

/** L3: it, or a part of it, has left. */
export const sentPostings = (cents: number, from: PayoutSide): Posting[] =>
  move('payout_in_transit', from, cents);

/** L3: it, or a part of it, was not sent: the seller is owed it as before. */
export const unsentPostings = (cents: number): Posting[] =>
  move('payout_in_transit', 'seller_payable', cents);

/** L3: it, or a part of it, came back. */
export const returnedPostings = (cents: number, to: PayoutSide): Posting[] =>
  move(to, 'seller_payable', cents);

/** L3: it, or a part of it, was taken back because the seller owes it. */
export const takenBackPostings = (cents: number): Posting[] => move('clearing', 'seller_receivable', cents);

/** L3: what the provider charges for a payout. */
export const payoutFeePostings = (cents: number): Posting[] => move('processing_cost', 'clearing', cents);

/** L7: a payout settles what the seller owes for the same sale. */
export const ownOffsetPostings = (cents: number): Posting[] =>
  move('seller_payable', 'seller_receivable', cents);

/** L7: a payout settles what the seller owes for another sale: the entry of the one that is paid, and that of the other. */
export const offsetPostings = (cents: number): { paying: Posting[]; owing: Posting[] } => ({
  paying: move('seller_payable', 'seller_offsets', cents),
  owing: move('seller_offsets', 'seller_receivable', cents),
});
