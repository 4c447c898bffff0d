import { sql } from 'kysely';
import { adminPercentage } from '#features/commission/reads.ts';
import { waits } from '#features/listing-review/sql.ts';
import type { EscrowStatus, PaymentStatus, PayoutStatus } from '#features/sales/model.ts';
import { isTestMode } from '#features/sales/rules.ts';
import { shareLeft } from '#features/sales/sql.ts';
import { totalOf } from '#features/totals/sql.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import type { MarketplaceTotals, RecentPayout, WaitingWork } from './model.ts';
import { maySeeTotals, maySeeWork } from './rules.ts';
import { sumsOf } from './sums.ts';

/** How many sales 'Recent Payouts' shows. */
const RECENT = 5;

/** Badges show no more than '99+'. */
const MOST = 100;

/**
 * How much waits for an administrator, in one query, because every page of the back office shows it.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function waitingWork(ctx: Ctx): Promise<WaitingWork> {
  authorize(ctx, maySeeWork);
  const { rows } = await sql<WaitingWork>`
    select (select count(*) from (select from properties p where ${waits} limit ${MOST}) p
        )::integer as approvals,
      (select count(*) from (select from admin_tasks where closed_at is null
        and (snoozed_until is null or snoozed_until <= ${ctx.now()}) limit ${MOST}) t)::integer as tasks,
      (select count(*) from (select from inquiry_reports where resolved_at is null limit ${MOST}) r)::integer as reports`.execute(
    ctx.db.q(),
  );
  return rows[0] ?? { approvals: 0, tasks: 0, reports: 0 };
}

/**
 * The figures of the administrators' dashboard; of more than 10,000 sales or sellers they are minutes old.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function marketplaceTotals(ctx: Ctx): Promise<MarketplaceTotals> {
  authorize(ctx, maySeeTotals);
  const [sellers, properties, featured, sales] = await Promise.all([
    sellerFigures(ctx),
    totalOf(ctx, 'listings'),
    boundedCount(ctx, sql`from properties where featured_slot is not null`),
    saleFigures(ctx),
  ]);
  return { ...sellers, properties, featured: featured.count, ...sales };
}

async function sellerFigures(ctx: Ctx): Promise<Pick<MarketplaceTotals, 'sellers' | 'averageRate'>> {
  const { count, sums } = await sumsOf(ctx, 'sellers');
  const standardRate = 100 - (await adminPercentage(ctx));
  const averageRate = count === 0 ? 0 : (sums.ownRates + sums.withoutRate * standardRate) / count;
  return { sellers: count, averageRate };
}

async function saleFigures(ctx: Ctx): Promise<Pick<MarketplaceTotals, 'sales' | 'adminFeesCents'>> {
  const { count, sums } = await sumsOf(ctx, 'closed sales');
  return { sales: { count, cents: sums.cents }, adminFeesCents: sums.adminFeesCents };
}

/**
 * The five newest paid sales, whether or not they can be paid out yet.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function recentPayouts(ctx: Ctx): Promise<RecentPayout[]> {
  authorize(ctx, maySeeTotals);
  const { rows } = await sql<{
    id: string;
    seller: string;
    price: number;
    admin_percentage: number;
    commission: number;
    payment: PaymentStatus;
    escrow: EscrowStatus;
    payout: PayoutStatus | null;
    livemode: boolean;
    sale_date: Date;
  }>`
    select s.id, a.name as seller, s.sale_price_cents as price, s.admin_percentage, ${shareLeft} as commission,
      s.stripe_payment_status as payment, s.escrow_status as escrow, s.payout_status as payout, s.livemode, s.sale_date
    from property_sales s join agents a on a.id = s.agent_id
    where s.stripe_payment_status = 'completed' and s.sale_date is not null
    order by s.sale_date desc, s.id desc limit ${RECENT}`.execute(ctx.db.q());
  return rows.map(
    ({ id, seller, price, admin_percentage, commission, payment, escrow, payout, livemode, sale_date }) => ({
      saleId: id,
      seller,
      salePriceCents: price,
      rate: (100_000 - Math.round(admin_percentage * 1000)) / 1000,
      commissionCents: commission,
      testMode: isTestMode(ctx.config, { livemode }),
      state: { payment, escrow, payout },
      paidAt: sale_date.toISOString(),
    }),
  );
}
