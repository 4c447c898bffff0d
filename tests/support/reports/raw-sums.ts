import { type RawBuilder, sql } from 'kysely';
import { BAND_CENTS } from '#features/reports/bands.ts';
import { type Metric, type Sums, type SumsRow, sumsFrom } from '#features/reports/metrics.ts';
import type { Ctx } from '#platform/context.ts';

/** What the ledger says that each paid sale has left after each of its entries, and what that changes in the reports. */
const moneyFacts = sql`
  select at, unnest(array['revenue', 'commissions', 'admin_fees', 'service_fees', 'sales']) as metric,
    unnest(array[base - base_before, share - share_before, base - share - base_before + share_before,
      fees + least(share, seller_fees) - fees_before - least(share_before, seller_fees),
      (base > 0)::int - (base_before > 0)::int]) as value
  from (select at, seller_fees, base, fees, coalesce(lag(base) over sale, 0) as base_before,
      coalesce(lag(fees) over sale, 0) as fees_before, share, coalesce(lag(share) over sale, 0) as share_before
    from (select e.id, e.sale_id, e.at, e.base, e.fees, s.seller_fees_cents as seller_fees,
        floor((2::numeric * e.base * s.agent_commission_cents + s.sale_price_cents) / (2::numeric * s.sale_price_cents)) as share
      from (select id, sale_id, at, sum(base) over entries as base, sum(fees) over entries as fees
        from (select e.id, e.sale_id, e.created_at as at,
            coalesce(-sum(p.amount_cents) filter (where p.account not in ('fees_held', 'fee_revenue')), 0) as base,
            coalesce(-sum(p.amount_cents) filter (where p.account in ('fees_held', 'fee_revenue')), 0) as fees
          from ledger_entries e join ledger_postings p on p.entry_id = e.id
          where e.sale_id is not null and e.kind not in ('L3', 'L7') and p.account in ('escrow_held', 'seller_payable',
            'seller_receivable', 'platform_revenue', 'fees_held', 'fee_revenue')
          group by e.id) changes
        window entries as (partition by sale_id order by id)) e join property_sales s on s.id = e.sale_id) shares
    window sale as (partition by sale_id order by id)) steps`;

const counts = (metric: Metric, rows: RawBuilder<unknown>) =>
  sql`select at, ${sql.lit(metric)} as metric, 1::numeric as value from (${rows}) rows`;

const paidSales = sql`select sale_date as at, sale_price_cents::numeric as price from property_sales where sale_date is not null`;

const band = sql`least(20, p.price_cents / ${sql.lit(BAND_CENTS)})`;

const facts: Partial<Record<Metric | 'money' | 'bands', RawBuilder<unknown>>> = {
  money: moneyFacts,
  payments: counts('payments', paidSales),
  paid: sql`select at, 'paid' as metric, price as value from (${paidSales}) sales`,
  checkouts: counts('checkouts', sql`select created_at as at from property_sales`),
  views: counts('views', sql`select viewed_at as at from property_view_events`),
  viewers: counts(
    'viewers',
    sql`select distinct date_trunc('day', viewed_at, 'UTC') as at, viewer from property_view_events`,
  ),
  bands: sql`select v.viewed_at as at, 'views_band_' || ${band} as metric, 1::numeric as value
    from property_view_events v join properties p on p.id = v.property_id`,
  watches: counts('watches', sql`select created_at as at from property_watches`),
  inquiries: counts('inquiries', sql`select created_at as at from property_inquiries`),
  replies: counts(
    'replies',
    sql`select first_reply_at as at from property_inquiries where first_reply_at is not null`,
  ),
  reply_seconds: sql`select first_reply_at as at, 'reply_seconds' as metric,
      greatest(0, floor(extract(epoch from first_reply_at - created_at))) as value
    from property_inquiries where first_reply_at is not null`,
  buyers: counts('buyers', sql`select created_at as at from profiles where role = 'buyer'`),
  searches: counts('searches', sql`select created_at as at from search_events`),
  empty_searches: counts('empty_searches', sql`select created_at as at from search_events where results = 0`),
};

const MONEY: readonly Metric[] = ['revenue', 'commissions', 'admin_fees', 'service_fees', 'sales'];

/** The same sums as `sumsBetween`, from the rows that they count: slow, and only as long as views are kept. */
export async function rawSums(
  ctx: Ctx,
  { metrics, bounds }: { metrics: readonly Metric[]; bounds: readonly Date[] },
): Promise<Sums> {
  const names = new Set(
    metrics.map((metric) =>
      MONEY.includes(metric) ? 'money' : metric.startsWith('views_band_') ? 'bands' : metric,
    ),
  );
  const wanted = [...names].flatMap((name) => facts[name] ?? []);
  const instants = bounds.map((at) => at.toISOString());
  const { rows } = await sql<SumsRow>`
    select metric, array_agg(period)::bigint[] as periods, array_agg(value)::bigint[] as values from (
    select metric, width_bucket(at, ${instants}::timestamptz[]) as period, sum(value) as value
    from (${sql.join(wanted, sql` union all `)}) facts
    where at >= ${instants[0]} and at < ${instants.at(-1)} group by 1, 2) sums group by 1`.execute(
    ctx.db.q(),
  );
  return sumsFrom(rows, bounds.length - 1);
}
