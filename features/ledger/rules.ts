import { hasRole, nobody } from '#platform/access.ts';
import type { Account, Posting, SaleAmounts } from './model.ts';

/** Entries are posted only by the operations that move money, acting as the system. */
export const mayPost = nobody;
export const mayReadLedger = hasRole('admin');

const debit = (account: Account, cents: number): Posting => ({ account, cents });
const credit = (account: Account, cents: number): Posting => ({ account, cents: -cents });
const withoutZeros = (postings: Posting[]): Posting[] => postings.filter(({ cents }) => cents !== 0);

/** L1: the buyer's money has arrived and is held. */
export function paidPostings({ basePriceCents, buyerFeesCents }: SaleAmounts): Posting[] {
  return withoutZeros([
    debit('clearing', basePriceCents + buyerFeesCents),
    credit('escrow_held', basePriceCents),
    credit('fees_held', buyerFeesCents),
  ]);
}

/** L1, second part: the provider's fee. */
export const costPostings = (feeCents: number): Posting[] =>
  withoutZeros([debit('processing_cost', feeCents), credit('clearing', feeCents)]);

/** L2: escrow is released to the seller and the platform. */
export function releasedPostings(amounts: SaleAmounts): Posting[] {
  const { basePriceCents, buyerFeesCents, agentCommissionCents, sellerFeesCents } = amounts;
  return withoutZeros([
    debit('escrow_held', basePriceCents),
    credit('seller_payable', agentCommissionCents - sellerFeesCents),
    credit('platform_revenue', basePriceCents - agentCommissionCents + sellerFeesCents),
    debit('fees_held', buyerFeesCents),
    credit('fee_revenue', buyerFeesCents),
  ]);
}

/** L4: the exact reversal of earlier postings, which are never edited. */
export const reversedPostings = (postings: readonly Posting[]): Posting[] =>
  postings.map(({ account, cents }) => ({ account, cents: -cents }));

/** L5: the buyer's bank has taken the payment back while a dispute is open. */
export const disputedPostings = (cents: number): Posting[] => [
  debit('disputed', cents),
  credit('clearing', cents),
];

/** L5: a dispute was lost while the money was still held, which is now gone. */
export function lostPostings({ basePriceCents, buyerFeesCents }: SaleAmounts): Posting[] {
  return withoutZeros([
    debit('escrow_held', basePriceCents),
    debit('fees_held', buyerFeesCents),
    credit('disputed', basePriceCents + buyerFeesCents),
  ]);
}

/** Why postings are no valid entry, or null: an entry needs at least two, none of them zero, with a sum of zero. */
export function postingsProblem(postings: readonly Posting[]): string | null {
  if (postings.length < 2) return 'an entry has at least two postings';
  if (postings.some(({ cents }) => !Number.isSafeInteger(cents) || cents === 0))
    return 'a posting is a whole number of cents other than zero';
  const sum = postings.reduce((total, { cents }) => total + cents, 0);
  return sum === 0 ? null : `the postings add up to ${sum} cents`;
}
