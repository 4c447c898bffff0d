import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { taskList } from '#features/tasks/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { databaseWithInterceptor } from '#tests/support/database/query-interception.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { ledgerJobs } from './jobs.ts';

/** A node of a plan of PostgreSQL. */
interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  'CTE Name'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const readsBalances = (node: PlanNode) =>
  nodesOf(node).some((inner) => inner['CTE Name'] === 'sale_balances');

await describeOnEachDatabase('the nightly check of the ledger', (open, kind) => {
  let db: Database;
  let scenario: SaleScenario;
  let saleId: string;
  let ctx: Ctx;
  const error = vi.fn();
  beforeEach(async () => {
    db = await open();
    await chargeFees(db);
    scenario = await createSaleScenario(db);
    saleId = await scenario.createPaidSale();
    ctx = { ...scenario.system, log: Object.assign(Object.create(scenario.system.log), { error }) };
    error.mockClear();
  });
  afterEach(() => db.close());

  const check = (on: Ctx = ctx, databaseDirectUrl?: string) => {
    const job = ledgerJobs({ databaseDirectUrl }).find(({ job }) => job.name === 'ledger.check');
    return job?.run(on, {}, { number: 1, last: true, signal: new AbortController().signal });
  };
  const tasks = async (state: 'open' | 'closed') =>
    (await taskList(scenario.contextFor(scenario.admin), { state, page: 1 })).tasks.filter(
      (task) => task.kind === 'ledger_broken',
    );
  /** Waits until a statement has waited so long for a table. */
  const untilItHasWaited = (seconds: number) =>
    vi.waitFor(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity join pg_locks using (pid)
          where datname = current_database() and locktype = 'relation' and not granted
            and query_start < clock_timestamp() - make_interval(secs => ${seconds})`.execute(db.q());
        expect(rows).not.toEqual([]);
      },
      { timeout: 20_000 },
    );
  /** What somebody does who owns the database. */
  const setReturned = (cents: number) =>
    db.tx(async () => {
      await sql`set local session_replication_role = replica`.execute(db.q());
      await sql`update property_sales set returned_fees_cents = ${cents} where id = ${saleId}`.execute(
        db.q(),
      );
    });

  it('finds nothing in books that balance', async () => {
    await check();
    expect(await tasks('open')).toEqual([]);
    expect(error).not.toHaveBeenCalled();
  });

  it('makes one task of what does not balance, with a mail and an error in the log, until it balances again', async () => {
    await setReturned(1);
    await check();
    const [task] = await tasks('open');
    expect(task).toMatchObject({ severity: 'critical', subject: 'Ledger', closes: expect.any(String) });
    for (const part of [
      'npm run ledger:check',
      `what is held for a sale is what its state says: sale ${saleId}: `,
      `what a sale has returned is what its entries say: sale ${saleId}: `,
    ])
      expect(task?.detail).toContain(part);
    expect(error).toHaveBeenCalledWith(
      { findings: 2, told: expect.arrayContaining([expect.stringContaining(saleId)]) },
      'the books do not balance',
    );

    await setReturned(2);
    await check();
    expect(await tasks('open')).toEqual([
      { ...task, detail: expect.stringContaining('fees 2 of 0'), detailMark: expect.any(String) },
    ]);
    const mails = db
      .q()
      .selectFrom('mail_outbox')
      .select('to_address')
      .where('subject', '=', `Urgent: ${task?.title}`);
    const administrators = db.q().selectFrom('profiles').select('id').where('role', '=', 'admin');
    expect(await mails.execute()).toHaveLength((await administrators.execute()).length);

    await setReturned(0);
    await check();
    expect(await tasks('open')).toEqual([]);
    expect(await tasks('closed')).toMatchObject([
      { id: task?.id, resolution: 'A later check found nothing' },
    ]);
  });

  it('tells of every check that found something, once with the number of its findings', async () => {
    const other = await scenario.createPaidSale();
    await db.tx(async () => {
      await sql`set local session_replication_role = replica`.execute(db.q());
      await sql`update property_sales set returned_fees_cents = 1 where id in (${saleId}, ${other})`.execute(
        db.q(),
      );
    });
    await check();
    expect(error.mock.calls[0]?.[0]).toEqual({
      findings: 4,
      told: [
        expect.stringMatching(/^what is held .*, and 1 more\.$/),
        expect.stringMatching(/^what a sale has returned .*, and 1 more\.$/),
      ],
    });
  });

  it.runIf(kind === 'server')(
    'takes time in proportion to the sales, of which none is wrong',
    async () => {
      await db.tx(async () => {
        await sql`set local session_replication_role = replica`.execute(db.q());
        // Given up, after money that arrived and went back.
        await sql`insert into property_sales (id, property_id, buyer_id, agent_id, sale_price_cents, buyer_fees_cents, seller_fees_cents,
          admin_percentage, agent_commission_cents, payment_method, provider, stripe_payment_status, escrow_status, idempotency_key)
        select gen_random_uuid(), property_id, buyer_id, agent_id, sale_price_cents, 0, 0, admin_percentage, agent_commission_cents,
          payment_method, provider, 'failed', 'cancelled', 'many ' || n
        from property_sales, generate_series(1, 30000) n where id = ${saleId}`.execute(db.q());
        await sql`insert into ledger_entries (idempotency_key, kind, sale_id)
        select 'many:' || way || id, 'L6', id from property_sales, (values ('in'), ('out')) ways (way)
        where escrow_status = 'cancelled'`.execute(db.q());
        await sql`insert into ledger_postings (entry_id, account, amount_cents)
        select e.id, account, cents * case when e.idempotency_key like 'many:in%' then 1 else -1 end
        from ledger_entries e, (values ('bank', 5), ('suspense', -5)) lines (account, cents)
        where e.idempotency_key like 'many:%'`.execute(db.q());
        await sql`analyze property_sales, ledger_entries, ledger_postings`.execute(db.q());
      });
      let plan: PlanNode | undefined;
      // The plan instead of the check, which by a wrong one would take longer than any test may.
      const explaining = databaseWithInterceptor(db, (run) => async (text, values) => {
        if (!text.includes('sale_balances')) return run(text, values);
        const explained = await run(`explain (format json) ${text}`, values);
        plan = explained.rows[0]['QUERY PLAN'][0].Plan;
        return { ...explained, rows: [] };
      });
      await check({ ...ctx, db: explaining });
      if (!plan) throw new Error('The books were not checked');
      const nodes = nodesOf(plan);
      expect(nodes.filter((node) => node['CTE Name'] === 'sale_balances')).not.toEqual([]);
      // One that reads all balances again for each sale takes time by the square of their number.
      const repeated = nodes.flatMap(({ 'Node Type': type, Plans = [] }) =>
        Plans.filter(
          ({ 'Parent Relationship': relationship }) =>
            relationship === 'SubPlan' || (type === 'Nested Loop' && relationship === 'Inner'),
        ),
      );
      expect(repeated.filter(readsBalances)).toEqual([]);
      // With fewer sales no plan goes wrong, and a busy machine takes its time to write so many.
    },
    120_000,
  );

  it.runIf(kind === 'server')('may take longer than any other statement', async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db.q());
    const url = new URL(String(db.pool.options.connectionString));
    url.pathname = `/${rows[0]?.name}`;
    const hurried = await openDatabase({ url: url.href, dataDir: null, statementTimeout: 2_000 });
    const locked = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<void>();
    const holding = db.tx(async () => {
      await sql`lock table ledger_postings in access exclusive mode`.execute(db.q());
      locked.resolve();
      await letGo.promise;
    });
    try {
      await locked.promise;
      const checking = check({ ...ctx, db: hurried }, url.href);
      await Promise.race([checking, untilItHasWaited(3)]);
      letGo.resolve();
      await checking;
      expect(await tasks('open')).toEqual([]);
    } finally {
      letGo.resolve();
      await holding;
      await hurried.close();
    }
  });
});
