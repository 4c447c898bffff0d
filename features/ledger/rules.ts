import { hasRole, nobody } from '#platform/access.ts';
import type { Account, Posting, SaleAmounts } from './model.ts';

/** Entries are posted only by the operations that move money, acting as the system. */
export const mayPost = nobody;
export const mayReadLedger = hasRole('admin');

const debit = (account: Account, cents: number): Posting => ({ account, cents });
const credit = (account: Account, cents: number): Posting => ({ account, cents: -cents });
/** Postings without those of zero cents, which an entry may not have. */
export const withoutZeros = (postings: Posting[]): Posting[] => postings.filter(({ cents }) => cents !== 0);

/**
 * What the seller gets for a part of the base price: the share of it, rounded half up, less the seller's fees, never below
 * zero. The platform gets the rest.
 */
export function sellerDueCents(
  { basePriceCents, agentCommissionCents, sellerFeesCents }: SaleAmounts,
  partCents: number,
): number {
  const [part, share, base] = [BigInt(partCents), BigInt(agentCommissionCents), BigInt(basePriceCents)];
  const rounded = Number((2n * part * share + base) / (2n * base));
  return Math.max(0, rounded - sellerFeesCents);
}

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

/** L2: what is held of base price and fees is released to the seller and the platform. */
export function releasedPostings(
  amounts: SaleAmounts,
  { escrowCents, feesCents }: { escrowCents: number; feesCents: number },
): Posting[] {
  const seller = sellerDueCents(amounts, escrowCents);
  return withoutZeros([
    debit('escrow_held', escrowCents),
    credit('seller_payable', seller),
    credit('platform_revenue', escrowCents - seller),
    debit('fees_held', feesCents),
    credit('fee_revenue', feesCents),
  ]);
}

/** L6: money arrived that differs from what was asked for. */
export const suspensePostings = (cents: number): Posting[] => [
  debit('clearing', cents),
  credit('suspense', cents),
];

/** L6: unassigned money is accepted as the payment of a sale. What is missing is written off, what is too much stays. */
export function acceptedPostings(
  { basePriceCents, buyerFeesCents }: SaleAmounts,
  suspenseCents: number,
): Posting[] {
  const total = basePriceCents + buyerFeesCents;
  return withoutZeros([
    debit('suspense', Math.min(suspenseCents, total)),
    debit('write_offs', Math.max(0, total - suspenseCents)),
    credit('escrow_held', basePriceCents),
    credit('fees_held', buyerFeesCents),
  ]);
}

/** The exact reversal of earlier postings, which are never edited. */
export const reversedPostings = (postings: readonly Posting[]): Posting[] =>
  postings.map(({ account, cents }) => ({ account, cents: -cents }));

/** L5: a chargeback has taken money back while it is not decided; negative when it is returned. */
export const disputedPostings = (cents: number): Posting[] => [
  debit('disputed', cents),
  credit('clearing', cents),
];

/** L5: what the provider keeps for a dispute; negative when it gives some back. */
export const disputeFeePostings = (cents: number): Posting[] => [
  debit('dispute_fees', cents),
  credit('clearing', cents),
];

/** Why postings are no valid entry, or null: an entry needs at least two, none of them zero, with a sum of zero. */
export function postingsProblem(postings: readonly Posting[]): string | null {
  if (postings.length < 2) return 'an entry has at least two postings';
  if (postings.some(({ cents }) => !Number.isSafeInteger(cents) || cents === 0))
    return 'a posting is a whole number of cents other than zero';
  const sum = postings.reduce((total, { cents }) => total + cents, 0);
  return sum === 0 ? null : `the postings add up to ${sum} cents`;
}
