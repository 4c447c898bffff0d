import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { PayoutsPort } from '#gateways/payouts/port.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { type RunningJobs, readDeadLetters, startJobs } from '#platform/jobs/jobs.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { payoutJobs } from './jobs.ts';

const TAKE_BACK = 'payouts.take-back';
const POLLED = { timeout: 20_000, interval: 50 };

await describeOnDatabase('money that is taken back from a seller', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  let running: RunningJobs;
  let isDown = true;
  /** The keys under which the provider was asked for money. */
  const asked: string[] = [];
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
  });
  afterAll(async () => {
    await running?.stop(20_000);
    await db.close();
  });

  async function startWorkers(): Promise<void> {
    const { system } = scenario.saleScenario;
    const stripe = system.payouts.forMethod('stripe') as PayoutsPort;
    const reverse: PayoutsPort['reverse'] = async (request, key) => {
      asked.push(key);
      if (isDown || !stripe.reverse) throw new PaymentError('unavailable', 'The provider is down.');
      return stripe.reverse(request, key);
    };
    const payouts = payoutsOf([{ ...stripe, reverse }]);
    const context = (requestId: string) => ({ ...system, payouts, requestId });
    running = await startJobs(context, payoutJobs, { cron: false, pollSeconds: 0.2 });
  }
  const receivable = async (saleId: string) =>
    (await scenario.saleScenario.accountBalances(saleId)).seller_receivable ?? 0;
  const reversals = () =>
    db.q().selectFrom('payout_reversals').select(['status', 'idempotency_key as key']).execute();
  const jobsIn = async (states: readonly string[]) =>
    (
      await db.pool.query('select 1 from pgboss.job where name = $1 and state::text = any($2)', [
        TAKE_BACK,
        states,
      ])
    ).rows.length;
  /** Runs the job that looks after payouts, and all that it asks for. */
  async function look(): Promise<void> {
    const ask = payoutJobs.find(({ job }) => job.name === 'payouts.ask')?.job;
    if (!ask) throw new Error('no such job');
    await enqueue({ db }, ask, {});
    const open = `select 1 from pgboss.job where name in ('payouts.ask', $1) and state < 'completed'`;
    await expect.poll(async () => (await db.pool.query(open, [TAKE_BACK])).rows, POLLED).toEqual([]);
  }

  it('is taken back once when the provider returns after the job has failed for good', async () => {
    const account = await scenario.setUpStripe();
    const saleId = await scenario.releasedSale();
    await scenario.pay(saleId);
    const balance = { balance_cents: 593_600_00 };
    await db.q().updateTable('sandbox_accounts').set(balance).where('ref', '=', account).execute();
    await scenario.refund(saleId, 100_000_00);
    expect(await receivable(saleId)).toBe(80_000_00);
    // Its retries take hours.
    await db.pool.query('update pgboss.job set retry_limit = 0 where name = $1', [TAKE_BACK]);
    await startWorkers();
    await expect
      .poll(async () => (await readDeadLetters({ db })).map(({ data }) => data), POLLED)
      .toEqual([{ saleId }]);
    const [{ key } = { key: '' }] = await reversals();
    expect(await reversals()).toEqual([{ status: 'pending', key }]);
    isDown = false;

    // As long as its own retries may still come, nobody else asks.
    await look();
    expect(await jobsIn(['created', 'retry', 'active', 'completed'])).toBe(0);
    scenario.saleScenario.clock.advance(2 * HOUR);
    await look();
    expect(await reversals()).toEqual([{ status: 'succeeded', key }]);
    expect(await receivable(saleId)).toBe(0);
    scenario.saleScenario.clock.advance(2 * HOUR);
    await look();
    expect(asked).toEqual([key, key]);
    const theirs = await db.q().selectFrom('sandbox_reversals').select('amount_cents as cents').execute();
    expect(theirs).toEqual([{ cents: 80_000_00 }]);
    expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  });
});
