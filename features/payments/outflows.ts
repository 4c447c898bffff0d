import { basePart, type Outflow, type Parts } from '#features/ledger/allocation.ts';
import { balancesOf, type Entry, sumOf } from '#features/ledger/balances.ts';
import { type BookedRefund, endsShortfall } from '#features/sales/sale-books.ts';
import type { SaleImage } from './sale-image.ts';

/** The step of a refund in the keys of ledger entries: its number, or the provider's reference. */
export const refundStep = ({ key, origin }: BookedRefund): string =>
  key.slice(origin === 'provider' ? 'provider:'.length : key.lastIndexOf(':') + 1);

/** Whether an entry is one of a step that can happen again: `step`, `step:1`, … */
export const isStep = ({ key }: Entry, step: string): boolean => key === step || key.startsWith(`${step}:`);

/** What a dispute has taken for good, as posted. Cents. */
export function lostCents({ entries }: SaleImage, ref: string): number {
  const lost = entries.filter((entry) => isStep(entry, `dispute-lost:${ref}`));
  const regained = entries.filter((entry) => isStep(entry, `dispute-regained:${ref}`));
  return 0 - sumOf(lost, ['disputed']) - sumOf(regained, ['clearing']);
}

/** What a refund has sent back and not got back, as posted. Cents. */
export function refundedCents({ entries }: SaleImage, refund: BookedRefund): number {
  const step = refundStep(refund);
  const moves = entries.filter(
    (entry) => entry.key === `refunded:${step}` || isStep(entry, `refund-returned:${step}`),
  );
  return 0 - sumOf(moves, ['clearing', 'bank']);
}

/** The entry by which a payment that differed was accepted, as its place among the entries; -1 without one. */
const acceptedAt = ({ entries }: SaleImage): number =>
  entries.findIndex(({ key, kind }) => key === 'paid' && kind === 'L6');

/** What of an outflow left before a payment that differed was accepted, as posted then. Cents. */
export function earlyCents(image: SaleImage, of: string): number {
  const then = { ...image, entries: image.entries.slice(0, Math.max(0, acceptedAt(image))) };
  const refund = image.refunds.find(({ key }) => key === of);
  return Math.max(0, refund ? refundedCents(then, refund) : lostCents(then, of));
}

/**
 * An outflow with what it was to return. What left before the payment was accepted came out of what had been received then, and
 * not out of the price, which is held in full since.
 */
export function asReceived(image: SaleImage, of: string, { cents, asked }: Outflow): Outflow {
  const early = Math.min(cents, earlyCents(image, of));
  const ofBase = Math.min(early, asked.baseCents);
  return {
    cents,
    asked: {
      baseCents: asked.baseCents - ofBase,
      feesCents: Math.max(0, asked.feesCents - (early - ofBase)),
      suspenseCents: Math.max(asked.suspenseCents, early),
    },
  };
}

/** All money that has left a sale for good, by the refund's key or the dispute's reference. */
export function outflowsOf(image: SaleImage): Map<string, Outflow> {
  const outflows = new Map<string, Outflow>();
  for (const refund of image.refunds) {
    const cents = refundedCents(image, refund);
    if (cents > 0) outflows.set(refund.key, asReceived(image, refund.key, { cents, asked: refund.parts }));
  }
  for (const { ref, kind } of image.disputes) {
    const cents = kind === 'chargeback' ? lostCents(image, ref) : 0;
    if (cents > 0) outflows.set(ref, asReceived(image, ref, { cents, asked: basePart(cents) }));
  }
  return outflows;
}

/** What was received for a sale, by what it is; what we made up for it counts until that has ended. */
export function paymentOf({ entries, amounts }: SaleImage): Parts {
  const isPaid = entries.some(({ key }) => key === 'paid');
  const ended = balancesOf(entries.filter(endsShortfall));
  return {
    baseCents: isPaid ? amounts.basePriceCents + ended.remainingBaseCents : 0,
    feesCents: isPaid ? amounts.buyerFeesCents + ended.remainingFeesCents : 0,
    suspenseCents:
      0 -
      sumOf(
        entries.filter(({ kind }) => kind === 'L6'),
        ['suspense'],
      ),
  };
}
