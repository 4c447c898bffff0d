import { type RawBuilder, sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import type { ListingPicture } from '#features/listings/model.ts';
import { mainPicture } from '#features/listings/sql.ts';
import type { Ctx } from '#platform/context.ts';
import { type BoundedCount, COUNT_LIMIT } from '#platform/counts.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { containsWords } from '#platform/db/contains-words.ts';
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
  return isUuid(q) ? sql`i.id = ${q}` : containsWords(sql`i.search_text`, q);
}

/** The columns of inquiries that every order needs. */
const columns = sql`i.id, i.property_id, i.created_at, i.first_reply_at, i.state`;

interface Cut {
  limit: number;
  offset: number;
}

interface Matches {
  total: BoundedCount;
  /** those of the page in their order; null where more match than are counted, or nothing is searched for */
  ids: string[] | null;
}

/** The number of inquiries that match, with the ids of a page of them where they are few: both from one search of the texts. */
export async function matchingInquiries(
  ctx: Ctx,
  { q, sort, ...cut }: InquiryListQuery & Cut,
): Promise<Matches> {
  if (!q) return { total: await boundedCount(ctx, sql`from property_inquiries`), ids: null };
  const tables = {
    inquiry: sql`few i`,
    property: sql`few i cross join lateral (select * from properties where id = i.property_id offset 0) p`,
    seller: sql`few i cross join lateral (select * from properties where id = i.property_id offset 0) p
      cross join lateral (select * from agents where id = p.agent_id offset 0) a`,
  };
  // A plan for all of them, of which no more than are counted are read; `offset 0` has each of the few looked up.
  const { rows } = await sql<{ count: number; ids: string[] }>`
    with found as materialized (select ${columns} from property_inquiries i where ${matching(q)}),
      few as materialized (select * from found limit ${COUNT_LIMIT + 1}),
      counted as materialized (select count(*)::integer as count from few)
    select count, array(select i.id from ${tables[tableOf(sort)]} where counted.count <= ${COUNT_LIMIT}
      ${orderAndCut(sort, cut)}) as ids from counted`.execute(ctx.db.q());
  const { count, ids } = rows[0] ?? { count: 0, ids: [] };
  if (count > COUNT_LIMIT) return { total: { count: COUNT_LIMIT, more: true }, ids: null };
  return { total: { count, more: false }, ids };
}

const tableOf = (sort: InquiryListQuery['sort']) =>
  sort?.by === 'property' || sort?.by === 'seller' ? sort.by : 'inquiry';

function orderAndCut(sort: InquiryListQuery['sort'], { limit, offset }: Cut): RawBuilder<unknown> {
  const [direction, opposite] = sort?.descending ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  return sql`order by ${sort ? orders[sort.by](direction, opposite) : newest} limit ${limit} offset ${offset}`;
}

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

/** A page: the ids that were chosen, or what it is chosen by on the way through the order's index, where matches are met often. */
export type InquiryPage = readonly string[] | (InquiryListQuery & Cut);

/** A page of inquiries, newest first unless sorted, in one query. Where a state cannot be computed, the row says so. */
export async function inquiryRows(ctx: Ctx, page: InquiryPage): Promise<OverseenInquiry[]> {
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

/** SQL: the ids of a page with their places. */
function placed(page: InquiryPage): RawBuilder<unknown> {
  if (!('limit' in page)) return sql`unnest(${[...page]}::uuid[]) with ordinality page(id, place)`;
  const { q, sort, ...cut } = page;
  return sql`(select row_number() over () as place, chosen.id from (
    select i.id ${joined[tableOf(sort)]} ${q ? sql`where ${matching(q)}` : sql``} ${orderAndCut(sort, cut)}) chosen) page`;
}

async function readRows(ctx: Ctx, page: InquiryPage, withStates: boolean): Promise<Row[]> {
  // Select the page first, so that texts, pictures and states are looked up for its rows only.
  const { rows } = await sql<Row>`
    select i.id, p.id as property_id, p.address, p.city, p.state as state_code, p.zip,
      coalesce(t.name, 'Residential') as type, ${mainPicture('p')} as picture, a.name as seller, b.name as buyer,
      left(i.message, ${EXCERPT}) as message, i.created_at,
      ${withStates ? sql`s.state, extract(epoch from s.first_reply_at - i.created_at)::float8` : sql`null as state, null::float8`}
        as response_seconds
    from ${placed(page)}
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
