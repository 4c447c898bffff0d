import { randomUUID } from 'node:crypto';
import { requestPayoutRun } from '#features/payout-runs/commands/request-payout-run.ts';
import { payoutPlan } from '#features/payout-runs/reads.ts';
import { runPayoutSchedule } from '#features/payout-schedule/commands/run-schedule.ts';
import { askPayouts } from '#features/payouts/commands/ask-payouts.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { syncPayout } from '#features/payouts/commands/sync-payout.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { mulberry32 } from '#illustrator/random.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { SimulatedCrash } from '#tests/support/database/crash-injection.ts';
import { runPayoutJobs } from '#tests/support/fixtures/payable-sellers.ts';
import type { Report, RunOptions } from '../promises/report.ts';
import { payoutFindings } from './payout-findings.ts';
import { createPayoutMarket, type PayoutMarket } from './payout-market.ts';
import { faultyProcess, happenings, letArrive } from './payout-faults.ts';

/** Rounds of a day each in which processes die, calls fail and payouts come back; then everything works again. */
const FAULTY_ROUNDS = 8;
/** By then every payout must have arrived: what is unclaimed comes back after 30 days. */
const MAX_ROUNDS = 60;

/**
 * Pays the sellers of released sales by schedule and by two administrators at once, in several processes that die at any statement
 * and call providers that do not answer, while payouts fail, are blocked and come back. One trial is one sale. In the end the
 * provider has paid each seller exactly what the ledger said at the start, once, and its books equal ours to the cent.
 */
export async function soakPayouts(db: Database, { size, seed }: RunOptions): Promise<Report> {
  const random = mulberry32(seed);
  const market = await createPayoutMarket(db, size, random);
  const findings: string[] = [];
  let round = 0;
  do {
    findings.push(...(await oneDay(market, random, round < FAULTY_ROUNDS)));
    round += 1;
  } while (round < MAX_ROUNDS && findings.length < 5 && (round <= FAULTY_ROUNDS || (await isUnsettled(db))));
  if (await isUnsettled(db)) findings.push(`not every seller was paid after ${round} days`);
  findings.push(...(await payoutFindings(market)));
  return { trials: size, findings };
}

/** Everything that goes on in a day, at once. @returns what failed otherwise than by the faults that are played */
async function oneDay(market: PayoutMarket, random: () => number, isFaulty: boolean): Promise<string[]> {
  const { bench, administrators } = market;
  const now = bench.clock.now().getTime();
  bench.clock.advance(DAY - ((now - 2 * HOUR) % DAY));
  const process = () => faultyProcess(bench, random, isFaulty);
  const work: (() => Promise<unknown>)[] = [
    () => runPayoutSchedule(process()),
    () => runPayoutSchedule(process()),
    ...administrators.map((one) => () => processSome(market, one, random, isFaulty)),
    () => runPayoutJobs(process()),
    () => runPayoutJobs(process()),
    () => askPayouts(process()),
    ...administrators.map((one) => () => retryFailed(market, one)),
    () => (isFaulty ? happenings(market, random) : letArrive(market)),
  ];
  const findings: string[] = [];
  for (const outcome of await Promise.allSettled(work.map((one) => one())))
    if (outcome.status === 'rejected' && !isPlayed(outcome.reason))
      findings.push(`failed: ${String(outcome.reason instanceof Error ? outcome.reason.stack : outcome.reason)}`);
  // What was lost is taken up by jobs that run again; messages come late and more than once.
  for (const again of [runPayoutJobs, runPayoutJobs, followMessages])
    await again(process()).catch((error: unknown) => {
      if (!isPlayed(error)) findings.push(`failed: ${String(error)}`);
    });
  return findings;
}

const isPlayed = (error: unknown): boolean =>
  error instanceof PaymentError ||
  error instanceof SimulatedCrash ||
  (error instanceof Error && error.cause instanceof SimulatedCrash);

/** An administrator selects some payouts and presses the button twice. */
async function processSome(
  { bench, db }: PayoutMarket,
  actor: UserActor,
  random: () => number,
  isFaulty: boolean,
): Promise<void> {
  const ctx = { ...faultyProcess(bench, random, isFaulty), actor };
  const pending = await db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('payout_status', '=', 'pending')
    .orderBy('id')
    .execute();
  const saleIds = pending.map(({ id }) => id).filter(() => random() < 0.2);
  const { totalCents } = await payoutPlan(ctx, { saleIds });
  const request = {
    saleIds,
    expectedTotalCents: totalCents,
    typedTotal: (totalCents / 100).toFixed(2),
    approverId: null,
    idempotencyKey: randomUUID(),
  };
  await Promise.all([requestPayoutRun(ctx, request), requestPayoutRun(ctx, request)]);
}

async function retryFailed({ bench, db }: PayoutMarket, actor: UserActor): Promise<void> {
  const failed = await db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('payout_status', '=', 'failed')
    .execute();
  for (const { id } of failed) await retryPayout(bench.contextFor(actor), { saleId: id });
}

/** Every payout that something happened to is asked about. */
async function followMessages(ctx: Parameters<typeof syncPayout>[0]): Promise<void> {
  const payouts = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('id')
    .where('provider', 'is not', null)
    .execute();
  for (const { id } of payouts) await syncPayout(ctx, { payoutId: id });
}

/** Whether a seller still waits for money. */
async function isUnsettled(db: Database): Promise<boolean> {
  const waiting = await db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('payout_status', 'in', ['pending', 'processing', 'failed'])
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}
