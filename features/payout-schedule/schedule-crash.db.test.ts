import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { workRunJob } from '#features/payout-runs/queues.ts';
import { sendPayoutJob } from '#features/payouts/payout-jobs.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { PayoutsPort } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { ensureQueue } from '#platform/jobs/enqueue.ts';
import {
  type CrashInjector,
  crashingDatabase,
  createCrashInjector,
  SimulatedCrash,
} from '#tests/support/database/crash-injection.ts';
import { createRewindableDatabase } from '#tests/support/database/rewindable-database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { connectSeller, releasedSale, runPayoutJobs } from '#tests/support/fixtures/payable-sellers.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { runPayoutSchedule } from './commands/run-schedule.ts';

// R5: a process that dies while the schedule pays loses no payout and makes none twice.

/** Crash points tried of all, at even distances; every call of the provider is among them. */
const SAMPLE = 24;

await describeOnDatabase(
  'a process that crashes while the schedule pays',
  (open) => {
    let db: Database;
    beforeAll(async () => {
      db = await open();
    });
    afterAll(() => db.close());

    it('is taken over: each seller is paid once', async () => {
      const rewinding = await createRewindableDatabase(db);
      const scenario = await createSaleScenario(rewinding.db);
      try {
        const other = await createUser(scenario.db, 'agent');
        for (const seller of [scenario.seller, other]) await connectSeller(scenario, seller);
        await scenario.db.tx(async () => {
          for (const job of [workRunJob, sendPayoutJob]) await ensureQueue(scenario.db, job);
        });
        const schedule = { frequency: 'daily', minimumCents: 0 };
        await changeSetting(scenario.contextFor(scenario.admin), {
          name: 'payout_schedule',
          value: schedule,
        });
        scenario.clock.advance(4 * DAY);
        for (const seller of [scenario.seller, other, other]) await releasedSale(scenario, seller);
        scenario.clock.advance(8 * DAY);
        await rewinding.mark();

        const processOf = (injector: CrashInjector): CtxWith<'payments' | 'payouts'> => ({
          ...scenario.system,
          db: crashingDatabase(scenario.db, injector),
          payouts: payoutsOf(portsOf(scenario.payouts.forMethod('stripe'), injector)),
        });
        const pay = async (ctx: CtxWith<'payments' | 'payouts'>) => {
          await runPayoutSchedule(ctx);
          await runPayoutJobs(ctx);
        };
        const outcomeOf = async (injector: CrashInjector) => {
          await rewinding.rewind();
          await pay(processOf(injector)).catch(rethrowUnlessCrash);
          if (injector.crashed()) await pay(processOf(createCrashInjector(null)));
          expect(await checkLedger(scenario.system)).toEqual([]);
          return outcome(scenario.db);
        };

        const intact = createCrashInjector(null);
        const expected = await outcomeOf(intact);
        expect(expected).toMatchObject({ payouts: 'completed 3', runs: 'finished 1', sent: '3 24000000' });
        const steps = intact.steps();
        const isCall = (step: number) => /send$/.test(steps[step - 1] ?? '');
        const every = Math.ceil(steps.length / SAMPLE);
        for (let step = 1; step <= steps.length; step += 1) {
          if (step % every !== 0 && !isCall(step)) continue;
          const injector = createCrashInjector(step);
          expect(await outcomeOf(injector), `died ${injector.lastStep()}`).toEqual(expected);
        }
      } finally {
        await rewinding.rollbackAll();
      }
    });
  },
  { timeout: 120_000 },
);

function rethrowUnlessCrash(error: unknown): void {
  const isCrash = error instanceof Error && error.cause instanceof SimulatedCrash;
  if (!(error instanceof SimulatedCrash) && !isCrash) throw error;
}

/** The provider as that process sees it: it dies before a call, or before the answer arrives. */
function portsOf(port: PayoutsPort | null, injector: CrashInjector): PayoutsPort[] {
  if (!port) throw new Error('The sandbox is not there');
  return [
    {
      ...port,
      async send(request) {
        injector.step('before send');
        const answer = await port.send(request);
        injector.step('after send');
        return answer;
      },
    },
  ];
}

/** Everything that a crash could lose or repeat, without ids and times. */
async function outcome(db: Database) {
  const line = async (query: ReturnType<typeof sql<{ line: string }>>) =>
    (await query.execute(db.q())).rows.map(({ line }) => line).join(', ');
  return {
    payouts: await line(
      sql`select status || ' ' || count(*) as line from payouts group by status order by status`,
    ),
    runs: await line(
      sql`select status || ' ' || count(*) as line from payout_runs group by status order by status`,
    ),
    items: await line(
      sql`select status || ' ' || count(*) as line from payout_run_items group by status order by status`,
    ),
    periods: await line(sql`select count(*) || ' ' || count(run_id) as line from scheduled_payouts`),
    sent: await line(sql`select count(*) || ' ' || sum(amount_cents) as line from sandbox_payout_items`),
    accounts: await line(
      sql`select account || ' ' || sum(amount_cents) as line from ledger_postings group by account order by account`,
    ),
    audit: await line(
      sql`select action || ' ' || count(*) as line from audit_log group by action order by action`,
    ),
    mails: await line(
      sql`select subject || ' ' || count(*) as line from mail_outbox group by subject order by subject`,
    ),
    tasks: await line(
      sql`select kind || ' ' || count(*) as line from admin_tasks group by kind order by kind`,
    ),
  };
}
