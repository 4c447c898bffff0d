import { sql } from 'kysely';
import type { Metric } from '#features/reports/metrics.ts';
import { sumsBetween } from '#features/reports/sums.ts';
import { addDays, startsOfDays } from '#features/reports/zone-days.ts';
import type { Ctx } from '#platform/context.ts';
import { rawSums } from '#tests/support/reports/raw-sums.ts';

const MONEY: readonly Metric[] = [
  'revenue',
  'commissions',
  'admin_fees',
  'service_fees',
  'sales',
  'payments',
  'paid',
];
/** Its days begin at a quarter of an hour. */
const ZONE = 'Asia/Kathmandu';

/**
 * Where the reports say something else about money than the ledger: of each day what its entries of that day have left of
 * payments, and over all what its accounts hold.
 */
export async function reportFindings(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{
    from: string | null;
    to: string | null;
    base: number;
    fees: number;
    seller: number;
  }>`
    select (min(e.created_at) - interval '2 days')::date as from, (max(e.created_at) + interval '2 days')::date as to,
      coalesce(-sum(p.amount_cents) filter (where p.account in ('escrow_held', 'seller_payable', 'seller_receivable',
        'platform_revenue')), 0) as base,
      coalesce(-sum(p.amount_cents) filter (where p.account in ('fees_held', 'fee_revenue')), 0) as fees
    from ledger_entries e join ledger_postings p on p.entry_id = e.id
    where e.sale_id is not null and e.kind not in ('L3', 'L7')`.execute(ctx.db.q());
  const { from, to, base, fees } = rows[0] ?? {};
  if (!from || !to) return [];
  const days = [from];
  while ((days.at(-1) ?? to) < to) days.push(addDays(days.at(-1) ?? to, 1));
  const asked = { metrics: MONEY, bounds: startsOfDays(days, ZONE) };
  const [sums, raw] = [await sumsBetween(ctx, asked), await rawSums(ctx, asked)];
  const found = MONEY.flatMap((metric) => {
    const [ours, theirs] = [sums.of(metric), raw.of(metric)];
    return days.flatMap((day, n) =>
      ours[n] === theirs[n] ? [] : [`reports: ${metric} of ${day}: ${ours[n]}, in the ledger ${theirs[n]}`],
    );
  });
  const sellerFees = await sellerFeesCharged(ctx);
  const totals: [string, number, number | undefined][] = [
    ['revenue', sums.total('revenue'), base],
    ['shares', sums.total('commissions') + sums.total('admin_fees'), base],
    ['service fees', sums.total('service_fees') - sellerFees, fees],
  ];
  for (const [name, ours, theirs] of totals)
    if (ours !== theirs) found.push(`reports: ${name} in total: ${ours}, in the ledger ${theirs}`);
  return found;
}

/** What sellers are charged of what is left of the prices of their sales, in cents. */
async function sellerFeesCharged(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(least(seller_fees_cents, floor((2::numeric * (sale_price_cents - returned_base_cents) * agent_commission_cents
      + sale_price_cents) / (2::numeric * sale_price_cents)))), 0)::bigint as cents
    from property_sales where sale_date is not null`.execute(ctx.db.q());
  return rows[0]?.cents ?? 0;
}
