import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import type { SaleRow } from './sale-row.ts';

/** Tells the open pages of a sale that it has more documents, in the current transaction. */
export async function announceDocuments(
  ctx: Ctx,
  sale: Pick<SaleRow, 'id' | 'buyer_id' | 'agent_id'>,
): Promise<void> {
  const seller = await ctx.db
    .q()
    .selectFrom('agents')
    .select('user_id')
    .where('id', '=', sale.agent_id)
    .executeTakeFirst();
  const event = { type: 'sale.moved', payload: { sale: sale.id, event: 'add_documents' } } as const;
  await publish(ctx, { audience: `user:${sale.buyer_id}`, ...event });
  if (seller?.user_id) await publish(ctx, { audience: `user:${seller.user_id}`, ...event });
  await publish(ctx, { audience: 'role:admin', ...event });
}
