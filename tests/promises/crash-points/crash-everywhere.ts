import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import type { Payments } from '#gateways/payments/port.ts';
import type { Payouts } from '#gateways/payouts/port.ts';
import type { Actor, Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import {
  type CrashInjector,
  crashingDatabase,
  crashingFiles,
  crashingPayments,
  crashingPayouts,
  createCrashInjector,
  isSimulatedCrash,
} from '#tests/support/database/crash-injection.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { ledgerHash, moneyFindings } from '../money-checks.ts';
import type { Report } from '../report.ts';
import { createScenario } from '../scenario.ts';
import type { Operation, Process, Setup } from './operation.ts';
import { recover } from './operations.ts';

interface CrashOptions {
  /** how many crash points to try; every one by default */
  sample?: number;
  /** stops after this many findings */
  maxFindings?: number;
  /** wraps the database and providers of the crashing process, to remove a safeguard */
  wrap?: {
    db?: (db: Database) => Database;
    payments?: (payments: Payments) => Payments;
    payouts?: (payouts: Payouts) => Payouts;
  };
}

/**
 * Crashes a process at every step of an operation in turn: before each statement, after each commit, before and after each
 * provider call. Then the request is repeated and the system recovers. The outcome must be the same as without the crash, and
 * each provider call that moves money must take effect once (R5). One trial is one crash.
 */
export async function crashEverywhere(
  db: Database,
  operation: Operation,
  { wrap = {}, maxFindings = 5, sample }: CrashOptions = {},
): Promise<Report> {
  const { rewinding, saleScenario } = await createScenario(db);
  const folder = mkdtempSync(join(tmpdir(), 'acre-crash-points-'));
  const files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  try {
    const setup = await operation.prepare(saleScenario);
    await rewinding.mark();
    const began = saleScenario.clock.now().getTime();
    const runWith = async (crashFuse: CrashInjector): Promise<string> => {
      await rewinding.rewind();
      saleScenario.clock.advance(began - saleScenario.clock.now().getTime());
      await runUntilCrash(operation, processWith(saleScenario, files, crashFuse, wrap), saleScenario, setup);
      // The same request again, handled by the process that replaces the crashed one.
      if (crashFuse.crashed())
        await operation.run(
          processWith(saleScenario, files, createCrashInjector(null), wrap),
          saleScenario,
          setup,
        );
      await recover(saleScenario);
      return finalState(saleScenario, files);
    };
    const intactFuse = createCrashInjector(null);
    const expected = await runWith(intactFuse);
    const findings = (await moneyFindings(saleScenario)).filter((finding) => !finding.startsWith('waits'));
    let trials = 0;
    for (const step of crashSteps(intactFuse.steps(), sample)) {
      if (findings.length >= maxFindings) break;
      trials += 1;
      const crashFuse = createCrashInjector(step);
      const actual = await runWith(crashFuse);
      if (actual !== expected)
        findings.push(`${operation.name}, died ${crashFuse.lastStep()}:\n${actual}\ninstead of\n${expected}`);
    }
    return { trials, findings };
  } finally {
    await rewinding.rollbackAll();
    rmSync(folder, { recursive: true });
  }
}

/**
 * The steps to crash at, counted from 1: all, or those right after a provider call, where most can go wrong, and others at even
 * distances.
 */
function crashSteps(names: readonly string[], sample = names.length): number[] {
  const steps = names.map((_, index) => index + 1);
  if (sample >= steps.length) return steps;
  const calls = steps.filter((step) => /^after \w+$/.test(names[step - 1] ?? '')).slice(0, sample);
  const others = steps.filter((step) => !calls.includes(step));
  const share = others.length / Math.max(1, sample - calls.length);
  const spread = Array.from(
    { length: sample - calls.length },
    (_, n) => others[Math.floor((n + 0.5) * share)] ?? 1,
  );
  return [...calls, ...spread].sort((a, b) => a - b);
}

async function runUntilCrash(
  operation: Operation,
  process: Process,
  saleScenario: SaleScenario,
  setup: Setup,
): Promise<void> {
  try {
    await operation.run(process, saleScenario, setup);
  } catch (error) {
    if (!isSimulatedCrash(error)) throw error;
  }
}

function processWith(
  saleScenario: SaleScenario,
  files: FileStore,
  crashFuse: CrashInjector,
  { db, payments, payouts }: NonNullable<CrashOptions['wrap']>,
): Process {
  const own = crashingDatabase(db ? db(saleScenario.db) : saleScenario.db, crashFuse);
  const as = (actor: Actor): Ctx => ({ ...saleScenario.contextFor(actor), db: own });
  return {
    as,
    system: { ...saleScenario.system, db: own },
    payments: crashingPayments(payments ? payments(saleScenario.payments) : saleScenario.payments, crashFuse),
    payouts: crashingPayouts(payouts ? payouts(saleScenario.payouts) : saleScenario.payouts, crashFuse),
    files: crashingFiles(files, crashFuse),
  };
}

/** Everything a crash could lose or repeat, without ids, times and the order of concurrent events. */
async function finalState({ db }: SaleScenario, files: FileStore): Promise<string> {
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
  const documents = await db
    .q()
    .selectFrom('document_registry')
    .select(['document_name', 'sha256', 'file_key'])
    .where('origin', '=', 'made')
    .orderBy('document_name')
    .execute();
  const made = [];
  for (const { document_name, sha256, file_key } of documents)
    made.push(`${document_name} ${sha256} ${(await files.head(file_key))?.size ?? 'without a file'}`);
  const count = async (of: ReturnType<typeof sql<{ line: string }>>) =>
    (await of.execute(db.q())).rows.map(({ line }) => line).join(', ');
  return [
    `sales: ${states.join('; ')}`,
    `documents: ${made.join('; ')}`,
    `for the chain: ${await count(sql`select 'anchor of ' || d.document_name as line from document_anchors a join document_registry d on d.id = a.document_id
      union all select 'token of ' || d.document_name from completion_nfts n join document_registry d on d.id = n.document_id order by 1`)}`,
    `events: ${await count(sql`select event || ' by ' || actor_role as line from sale_events order by id`)}`,
    `audit: ${await count(sql`select action || ' ' || count(*) as line from audit_log group by action order by action`)}`,
    `fees: ${await count(sql`select name || ' ' || amount_applied_cents as line from transaction_fees order by name`)}`,
    `checkouts: ${await count(sql`select status || ' ' || count(*) as line from sandbox_checkouts group by status order by status`)}`,
    `refunds: ${await count(sql`select status || ' ' || amount_cents || ' ' || (provider_ref is not null) as line from refunds order by idempotency_key`)}`,
    `refunds at the provider: ${await count(sql`select status || ' ' || amount_cents as line from sandbox_refunds order by key, amount_cents`)}`,
    `payouts: ${await count(sql`select attempt || ' ' || status || ' ' || amount_cents || ' ' || paid_cents || ' ' || returned_cents || ' ' || reversed_cents || ' ' || netted_cents as line from payouts order by attempt, amount_cents`)}`,
    `taken back: ${await count(sql`select status || ' ' || amount_cents as line from payout_reversals order by amount_cents`)}`,
    `payouts at the provider: ${await count(sql`select i.state || ' ' || i.amount_cents || ' ' || i.returned_cents as line from sandbox_payout_items i order by i.amount_cents, i.id`)}`,
    `accounts of sellers: ${await count(sql`select (a.ref = g.stripe_account_id) || ' ' || g.payout_status || ' ' || count(t.ref) as line
      from seller_accounts a join agents g on g.id = a.agent_id left join sandbox_accounts t on t.agent_id = a.agent_id::text
      group by a.id, g.id order by 1`)}`,
    `keys: ${await count(sql`select split_part(key, ':', 1) || ' ' || count(*) as line from sandbox_keys group by split_part(key, ':', 1) order by 1`)}`,
    `jobs: ${await count(sql`select name || ' ' || count(*) as line from pgboss.job where name in ('payments.refund', 'disputes.evidence', 'payouts.send', 'payouts.take-back', 'closing.statement-document') group by name`)}`,
    `mails: ${await count(sql`select subject || ' ' || count(*) as line from mail_outbox group by subject order by subject`)}`,
    `told: ${await count(sql`select type || ' ' || (payload ->> 'event') || ' ' || count(*) as line from live_events group by type, payload ->> 'event' order by 1`)}`,
    `evidence: ${await count(sql`select dispute_kind || ' ' || state || ' ' || count(*) as line from dispute_evidence group by dispute_kind, state order by 1`)}`,
    `reconciled: ${await count(sql`select t.kind || ' ' || count(*) || ' by ' || count(m.id) as line from provider_transactions t
      left join clearing_matches m on m.provider_transaction_id = t.id group by t.kind order by t.kind`)}`,
    `breaks: ${await count(sql`select kind || ' ' || state || ' ' || count(*) as line from breaks group by kind, state order by 1`)}`,
    `tasks: ${await count(sql`select kind || ' ' || count(*) as line from admin_tasks group by kind order by kind`)}`,
    `cents by account: ${await count(sql`select account || ' ' || sum(amount_cents) as line from ledger_postings group by account order by account`)}`,
    `messages: ${await count(sql`select event_type || ' ' || status || ' ' || count(*) as line from provider_events group by event_type, status order by 1`)}`,
  ].join('\n');
}
