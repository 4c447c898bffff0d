import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { loadDemoMarket } from '#demo/load.ts';
import { requestPayoutRun } from '#features/payout-runs/commands/request-payout-run.ts';
import { payoutPlan } from '#features/payout-runs/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { DAY } from '#platform/durations.ts';
import { connectSeller, releasedSale } from '#tests/support/fixtures/payable-sellers.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { startServer } from '#tests/support/server/server.ts';
import { demoDatabase, ensureBuilt } from '../support/app-server.ts';
import { READ_EVERY_MS, readSteadily } from '../support/steady-reads.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { milliseconds, table, timingRow } from '../support/timings.ts';

const PAYOUTS = 1_000;
const SELLERS = 10;
/** Small enough for a run that nobody else has to approve. */
const PRICE_CENTS = 2_000_00;
const WARM_UP = 250;
const IDLE_READS = 750;
const PROMISED_TIMES = 2;
const GIVE_UP_MS = 600_000;

/**
 * A run of 1,000 payouts in the sandbox, worked by the server while `/properties` of the demo market is read every 40 ms. Promised: its
 * p99 is at most twice that of an idle server.
 */
export async function payoutRunSuite(serverUrl: string): Promise<SuiteReport> {
  await ensureBuilt();
  const { url, drop } = await demoDatabase(serverUrl);
  const db = await openDatabase({ url, dataDir: null });
  try {
    await migrate(db);
    await loadDemoMarket(db, { now: new Date(), hashPassword: async () => 'Nobody signs in.' });
    const ctx = await payableMarket(db);
    const server = await startServer({ DATABASE_URL: url, DEMO: 'on', LIMITS: 'relaxed' });
    try {
      return await measure(Number(new URL(server.url).port), ctx);
    } finally {
      await server.stop();
    }
  } finally {
    await db.close();
    await drop();
  }
}

/** Sellers with accounts and sales that can be paid out now; returns the context of an administrator. */
async function payableMarket(db: Database): Promise<CtxWith<'payments' | 'payouts'>> {
  const scenario = await createSaleScenario(db);
  const at = (time: number) => scenario.clock.advance(time - scenario.clock.now().getTime());
  // New payout settings, and then escrow that was released, have waited for long enough.
  at(Date.now() - 14 * DAY);
  const sellers = [];
  for (let number = 0; number < SELLERS; number += 1) {
    const seller = await createUser(db, 'agent');
    await connectSeller(scenario, seller);
    sellers.push(seller);
  }
  at(Date.now() - 9 * DAY);
  for (let number = 0; number < PAYOUTS; number += 1)
    await releasedSale(scenario, sellers[number % SELLERS] ?? scenario.seller, PRICE_CENTS);
  await forgetOtherWork(db);
  return { ...scenario.contextFor(scenario.admin), now: () => new Date() };
}

/** Mails, documents and questions about the sales so far, so that the server has nothing but the run to do. */
async function forgetOtherWork(db: Database): Promise<void> {
  await db.q().updateTable('property_sales').set({ next_ask_at: null }).execute();
  await sql`delete from pgboss.job where state < 'active'`.execute(db.q());
  await db.q().deleteFrom('mail_outbox').execute();
}

async function measure(port: number, ctx: CtxWith<'payments' | 'payouts'>): Promise<SuiteReport> {
  const read = (more: (reads: number) => boolean) => readSteadily(port, '/properties', more);
  await read((reads) => reads < WARM_UP);
  const idle = await read((reads) => reads < IDLE_READS);
  const began = performance.now();
  await requestRun(ctx);
  let working = true;
  const sent = untilSent(ctx).finally(() => {
    working = false;
  });
  const busy = await read(() => working);
  await sent;
  const seconds = (performance.now() - began) / 1_000;
  return {
    title: 'A run of payouts',
    text: `${table(
      [`/properties every ${READ_EVERY_MS} ms, in ms`, 'n', 'p50', 'p95', 'p99', 'max'],
      [
        timingRow('idle', idle),
        timingRow(`while ${PAYOUTS} payouts are made, ${(PAYOUTS / seconds).toFixed(0)} a second`, busy),
      ],
    )}\n\nPromised: p99 at most ${PROMISED_TIMES} times the idle one.`,
    missed:
      busy.p99 > PROMISED_TIMES * idle.p99
        ? [
            `/properties takes ${milliseconds(busy.p99)} ms (p99) beside a run of payouts, promised ${PROMISED_TIMES} times ${milliseconds(idle.p99)}`,
          ]
        : [],
  };
}

async function requestRun(ctx: CtxWith<'payments' | 'payouts'>): Promise<void> {
  const pending = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('payout_status', '=', 'pending')
    .where('sale_price_cents', '=', PRICE_CENTS)
    .execute();
  const saleIds = pending.map(({ id }) => id);
  const { totalCents } = await payoutPlan(ctx, { saleIds });
  const result = await requestPayoutRun(ctx, {
    saleIds,
    expectedTotalCents: totalCents,
    typedTotal: (totalCents / 100).toFixed(2),
    approverId: null,
    idempotencyKey: randomUUID(),
  });
  if (!result.ok || result.status !== 'running' || result.count !== PAYOUTS)
    throw new Error(`The run did not begin: ${JSON.stringify(result).slice(0, 200)}`);
}

/** Resolves when each payout has been sent to its provider. */
async function untilSent(ctx: CtxWith<'payments' | 'payouts'>): Promise<void> {
  const began = performance.now();
  for (;;) {
    const { count } = await ctx.db
      .q()
      .selectFrom('payouts as p')
      .innerJoin('payout_runs as r', 'r.id', 'p.run_id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('p.sent_at', 'is not', null)
      .executeTakeFirstOrThrow();
    if (Number(count) === PAYOUTS) return;
    if (performance.now() - began > GIVE_UP_MS) throw new Error(`Only ${count} payouts were sent`);
    await wait(1_000);
  }
}
