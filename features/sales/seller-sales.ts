import { type RawBuilder, sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import type { Ctx } from '#platform/context.ts';
import { keysOf } from '#platform/typed-keys.ts';
import type { EscrowStatus, PaymentStatus, PayoutStatus, SaleState } from './model.ts';
import { isTestMode } from './rules.ts';
import { isMoney, leftOfPayout, payoutHasBegun, priceLeft, shareLeft } from './sql.ts';

/** Rows per page of 'Transaction History'. */
export const SELLER_SALES_PAGE_SIZE = 25;
/** Rows per page of the commission history that administrators see. */
export const COMMISSION_HISTORY_PAGE_SIZE = 10;

/** When it was paid, or started while unpaid; the same expression as in the index. */
const date = sql<Date>`coalesce(s.sale_date, s.created_at)`;
const columns = {
  date,
  property: sql`named.place`,
  price: sql`s.sale_price_cents`,
  commission: shareLeft,
  status: sql`s.payout_status`,
  payout: sql`s.payout_date`,
} satisfies Record<string, RawBuilder<unknown>>;

/** What the seller's table can be sorted by. */
export type SellerSaleSort = keyof typeof columns;
export const sellerSaleSorts = keysOf(columns);

/** A sale as shown in its seller's tables. Integer cents; times are ISO, UTC. */
export interface SellerSale {
  id: string;
  date: string;
  property: { id: string; address: string; town: string };
  /** the base price */
  salePriceCents: number;
  /** the seller's share of what is left of the price, before fees */
  commissionCents: number;
  /** deducted from the payout */
  sellerFeesCents: number;
  state: SaleState;
  method: PaymentMethod;
  /** paid with test keys on a server that takes real payments */
  testMode: boolean;
  payoutDate: string | null;
}

export interface SellerSales {
  rows: SellerSale[];
  /** across all pages */
  total: number;
  page: number;
  pages: number;
}

export interface SellerSalesQuery {
  /** text to find in the address of the property */
  q?: string | null | undefined;
  sort?: { by: SellerSaleSort; descending: boolean } | null | undefined;
  /** 1-based; a page beyond the last one is the last one */
  page?: number | undefined;
}

/** Commissions and numbers of closed sales by payout status. Integer cents. */
export interface SellerTotals {
  /** closed sales, paid out or not */
  total: Sum;
  pending: Sum;
  processing: Sum;
  completed: Sum;
  failed: Sum;
  proceeds: TotalProceeds;
}

/** How the proceeds of all closed sales come about: prices, less the platform's share, less fees. Integer cents. */
interface TotalProceeds {
  /** what is left of the sale prices after refunds */
  priceCents: number;
  platformCents: number;
  feesCents: number;
  proceedsCents: number;
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
  method: PaymentMethod;
  livemode: boolean;
  payout_date: Date | null;
}

/**
 * The ids of the properties among a seller's sales whose address contains `q`, each checked once however many sales it has;
 * null when `q` is empty.
 */
export async function propertiesMatching(ctx: Ctx, agentId: string, q: string): Promise<string[] | null> {
  if (!q) return null;
  const { rows } = await sql<{ id: string }>`
    select p.id from (select distinct property_id from property_sales where agent_id = ${agentId}) s
      join properties p on p.id = s.property_id
    where strpos(lower(p.address || ' ' || p.city || ' ' || p.state || ' ' || p.zip), lower(${q})) > 0`.execute(
    ctx.db.q(),
  );
  return rows.map(({ id }) => id);
}

/** A seller's sales, of all properties (null) or of some. */
interface SellerSalesFilter {
  agentId: string;
  propertyIds: string[] | null;
}

const filterSql = ({ agentId, propertyIds }: SellerSalesFilter) => sql`s.agent_id = ${agentId}
  ${propertyIds ? sql`and s.property_id = any(${propertyIds}::uuid[])` : sql``}`;

const selectedColumns = sql`s.id, ${date} as date, (${date})::text as at, s.property_id, p.address, p.city, p.state, p.zip,
  s.sale_price_cents as price, ${shareLeft} as commission, s.seller_fees_cents as fees,
  s.stripe_payment_status as payment, s.escrow_status as escrow, s.payout_status as payout, s.payment_method as method,
  s.livemode, s.payout_date`;

const saleOf = (ctx: Ctx, row: Row): SellerSale => ({
  id: row.id,
  date: row.date.toISOString(),
  property: { id: row.property_id, address: row.address, town: townLine(row) },
  salePriceCents: row.price,
  commissionCents: row.commission,
  sellerFeesCents: row.fees,
  state: { payment: row.payment, escrow: row.escrow, payout: row.payout },
  method: row.method,
  testMode: isTestMode(ctx.config, row),
  payoutDate: row.payout_date?.toISOString() ?? null,
});

/** A page of a seller's sales in the given order, by default newest first. */
export async function sellerSaleRows(
  ctx: Ctx,
  filter: SellerSalesFilter,
  { sort, limit, offset }: { sort: SellerSalesQuery['sort']; limit: number; offset: number },
): Promise<SellerSale[]> {
  const direction = sort?.descending ? sql`desc nulls last` : sql`asc nulls last`;
  const order = sort ? sql`${columns[sort.by]} ${direction}, ` : sql``;
  const named =
    sort?.by === 'property'
      ? sql`join ${propertiesByAddress(filter)} named on named.id = s.property_id`
      : sql``;
  // Select the page first, so that details are looked up for its rows only.
  const { rows } = await sql<Row>`select ${selectedColumns}
    from (select row_number() over () as place, chosen.id from (
        select s.id from property_sales s ${named} where ${filterSql(filter)}
        order by ${order} ${date} desc, s.id desc limit ${limit} offset ${offset}) chosen) page
      join property_sales s on s.id = page.id join properties p on p.id = s.property_id
    order by page.place`.execute(ctx.db.q());
  return rows.map((row) => saleOf(ctx, row));
}

/**
 * The properties of matching sales, ranked by address. Compared byte by byte: addresses begin with numbers, and a
 * locale-aware collation costs ten times as much.
 */
const propertiesByAddress = (filter: SellerSalesFilter) => sql`(
  select p.id, rank() over (order by lower(p.address) collate "C") as place
  from (select distinct s.property_id from property_sales s where ${filterSql(filter)}) o
    join properties p on p.id = o.property_id)`;

/** How many of a seller's sales match. */
export async function sellerSaleCount(ctx: Ctx, filter: SellerSalesFilter): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*)::integer as total from property_sales s
    where ${filterSql(filter)}`.execute(ctx.db.q());
  return rows[0]?.total ?? 0;
}

const EXPORT_BATCH_SIZE = 2_000;

/**
 * All of a seller's matching sales, newest first, read page by page, so that neither memory nor a connection is held while
 * a slow client downloads them (R14).
 */
export async function* allSellerSales(ctx: Ctx, filter: SellerSalesFilter): AsyncGenerator<SellerSale[]> {
  for (let last: Row | undefined; ; ) {
    const afterLast = last ? sql`and (${date}, s.id) < (${last.at}::timestamptz, ${last.id}::uuid)` : sql``;
    const { rows } = await sql<Row>`select ${selectedColumns}
      from property_sales s join properties p on p.id = s.property_id
      where ${filterSql(filter)} ${afterLast}
      order by ${date} desc, s.id desc limit ${EXPORT_BATCH_SIZE}`.execute(ctx.db.q());
    if (rows.length > 0) yield rows.map((row) => saleOf(ctx, row));
    last = rows.at(-1);
    if (rows.length < EXPORT_BATCH_SIZE) return;
  }
}

/** Of a sale whose payout is not over, the part of the seller's share that was paid nevertheless: part of it arrived, or more is owed since. */
const settledPart = sql<number>`case when s.payout_status <> 'completed' and ${payoutHasBegun}
  then greatest(0, ${shareLeft} - ${leftOfPayout}) else 0 end`;

/**
 * What a seller has earned, by payout status, and how the proceeds come about; sales that have not closed are left out, and test
 * money. What was paid of a sale whose payout is not over is completed, so that nothing is pending that the seller has.
 */
export async function totalsByPayoutStatus(ctx: Ctx, agentId: string): Promise<SellerTotals> {
  const rows = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .select((of) => [
      'payout_status',
      of.fn.countAll<number>().as('count'),
      of.fn.sum<number>(shareLeft).as('cents'),
      of.fn.sum<number>(settledPart).as('settled'),
      of.fn.sum<number>(priceLeft).as('price'),
      of.fn.sum<number>(sql<number>`greatest(0, ${shareLeft} - s.seller_fees_cents)`).as('proceeds'),
    ])
    .where('agent_id', '=', agentId)
    .where('payout_status', 'is not', null)
    .where(isMoney(ctx.config))
    .groupBy('payout_status')
    .execute();
  const sum = (column: 'cents' | 'settled' | 'price' | 'proceeds') =>
    rows.reduce((all, row) => all + Number(row[column]), 0);
  const of = (status: PayoutStatus): Sum => {
    const row = rows.find(({ payout_status }) => payout_status === status);
    return { cents: Number(row?.cents ?? 0) - Number(row?.settled ?? 0), count: Number(row?.count ?? 0) };
  };
  const completed = of('completed');
  const total = { cents: sum('cents'), count: rows.reduce((all, { count }) => all + Number(count), 0) };
  const [priceCents, proceedsCents] = [sum('price'), sum('proceeds')];
  return {
    total,
    pending: of('pending'),
    processing: of('processing'),
    completed: { ...completed, cents: completed.cents + sum('settled') },
    failed: of('failed'),
    proceeds: {
      priceCents,
      platformCents: priceCents - total.cents,
      feesCents: total.cents - proceedsCents,
      proceedsCents,
    },
  };
}
