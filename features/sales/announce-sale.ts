import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import type { SaleRow } from './sale-row.ts';

type Announced = Pick<SaleRow, 'id' | 'buyer_id' | 'agent_id'>;

/** Tells the open pages of a sale's parties and of administrators what happened to it, in the current transaction. */
export async function announceSale(ctx: Ctx, sale: Announced, event: string): Promise<void> {
  const seller = await ctx.db
    .q()
    .selectFrom('agents')
    .select('user_id')
    .where('id', '=', sale.agent_id)
    .executeTakeFirst();
  await publish(ctx, {
    audience: [
      `user:${sale.buyer_id}`,
      ...(seller?.user_id ? [`user:${seller.user_id}` as const] : []),
      'role:admin',
    ],
    type: 'sale.moved',
    payload: { sale: sale.id, event },
  });
}

/** The same: it has more documents. */
export const announceDocuments = (ctx: Ctx, sale: Announced): Promise<void> =>
  announceSale(ctx, sale, 'add_documents');
