import { type RawBuilder, sql } from 'kysely';
import { isMoney } from '#features/sales/sql.ts';
import type { Ctx } from '#platform/context.ts';
import type { BoundedCount } from '#platform/counts.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { isUuid } from '#platform/uuid.ts';
import type { InvitationState, ManagedSeller, SellerFilter, SellerSort, SellerStatus } from './management.ts';
import { WITHDRAWABLE } from './removal.ts';

/** Whether an order is ascending or descending, as SQL. */
type Direction = RawBuilder<unknown>;

/** By an index each; a seller's own id decides between equals. */
const orders = {
  name: (way: Direction) => sql`lower(a.name) collate "C" ${way}, a.id ${way}`,
  email: (way: Direction) => sql`a.email collate "C" ${way}, a.id ${way}`,
  phone: (way: Direction) => sql`a.phone ${way} nulls last, a.id ${way}`,
  // Read by `idsByRate`.
  rate: (way: Direction) => sql`a.commission_rate ${way}, a.id ${way}`,
  status: (way: Direction, opposite: Direction) =>
    sql`a.display_status ${way}, a.created_at ${opposite}, a.id ${opposite}`,
} satisfies Record<SellerSort, (way: Direction, opposite: Direction) => RawBuilder<unknown>>;

export interface SellerListQuery {
  /** text to find in name, address or phone number; or the id of a seller */
  q?: string | undefined;
  sort?: { by: SellerSort; descending: boolean } | null | undefined;
  status?: SellerFilter | null | undefined;
  /** from 1; past the end means the last page */
  page?: number | undefined;
}

/** Text with fewer letters has no index for its middle, so that it is looked for at the beginning only. */
const PART_MIN_LENGTH = 3;

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

function textCondition(q: string): RawBuilder<unknown> {
  const text = q.trim().toLowerCase();
  if (text === '') return sql``;
  if (isUuid(text)) return sql`and a.id = ${text}`;
  // A phone number is found however it is written.
  const digits = text.replace(/\D/g, '');
  const part = /^[+\d\s().-]+$/.test(text) && digits.length >= PART_MIN_LENGTH ? digits : text;
  if (part.length < PART_MIN_LENGTH) {
    const beginning = `${escaped(part)}%`;
    return sql`and (lower(a.name) collate "C" like ${beginning} or a.email collate "C" like ${beginning})`;
  }
  return sql`and lower(a.name || ' ' || a.email || ' ' || coalesce(a.phone, '')) like ${`%${escaped(part)}%`}`;
}

const matching = ({ q = '', status }: SellerListQuery) => {
  const archived = status === 'archived' ? sql`a.archived_at is not null` : sql`a.archived_at is null`;
  const shown = status && status !== 'archived' ? sql`and a.display_status = ${status}` : sql``;
  return sql`${archived} ${shown} ${textCondition(q)}`;
};

/** How many sellers match; exact up to 10,000. */
export const sellerCount = (ctx: Ctx, query: SellerListQuery): Promise<BoundedCount> =>
  boundedCount(ctx, sql`from agents a where ${matching(query)}`);

interface PageOf {
  limit: number;
  offset: number;
  /** the share in percent of a seller without a rate of their own */
  defaultRate: number;
}

/** The ids of a page's sellers with their place on it, as SQL; newest first unless sorted. */
function pageIds(query: SellerListQuery, { limit, offset, defaultRate }: PageOf): RawBuilder<unknown> {
  const where = matching(query);
  const { sort, status } = query;
  if (!sort) {
    const newest =
      status === 'archived' ? sql`a.archived_at desc, a.id desc` : sql`a.created_at desc, a.id desc`;
    return sql`select a.id from agents a where ${where} order by ${newest} limit ${limit} offset ${offset}`;
  }
  const [way, opposite] = sort.descending ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  if (sort.by !== 'rate')
    return sql`select a.id from agents a where ${where} order by ${orders[sort.by](way, opposite)}
      limit ${limit} offset ${offset}`;
  // Sellers with the default stand among the others, and the default may change: two orders, merged.
  const enough = limit + offset;
  return sql`select id from (
      (select a.id, a.commission_rate as rate from agents a where ${where} and a.commission_rate is not null
        order by ${orders.rate(way)} limit ${enough})
      union all
      (select a.id, ${defaultRate}::numeric from agents a where ${where} and a.commission_rate is null
        order by a.id ${way} limit ${enough})) either
    order by rate ${way}, id ${way} limit ${limit} offset ${offset}`;
}

interface Row {
  id: string;
  user_id: string | null;
  name: string;
  email: string;
  phone: string | null;
  commission_rate: number | null;
  display_status: SellerStatus;
  status_reason: string | null;
  is_registered: boolean;
  email_verified: boolean;
  archived_at: Date | null;
  since: Date;
  invitation: InvitationState | null;
  payout_status: 'pending' | 'complete';
  preferred_payout_method: 'stripe' | 'paypal' | null;
  stripe_account_id: string | null;
  stripe_transfers_active: boolean;
  stripe_requirement: string | null;
  paypal_email: string | null;
  paypal_confirmed_at: Date | null;
  payout_hold_until: Date | null;
  listings: number;
  withdrawing: number;
  sales: number;
  cents: number;
}

const details = (ctx: Ctx, ids: RawBuilder<unknown>) => sql<Row>`
  select a.id, a.user_id, a.name, a.email, a.phone, a.commission_rate, a.display_status, a.status_reason, a.is_registered,
    coalesce(u.email_verified, false) as email_verified, a.archived_at, coalesce(a.registered_at, a.created_at) as since, i.state as invitation, a.payout_status,
    a.preferred_payout_method, a.stripe_account_id, a.stripe_transfers_active, a.stripe_requirement, a.paypal_email,
    a.paypal_confirmed_at, a.payout_hold_until, l.listings, l.withdrawing, s.sales, s.cents
  from (select row_number() over () as place, chosen.id from (${ids}) chosen) page join agents a on a.id = page.id
    left join users u on u.id = a.user_id
    left join lateral (select case m.status when 'dead' then 'bounced' else coalesce(m.status, i.status) end as state
      from agent_invitations i left join mail_outbox m on m.idempotency_key = 'seller.invite:' || i.id
      where i.agent_id = a.id and i.purpose = 'invitation' order by i.created_at desc limit 1) i on not a.is_registered
    cross join lateral (select count(*)::integer as listings,
        (count(*) filter (where a.archived_at is not null and status in ${WITHDRAWABLE}))::integer as withdrawing
      from properties where agent_id = a.id and deleted_at is null) l
    cross join lateral (select count(*)::integer as sales, coalesce(sum(sale_price_cents), 0)::bigint as cents
      from property_sales s where s.agent_id = a.id and s.escrow_status = 'completed' and ${isMoney(ctx.config)}) s
  order by page.place`;

/** One page of sellers with everything that is shown of them, in one query. */
export async function sellerPage(ctx: Ctx, query: SellerListQuery, page: PageOf): Promise<ManagedSeller[]> {
  const { rows } = await details(ctx, pageIds(query, page)).execute(ctx.db.q());
  return rows.map((row) => sellerFrom(row, ctx.now()));
}

/** One seller, archived or not; null when there is none. */
export async function sellerById(ctx: Ctx, id: string): Promise<ManagedSeller | null> {
  const { rows } = await details(ctx, sql`select id from agents where id = ${id}`).execute(ctx.db.q());
  return rows[0] ? sellerFrom(rows[0], ctx.now()) : null;
}

const sellerFrom = (row: Row, now: Date): ManagedSeller => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  email: row.email,
  phone: row.phone,
  commissionRate: row.commission_rate,
  status: row.display_status,
  statusReason: row.status_reason,
  registered: row.is_registered,
  emailVerified: row.email_verified,
  archivedAt: row.archived_at?.toISOString() ?? null,
  since: row.since.toISOString(),
  invitation: row.invitation,
  payoutReady: row.payout_status === 'complete',
  payment: {
    method: row.preferred_payout_method,
    stripe: row.stripe_account_id
      ? {
          account: `…${row.stripe_account_id.slice(-4)}`,
          active: row.stripe_transfers_active,
          requirement: row.stripe_requirement,
        }
      : null,
    paypal: row.paypal_email
      ? { email: row.paypal_email, confirmed: row.paypal_confirmed_at !== null }
      : null,
    holdUntil:
      row.payout_hold_until && row.payout_hold_until > now ? row.payout_hold_until.toISOString() : null,
  },
  listings: row.listings,
  withdrawing: row.withdrawing,
  sales: { count: row.sales, cents: row.cents },
});
