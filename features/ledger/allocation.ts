import { type SaleBalances, sumOf } from './balances.ts';
import type { Account, Posting, SaleAmounts } from './model.ts';
import { sellerDueCents, withoutZeros } from './rules.ts';

/** Parts of a payment: base price, buyer's fees, and money that was never assigned. Cents. */
export interface Parts {
  baseCents: number;
  feesCents: number;
  suspenseCents: number;
}

/** Money that has left a sale for good, unless it comes back. */
export interface Outflow {
  cents: number;
  /** what it was to return; the rest is taken where there is something */
  asked: Parts;
}

/** What is left of a payment after money has left it; `lossCents` was not there anymore and is lost to the platform. */
interface Remainder extends Parts {
  lossCents: number;
}

const PARTS = ['baseCents', 'feesCents', 'suspenseCents'] as const;

export const partsSum = ({ baseCents, feesCents, suspenseCents }: Parts): number =>
  baseCents + feesCents + suspenseCents;

/** What the first so many cents of some parts are, and the rest: base price first, then fees and unassigned money. */
export function splitParts(parts: Parts, cents: number): [Parts, Parts] {
  const first: Parts = { baseCents: 0, feesCents: 0, suspenseCents: 0 };
  const rest: Parts = { ...parts };
  let open = cents;
  for (const part of PARTS) {
    first[part] = Math.min(open, parts[part]);
    rest[part] -= first[part];
    open -= first[part];
  }
  return [first, rest];
}

/** Money that leaves without a word about what it returns: the base price first. */
export const basePart = (cents: number): Parts => ({ baseCents: cents, feesCents: 0, suspenseCents: 0 });

/**
 * What is left of a payment: each outflow takes first what was asked for, then base price, fees and unassigned money, in this
 * order. In which order they happen makes no difference.
 */
export function remainderAfter(payment: Parts, outflows: readonly Outflow[]): Remainder {
  const left: Remainder = { ...payment, lossCents: 0 };
  for (const { cents, asked } of outflows) {
    let open = cents;
    const take = (part: keyof Parts, most: number) => {
      const amount = Math.max(0, Math.min(open, most, left[part]));
      left[part] -= amount;
      open -= amount;
    };
    for (const part of PARTS) take(part, asked[part]);
    for (const part of PARTS) take(part, open);
    left.lossCents += open;
  }
  return left;
}

interface Step {
  amounts: SaleAmounts;
  balances: SaleBalances;
  /** escrow has been released */
  isReleased: boolean;
  before: Remainder;
  after: Remainder;
  /** what we have made up for a payment that was too small: unassigned money that comes back makes it good first */
  madeUpCents: number;
  /** the account on the other side */
  to: Account;
}

/**
 * The postings of money that leaves a sale to `to`, or comes back from it: out of what is held; after the release out of the
 * shares, pro rata; what the seller has been sent already, the seller owes. It never takes more than is there.
 */
export function remainderPostings({
  amounts,
  balances,
  isReleased,
  before,
  after,
  madeUpCents,
  to,
}: Step): Posting[] {
  const base = before.baseCents - after.baseCents;
  const fees = before.feesCents - after.feesCents;
  const suspense = before.suspenseCents - after.suspenseCents;
  const madeGood = Math.max(Math.min(0, suspense), -madeUpCents);
  const total = base + fees + suspense + after.lossCents - before.lossCents;
  const taken = withoutZeros([
    ...(isReleased
      ? sharePostings(amounts, balances, before, after)
      : [{ account: 'escrow_held' as const, cents: Math.min(base, Math.max(0, balances.escrowCents)) }]),
    isReleased
      ? { account: 'fee_revenue', cents: fees }
      : { account: 'fees_held', cents: Math.min(fees, Math.max(0, balances.feesCents)) },
    { account: 'write_offs', cents: madeGood },
    { account: 'suspense', cents: Math.min(suspense - madeGood, Math.max(0, balances.suspenseCents)) },
  ]);
  const found = taken.reduce((sum, { cents }) => sum + cents, 0);
  return withoutZeros([
    ...taken,
    { account: 'chargeback_loss', cents: total - found },
    { account: to, cents: -total },
  ]);
}

/** A part of the base price after its release: from the seller's share and the platform's, or back to them. */
function sharePostings(
  amounts: SaleAmounts,
  { sellerPayableCents, sellerReceivableCents }: SaleBalances,
  before: Parts,
  after: Parts,
): Posting[] {
  const share = sellerDueCents(amounts, before.baseCents) - sellerDueCents(amounts, after.baseCents);
  const payable =
    share > 0
      ? Math.min(share, Math.max(0, sellerPayableCents))
      : Math.min(0, share + Math.max(0, sellerReceivableCents));
  return [
    { account: 'seller_payable', cents: payable },
    { account: 'seller_receivable', cents: share - payable },
    { account: 'platform_revenue', cents: before.baseCents - after.baseCents - share },
  ];
}

/** What of some postings was or became a loss; negative when a loss was made good. Cents. */
export const lossIn = (postings: readonly Posting[]): number =>
  sumOf([{ key: '', kind: 'L4', postings }], ['chargeback_loss']);
