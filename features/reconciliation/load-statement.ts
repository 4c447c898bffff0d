import { sql } from 'kysely';
import { providersOfAccount } from '#gateways/payments/providers.ts';
import type { PayoutMethod } from '#gateways/payouts/port.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { describePosting } from './describe-posting.ts';
import type { Booking, ClearingPosting, NamedSale, Part, Statement } from './facts.ts';

/** How long a posting may wait for its transaction: cards and banks are booked within days, crypto within hours. */
const BOUND_MS = { card: 3 * DAY, crypto: 2 * DAY };

/** A transaction of a provider with all that matching has to know. */
export interface StoredBooking extends Booking {
  ref: string;
  checkoutRef: string | null;
}

/**
 * Everything of a provider account that is not settled: its transactions, the postings on its clearing account, and the sales
 * they name.
 */
export async function loadStatement(
  ctx: Ctx,
  accountId: string,
  { method, paysBy }: { method: keyof typeof BOUND_MS; paysBy: PayoutMethod },
): Promise<Statement & { bookings: StoredBooking[] }> {
  await assignSales(ctx, accountId);
  const bookings = await openBookings(ctx, accountId);
  return {
    accountId,
    bookings,
    postings: await openPostings(ctx, accountId),
    sales: await namedSales(ctx, bookings),
    ...(await ownRefunds(ctx, bookings)),
    breakRefunds: await breakRefunds(ctx, accountId),
    runningTransfers: await runningTransfers(ctx, accountId),
    paysBy,
    now: ctx.now(),
    boundMs: BOUND_MS[method],
  };
}

/** Finds the sales of transactions whose sale was not known before: by checkout, payment, refund, payout or dispute, or as stated. */
async function assignSales(ctx: Ctx, accountId: string): Promise<void> {
  const { provider } = await ctx.db
    .q()
    .selectFrom('provider_accounts')
    .select('provider')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const providersOf = sql`${providersOfAccount(provider)}::text[]`;
  await sql`
    with found as (
      select t.id, coalesce(
        (select s.id from property_sales s
          where s.provider = any(${providersOf}) and s.provider_session_id = t.checkout_ref),
        (select s.id from property_sales s
          where s.provider = any(${providersOf}) and s.provider_payment_id = t.payment_ref),
        (select p.sale_id from sale_tranches p where p.provider_ref = t.payment_ref limit 1),
        (select r.sale_id from refunds r where r.provider_ref = t.object_ref),
        (select o.sale_id from payout_items i join payouts o on o.id = i.payout_id
          where i.provider_ref = t.object_ref limit 1),
        (select d.sale_id from disputes d where d.provider_ref = t.object_ref),
        (select s.id from property_sales s where s.id = case
          when t.stated_sale ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then t.stated_sale::uuid end)) as sale_id
      from provider_transactions t
      where t.provider_account_id = ${accountId} and t.sale_id is null
        and (t.amount_settled_at is null or t.fee_settled_at is null))
    update provider_transactions t set sale_id = found.sale_id
    from found where found.id = t.id and found.sale_id is not null`.execute(ctx.db.q());
}

async function openBookings(ctx: Ctx, accountId: string): Promise<StoredBooking[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('provider_transactions')
    .selectAll()
    .where('provider_account_id', '=', accountId)
    .where((where) => where.or([where('amount_settled_at', 'is', null), where('fee_settled_at', 'is', null)]))
    .orderBy('booked_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    ref: row.ref,
    kind: row.kind,
    amountCents: row.amount_cents,
    feeCents: row.fee_cents,
    currency: row.currency,
    refs: [row.ref, row.object_ref, row.payment_ref, row.checkout_ref].filter((ref) => ref !== null),
    objectRef: row.object_ref,
    checkoutRef: row.checkout_ref,
    saleId: row.sale_id,
    open: openParts(row),
    at: row.booked_at,
    dueFrom: new Date(Math.max(row.stored_at.getTime(), row.booked_at.getTime())),
  }));
}

/** The parts of a transaction that no posting confirms yet. */
export const openParts = (row: { amount_settled_at: Date | null; fee_settled_at: Date | null }): Part[] => [
  ...(row.amount_settled_at === null ? (['amount'] as const) : []),
  ...(row.fee_settled_at === null ? (['fee'] as const) : []),
];

/** The unsettled postings on the clearing account, all or those with the given ids. */
export async function openPostings(
  ctx: Ctx,
  accountId: string,
  ids?: readonly number[],
): Promise<ClearingPosting[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('ledger_postings as p')
    .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
    .select(['p.id', 'p.amount_cents', 'e.idempotency_key', 'e.kind', 'e.sale_id', 'e.created_at'])
    .where('p.provider_account_id', '=', accountId)
    .$if(ids !== undefined, (q) => q.where('p.id', 'in', ids ?? []))
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('clearing_matches as m').select('m.id').whereRef('m.posting_id', '=', 'p.id'),
        ),
      ),
    )
    .orderBy('p.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    ...describePosting({
      key: row.idempotency_key,
      entry: row.kind,
      saleId: row.sale_id,
      cents: row.amount_cents,
    }),
    saleId: row.sale_id,
    cents: row.amount_cents,
    at: row.created_at,
  }));
}

async function namedSales(ctx: Ctx, bookings: readonly Booking[]): Promise<Map<string, NamedSale>> {
  const ids = [...new Set(bookings.map(({ saleId }) => saleId).filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .select(['s.id', 's.provider_account_id', 's.total_cents'])
    .select(['s.provider_session_id', 's.provider_payment_id'])
    .select((column) =>
      column
        .exists(
          column
            .selectFrom('provider_transactions as t')
            .select('t.id')
            .whereRef('t.sale_id', '=', 's.id')
            .where('t.kind', '=', 'payment')
            .where('t.amount_settled_at', 'is not', null),
        )
        .as('settled'),
    )
    .where('s.id', 'in', ids)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        accountId: row.provider_account_id,
        totalCents: row.total_cents,
        refs: [row.provider_session_id, row.provider_payment_id].filter((ref) => ref !== null),
        paymentSettled: Boolean(row.settled),
      },
    ]),
  );
}

async function ownRefunds(
  ctx: Ctx,
  bookings: readonly StoredBooking[],
): Promise<Pick<Statement, 'ownRefunds' | 'runningRefunds'>> {
  const refs = bookings
    .filter(({ kind }) => kind === 'refund' || kind === 'refund_return')
    .map(({ objectRef }) => objectRef)
    .filter((ref) => ref !== null);
  if (refs.length === 0) return { ownRefunds: new Set(), runningRefunds: new Set() };
  const rows = await ctx.db
    .q()
    .selectFrom('refunds')
    .select([sql<string>`provider_ref`.as('ref'), 'status'])
    .where('provider_ref', '=', sql<string>`any(${refs}::text[])`)
    .where('origin', '=', 'platform')
    .execute();
  const running = rows.filter(({ status }) => status === 'pending');
  return {
    ownRefunds: new Set(rows.map(({ ref }) => ref)),
    runningRefunds: new Set(running.map(({ ref }) => ref)),
  };
}

async function breakRefunds(ctx: Ctx, accountId: string): Promise<Set<string>> {
  const rows = await ctx.db
    .q()
    .selectFrom('break_refunds')
    .select('provider_ref as ref')
    .where('provider_account_id', '=', accountId)
    .where('status', '=', 'sent')
    .execute();
  return new Set(rows.map(({ ref }) => ref).filter((ref) => ref !== null));
}

/** What has left an account for a seller, and is posted when its provider says whether it arrived. */
async function runningTransfers(ctx: Ctx, accountId: string): Promise<Set<string>> {
  const rows = await ctx.db
    .q()
    .selectFrom('payout_items as i')
    .innerJoin('payouts as o', 'o.id', 'i.payout_id')
    .select('i.provider_ref as ref')
    .where('o.provider_account_id', '=', accountId)
    .where('o.status', '=', 'processing')
    .where('i.status', '=', 'processing')
    .execute();
  return new Set(rows.map(({ ref }) => ref));
}
