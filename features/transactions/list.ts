import { type RawBuilder, sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import type { EscrowStatus, PaymentStatus, PayoutStatus } from '#features/sales/model.ts';
import { isTestMode } from '#features/sales/rules.ts';
import { isMoney } from '#features/sales/sql.ts';
import type { Ctx } from '#platform/context.ts';
import { type BoundedCount, COUNT_LIMIT, COUNTED_MATCHES } from '#platform/counts.ts';
import { boundedCount, boundedMatchCount } from '#platform/db/bounded-count.ts';
import { containsWords } from '#platform/db/contains-words.ts';
import { isUuid } from '#platform/uuid.ts';
import {
  type Counted,
  countedAmounts,
  countedColumns,
  countedIn,
  countedInterval,
  intervalOf,
} from './counted.ts';
import {
  listStatuses,
  type PaidBy,
  paidByKinds,
  type Transaction,
  type TransactionFilters,
  type TransactionOrder,
  type TransactionSort,
} from './model.ts';

/** When it was paid, or begun while unpaid; the same expression as in the indexes. */
export const saleDate = sql<Date>`coalesce(s.sale_date, s.created_at)`;

/** Filters whose seller is known: `sellerId` is null for all of them, and undefined for one that does not exist. */
export interface ListFilter extends Omit<TransactionFilters, 'seller'> {
  sellerId: string | null | undefined;
}

/** Orders by one expression, along an index each; a sale's own id decides between equals, in the same direction. */
export const orderExpressions = {
  date: saleDate,
  property: sql`w.address collate "C"`,
  seller: sql`w.seller collate "C"`,
  price: sql`s.sale_price_cents`,
  commission: sql`s.share_left_cents`,
  fees: sql`s.total_fees_cents`,
} satisfies Partial<Record<TransactionSort, RawBuilder<unknown>>>;

/** Orders of few values: one after the other, and within each the newest first. */
const groups = {
  method: { column: sql`s.paid_by`, values: paidByKinds },
  status: { column: sql`s.list_status`, values: listStatuses },
} satisfies Partial<Record<TransactionSort, { column: RawBuilder<unknown>; values: readonly string[] }>>;

export const isGrouped = (by: TransactionSort): by is keyof typeof groups => by in groups;

/** The values of such an order, first to last. */
export function groupsOf({ by, descending }: TransactionOrder & { by: keyof typeof groups }) {
  const values: readonly string[] = groups[by].values;
  return descending ? values.toReversed() : values;
}

/** A condition that picks one of them. */
export const inGroup = (by: keyof typeof groups, value: string) => sql`${groups[by].column} = ${value}`;

/** What was typed, when it is the name of one sale: its id, or the number of its receipt. */
function namedSale(q: string): RawBuilder<unknown> | null {
  if (isUuid(q.toLowerCase())) return sql`s.id = ${q.toLowerCase()}`;
  const [, number] = /^ATP-0*([1-9]\d{0,14})$/i.exec(q) ?? [];
  return number === undefined ? null : sql`s.receipt_number = ${number}::bigint`;
}

/**
 * Conditions on `property_sales s`. The sales that reports count are those that reports count as money: otherwise the list would
 * name other sales than the sum that leads to it.
 */
function saleConditions({ config }: Pick<Ctx, 'config'>, filter: ListFilter): RawBuilder<unknown>[] {
  const { q, paid, status, method, sellerId, buyer, mode } = filter;
  const interval = intervalOf(filter);
  const { from, to } = interval;
  const named = namedSale(q);
  return [
    ...(named ? [named] : []),
    ...(paid ? [countedIn(saleDate, interval), isMoney(config)] : []),
    ...(from && !paid ? [sql`${saleDate} >= ${from}`] : []),
    ...(to && !paid ? [sql`${saleDate} < ${to}`] : []),
    ...(status ? [sql`s.list_status = ${status}`] : []),
    ...(method ? [sql`s.paid_by = ${method}`] : []),
    ...(sellerId === null ? [] : [sellerId ? sql`s.agent_id = ${sellerId}` : sql`false`]),
    ...(buyer === '' ? [] : [isUuid(buyer) ? sql`s.buyer_id = ${buyer}` : sql`false`]),
    ...(mode ? [sql`s.livemode = ${mode === 'live'}`] : []),
  ];
}

const searches = ({ q }: ListFilter) => q !== '' && namedSale(q) === null;
const hasWords = ({ q }: ListFilter) => containsWords(sql`w.words`, q);

/** Tables and the conditions on them, as SQL. */
interface Source {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
}

/**
 * The sales that match, as `s`, with their words as `w` only where something needs them, so that the rest goes along an index of
 * sales alone.
 * @param by the order that is wanted
 */
function matchingSales(ctx: Pick<Ctx, 'config'>, filter: ListFilter, by: TransactionSort | null): Source {
  const all = [...(searches(filter) ? [hasWords(filter)] : []), ...saleConditions(ctx, filter)];
  return {
    from:
      searches(filter) || by === 'property' || by === 'seller'
        ? sql`property_sales s join sale_search w on w.sale_id = s.id`
        : sql`property_sales s`,
    where: all.length === 0 ? sql`true` : sql.join(all, sql` and `),
  };
}

/** SQL that selects the ids of the sales that match; words alone are found without reading the sales. */
export function matchingIds(ctx: Pick<Ctx, 'config'>, filter: ListFilter): RawBuilder<unknown> {
  if (searches(filter) && saleConditions(ctx, filter).length === 0)
    return sql`select w.sale_id as id from sale_search w where ${hasWords(filter)}`;
  const { from, where } = matchingSales(ctx, filter, null);
  return sql`select s.id from ${from} where ${where}`;
}

/** How many sales match: exact up to 10,000, of a search up to `mostMatches`. */
export function transactionCount(
  ctx: Ctx,
  filter: ListFilter,
  mostMatches = COUNT_LIMIT,
): Promise<BoundedCount> {
  const from = sql`from (${matchingIds(ctx, filter)}) matches`;
  return searches(filter) ? boundedMatchCount(ctx, from, mostMatches) : boundedCount(ctx, from);
}

/** How far the matches of a search are counted for a page in this order: an order of few values would have to be gone along for each. */
export const mostMatchesFor = (sort: TransactionOrder | null): number =>
  sort && isGrouped(sort.by) ? COUNT_LIMIT : COUNTED_MATCHES;

/**
 * The sales that match, with what comes before `select` as `found`.
 * @param few so few match a search that they are looked up first, instead of walking along an index until enough are found
 */
export function sourceOf(
  ctx: Pick<Ctx, 'config'>,
  filter: ListFilter,
  { by, few }: { by: TransactionSort | null; few: boolean },
): Source & { found: RawBuilder<unknown> } {
  if (!few || !searches(filter)) return { found: sql``, ...matchingSales(ctx, filter, by) };
  const words = by === 'property' || by === 'seller' ? sql`join sale_search w on w.sale_id = s.id` : sql``;
  return {
    found: sql`with found as materialized (${matchingIds(ctx, filter)})`,
    // `offset 0` has each of the few looked up, instead of all sales read.
    from: sql`found cross join lateral (select * from property_sales where id = found.id offset 0) s ${words}`,
    where: sql`true`,
  };
}

interface Page {
  sort: TransactionOrder | null;
  limit: number;
  offset: number;
  /** see `sourceOf` */
  few: boolean;
}

const wayOf = (descending: boolean) => (descending ? sql`desc` : sql`asc`);

/** An order by one expression; newest first unless sorted. */
function singleOrder(sort: TransactionOrder | null) {
  const by = sort && !isGrouped(sort.by) ? sort.by : 'date';
  return { by, key: orderExpressions[by], way: wayOf(sort?.descending ?? true) };
}

/** SQL that selects the ids of a page's sales in their order. */
function pageIds(ctx: Ctx, filter: ListFilter, { sort, limit, offset, few }: Page): RawBuilder<unknown> {
  const { found, from, where } = sourceOf(ctx, filter, { by: sort?.by ?? null, few });
  const cut = sql`limit ${limit} offset ${offset}`;
  if (!sort || !isGrouped(sort.by)) {
    const { key, way } = singleOrder(sort);
    return sql`${found} select s.id from ${from} where ${where} order by ${key} ${way}, s.id ${way} ${cut}`;
  }
  const { column } = groups[sort.by];
  const values = sql`${[...groupsOf({ by: sort.by, descending: sort.descending })]}::text[]`;
  if (few && searches(filter))
    return sql`${found} select s.id from ${from} where ${where}
      order by array_position(${values}, ${column}), ${saleDate} desc, s.id desc ${cut}`;
  // By the index of the values: told that all have the same one, the planner would go along the dates until it finds some, or none.
  const ofValue = sql`${column} between g.value and g.value`;
  return sql`select one.id from unnest(${values}) with ordinality g(value, place)
      cross join lateral (select s.id, ${saleDate} as date from ${from} where ${where} and ${ofValue}
        order by ${column} desc, ${saleDate} desc, s.id desc limit ${limit + offset}) one
    order by g.place, one.date desc, one.id desc ${cut}`;
}

/** Sales along an order that are looked at for a page of a search, before all matches are sorted instead. */
const WALK = 5_000;

/** The same for a search that finds many sales, of those among the first `walk` of the order; as many as there are of the page. */
function walkedIds(
  ctx: Ctx,
  filter: ListFilter,
  { sort, limit, offset }: Page,
  walk: number,
): RawBuilder<unknown> {
  const { by, key, way } = singleOrder(sort);
  const conditions = saleConditions(ctx, filter);
  const narrowed = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const isByWords = by === 'property' || by === 'seller';
  const walked = isByWords
    ? sql`(select w.sale_id as id, ${key} as key from sale_search w order by ${key} ${way}, w.sale_id ${way} limit ${walk})`
    : sql`(select s.id, ${key} as key from property_sales s where ${narrowed} order by ${key} ${way}, s.id ${way} limit ${walk})`;
  const sales = sql`${isByWords && conditions.length > 0 ? sql`join property_sales s on s.id = walked.id and ${narrowed}` : sql``}`;
  return sql`select walked.id from ${walked} walked ${sales} join sale_search w on w.sale_id = walked.id
    where ${hasWords(filter)} order by walked.key ${way}, walked.id ${way} limit ${limit} offset ${offset}`;
}

interface Row extends Partial<Counted> {
  id: string;
  date: Date;
  property_id: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  agent_id: string;
  seller: string;
  price: number;
  commission: number;
  fees: number;
  paid_by: PaidBy;
  payment: PaymentStatus;
  escrow: EscrowStatus;
  payout: PayoutStatus | null;
  frozen: boolean;
  livemode: boolean;
}

/** A page of the list, with everything that is shown of each sale. */
export async function transactionRows(
  ctx: Ctx,
  filter: ListFilter,
  page: Page,
  walk = WALK,
): Promise<Transaction[]> {
  const { sort, few, limit } = page;
  if (!searches(filter) || few || (sort && isGrouped(sort.by)))
    return readRows(ctx, filter, pageIds(ctx, filter, page));
  const rows = await readRows(ctx, filter, walkedIds(ctx, filter, page, walk));
  return rows.length === limit ? rows : readRows(ctx, filter, pageIds(ctx, filter, { ...page, few: true }));
}

/** Sales with these ids in their order, in one query. */
async function readRows(ctx: Ctx, filter: ListFilter, ids: RawBuilder<unknown>): Promise<Transaction[]> {
  const counts = countedInterval(filter);
  const { rows } = await sql<Row>`
    select s.id, ${saleDate} as date, s.property_id, p.address, p.city, p.state, p.zip, s.agent_id, a.name as seller,
      s.sale_price_cents as price, s.share_left_cents as commission, s.total_fees_cents as fees, s.paid_by,
      s.stripe_payment_status as payment, s.escrow_status as escrow, s.payout_status as payout,
      s.frozen_at is not null as frozen, s.livemode
      ${counts ? sql`, counted.*, s.agent_commission_cents as agreed_commission, s.seller_fees_cents as seller_fees` : sql``}
    from (select row_number() over () as place, chosen.id from (${ids}) chosen) page
      join property_sales s on s.id = page.id join properties p on p.id = s.property_id
      join agents a on a.id = s.agent_id
      ${counts ? sql`cross join lateral (${countedColumns(counts)}) counted` : sql``}
    order by page.place`.execute(ctx.db.q());
  return rows.map((row) => ({
    id: row.id,
    date: row.date.toISOString(),
    property: { id: row.property_id, address: row.address, town: townLine(row) },
    seller: { id: row.agent_id, name: row.seller },
    salePriceCents: row.price,
    commissionCents: row.commission,
    feesCents: row.fees,
    counted: counts ? countedAmounts(row.price, row as Counted) : null,
    paidBy: row.paid_by,
    state: { payment: row.payment, escrow: row.escrow, payout: row.payout },
    frozen: row.frozen,
    testMode: isTestMode(ctx.config, row),
  }));
}
