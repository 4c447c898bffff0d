import type { Ctx } from '#platform/context.ts';
import type { SaleEvent } from './model.ts';
import { factsOf, type SaleRow } from './sale-row.ts';

/**
 * Whether the parties hear of an event. A sale that is put on hold, or continues, concerns them only while its money is held, and
 * only when the hold begins or ends with it. A payout of nothing was not sent.
 */
export async function isMailDue(
  ctx: Ctx,
  sale: SaleRow,
  { event, wasFrozen, amountCents }: { event: SaleEvent; wasFrozen: boolean; amountCents: number },
): Promise<boolean> {
  if (event === 'complete_payout') return amountCents > 0;
  if (event === 'freeze_sale') return !wasFrozen && (await isMoneyHeld(ctx, sale));
  if (event === 'unfreeze_sale') return sale.frozen_at === null && (await isMoneyHeld(ctx, sale));
  return true;
}

/** Whether money of the buyer is held: in escrow, or for a purchase whose payment is not settled yet. */
async function isMoneyHeld(ctx: Ctx, sale: SaleRow): Promise<boolean> {
  if (sale.escrow_status !== 'pending') return sale.escrow_status === 'in_escrow';
  return (await factsOf(ctx, sale)).heldCents > 0;
}
