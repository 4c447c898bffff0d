import { remainderPostings } from '#features/ledger/allocation.ts';
import { balancesOf, heldCents } from '#features/ledger/balances.ts';
import { endsShortfall, madeUpCents, pendingParts, SHORTFALL_ENDED } from '#features/sales/sale-books.ts';
import type { Draft } from './draft.ts';
import { imageBalances, type SaleImage } from './sale-image.ts';

/** Nothing of the payment is left with us, and nothing is on its way back. */
export function isSettled(image: SaleImage): boolean {
  const balances = imageBalances(image);
  const left =
    image.state.escrow === 'completed'
      ? balances.remainingBaseCents + balances.remainingFeesCents + balances.suspenseCents
      : heldCents(balances);
  return left === 0 && !image.refunds.some(({ status }) => status === 'pending');
}

/**
 * A sale is refunded once nothing is left of its payment, unless an administrator is to look at a refund; one that is still in escrow
 * then ends, or it would be released with nothing in it.
 */
export function planSettlement(draft: Draft): void {
  restoreShortfall(draft);
  endShortfall(draft);
  const { image } = draft;
  if (awaitsDecision(image) || image.state.payment !== 'completed') return;
  if (!canEnd(draft) && image.state.escrow !== 'completed') return;
  if (!isSettled(image)) return;
  const refunded = image.refunds.filter(({ status }) => status === 'succeeded');
  const amountCents = refunded.reduce((sum, refund) => sum + refund.amountCents, 0);
  const note = refunded.at(-1)?.reason ?? null;
  draft.trigger('settle_refund', note, amountCents > 0 ? { amountCents } : {});
}

/** An administrator is to look at a refund, and decides with it what becomes of a sale that is not over yet. */
const awaitsDecision = ({ breaks, state }: SaleImage): boolean =>
  state.payment !== 'refunded' && breaks.some(({ kind, open }) => open && kind === 'unexpected_refund');

/** The sale is cancelled, or in escrow and would be once nothing is left in it. */
const canEnd = (draft: Draft): boolean =>
  draft.image.state.escrow === 'cancelled' ||
  (draft.image.state.escrow === 'in_escrow' && draft.posted('paid') && !draft.image.frozen);

/**
 * When all that the buyer paid has gone back, what is left is only what we made up for a payment that was accepted although it was too
 * small: it is no longer needed, and after the release taken back out of the shares as a refund would be.
 */
export function endShortfall(draft: Draft): void {
  const { image } = draft;
  const isReleased = draft.posted('released');
  if (awaitsDecision(image) || !(canEnd(draft) || isReleased)) return;
  const balances = imageBalances(image);
  const { remainingBaseCents: baseCents, remainingFeesCents: feesCents, suspenseCents } = balances;
  const cents = baseCents + feesCents;
  if (cents <= 0 || suspenseCents !== 0 || cents > madeUpCents(image.entries)) return;
  const left = { baseCents, feesCents, suspenseCents, lossCents: 0 };
  const postings = remainderPostings({
    amounts: image.amounts,
    balances,
    isReleased,
    before: left,
    after: { ...left, baseCents: 0, feesCents: 0 },
    madeUpCents: 0,
    to: 'write_offs',
  });
  draft.post(draft.nextKey(SHORTFALL_ENDED), 'L6', 'What was written off is no longer needed', postings);
}

/** What was made up for a payment is needed again when a part of it has come back to a released sale and is to stay there. */
function restoreShortfall(draft: Draft): void {
  const { image } = draft;
  const ended = balancesOf(image.entries.filter(endsShortfall));
  const [baseCents, feesCents] = [0 - ended.remainingBaseCents, 0 - ended.remainingFeesCents];
  if (!draft.posted('released') || baseCents + feesCents <= 0) return;
  const balances = imageBalances(image);
  const left = {
    baseCents: balances.remainingBaseCents,
    feesCents: balances.remainingFeesCents,
    suspenseCents: 0,
    lossCents: 0,
  };
  const pending = pendingParts(image.refunds);
  if (left.baseCents + left.feesCents <= pending.baseCents + pending.feesCents) return;
  const postings = remainderPostings({
    amounts: image.amounts,
    balances,
    isReleased: true,
    before: left,
    after: { ...left, baseCents: left.baseCents + baseCents, feesCents: left.feesCents + feesCents },
    madeUpCents: 0,
    to: 'write_offs',
  });
  draft.post(draft.nextKey(SHORTFALL_ENDED), 'L6', 'What was written off is needed again', postings);
}
