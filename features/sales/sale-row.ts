import { type Selectable, sql } from 'kysely';
import { LIVE_SALE, type SaleAmounts } from '#features/ledger/model.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { blockedSince } from './documents.ts';
import type { SaleState } from './model.ts';
import { PAYMENTS, type RefundTerms } from './sale-books.ts';
import { areAllHeld } from './sql.ts';
import type { SaleFacts } from './transition.ts';

/** A sale as stored in the database. */
export type SaleRow = Selectable<DB['property_sales']>;

export const stateOf = (sale: SaleRow): SaleState => ({
  payment: sale.stripe_payment_status,
  escrow: sale.escrow_status,
  payout: sale.payout_status,
});

export const refundTermsOf = (sale: Pick<SaleRow, 'escrow_status' | 'property_gone_at'>): RefundTerms => ({
  escrow: sale.escrow_status,
  propertyGone: sale.property_gone_at !== null,
});

export const amountsOf = (
  sale: Pick<
    SaleRow,
    'sale_price_cents' | 'buyer_fees_cents' | 'agent_commission_cents' | 'seller_fees_cents'
  >,
): SaleAmounts => ({
  basePriceCents: sale.sale_price_cents,
  buyerFeesCents: sale.buyer_fees_cents,
  agentCommissionCents: sale.agent_commission_cents,
  sellerFeesCents: sale.seller_fees_cents,
});

/** What the guards of transitions need to know besides the state. */
export async function factsOf(ctx: Ctx, sale: SaleRow): Promise<SaleFacts> {
  const q = ctx.db.q();
  const openProblem = q
    .selectFrom('disputes')
    .where('sale_id', '=', sale.id)
    .where('status', '=', 'open')
    .where('kind', '=', 'problem');
  const { problemAt, problemBy, removed, areHeld, refunds, chargebacks, breaks, held } = await q
    .selectNoFrom((no) => [
      openProblem.select('created_at').as('problemAt'),
      openProblem.select('opened_by').as('problemBy'),
      no
        .selectFrom('disputes')
        .select(no.fn.countAll<number>().as('n'))
        .where('sale_id', '=', sale.id)
        .where('status', '=', 'open')
        .where('kind', '=', 'chargeback')
        .as('chargebacks'),
      no
        .selectFrom('breaks')
        .select(no.fn.countAll<number>().as('n'))
        .where('sale_id', '=', sale.id)
        .where('state', '<>', 'resolved')
        .where('freezes', '=', true)
        .as('breaks'),
      q
        .selectFrom('ledger_postings as p')
        .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
        .select((sum) => sum.fn.sum<number>('p.amount_cents').as('cents'))
        .where('e.sale_id', '=', sale.id)
        .where((where) =>
          where.or([
            where('p.account', 'in', ['escrow_held', 'fees_held', 'suspense']),
            // What we made up for it was never the buyer's.
            where('p.account', '=', 'write_offs').and('e.kind', 'in', PAYMENTS),
          ]),
        )
        .as('held'),
      no
        .selectFrom('admin_tasks')
        .select(no.fn.countAll<number>().as('n'))
        .where('kind', '=', 'documents_removed')
        .where('subject_id', '=', sale.id)
        .where('closed_at', 'is', null)
        .as('removed'),
      areAllHeld({ id: sql`${sale.id}::uuid`, buyer: sql`${sale.buyer_id}::uuid` }).as('areHeld'),
      no
        .selectFrom('refunds')
        .select(no.fn.countAll<number>().as('n'))
        .where('sale_id', '=', sale.id)
        .where('status', '=', 'pending')
        .as('refunds'),
    ])
    .executeTakeFirstOrThrow();
  const problem = problemAt && {
    at: problemAt,
    openedBy: problemBy === sale.buyer_id ? ('buyer' as const) : ('seller' as const),
  };
  const { cancellation_requested_at: askedAt, cancellation_requested_by: askedBy } = sale;
  return {
    frozen: sale.frozen_at !== null,
    problemOpen: problem !== null,
    problemOpenedBy: problem?.openedBy ?? null,
    cancellationAskedBy: askedBy,
    documentsDelivered: sale.documents_delivered_at !== null,
    documentsDueAt: sale.documents_due_at,
    blockedSince: blockedSince({
      frozenAt: sale.frozen_at,
      problem,
      cancellationAsked: askedAt && askedBy && { by: askedBy, at: askedAt },
    }),
    documentsRemoved: Number(removed) > 0 || areHeld,
    overdueNoted: sale.documents_overdue_at !== null,
    releaseDueAt: sale.release_due_at,
    refundRunning: Number(refunds) > 0,
    chargebackOpen: Number(chargebacks) > 0,
    frozenBy: Number(chargebacks) + Number(breaks),
    heldCents: 0 - Number(held ?? 0),
    propertyGone: await isPropertyGone(ctx, sale),
    now: ctx.now(),
  };
}

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

/** The sale, locked until the end of the current transaction. */
export const lockSale = (ctx: Ctx, saleId: string): Promise<SaleRow | undefined> =>
  ctx.db.q().selectFrom('property_sales').selectAll().where('id', '=', saleId).forUpdate().executeTakeFirst();
