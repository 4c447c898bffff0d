import { heldCents } from '#features/ledger/balances.ts';
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
  const { image } = draft;
  const { payment, escrow } = image.state;
  if (payment !== 'completed' || escrow === 'pending') return;
  if (escrow === 'in_escrow' && !draft.posted('paid')) return;
  if (image.breaks.some(({ kind, open }) => open && kind === 'unexpected_refund') || !isSettled(image))
    return;
  const refunded = image.refunds.filter(({ status }) => status === 'succeeded');
  const amountCents = refunded.reduce((sum, refund) => sum + refund.amountCents, 0);
  const note = refunded.at(-1)?.reason ?? null;
  draft.trigger('settle_refund', note, amountCents > 0 ? { amountCents } : {});
}
