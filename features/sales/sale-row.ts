import type { Selectable } from 'kysely';
import type { SaleAmounts } from '#features/ledger/model.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { SaleState } from './model.ts';
import type { SaleFacts } from './transitions.ts';

/** A sale as stored in the database. */
export type SaleRow = Selectable<DB['property_sales']>;

export const stateOf = (sale: SaleRow): SaleState => ({
  payment: sale.stripe_payment_status,
  escrow: sale.escrow_status,
  payout: sale.payout_status,
});

export const amountsOf = (sale: SaleRow): SaleAmounts => ({
  basePriceCents: sale.sale_price_cents,
  buyerFeesCents: sale.buyer_fees_cents,
  agentCommissionCents: sale.agent_commission_cents,
  sellerFeesCents: sale.seller_fees_cents,
});

/** What the guards of transitions need to know besides the state. */
export async function factsOf(ctx: Ctx, sale: SaleRow): Promise<SaleFacts> {
  const { problems, refunds } = await ctx.db
    .q()
    .selectNoFrom((no) => [
      no
        .selectFrom('disputes')
        .select(no.fn.countAll<number>().as('n'))
        .where('sale_id', '=', sale.id)
        .where('status', '=', 'open')
        .where('provider_ref', 'is', null)
        .as('problems'),
      no
        .selectFrom('refunds')
        .select(no.fn.countAll<number>().as('n'))
        .where('sale_id', '=', sale.id)
        .where('status', '=', 'pending')
        .as('refunds'),
    ])
    .executeTakeFirstOrThrow();
  return {
    frozen: sale.frozen_at !== null,
    problemOpen: Number(problems) > 0,
    cancellationAskedBy: sale.cancellation_requested_by,
    documentsDelivered: sale.documents_delivered_at !== null,
    releaseDueAt: sale.release_due_at,
    refundRunning: Number(refunds) > 0,
    now: ctx.now(),
  };
}

/** The sale, locked until the end of the current transaction. */
export const lockSale = (ctx: Ctx, saleId: string): Promise<SaleRow | undefined> =>
  ctx.db.q().selectFrom('property_sales').selectAll().where('id', '=', saleId).forUpdate().executeTakeFirst();
