import { type Parts, partsSum, splitParts } from '#features/ledger/allocation.ts';
import { balancesOf, type Entry, sumOf } from '#features/ledger/balances.ts';
import type { EntryKind } from '#features/ledger/model.ts';
import type { SaleState } from './model.ts';

/** A refund on record. Cents. */
export interface BookedRefund {
  /** its idempotency key at the provider; for one that we did not ask for, made from its reference */
  key: string;
  /** the provider's reference; null until it is known */
  ref: string | null;
  status: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
  /** what it returns; adds up to the amount */
  parts: Parts;
  /** asked for here; made at the provider; asked for here and paid from our bank account */
  origin: 'platform' | 'provider' | 'bank';
  reason: string;
}

/** The books of one sale: its ledger entries, and the refunds on record, oldest first. */
export interface SaleBooks {
  entries: readonly Entry[];
  refunds: readonly BookedRefund[];
}

/** What decides how much of its payment a sale owes its buyer. */
export interface RefundTerms {
  escrow: SaleState['escrow'];
  /** it was released and refunded whole, its property was offered again, and money came back after that */
  propertyGone: boolean;
}

/** A refund to ask the provider for. */
export interface RefundRequest {
  key: string;
  parts: Parts;
  amountCents: number;
}

/** The idempotency key of a sale's nth refund at the provider. */
const refundKey = (saleId: string, number: number) => `refund:${saleId}:${number}`;

const minus = (cents: number, less: number) => Math.max(0, cents - less);

/**
 * The refund that a sale owes the buyer now, beyond those that run: everything paid and held of one that is cancelled, else money
 * that was never assigned to it. With `again`, a refund that failed is asked for once more. Of one whose property is gone, everything
 * goes back, also what was released. Null when nothing is owed.
 */
export function nextRefund(
  saleId: string,
  { escrow, propertyGone }: RefundTerms,
  books: SaleBooks,
  again?: Parts,
): RefundRequest | null {
  const balances = balancesOf(books.entries);
  const pending = pendingParts(books.refunds);
  const suspenseCents = minus(balances.suspenseCents, pending.suspenseCents);
  const held: Parts = {
    baseCents: minus(balances.escrowCents, pending.baseCents),
    feesCents: minus(balances.feesCents, pending.feesCents),
    suspenseCents,
  };
  const parts: Parts =
    escrow === 'cancelled'
      ? asPaid(books, held)
      : propertyGone
        ? refundable(books)
        : again
          ? atMost(again, refundable(books))
          : { baseCents: 0, feesCents: 0, suspenseCents };
  return refundOf(saleId, books, parts);
}

const atMost = (parts: Parts, most: Parts): Parts => ({
  baseCents: Math.min(parts.baseCents, most.baseCents),
  feesCents: Math.min(parts.feesCents, most.feesCents),
  suspenseCents: Math.min(parts.suspenseCents, most.suspenseCents),
});

/** A refund of these parts under the next key; null for nothing. */
export function refundOf(saleId: string, { refunds }: SaleBooks, parts: Parts): RefundRequest | null {
  const amountCents = partsSum(parts);
  if (amountCents === 0) return null;
  const number = refunds.filter(({ origin }) => origin !== 'provider').length;
  return { key: refundKey(saleId, number), parts, amountCents };
}

/** What the refunds that run return. */
export function pendingParts(refunds: readonly BookedRefund[]): Parts {
  const sum: Parts = { baseCents: 0, feesCents: 0, suspenseCents: 0 };
  for (const { status, parts } of refunds)
    if (status === 'pending') {
      sum.baseCents += parts.baseCents;
      sum.feesCents += parts.feesCents;
      sum.suspenseCents += parts.suspenseCents;
    }
  return sum;
}

/** What of a payment can still be refunded: what has not gone back, less what is on its way. */
export function refundable(books: SaleBooks): Parts {
  const { remainingBaseCents, remainingFeesCents, suspenseCents } = balancesOf(books.entries);
  const pending = pendingParts(books.refunds);
  return asPaid(books, {
    baseCents: minus(remainingBaseCents, pending.baseCents),
    feesCents: minus(remainingFeesCents, pending.feesCents),
    suspenseCents: minus(suspenseCents, pending.suspenseCents),
  });
}

/** What the buyer has paid: how much of it has not gone back, also while that is on its way, and how much has. Cents. */
export function paidBack(books: SaleBooks): { leftCents: number; sentBackCents: number } {
  const { remainingBaseCents, remainingFeesCents, suspenseCents } = balancesOf(books.entries);
  const received = sumOf(
    books.entries.filter(({ key, kind }) => key === 'paid' || kind === 'L6'),
    ['clearing'],
  );
  const left = asPaid(books, {
    baseCents: minus(remainingBaseCents, 0),
    feesCents: minus(remainingFeesCents, 0),
    suspenseCents: minus(suspenseCents, 0),
  });
  const leftCents = partsSum(left);
  return { leftCents, sentBackCents: minus(received, leftCents) };
}

/** What a sale's total is, and what of it has gone back to the buyer by the books, a write-off that was reversed included. Cents. */
interface Price {
  totalCents: number;
  returnedCents: number;
}

/** What has been paid of a price, and how much of that has gone back. Cents. */
interface Paid {
  /** the payment became the price; otherwise it was only received, and at most sent back */
  isAccepted: boolean;
  paidCents: number;
  refundedCents: number;
}

/**
 * What the buyer has paid and got back. Of a payment that was accepted it is told from the price and what was written off, never from
 * what came in and went out: money that left before the acceptance, or arrived on top of it, was no part of the price.
 */
export function paidOf(books: SaleBooks, { totalCents, returnedCents }: Price): Paid {
  const { entries } = books;
  if (!entries.some(({ key }) => key === 'paid')) {
    const { leftCents, sentBackCents } = paidBack(books);
    return { isAccepted: false, paidCents: leftCents + sentBackCents, refundedCents: sentBackCents };
  }
  const ended = entries.filter(endsShortfall);
  const paidCents = totalCents - madeUpCents(entries.filter((entry) => !endsShortfall(entry)));
  const refundedCents = Math.min(paidCents, returnedCents + sumOf(ended, ['write_offs']));
  return { isAccepted: true, paidCents, refundedCents };
}

/** The key of the entry that reverses what was written off, once all that was paid has gone back. */
export const SHORTFALL_ENDED = 'shortfall-ended';

/** It can be needed again, and end again: then its entries are numbered, and what they add up to counts. */
export const endsShortfall = ({ key }: Entry): boolean =>
  key === SHORTFALL_ENDED || key.startsWith(`${SHORTFALL_ENDED}:`);

/** Entries by which a payment arrives, is accepted, or goes back. */
export const PAYMENTS: readonly EntryKind[] = ['L4', 'L5', 'L6'];

/**
 * What a sale would owe its buyer without one of its refunds, which has not left: the same again where a cancellation, an overpayment
 * or a property that is gone asks for it, or what is left of that when a part has gone back another way. Null when nothing is.
 */
export function owedWithout(
  saleId: string,
  terms: RefundTerms,
  { entries, refunds }: SaleBooks,
  refundKey: string,
): RefundRequest | null {
  const others = refunds.map((refund) =>
    refund.key === refundKey ? { ...refund, status: 'failed' as const } : refund,
  );
  return nextRefund(saleId, terms, { entries, refunds: others });
}

/** What of a payment has not gone back, held or released. Cents. */
export function remainingCents(entries: readonly Entry[]): number {
  const { remainingBaseCents, remainingFeesCents, suspenseCents } = balancesOf(entries);
  return remainingBaseCents + remainingFeesCents + suspenseCents;
}

/** What chargebacks have taken for good, less what has come back of it: no provider refunds the rest of such a payment. Cents. */
export function chargedBackCents(entries: readonly Entry[]): number {
  const of = (step: string) => entries.filter(({ key }) => key.startsWith(`${step}:`));
  return 0 - sumOf(of('dispute-lost'), ['disputed']) - sumOf(of('dispute-regained'), ['clearing']);
}

/** What we have made up for a payment that was accepted although it was too small. Cents. */
export const madeUpCents = (entries: readonly Entry[]): number =>
  Math.max(
    0,
    sumOf(
      entries.filter(({ kind }) => PAYMENTS.includes(kind)),
      ['write_offs'],
    ),
  );

/** Parts of a payment without what the buyer never paid: no provider refunds more than was paid. */
const asPaid = ({ entries }: SaleBooks, parts: Parts): Parts => splitParts(parts, madeUpCents(entries))[1];
