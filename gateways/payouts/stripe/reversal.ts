import type Stripe from 'stripe';
import { PaymentError } from '../../payments/port.ts';

/** Metadata keys of a reversal: the request that it is a part of, and all that was asked for. */
const KEY = 'key';
const TOTAL = 'total_cents';

/** What a reversal says about itself; `saleId` is for the list of transactions. */
export const reversalMetadata = (key: string, amountCents: number, saleId: string): Stripe.MetadataParam => ({
  [KEY]: key,
  [TOTAL]: String(amountCents),
  sale_id: saleId,
});

/** A part of what is taken back: from which transfer, how much, and its place among the payout's transfers. */
export interface ReversalPart {
  transfer: string;
  amountCents: number;
  position: number;
}

/** What is still to be reversed for a request, and what was before. */
interface ReversalPlan {
  made: Stripe.TransferReversal[];
  parts: ReversalPart[];
}

/**
 * Plans a reversal of transfers, the last first; what was reversed under the same key counts towards it. `reversals` is all that was
 * taken back of them.
 * @throws PaymentError `limit` beyond what is left, `conflict` for a key that was used for another amount
 */
export function planReversal(
  transfers: readonly Stripe.Transfer[],
  reversals: readonly Stripe.TransferReversal[],
  { amountCents, key }: { amountCents: number; key: string },
): ReversalPlan {
  const made = reversals.filter(({ metadata }) => metadata?.[KEY] === key);
  if (made.some(({ metadata }) => metadata?.[TOTAL] !== String(amountCents)))
    throw new PaymentError('conflict', 'This key was used for another reversal');
  let missing = amountCents - made.reduce((sum, { amount }) => sum + amount, 0);
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
