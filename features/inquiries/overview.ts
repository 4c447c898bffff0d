import { type RawBuilder, sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import type { ListingPicture } from '#features/listings/model.ts';
import { mainPicture } from '#features/listings/sql.ts';
import type { Ctx } from '#platform/context.ts';
import type { BoundedCount } from '#platform/counts.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { containsText } from '#platform/db/contains-text.ts';
import { keysOf } from '#platform/typed-keys.ts';
import { isUuid } from '#platform/uuid.ts';
import type { InquiryState, OverseenInquiry } from './oversight-model.ts';

/** Rows on one page of the administrators' list. */
export const INQUIRIES_PAGE_SIZE = 25;
/** Characters of the first message that a row has. */
const EXCERPT = 300;

const newest = sql`i.created_at desc, i.id`;

/** Each order is one that an index has, in this direction or from its end. */
const orders = {
  property: (direction) => sql`lower(p.address) collate "C" ${direction}, ${newest}`,
  seller: (direction) => sql`lower(a.name) collate "C" ${direction}, ${newest}`,
  response: (direction) =>
    sql`i.first_reply_at - i.created_at ${direction}, i.created_at ${direction}, i.id ${direction}`,
  status: (direction) => sql`i.state ${direction}, i.created_at desc, i.id desc`,
  date: (direction, opposite) => sql`i.created_at ${direction}, i.id ${opposite}`,
} satisfies Record<
  string,
  (direction: RawBuilder<unknown>, opposite: RawBuilder<unknown>) => RawBuilder<unknown>
>;

/** Sortable columns of the administrators' list. */
export type InquirySort = keyof typeof orders;
export const inquirySorts = keysOf(orders);

export interface InquiryListQuery {
  /** text to find in the address, the seller or the buyer, or the id of an inquiry */
  q: string;
  sort: { by: InquirySort; descending: boolean } | null;
}

/** Whether an inquiry has the text in the address, the seller or the buyer, which its row repeats in lower case; or as its id. */
function matching(q: string): RawBuilder<unknown> {
  return isUuid(q) ? sql`i.id = ${q}` : containsText(sql`i.search_text`, q);
}

/** The number of inquiries that match `q`. */
export const inquiryCount = (ctx: Ctx, q: string): Promise<BoundedCount> =>
  boundedCount(ctx, sql`from property_inquiries i ${q ? sql`where ${matching(q)}` : sql``}`);

interface Row {
  id: string;
  property_id: string;
  address: string;
  city: string;
  state_code: string;
  zip: string;
  type: string;
  picture: ListingPicture | null;
  seller: string;
  buyer: string;
  message: string;
  state: InquiryState | null;
  response_seconds: number | null;
  created_at: Date;
}

interface PageInput extends InquiryListQuery {
  /** more match than are counted: then matches are dense enough to be met on the way through the order's index */
  many: boolean;
  limit: number;
  offset: number;
}

/** A page of inquiries, newest first unless sorted, in one query. Where a state cannot be computed, the row says so. */
export async function inquiryRows(ctx: Ctx, page: PageInput): Promise<OverseenInquiry[]> {
  try {
    return (await readRows(ctx, page, true)).map((row) => ({
      ...overseen(row),
      state: row.state ?? 'error',
      responseSeconds: row.state === null || (row.response_seconds ?? 0) < 0 ? 'error' : row.response_seconds,
    }));
  } catch (error) {
    ctx.log.error({ err: error }, 'the states of inquiries could not be computed');
    return (await readRows(ctx, page, false)).map((row) => ({
      ...overseen(row),
      state: 'error',
      responseSeconds: 'error',
    }));
  }
}

const joined = {
  inquiry: sql`from property_inquiries i`,
  property: sql`from properties p join property_inquiries i on i.property_id = p.id`,
  seller: sql`from agents a join properties p on p.agent_id = a.id join property_inquiries i on i.property_id = p.id`,
};

/** Where the page's rows are chosen from. */
function source({ q, sort, many }: PageInput): RawBuilder<unknown> {
  const from = joined[sort?.by === 'property' || sort?.by === 'seller' ? sort.by : 'inquiry'];
  if (!q) return from;
  if (many) return sql`${from} where ${matching(q)}`;
  // `offset 0` has the few matches found first, by the index of their texts.
  const found = sql`from (select * from property_inquiries i where ${matching(q)} offset 0) i`;
  const property = sql`cross join lateral (select * from properties where id = i.property_id offset 0) p`;
  if (sort?.by === 'property') return sql`${found} ${property}`;
  if (sort?.by !== 'seller') return found;
  return sql`${found} ${property} cross join lateral (select * from agents where id = p.agent_id offset 0) a`;
}

async function readRows(ctx: Ctx, page: PageInput, withStates: boolean): Promise<Row[]> {
  const { sort, limit, offset } = page;
  const [direction, opposite] = sort?.descending ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  const order = sort ? orders[sort.by](direction, opposite) : newest;
  // Select the page first, so that texts, pictures and states are looked up for its rows only.
  const { rows } = await sql<Row>`
    select i.id, p.id as property_id, p.address, p.city, p.state as state_code, p.zip,
      coalesce(t.name, 'Residential') as type, ${mainPicture('p')} as picture, a.name as seller, b.name as buyer,
      left(i.message, ${EXCERPT}) as message, i.created_at,
      ${withStates ? sql`s.state, extract(epoch from s.first_reply_at - i.created_at)::float8` : sql`null as state, null::float8`}
        as response_seconds
    from (select row_number() over () as place, chosen.id from (
        select i.id ${source(page)} order by ${order} limit ${limit} offset ${offset}) chosen) page
      join property_inquiries i on i.id = page.id
      join properties p on p.id = i.property_id
      join agents a on a.id = p.agent_id
      join users b on b.id = i.user_id
      left join property_types t on t.id = p.type_id
      ${withStates ? sql`left join lateral (select * from inquiry_states v where v.id = i.id offset 0) s on true` : sql``}
    order by page.place`.execute(ctx.db.q());
  return rows;
}

const overseen = (row: Row): Omit<OverseenInquiry, 'state' | 'responseSeconds'> => ({
  id: row.id,
  property: {
    id: row.property_id,
    address: row.address,
    town: townLine({ city: row.city, state: row.state_code, zip: row.zip }),
    type: row.type,
    picture: row.picture,
  },
  seller: row.seller,
  buyer: row.buyer,
  message: row.message,
  at: row.created_at.toISOString(),
});
