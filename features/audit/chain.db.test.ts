import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { taskList } from '#features/tasks/reads.ts';
import { type AuditEntry, audit, auditAll } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { tryLock } from '#platform/db/locks.ts';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { crashingDatabase, createCrashInjector } from '#tests/support/database/crash-injection.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type CanonicalRow, CHAIN_START, canonicalColumns, linkHash } from './chain.ts';
import { chainAudit } from './commands/chain-audit.ts';
import { auditJobs } from './jobs.ts';
import { type AuditReport, pinnedHeadFrom } from './model.ts';
import { checkAudit } from './reads.ts';

await describeOnEachDatabase('the chain over the audit log', (open, kind) => {
  let db: Database;
  let ctx: Ctx;
  let clock: ReturnType<typeof testClock>;
  beforeEach(async () => {
    db = await open();
    clock = testClock();
    ctx = testContext(db, { actor: { kind: 'system', name: 'test' }, now: clock.now });
  });
  afterEach(() => db.close());

  const entry = (n: number): AuditEntry => ({
    action: 'policy.publish',
    entity: 'policy',
    entityId: String(n),
    before: { price: n, name: 'Ünïcode "quoted" \\ 1e3' },
    after: { list: [1.5, null, true], n },
  });
  const write = (count: number) =>
    auditAll(
      ctx,
      Array.from({ length: count }, (_, n) => entry(n + 1)),
    );
  /** Plain rows, thousands at once. */
  const writeMany = (count: number) =>
    sql`insert into audit_log (actor_role, action, entity, entity_id, request_id, at)
      select 'system:test', 'policy.publish', 'policy', n::text, 'test', ${ctx.now()}
      from generate_series(1, ${count}::int) n`.execute(db.q());
  const audited = async (count: number) => {
    await write(count);
    expect(await chainAudit(ctx)).toBe(count);
  };
  /** What somebody does who owns the database. */
  const tamper = async (...statements: string[]) => {
    const triggers = (what: string) =>
      ['audit_log', 'audit_chain'].map((table) => `alter table ${table} ${what} trigger user`);
    for (const statement of [...triggers('disable'), ...statements, ...triggers('enable')])
      await db.pool.query(statement);
  };
  const check = async (pin?: string): Promise<string[]> =>
    found(await checkAudit(ctx, { pinned: pin === undefined ? null : pinnedHeadFrom(pin) }));
  const found = ({ findings }: AuditReport) => findings.map(({ check, subject }) => `${subject}: ${check}`);
  const edited = (id: number) => `audit row ${id}: every chained audit row is as it was written`;
  const head = async () => {
    const report = await checkAudit(ctx);
    return `${report.head?.position}:${report.head?.hash}`;
  };
  const links = async () =>
    (
      await db.q().selectFrom('audit_chain').select(['position', 'audit_id']).orderBy('position').execute()
    ).map(({ position, audit_id }) => [position, audit_id]);

  it('holds every row once and nothing more, whenever it is looked at', async () => {
    expect(await checkAudit(ctx)).toEqual({ findings: [], total: 0, head: null });
    expect(await chainAudit(ctx)).toBe(0);
    await audited(3);
    expect(await chainAudit(ctx)).toBe(0);
    await audited(2);
    expect(await links()).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
    expect(await check()).toEqual([]);
    await db.tx(async () => {
      await sql`set local time zone 'Asia/Kolkata'`.execute(db.q());
      await sql`set local datestyle = 'SQL, DMY'`.execute(db.q());
      expect(await check(await head())).toEqual([]);
    });
  });

  it('is never changed by the application', async () => {
    await audited(2);
    for (const statement of [
      'update audit_chain set audit_id = 9',
      'delete from audit_chain where position = 2',
      'truncate audit_chain',
      'truncate audit_log',
    ])
      await expect(db.pool.query(statement)).rejects.toThrow(/never/);
    expect(await check()).toEqual([]);
  });

  it('finds a row whatever was edited in it', async () => {
    const edits = [
      `at = at + interval '1 microsecond'`,
      'actor_id = gen_random_uuid()',
      `actor_role = 'admin'`,
      `action = 'thing.keep'`,
      `entity = 'think'`,
      `entity_id = '33'`,
      'before = null',
      `after = after || '{"more": 4}'`,
      `request_id = 'other'`,
      `ip = '127.0.0.1'`,
    ];
    await audited(edits.length + 2);
    await tamper(...edits.map((edit, n) => `update audit_log set ${edit} where id = ${n + 2}`));
    expect(await check()).toEqual(edits.map((_, n) => edited(n + 2)));
  });

  it('finds rows and links that are gone', async () => {
    await audited(7);
    await tamper('delete from audit_log where id = 2');
    expect(await check()).toEqual(['audit row 2: no chained audit row is missing']);
    await tamper(
      'delete from audit_chain where position in (4, 5)',
      'delete from audit_log where id in (4, 5)',
    );
    expect(await check()).toEqual([
      'audit row 2: no chained audit row is missing',
      'positions 4 to 5: the positions of the chain have no gap',
    ]);
    await tamper('delete from audit_chain where position = 1');
    expect(await check()).toContain('position 1: the positions of the chain have no gap');
  });

  it('finds a row that was put in between', async () => {
    await audited(4);
    await write(1);
    await tamper(
      'update audit_chain set position = position + 10 where position > 2',
      'update audit_chain set position = position - 9 where position > 10',
      `insert into audit_chain select 3, 5, hash, chained_at from audit_chain where position = 2`,
    );
    expect(await check()).toEqual([edited(5), edited(3), edited(4)]);
  });

  it('finds rows that changed places', async () => {
    await audited(5);
    await tamper(
      'update audit_chain set audit_id = audit_id + 100 where position in (2, 4)',
      'update audit_chain set audit_id = case audit_id when 102 then 4 else 2 end where audit_id > 100',
    );
    expect(await check()).toEqual([edited(4), edited(2)]);
  });

  it('finds a shortened or rewritten chain by a head that was written down elsewhere', async () => {
    await audited(3);
    const pin = await head();
    await audited(2);
    const later = await head();
    const hash = later.split(':')[1] ?? '';
    for (const one of [pin, later, hash]) expect(await check(one)).toEqual([]);
    await tamper('delete from audit_chain where position > 3', 'delete from audit_log where id > 3');
    expect(await check()).toEqual([]);
    expect(await check(pin)).toEqual([]);
    expect(await check(later)).toEqual(['position 5: the pinned head is in the chain']);
    expect(await check(hash)).toEqual(['the chain: the pinned head is in the chain']);
    await tamper(`update audit_log set action = 'thing.keep' where id = 1`);
    const { rows } = await sql<CanonicalRow>`select ${canonicalColumns} from audit_log a order by id`.execute(
      db.q(),
    );
    let previous = CHAIN_START;
    for (const row of rows) {
      previous = linkHash(previous, row.id, row);
      await tamper(
        `update audit_chain set hash = '\\x${previous.toString('hex')}' where position = ${row.id}`,
      );
    }
    expect(await check()).toEqual([]);
    expect(await check(pin)).toEqual(['position 3: the pinned head is in the chain']);
  });

  it('finds a row that waits for more than an hour', async () => {
    await audited(1);
    await write(2);
    clock.advance(59 * MINUTE);
    await write(1);
    expect(await check()).toEqual([]);
    clock.advance(2 * MINUTE);
    expect(await check()).toEqual(
      [2, 3].map((id) => `audit row ${id}: every audit row is chained within an hour`),
    );
    await chainAudit(ctx);
    expect(await check()).toEqual([]);
  });

  it('is the same chain, without a gap, when several processes make it at once', async () => {
    await writeMany(3_500);
    await Promise.all(Array.from({ length: 5 }, () => chainAudit(ctx)));
    await chainAudit(ctx);
    expect(await links()).toEqual(Array.from({ length: 3_500 }, (_, n) => [n + 1, n + 1]));
    expect(await check()).toEqual([]);
  });

  it('goes on where a process crashed, at whatever statement', async () => {
    const intact = createCrashInjector(null);
    const chainWith = (injector: ReturnType<typeof createCrashInjector>) =>
      chainAudit({ ...ctx, db: crashingDatabase(db, injector) });
    await writeMany(600);
    await chainWith(intact);
    for (let step = 1; step <= intact.stepCount(); step++) {
      await writeMany(600);
      const injector = createCrashInjector(step);
      await expect(chainWith(injector)).rejects.toThrow();
      await chainAudit(ctx);
    }
    const rows = 600 * (intact.stepCount() + 1);
    expect(await links()).toEqual(Array.from({ length: rows }, (_, n) => [n + 1, n + 1]));
    expect(await check()).toEqual([]);
  });

  it('takes a row that is far behind when it looks at everything', async () => {
    await writeMany(21_500);
    await tamper('delete from audit_log where id = 7');
    await chainAudit(ctx);
    await sql`insert into audit_log (id, actor_role, action, entity, entity_id, request_id, at) overriding system value
      values (7, 'system:test', 'policy.publish', 'policy', '7', 'test', ${ctx.now()})`.execute(db.q());
    expect(await chainAudit(ctx)).toBe(0);
    expect(await chainAudit(ctx, { all: true })).toBe(1);
    expect((await links()).at(-1)).toEqual([21_500, 7]);
    expect(await check()).toEqual([]);
  });

  it('makes a task for the administrators of what the daily check finds, once', async () => {
    const daily = auditJobs.find(({ job }) => job.name === 'audit.check');
    const run = () => daily?.run(ctx, {}, { number: 1, last: true, signal: new AbortController().signal });
    const admin = await createUser(db, 'admin');
    const tasks = async () => (await taskList({ ...ctx, actor: admin }, { state: 'open', page: 1 })).tasks;
    await sql`delete from agents`.execute(db.q());
    await audited(3);
    await run();
    expect(await tasks()).toEqual([]);
    await tamper('delete from audit_log where id = 2');
    await run();
    await run();
    expect(await tasks()).toMatchObject([
      { kind: 'audit_broken', severity: 'critical', detail: expect.stringContaining('audit row 2') },
    ]);
    const mails = await db.q().selectFrom('mail_outbox').select('subject').execute();
    expect(mails).toEqual([{ subject: 'Urgent: The audit log was tampered with or is incomplete' }]);
  });

  // The embedded database has one connection, so that there is never a second transaction.
  it.skipIf(kind === 'embedded')(
    'takes a row that was written early and committed late, at the end',
    async () => {
      const written = Promise.withResolvers<void>();
      const mayCommit = Promise.withResolvers<void>();
      const late = db.tx(async () => {
        await audit(ctx, entry(1));
        written.resolve();
        await mayCommit.promise;
      });
      await written.promise;
      await write(2);
      // Waits neither for the open transaction nor for its row.
      expect(await chainAudit(ctx)).toBe(2);
      mayCommit.resolve();
      await late;
      expect(await chainAudit(ctx)).toBe(1);
      expect(await links()).toEqual([
        [1, 2],
        [2, 3],
        [3, 1],
      ]);
      clock.advance(2 * HOUR);
      expect(await check()).toEqual([]);
    },
  );

  it.skipIf(kind === 'embedded')('keeps no writer waiting', async () => {
    await write(10);
    await db.tx(async () => {
      expect(await tryLock(ctx, 'audit.chain')).toBe(true);
      await chainAudit(ctx);
      // On another connection, while the links of this one are not committed.
      await new Promise<void>((resolve, reject) =>
        setImmediate(() =>
          db.pool
            .query(`insert into audit_log (actor_role, action, entity, entity_id, request_id)
          values ('admin', 'policy.publish', 'policy', '11', 'test')`)
            .then(() => resolve(), reject),
        ),
      );
    });
    expect(await chainAudit(ctx)).toBe(1);
    expect(await check()).toEqual([]);
  });
});
