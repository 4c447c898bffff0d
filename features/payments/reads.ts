import { type RawBuilder, sql } from 'kysely';
import { accountProviderOf, providersOfAccount } from '#gateways/payments/providers.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import type { MessageStatus, ProviderMessage, ProviderMessagePage } from './messages.ts';
import { mayReplayMessages } from './rules.ts';

/** Messages on one page. */
const PAGE_SIZE = 50;

interface ProviderMessagesInput {
  /** id of a sale or of a message, or a reference of the provider; without it all */
  q: string;
  status: MessageStatus | null;
  before: number | null;
}

/**
 * Messages of the providers about payments and payouts with their outcome, the latest first, by pages of 50.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function providerMessages(
  ctx: Ctx,
  { q, status, before }: ProviderMessagesInput,
): Promise<ProviderMessagePage> {
  authorize(ctx, mayReplayMessages);
  const conditions = [
    ...(q ? [await about(ctx, q)] : []),
    ...(status ? [sql`e.status = ${status}`] : []),
    ...(before === null ? [] : [sql`e.id < ${before}`]),
  ];
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const { rows } = await sql<MessageRow>`
    with page as materialized (select e.* from provider_events e ${where} order by e.id desc limit ${PAGE_SIZE + 1})
    select e.id, e.provider, e.event_type, coalesce(e.payment_ref, e.ref, e.payout_key) as reference, e.status, e.attempts, e.last_error, e.received_at, e.processed_at,
      s.id as sale_id, p.address
    from page e
      left join lateral (
        select x.id, x.property_id from property_sales x
          where x.provider in (e.provider, ${paidInParts}) and x.provider_session_id = e.ref
        union all select x.id, x.property_id from property_sales x
          where x.provider in (e.provider, ${paidInParts}) and x.provider_payment_id = e.payment_ref
        union all select x.id, x.property_id from payouts o join property_sales x on x.id = o.sale_id
          where o.idempotency_key = e.payout_key
        limit 1) s on true
      left join properties p on p.id = s.property_id
    order by e.id desc`.execute(ctx.db.q());
  const page = rows.slice(0, PAGE_SIZE);
  return {
    messages: page.map(messageFrom),
    older: rows.length > PAGE_SIZE ? (page.at(-1)?.id ?? null) : null,
  };
}

/** SQL: the other provider whose sales are paid into the account of the message `e`, if there is one. */
const paidInParts = sql`case e.provider ${sql.join(
  (['stripe', 'sandbox-card'] as const).map(
    (account) => sql`when ${sql.lit(account)} then ${sql.lit(providersOfAccount(account)[1] ?? account)}`,
  ),
  sql` `,
)} end`;

interface MessageRow {
  id: number;
  provider: string;
  event_type: string;
  reference: string | null;
  status: MessageStatus;
  attempts: number;
  last_error: string | null;
  received_at: Date;
  processed_at: Date | null;
  sale_id: string | null;
  address: string | null;
}

const messageFrom = (row: MessageRow): ProviderMessage => ({
  id: row.id,
  provider: row.provider,
  type: row.event_type,
  reference: row.reference,
  status: row.status,
  attempts: row.attempts,
  failure: row.last_error,
  receivedAt: row.received_at.toISOString(),
  processedAt: row.processed_at?.toISOString() ?? null,
  sale: row.sale_id === null ? null : { id: row.sale_id, address: row.address ?? '' },
});

/** The messages that a search is about: those of a sale, one message, or those with a reference. */
async function about(ctx: Ctx, q: string): Promise<RawBuilder<unknown>> {
  if (isUuid(q.toLowerCase())) return ofSale(ctx, q.toLowerCase());
  const byReference = sql`e.ref = ${q} or e.payment_ref = ${q} or e.payout_key = ${q}`;
  return /^\d{1,15}$/.test(q) ? sql`(e.id = ${Number(q)} or ${byReference})` : sql`(${byReference})`;
}

async function ofSale(ctx: Ctx, saleId: string): Promise<RawBuilder<unknown>> {
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['provider', 'provider_session_id', 'provider_payment_id'])
    .where('id', '=', saleId)
    .executeTakeFirst();
  if (!sale) return sql`false`;
  const tranches = await ctx.db
    .q()
    .selectFrom('sale_tranches')
    .select('provider_ref')
    .where('sale_id', '=', saleId)
    .execute();
  const payments = [sale.provider_payment_id, ...tranches.map(({ provider_ref }) => provider_ref)];
  const known = payments.filter((ref) => ref !== null);
  const payouts = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('idempotency_key')
    .where('sale_id', '=', saleId)
    .execute();
  const keys = payouts.map(({ idempotency_key }) => idempotency_key);
  return sql`(e.payout_key = any(${keys}::text[])
    or e.provider = any(${[sale.provider, accountProviderOf(sale.provider)]}::text[])
    and (e.ref = ${sale.provider_session_id} or e.payment_ref = any(${known}::text[])))`;
}
