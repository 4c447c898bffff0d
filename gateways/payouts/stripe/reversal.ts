import type Stripe from 'stripe';
import { PaymentError } from '../../payments/port.ts';

/** Metadata key of a reversal that names the request it is a part of. */
export const REVERSAL_KEY = 'key';

/** A part of what is taken back: from which transfer, how much, and its place among the payout's transfers. */
export interface ReversalPart {
  transfer: string;
  amountCents: number;
  position: number;
}

/** What is still to be reversed for a request, and what was before. */
export interface ReversalPlan {
  made: Stripe.TransferReversal[];
  parts: ReversalPart[];
}

/**
 * Plans a reversal of transfers, the last first; what was reversed under the same key counts towards it.
 * @throws PaymentError `limit` beyond what is left, `conflict` when more was reversed under this key
 */
export function planReversal(
  transfers: readonly Stripe.Transfer[],
  amountCents: number,
  key: string,
): ReversalPlan {
  const made = transfers.flatMap(({ reversals }) =>
    reversals.data.filter(({ metadata }) => metadata?.[REVERSAL_KEY] === key),
  );
  let missing = amountCents - made.reduce((sum, { amount }) => sum + amount, 0);
  if (missing < 0) throw new PaymentError('conflict', 'This key was used for another reversal');
  const parts: ReversalPart[] = [];
  for (const [position, { id, amount, amount_reversed }] of [...transfers.entries()].toReversed()) {
    const cents = Math.min(missing, amount - amount_reversed);
    if (cents <= 0) continue;
    missing -= cents;
    parts.push({ transfer: id, amountCents: cents, position });
  }
  if (missing > 0) throw new PaymentError('limit', 'More than what is left of the payout');
  return { made, parts };
}
