import { sql } from 'kysely';
import type { Payments } from '#gateways/payments/port.ts';
import type { Actor, Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Died, dyingDatabase, dyingPayments, type Fuse, fuse } from '#tests/support/dying-database.ts';
import type { SaleBench } from '#tests/support/sale-bench.ts';
import { ledgerHash, moneyFindings } from '../evidence.ts';
import type { Report } from '../report.ts';
import { rehearsal } from '../world.ts';
import { type Before, type Operation, type Process, recover } from './operations.ts';

export interface Choices {
  /** findings after which it ends */
  most?: number;
  /** the database and the providers as the process that dies meets them, for taking a guard away */
  through?: { db?: (db: Database) => Database; payments?: (payments: Payments) => Payments };
}

/**
 * Kills a process at every step of an operation, one after the other: before each statement, after each that lasts, before
 * and after each call of a provider. Then somebody repeats the click, and the machine recovers. All must end as without the
 * crash, with each call that moves money heard once by its provider (R5). One trial is one crash.
 */
export async function crashEverywhere(
  db: Database,
  operation: Operation,
  { through = {}, most = 5 }: Choices = {},
): Promise<Report> {
  const { rewinding, bench } = await rehearsal(db);
  try {
    const before = await operation.prepare(bench);
    await rewinding.mark();
    const began = bench.clock.now().getTime();
    const live = async (life: Fuse): Promise<string> => {
      await rewinding.rewind();
      bench.clock.advance(began - bench.clock.now().getTime());
      await dieOrDo(operation, processOf(bench, life, through), bench, before);
      // The same click again, by the process that was started in place of the dead one.
      if (life.dead()) await operation.run(processOf(bench, fuse(null), through), bench, before);
      await recover(bench);
      return outcome(bench);
    };
    const whole = fuse(null);
    const expected = await live(whole);
    const findings = (await moneyFindings(bench)).filter((finding) => !finding.startsWith('waits'));
    let trials = 0;
    for (; trials < whole.steps() && findings.length < most; trials += 1) {
      const life = fuse(trials + 1);
      const reached = await live(life);
      if (reached !== expected)
        findings.push(`${operation.name}, died ${life.last()}:\n${reached}\ninstead of\n${expected}`);
    }
    return { trials, findings };
  } finally {
    await rewinding.end();
  }
}

async function dieOrDo(
  operation: Operation,
  process: Process,
  bench: SaleBench,
  before: Before,
): Promise<void> {
  try {
    await operation.run(process, bench, before);
  } catch (error) {
    if (!(error instanceof Died) && !(error instanceof Error && error.cause instanceof Died)) throw error;
  }
}

function processOf(bench: SaleBench, life: Fuse, { db, payments }: NonNullable<Choices['through']>): Process {
  const own = dyingDatabase(db ? db(bench.db) : bench.db, life);
  const as = (actor: Actor): Ctx => ({ ...bench.as(actor), db: own });
  return {
    as,
    system: { ...bench.system, db: own },
    payments: dyingPayments(payments ? payments(bench.payments) : bench.payments, life),
  };
}

/** Everything that a crash could lose or repeat, without names, times and the order of what happens at once. */
async function outcome({ db }: SaleBench): Promise<string> {
  const sales = await db
    .q()
    .selectFrom('property_sales as s')
    .innerJoin('properties as p', 'p.id', 's.property_id')
    .select(['s.id', 's.stripe_payment_status', 's.escrow_status', 's.payout_status', 'p.status'])
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute();
  const states = [];
  for (const { id, ...state } of sales)
    states.push(`${Object.values(state).join('/')} ${await ledgerHash(db, id)}`);
  const count = async (of: ReturnType<typeof sql<{ line: string }>>) =>
    (await of.execute(db.q())).rows.map(({ line }) => line).join(', ');
  return [
    `sales: ${states.join('; ')}`,
    `events: ${await count(sql`select event || ' by ' || actor_role as line from sale_events order by id`)}`,
    `audit: ${await count(sql`select action || ' ' || count(*) as line from audit_log group by action order by action`)}`,
    `fees: ${await count(sql`select name || ' ' || amount_applied_cents as line from transaction_fees order by name`)}`,
    `checkouts: ${await count(sql`select status || ' ' || count(*) as line from sandbox_checkouts group by status order by status`)}`,
    `refunds: ${await count(sql`select status || ' ' || amount_cents || ' ' || (provider_ref is not null) as line from refunds order by idempotency_key`)}`,
    `refunds at the provider: ${await count(sql`select status || ' ' || amount_cents as line from sandbox_refunds order by key`)}`,
    `keys: ${await count(sql`select split_part(key, ':', 1) || ' ' || count(*) as line from sandbox_keys group by split_part(key, ':', 1) order by 1`)}`,
    `jobs: ${await count(sql`select name || ' ' || count(*) as line from pgboss.job where name = 'payments.refund' group by name`)}`,
    `mails: ${await count(sql`select subject || ' ' || count(*) as line from mail_outbox group by subject order by subject`)}`,
    `told: ${await count(sql`select type || ' ' || (payload ->> 'event') || ' ' || count(*) as line from live_events group by type, payload ->> 'event' order by 1`)}`,
    `messages: ${await count(sql`select event_type || ' ' || status || ' ' || count(*) as line from provider_events group by event_type, status order by 1`)}`,
  ].join('\n');
}
