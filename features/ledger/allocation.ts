import type { SaleBalances } from './balances.ts';
import type { Account, Posting, SaleAmounts } from './model.ts';
import { sellerDueCents, withoutZeros } from './rules.ts';

/** Which part of a payment goes back: base price, buyer's fees, or money that was never assigned. Cents. */
export interface Parts {
  baseCents: number;
  feesCents: number;
  suspenseCents: number;
}

/** Where money that leaves a sale is taken from; `lossCents` was not there and is lost to the platform. */
export interface Allocation extends Parts {
  lossCents: number;
}

export const partsSum = ({ baseCents, feesCents, suspenseCents }: Parts): number =>
  baseCents + feesCents + suspenseCents;

/** Money that leaves without a word about what it returns: the base price first. */
export const basePart = (cents: number): Parts => ({ baseCents: cents, feesCents: 0, suspenseCents: 0 });

/**
 * Takes `cents` out of what has not gone back yet: first what was asked for, then base price, fees and unassigned money in
 * this order; the rest is a loss. In which order several amounts leave makes no difference to what is left.
 */
export function allocate(cents: number, asked: Parts, balances: SaleBalances): Allocation {
  const left: Parts = {
    baseCents: Math.max(0, balances.remainingBaseCents),
    feesCents: Math.max(0, balances.remainingFeesCents),
    suspenseCents: Math.max(0, balances.suspenseCents),
  };
  const taken: Parts = { baseCents: 0, feesCents: 0, suspenseCents: 0 };
  let open = cents;
  const take = (part: keyof Parts, most: number) => {
    const amount = Math.min(open, most, left[part] - taken[part]);
    taken[part] += amount;
    open -= amount;
  };
  for (const part of ['baseCents', 'feesCents', 'suspenseCents'] as const) take(part, asked[part]);
  for (const part of ['baseCents', 'feesCents', 'suspenseCents'] as const) take(part, open);
  return { ...taken, lossCents: open };
}

/**
 * The postings of money that leaves a sale to `to`: out of what is held; after the release out of the shares, pro rata; what
 * the seller has been sent already, the seller owes.
 */
export function takenPostings(
  amounts: SaleAmounts,
  balances: SaleBalances,
  { baseCents, feesCents, suspenseCents, lossCents }: Allocation,
  to: Account,
): Posting[] {
  const escrow = Math.min(baseCents, balances.escrowCents);
  const fees = Math.min(feesCents, balances.feesCents);
  const released = balances.remainingBaseCents - balances.escrowCents;
  const share = sellerDueCents(amounts, released) - sellerDueCents(amounts, released - (baseCents - escrow));
  const payable = Math.min(share, Math.max(0, balances.sellerPayableCents));
  return withoutZeros([
    { account: 'escrow_held', cents: escrow },
    { account: 'seller_payable', cents: payable },
    { account: 'seller_receivable', cents: share - payable },
    { account: 'platform_revenue', cents: baseCents - escrow - share },
    { account: 'fees_held', cents: fees },
    { account: 'fee_revenue', cents: feesCents - fees },
    { account: 'suspense', cents: suspenseCents },
    { account: 'chargeback_loss', cents: lossCents },
    { account: to, cents: -(baseCents + feesCents + suspenseCents + lossCents) },
  ]);
}
