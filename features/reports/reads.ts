import { sql } from 'kysely';
import { isMoney, leftOfPayout, payoutHasBegun } from '#features/sales/sql.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { priceBands } from './bands.ts';
import { bucketsOf } from './buckets.ts';
import { bandMetrics, type Metric, type Sums } from './metrics.ts';
import type {
  Bucket,
  EngagementReport,
  FinancialFigures,
  FinancialReport,
  RegistrationReport,
  ReportQuery,
  ReportRange,
  SearchReport,
} from './model.ts';
import { mayReadReports } from './rules.ts';
import { searchDemand } from './search-demand.ts';
import { anyCounted, sumsBetween } from './sums.ts';
import { addDays, instantsOf, rangeBefore, startsOfDays } from './zone-days.ts';

export { weeklyMailChoice } from './weekly-mail-choice.ts';

/** The sums of a range and of the one before it. */
async function comparedSums(
  ctx: Ctx,
  range: ReportRange,
  metrics: readonly Metric[],
): Promise<{ now: Sums; before: Sums }> {
  const [now, before] = await Promise.all(
    [range, rangeBefore(range)].map((one) => sumsBetween(ctx, { metrics, bounds: instantsOf(one) })),
  );
  return { now, before } as { now: Sums; before: Sums };
}

/** The sums of each bucket; with 'UTC', of days as they are there. */
function sumsOfBuckets(
  ctx: Ctx,
  buckets: readonly Bucket[],
  { metrics, zone }: { metrics: readonly Metric[]; zone: string },
): Promise<Sums> {
  const days = buckets.map(({ from }) => from);
  const end = buckets.at(-1)?.to;
  return sumsBetween(ctx, { metrics, bounds: startsOfDays(end ? [...days, addDays(end, 1)] : days, zone) });
}

const MONEY = ['revenue', 'commissions', 'admin_fees', 'service_fees', 'sales', 'payments', 'paid'] as const;

/**
 * Revenue and how it is shared, net of what went back to buyers, each on the day it was paid or went back; what sellers are
 * owed is as it stands now.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function financialReport(ctx: Ctx, query: ReportQuery): Promise<FinancialReport> {
  authorize(ctx, mayReadReports);
  const buckets = bucketsOf(query);
  const [{ now, before }, trend, owed] = await Promise.all([
    comparedSums(ctx, query, MONEY),
    sumsOfBuckets(ctx, buckets, { metrics: ['revenue', 'sales'], zone: query.zone }),
    owedToSellers(ctx, query),
  ]);
  const [revenue, sales] = [trend.of('revenue'), trend.of('sales')];
  const moved = (sums: Sums) => MONEY.some((metric) => sums.total(metric) !== 0);
  return {
    figures: financialFigures(now),
    counted: moved(now) || (await anyCounted(ctx, { metrics: MONEY, between: instantsOf(query) })),
    before: financialFigures(before),
    countedBefore: moved(before),
    ...owed,
    trend: buckets.map((bucket, n) => ({ bucket, revenueCents: revenue[n] ?? 0, sales: sales[n] ?? 0 })),
  };
}

function financialFigures(sums: Sums): FinancialFigures {
  const payments = sums.total('payments');
  return {
    revenueCents: sums.total('revenue'),
    commissionsCents: sums.total('commissions'),
    adminFeesCents: sums.total('admin_fees'),
    serviceFeesCents: sums.total('service_fees'),
    sales: sums.total('sales'),
    averageCents: payments > 0 ? Math.round(sums.total('paid') / payments) : 0,
  };
}

/**
 * What sellers of sales paid in a range, and in the days before it, are owed and not yet sent, the missing part of payouts included, and
 * what is on its way to those of the range.
 */
async function owedToSellers(
  ctx: Ctx,
  range: ReportRange,
): Promise<Pick<FinancialReport, 'pendingPayoutsCents' | 'pendingBeforeCents' | 'processingPayoutsCents'>> {
  const [from, to] = instantsOf(range);
  const [fromBefore] = instantsOf(rangeBefore(range));
  const owed = sql`case when ${payoutHasBegun} then ${leftOfPayout}
    else greatest(0, s.share_left_cents - s.seller_fees_cents) end`;
  const { rows } = await sql<{ pending: number; before: number; processing: number }>`
    select coalesce(sum(${owed}) filter (where s.payout_status <> 'processing' and s.sale_date >= ${from}), 0) as pending,
      coalesce(sum(${owed}) filter (where s.payout_status <> 'processing' and s.sale_date < ${from}), 0) as before,
      coalesce(sum(${owed}) filter (where s.payout_status = 'processing' and s.sale_date >= ${from}), 0) as processing
    from property_sales s
    where s.payout_status in ('pending', 'processing', 'failed') and s.sale_date >= ${fromBefore} and s.sale_date < ${to}
      and ${isMoney(ctx.config)}`.execute(ctx.db.q());
  return {
    pendingPayoutsCents: rows[0]?.pending ?? 0,
    pendingBeforeCents: rows[0]?.before ?? 0,
    processingPayoutsCents: rows[0]?.processing ?? 0,
  };
}

/**
 * How many people registered as buyers.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function registrationReport(ctx: Ctx, query: ReportQuery): Promise<RegistrationReport> {
  authorize(ctx, mayReadReports);
  const buckets = bucketsOf(query);
  const [{ now, before }, trend] = await Promise.all([
    comparedSums(ctx, query, ['buyers']),
    sumsOfBuckets(ctx, buckets, { metrics: ['buyers'], zone: query.zone }),
  ]);
  const buyers = trend.of('buyers');
  return {
    total: now.total('buyers'),
    before: before.total('buyers'),
    trend: buckets.map((bucket, n) => ({ bucket, buyers: buyers[n] ?? 0 })),
  };
}

/**
 * Views by the price that properties had then, and what was searched for. Searches are those of the UTC days of the range.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function searchReport(ctx: Ctx, query: ReportQuery): Promise<SearchReport> {
  authorize(ctx, mayReadReports);
  const [views, demand] = await Promise.all([
    sumsBetween(ctx, { metrics: bandMetrics, bounds: instantsOf(query) }),
    searchDemand(ctx, query),
  ]);
  return {
    bands: priceBands.map(({ number, fromCents, toCents, label }) => ({
      fromCents,
      toCents,
      label,
      views: views.total(`views_band_${number}`),
    })),
    ...demand,
  };
}

const ENGAGEMENT = [
  'views',
  'watches',
  'inquiries',
  'replies',
  'reply_seconds',
  'checkouts',
  'payments',
] as const;
/** The steps and what is counted of them: sales as they were paid, since one that goes back later would make the step negative. */
const FUNNEL = [
  ['views', 'views'],
  ['watches', 'watches'],
  ['inquiries', 'inquiries'],
  ['checkouts', 'checkouts'],
  ['sales', 'payments'],
] as const;

/**
 * What people do with listings. The viewers of a bucket are the different ones of each of its days, as days are in UTC.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function engagementReport(ctx: Ctx, query: ReportQuery): Promise<EngagementReport> {
  authorize(ctx, mayReadReports);
  const buckets = bucketsOf(query);
  const [{ now, before }, trend, viewerTrend] = await Promise.all([
    comparedSums(ctx, query, ENGAGEMENT),
    sumsOfBuckets(ctx, buckets, { metrics: ['views'], zone: query.zone }),
    sumsOfBuckets(ctx, buckets, { metrics: ['viewers'], zone: 'UTC' }),
  ]);
  const [views, viewers] = [trend.of('views'), viewerTrend.of('viewers')];
  return {
    figures: engagementFigures(now),
    before: engagementFigures(before),
    funnel: FUNNEL.map(([step, metric]) => ({ step, count: now.total(metric) })),
    trend: buckets.map((bucket, n) => ({ bucket, views: views[n] ?? 0, viewers: viewers[n] ?? 0 })),
  };
}

function engagementFigures(sums: Sums): EngagementReport['figures'] {
  const replies = sums.total('replies');
  return {
    views: sums.total('views'),
    watches: sums.total('watches'),
    inquiries: sums.total('inquiries'),
    replySeconds: replies > 0 ? Math.round(sums.total('reply_seconds') / replies) : null,
  };
}
