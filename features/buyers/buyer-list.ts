import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { BoundedCount } from '#platform/counts.ts';
import { boundedCount, boundedMatchCount } from '#platform/db/bounded-count.ts';
import { containsWords } from '#platform/db/contains-words.ts';
import { keysOf } from '#platform/typed-keys.ts';
import { isUuid } from '#platform/uuid.ts';
import type { BuyerRow, BuyerStatus } from './model.ts';

/** Rows on one page of the list. */
export const BUYERS_PAGE_SIZE = 25;

const newest = sql`u.created_at desc, u.id`;

/** Each order is one that an index has, in this direction or from its end. */
const orders = {
  name: (direction, _opposite) => sql`lower(u.name) collate "C" ${direction}, u.id ${direction}`,
  email: (direction, _opposite) => sql`u.email collate "C" ${direction}, u.id ${direction}`,
  joined: (direction, opposite) => sql`u.created_at ${direction}, u.id ${opposite}`,
} satisfies Record<
  string,
  (direction: RawBuilder<unknown>, opposite: RawBuilder<unknown>) => RawBuilder<unknown>
>;

export type BuyerSort = keyof typeof orders;
export const buyerSorts = keysOf(orders);

export interface BuyerListQuery {
  /** text to find in name or e-mail address, or the id of a buyer */
  q: string;
  sort: { by: BuyerSort; descending: boolean } | null;
  /** suspended buyers only */
  suspended: boolean;
}

/** Where a buyer's account stands; `u` is the user, `r` the profile. */
export const statusSql = sql<BuyerStatus>`case when u.closed_at is not null then 'closed'
  when r.suspended_at is not null then 'suspended' when not u.email_verified then 'unconfirmed' else 'active' end`;

/** Closed accounts are nobody's anymore; one is found by its id alone. */
function matching({ q, suspended }: BuyerListQuery): RawBuilder<unknown> {
  const found = isUuid(q)
    ? sql`and u.id = ${q}`
    : sql`and u.closed_at is null ${q ? sql`and ${containsWords(sql`u.search_text`, q)}` : sql``}`;
  return suspended
    ? sql`from users u join profiles r on r.id = u.id where u.is_buyer and r.suspended_at is not null ${found}`
    : sql`from users u where u.is_buyer ${found}`;
}

/** The number of buyers that match. */
export const buyerCount = (ctx: Ctx, query: BuyerListQuery): Promise<BoundedCount> =>
  query.q ? boundedMatchCount(ctx, matching(query)) : boundedCount(ctx, matching(query));

/** A page of buyers, newest first unless sorted. */
export async function buyerRows(
  ctx: Ctx,
  query: BuyerListQuery & { limit: number; offset: number },
): Promise<BuyerRow[]> {
  const { sort, limit, offset } = query;
  const [direction, opposite] = sort?.descending ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  const order = sort ? orders[sort.by](direction, opposite) : newest;
  // Select the page first, so that purchases and inquiries are counted for its rows only.
  const { rows } = await sql<Omit<BuyerRow, 'joinedAt'> & { created_at: Date }>`
    select u.id, u.name, u.email, ${statusSql} as status, u.created_at,
      (select count(*)::integer from property_sales s
        where s.buyer_id = u.id and s.stripe_payment_status <> 'failed') as purchases,
      (select count(*)::integer from property_inquiries i where i.user_id = u.id) as inquiries
    from (select row_number() over () as place, chosen.id from (
        select u.id ${matching(query)} order by ${order} limit ${limit} offset ${offset}) chosen) page
      join users u on u.id = page.id join profiles r on r.id = u.id
    order by page.place`.execute(ctx.db.q());
  return rows.map(({ created_at, ...row }) => ({ ...row, joinedAt: created_at.toISOString() }));
}
