import { sql } from 'kysely';
import { type PayoutsPort, payoutMethods } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import {
  failedPage,
  isSelectable,
  manualPage,
  notYetPayablePage,
  type PendingQuery,
  pendingIds,
  pendingPage,
  sumOfPending,
} from './lists.ts';
import { loadPlan, payableAt } from './load-plan.ts';
import type {
  FailedPayout,
  ManualPayout,
  NotYetPayable,
  Page,
  PayoutRun,
  PendingPage,
  PendingPayout,
  PlannedPayout,
  RunPlan,
  TreasuryLine,
} from './model.ts';
import { MOST_PAYOUTS, maySeePayoutRuns } from './rules.ts';
import { payoutsOfRun, runsWhere } from './run-rows.ts';
import { isInRun, isPayable, owedForSale } from './sql.ts';
import { missingCents, treasuryNeed } from './treasury-need.ts';

/**
 * The payouts that can be made now, 25 a page, the newest sale first unless sorted.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function pendingPayouts(ctx: Ctx, query: PendingQuery = {}): Promise<PendingPage> {
  authorize(ctx, maySeePayoutRuns);
  return pendingPage(ctx, await payableAt(ctx), query);
}

/**
 * Paid sales whose sellers cannot be paid yet, 25 a page: what is held, then what is in escrow.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function notYetPayable(
  ctx: Ctx,
  { page }: { page?: number } = {},
): Promise<Page<NotYetPayable>> {
  authorize(ctx, maySeePayoutRuns);
  return notYetPayablePage(ctx, await payableAt(ctx), page);
}

/**
 * Payouts that did not arrive, 25 a page, the newest sale first.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function failedPayouts(ctx: Ctx, { page }: { page?: number } = {}): Promise<Page<FailedPayout>> {
  authorize(ctx, maySeePayoutRuns);
  return failedPage(ctx, page);
}

/**
 * Payouts by hand, 25 a page: those to be made, the oldest first, then those confirmed lately, which may come back.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function manualPayouts(ctx: Ctx, { page }: { page?: number } = {}): Promise<Page<ManualPayout>> {
  authorize(ctx, maySeePayoutRuns);
  return manualPage(ctx, page);
}

/**
 * What a run pays, in its order, as it was asked for.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function runPayouts(ctx: Ctx, { runId }: { runId: string }): Promise<PlannedPayout[]> {
  authorize(ctx, maySeePayoutRuns);
  return isUuid(runId) ? payoutsOfRun(ctx, runId) : [];
}

/**
 * What a run of these sales would pay, as everything is now; at most a thousand sales.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function payoutPlan(
  ctx: CtxWith<'payouts'>,
  { saleIds }: { saleIds: readonly string[] },
): Promise<RunPlan> {
  authorize(ctx, maySeePayoutRuns);
  return loadPlan(ctx, [...new Set(saleIds)].filter(isUuid).slice(0, MOST_PAYOUTS));
}

/**
 * The ids of all payouts that can be selected in the order of the list, at most a thousand.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function allPendingIds(ctx: Ctx, { sort }: Pick<PendingQuery, 'sort'> = {}): Promise<string[]> {
  authorize(ctx, maySeePayoutRuns);
  const selectable = isSelectable(await payableAt(ctx));
  const { rows } = await sql<{
    id: string;
  }>`${pendingIds(selectable, sort, sql`limit ${MOST_PAYOUTS}`)}`.execute(ctx.db.q());
  return rows.map(({ id }) => id);
}

/**
 * What all payouts come to that can be selected together, in cents: the first thousand in the order of the list.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function sumOfAllPending(ctx: Ctx, { sort }: Pick<PendingQuery, 'sort'> = {}): Promise<number> {
  authorize(ctx, maySeePayoutRuns);
  return sumOfPending(ctx, await payableAt(ctx), sort);
}

/**
 * Those of these sales that can be paid now and are in no run, at most a thousand, with what their sellers are owed in cents.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function stillPending(
  ctx: Ctx,
  { saleIds }: { saleIds: readonly string[] },
): Promise<Pick<PendingPayout, 'saleId' | 'amountCents'>[]> {
  authorize(ctx, maySeePayoutRuns);
  const ids = [...new Set(saleIds)].filter(isUuid).slice(0, MOST_PAYOUTS);
  const { rows } = await sql<{ id: string; owed: number }>`
    select s.id, ${owedForSale} as owed from property_sales s
    where s.id = any(${ids}::uuid[]) and ${isPayable(await payableAt(ctx))} and not ${isInRun}`.execute(
    ctx.db.q(),
  );
  return rows.map(({ id, owed }) => ({ saleId: id, amountCents: owed }));
}

/**
 * What the accounts can pay that payouts are made out of now, one for each method that has a provider; no provider is asked.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function treasuryLines(ctx: CtxWith<'payouts'>): Promise<TreasuryLine[]> {
  authorize(ctx, maySeePayoutRuns);
  const lines: TreasuryLine[] = [];
  for (const method of payoutMethods) {
    const port = ctx.payouts.forMethod(method);
    if (port) lines.push(await lineOfTreasury(ctx, port));
  }
  return lines;
}

async function lineOfTreasury(
  ctx: Ctx,
  { method, accountProvider: provider, livemode }: PayoutsPort,
): Promise<TreasuryLine> {
  const last = await ctx.db
    .q()
    .selectFrom('treasury_positions as t')
    .innerJoin('provider_accounts as a', 'a.id', 't.provider_account_id')
    .select(['a.id', 't.available_cents', 't.pending_cents', 't.asked_at'])
    .where('a.provider', '=', provider)
    .where('a.livemode', '=', livemode)
    // After a change of keys there are former accounts, which nobody asks about any more.
    .orderBy('t.asked_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last) return { provider, livemode, position: null };
  const balance = { availableCents: last.available_cents, pendingCents: last.pending_cents };
  const need = await treasuryNeed(ctx, { accountId: last.id, method, livemode });
  const askedAt = last.asked_at.toISOString();
  return {
    provider,
    livemode,
    position: { ...balance, ...need, missingCents: missingCents(balance, need), askedAt },
  };
}

/** How long a run that has ended is still shown beside the payouts, in milliseconds. */
const SHOWN_AFTERWARDS_MS = DAY;

/**
 * The runs that wait or work, oldest first, and the last one that ended within a day.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function currentRuns(ctx: Ctx): Promise<PayoutRun[]> {
  authorize(ctx, maySeePayoutRuns);
  const live = await runsWhere(
    ctx,
    sql`r.status in ('awaiting_approval', 'running') order by r.requested_at, r.id limit 20`,
  );
  const since = new Date(ctx.now().getTime() - SHOWN_AFTERWARDS_MS);
  const ended = await runsWhere(
    ctx,
    sql`r.id = (select id from payout_runs where finished_at > ${since} order by finished_at desc, id desc limit 1)`,
  );
  return [...live, ...ended];
}

/**
 * A run and how far it is.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function payoutRun(ctx: Ctx, { runId }: { runId: string }): Promise<PayoutRun> {
  authorize(ctx, maySeePayoutRuns);
  const [run] = isUuid(runId) ? await runsWhere(ctx, sql`r.id = ${runId}`) : [];
  if (!run) throw new NotFound();
  return run;
}
