import { sql } from 'kysely';
import { LIVE_SALE } from '#features/ledger/model.ts';
import type { Ctx } from '#platform/context.ts';
import type { SaleRow } from './sale-row.ts';

/** Once all of the money of a released sale has gone back, its property can be put up for sale again. */
export const hasLetGo = ({ escrow_status, stripe_payment_status }: SaleRow): boolean =>
  escrow_status === 'completed' && stripe_payment_status === 'refunded';

/** Whether the property of a released sale is no longer its own: it is not sold anymore, or to somebody else. */
export async function isPropertyGone(ctx: Ctx, sale: SaleRow): Promise<boolean> {
  if (sale.property_gone_at !== null) return true;
  if (!hasLetGo(sale)) return false;
  const { rows } = await sql<{
    gone: boolean;
  }>`select p.status <> 'Sold' or exists (select from property_sales
      where property_id = p.id and id <> ${sale.id}
        and (${sql.raw(LIVE_SALE)} or (escrow_status = 'completed' and created_at > ${sale.created_at}))) as gone
    from properties p where p.id = ${sale.property_id}`.execute(ctx.db.q());
  return rows[0]?.gone ?? true;
}
