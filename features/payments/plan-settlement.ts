import { heldCents } from '#features/ledger/balances.ts';
import { withoutZeros } from '#features/ledger/rules.ts';
import { madeUpCents, SHORTFALL_ENDED } from '#features/sales/sale-books.ts';
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

/** An administrator is to look at a refund. */
const awaitsDecision = ({ breaks }: SaleImage): boolean =>
  breaks.some(({ kind, open }) => open && kind === 'unexpected_refund');

/** The sale is cancelled, or in escrow and would be once nothing is left in it. */
const canEnd = (draft: Draft): boolean =>
  draft.image.state.escrow === 'cancelled' ||
  (draft.image.state.escrow === 'in_escrow' && draft.posted('paid') && !draft.image.frozen);

/**
 * When all that the buyer paid has gone back, what is held is only what we made up for a payment that was accepted although it was too
 * small: it is no longer needed.
 */
export function endShortfall(draft: Draft): void {
  if (awaitsDecision(draft.image) || !canEnd(draft)) return;
  const { escrowCents, feesCents, suspenseCents } = imageBalances(draft.image);
  const cents = escrowCents + feesCents;
  if (cents <= 0 || suspenseCents !== 0 || cents > madeUpCents(draft.image.entries)) return;
  const postings = withoutZeros([
    { account: 'escrow_held', cents: escrowCents },
    { account: 'fees_held', cents: feesCents },
    { account: 'write_offs', cents: -cents },
  ]);
  draft.post(SHORTFALL_ENDED, 'L6', 'What was written off is no longer needed', postings);
}
