import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { SaleEvent } from './model.ts';
import { factsOf, type SaleRow } from './sale-row.ts';

/**
 * Whether the parties hear of an event. A sale that is put on hold, or continues, concerns them only while its money is held, and
 * only when the hold begins or ends with it. A payout of nothing was not sent. Of a refund that fails again and again the first failure
 * says it all.
 */
export async function isMailDue(
  ctx: Ctx,
  sale: SaleRow,
  { event, wasFrozen, amountCents }: { event: SaleEvent; wasFrozen: boolean; amountCents: number },
): Promise<boolean> {
  if (event === 'complete_payout') return amountCents > 0;
  if (event === 'freeze_sale') return !wasFrozen && (await isMoneyHeld(ctx, sale));
  if (event === 'unfreeze_sale') return sale.frozen_at === null && (await isMoneyHeld(ctx, sale));
  if (event === 'fail_refund') return isFirstFailure(ctx, sale);
  return true;
}

/** Whether no other refund has failed since one was last carried out or withdrawn. */
async function isFirstFailure(ctx: Ctx, sale: SaleRow): Promise<boolean> {
  const { rows } = await sql<{ failures: number }>`select count(*)::int as failures from refunds r
    where r.sale_id = ${sale.id} and r.origin = 'platform' and r.status = 'failed' and r.withdrawn_at is null
      and not exists (select from refunds e where e.sale_id = r.sale_id and e.created_at >= r.created_at
        and e.id <> r.id and (e.status = 'succeeded' or e.withdrawn_at is not null))`.execute(ctx.db.q());
  return (rows[0]?.failures ?? 0) <= 1;
}

/** Whether money of the buyer is held: in escrow, or for a purchase whose payment is not settled yet. */
async function isMoneyHeld(ctx: Ctx, sale: SaleRow): Promise<boolean> {
  if (sale.escrow_status !== 'pending') return sale.escrow_status === 'in_escrow';
  return (await factsOf(ctx, sale)).heldCents > 0;
}
