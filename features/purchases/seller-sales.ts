import { type RawBuilder, sql } from 'kysely';
import { townLine } from '#features/listings/rules.ts';
import type { Rail } from '#gateways/payments/port.ts';
import type { Ctx } from '#platform/context.ts';
import type { EscrowStatus, PaymentStatus, PayoutStatus, SaleState } from './model.ts';

/** Rows of one page of 'Transaction History'. */
export const SELLER_SALES_PAGE = 25;

/** When it was paid, or begun while it is not (B-088); as the index has it. */
const date = sql<Date>`coalesce(s.sale_date, s.created_at)`;
const columns = {
  date,
  property: sql`named.place`,
  price: sql`s.sale_price_cents`,
  commission: sql`s.agent_commission_cents`,
  status: sql`s.payout_status`,
  payout: sql`s.payout_date`,
} satisfies Record<string, RawBuilder<unknown>>;

/** What the seller's table can be sorted by. */
export type SellerSaleSort = keyof typeof columns;
export const sellerSaleSorts = Object.keys(columns) as SellerSaleSort[];

/** A sale as its seller's tables show it. Integer cents; times are ISO, UTC. */
export interface SellerSale {
  id: string;
  date: string;
  property: { id: string; address: string; town: string };
  /** the base price (B-067) */
  salePriceCents: number;
  /** the seller's share before fees (B-069) */
  commissionCents: number;
  /** taken off the payout */
  sellerFeesCents: number;
  state: SaleState;
  method: Rail;
  payoutDate: string | null;
}

export interface SellerSales {
  rows: SellerSale[];
  /** of all pages */
  total: number;
  page: number;
  pages: number;
}

export interface SellerSalesQuery {
  /** words in the address of the property */
  q?: string | null | undefined;
  sort?: { by: SellerSaleSort; descending: boolean } | null | undefined;
  /** from 1; one behind the last is the last */
  page?: number | undefined;
}

/** Commissions and sales by what has become of the payout. Integer cents. */
export interface SellerTotals {
  total: Sum;
  pending: Sum;
  processing: Sum;
  completed: Sum;
  failed: Sum;
}
interface Sum {
  cents: number;
  count: number;
}

interface Row {
  id: string;
  date: Date;
  at: string;
  property_id: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  price: number;
  commission: number;
  fees: number;
  payment: PaymentStatus;
  escrow: EscrowStatus;
  payout: PayoutStatus | null;
  method: Rail;
  payout_date: Date | null;
}

/**
 * The properties of a seller's sales that the words find, each looked at once however often it was to be sold; null without
 * words.
 */
export async function housesNamed(ctx: Ctx, agentId: string, q: string): Promise<string[] | null> {
  if (!q) return null;
  const { rows } = await sql<{ id: string }>`
    select p.id from (select distinct property_id from property_sales where agent_id = ${agentId}) s
      join properties p on p.id = s.property_id
    where strpos(lower(p.address || ' ' || p.city || ' ' || p.state || ' ' || p.zip), lower(${q})) > 0`.execute(
    ctx.db.q(),
  );
  return rows.map(({ id }) => id);
}

/** Which sales: a seller's, of all properties or of some. */
export interface Wanted {
  agentId: string;
  houses: string[] | null;
}

const matching = ({ agentId, houses }: Wanted) => sql`s.agent_id = ${agentId}
  ${houses ? sql`and s.property_id = any(${houses}::uuid[])` : sql``}`;

const shown = sql`s.id, ${date} as date, (${date})::text as at, s.property_id, p.address, p.city, p.state, p.zip,
  s.sale_price_cents as price, s.agent_commission_cents as commission, s.seller_fees_cents as fees,
  s.stripe_payment_status as payment, s.escrow_status as escrow, s.payout_status as payout, s.payment_method as method,
  s.payout_date`;

const saleOf = (row: Row): SellerSale => ({
  id: row.id,
  date: row.date.toISOString(),
  property: { id: row.property_id, address: row.address, town: townLine(row) },
  salePriceCents: row.price,
  commissionCents: row.commission,
  sellerFeesCents: row.fees,
  state: { payment: row.payment, escrow: row.escrow, payout: row.payout },
  method: row.method,
  payoutDate: row.payout_date?.toISOString() ?? null,
});

/** A page of a seller's sales in the wanted order, newest first without one. */
export async function sellerSaleRows(
  ctx: Ctx,
  wanted: Wanted,
  { sort, limit, offset }: { sort: SellerSalesQuery['sort']; limit: number; offset: number },
): Promise<SellerSale[]> {
  const direction = sort?.descending ? sql`desc nulls last` : sql`asc nulls last`;
  const order = sort ? sql`${columns[sort.by]} ${direction}, ` : sql``;
  const named =
    sort?.by === 'property'
      ? sql`join ${houseNames(wanted.agentId)} named on named.id = s.property_id`
      : sql``;
  // First which sales stand on the page, then what it shows of them.
  const { rows } = await sql<Row>`select ${shown}
    from (select row_number() over () as place, chosen.id from (
        select s.id from property_sales s ${named} where ${matching(wanted)}
        order by ${order} ${date} desc, s.id desc limit ${limit} offset ${offset}) chosen) page
      join property_sales s on s.id = page.id join properties p on p.id = s.property_id
    order by page.place`.execute(ctx.db.q());
  return rows.map(saleOf);
}

/**
 * The properties of a seller's sales in the order of their addresses, each looked at once. Byte by byte: addresses begin
 * with numbers, and a language's order costs ten times as much.
 */
const houseNames = (agentId: string) => sql`(
  select p.id, rank() over (order by lower(p.address) collate "C") as place
  from (select distinct property_id from property_sales where agent_id = ${agentId}) o
    join properties p on p.id = o.property_id)`;

/** How many of a seller's sales the words find. */
export async function sellerSaleCount(ctx: Ctx, wanted: Wanted): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*)::integer as total from property_sales s
    where ${matching(wanted)}`.execute(ctx.db.q());
  return rows[0]?.total ?? 0;
}

const FILE_AT_ONCE = 2_000;

/**
 * All of a seller's sales that the words find, newest first, read page by page: neither memory nor a connection is held
 * while somebody's slow line takes them (R14).
 */
export async function* allSellerSales(ctx: Ctx, wanted: Wanted): AsyncGenerator<SellerSale[]> {
  for (let last: Row | undefined; ; ) {
    const behind = last ? sql`and (${date}, s.id) < (${last.at}::timestamptz, ${last.id}::uuid)` : sql``;
    const { rows } = await sql<Row>`select ${shown}
      from property_sales s join properties p on p.id = s.property_id
      where ${matching(wanted)} ${behind}
      order by ${date} desc, s.id desc limit ${FILE_AT_ONCE}`.execute(ctx.db.q());
    if (rows.length > 0) yield rows.map(saleOf);
    last = rows.at(-1);
    if (rows.length < FILE_AT_ONCE) return;
  }
}

/** What a seller has earned, by what has become of the payout; sales that are not payable yet count nowhere (B-120). */
export async function sumsOf(ctx: Ctx, agentId: string): Promise<SellerTotals> {
  const rows = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select((of) => [
      'payout_status',
      of.fn.countAll<number>().as('count'),
      of.fn.sum<number>('agent_commission_cents').as('cents'),
    ])
    .where('agent_id', '=', agentId)
    .where('payout_status', 'is not', null)
    .groupBy('payout_status')
    .execute();
  const of = (...statuses: PayoutStatus[]): Sum => {
    const counted = rows.filter(({ payout_status }) => statuses.includes(payout_status as PayoutStatus));
    return {
      cents: counted.reduce((sum, { cents }) => sum + Number(cents), 0),
      count: counted.reduce((sum, { count }) => sum + Number(count), 0),
    };
  };
  return {
    total: of('pending', 'processing', 'completed', 'failed'),
    pending: of('pending'),
    processing: of('processing'),
    completed: of('completed'),
    failed: of('failed'),
  };
}
