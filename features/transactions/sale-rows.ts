import { payoutReference } from '#features/payouts/sql.ts';
import { partyLabel } from '#features/sales/display.ts';
import type { Party } from '#features/sales/model.ts';
import type { SaleRow } from '#features/sales/sale-row.ts';
import { brandName } from '#features/settings/reads.ts';
import type { Ctx } from '#platform/context.ts';
import type { SaleDetails, SalePayout, SaleRefund, TimelineStep } from './details-model.ts';

/** What has happened to a sale, oldest first, by whom by name, and with the notes that the system leaves for operators. */
export async function timelineOf(ctx: Ctx, saleId: string): Promise<TimelineStep[]> {
  const [brand, rows] = await Promise.all([
    brandName(ctx),
    ctx.db
      .q()
      .selectFrom('sale_events as e')
      .leftJoin('users as u', 'u.id', 'e.actor_id')
      .select(['e.id', 'e.event', 'e.actor_role', 'e.note', 'e.created_at', 'u.name'])
      .where('e.sale_id', '=', saleId)
      .orderBy('e.id')
      .execute(),
  ]);
  return rows.map(({ id, event, actor_role, note, created_at, name }) => {
    const role = partyLabel(actor_role as Party, brand);
    return { id, event, who: name ? `${role}, ${name}` : role, note, at: created_at.toISOString() };
  });
}

/** The attempts to pay the seller of a sale, the latest first. */
export async function payoutsOf(ctx: Ctx, saleId: string): Promise<SalePayout[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('payouts as p')
    .selectAll('p')
    .select(payoutReference.as('reference'))
    .where('p.sale_id', '=', saleId)
    .orderBy('p.attempt', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    method: row.method,
    status: row.status,
    amountCents: row.amount_cents,
    reference: row.reference,
    failure: row.failure_reason,
    startedAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  }));
}

/** The refunds of a sale on record, the latest first. */
export async function refundsOf(ctx: Ctx, saleId: string): Promise<SaleRefund[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('refunds as r')
    .leftJoin('users as u', 'u.id', 'r.requested_by')
    .select(['r.id', 'r.status', 'r.amount_cents', 'r.reason', 'r.origin', 'r.created_at', 'r.settled_at'])
    .select(['u.name as by', 'r.withdrawn_at', 'r.bank_reference', 'r.failure_reason'])
    .where('r.sale_id', '=', saleId)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.idempotency_key', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    amountCents: row.amount_cents,
    reason: row.reason,
    origin: row.origin,
    withdrawn: row.withdrawn_at !== null && row.status === 'failed',
    reference: row.bank_reference,
    cameBack: row.origin === 'bank' && row.status === 'failed' ? row.failure_reason : null,
    by: row.by,
    at: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  }));
}

/** The problem that a party has reported and that is still open. */
export async function problemOf(ctx: Ctx, sale: SaleRow): Promise<SaleDetails['problem']> {
  const row = await ctx.db
    .q()
    .selectFrom('disputes')
    .select(['opened_by', 'reason', 'created_at'])
    .where('sale_id', '=', sale.id)
    .where('kind', '=', 'problem')
    .where('status', '=', 'open')
    .executeTakeFirst();
  return row
    ? {
        by: row.opened_by === sale.buyer_id ? 'buyer' : 'seller',
        text: row.reason,
        at: row.created_at.toISOString(),
      }
    : null;
}
