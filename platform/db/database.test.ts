import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createEmptyDatabase, terminateConnections } from '#tests/support/database/empty-database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { startTcpProxy } from '#tests/support/server/tcp-proxy.ts';
import { type Database, openDatabase } from './database.ts';
import { localeWarnings } from './locale.ts';
import { runMaintenance } from './maintenance.ts';
import { isMigrated, migrate } from './migrate.ts';

await describeOnEachDatabase('the database', (open, kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(() => db.q().deleteFrom('property_types').where('slug', 'like', 'test-%').execute());

  const add = (slug: string) => db.q().insertInto('property_types').values({ name: slug, slug }).execute();
  const slugs = async () =>
    (await db.q().selectFrom('property_types').select('slug').where('slug', 'like', 'test-%').execute())
      .map(({ slug }) => slug)
      .toSorted();

  it('transactions are atomic, and nested ones join the outer', async () => {
    await db.tx(async () => {
      await add('test-a');
      await db.tx(() => add('test-b'));
    });
    const failing = db.tx(async () => {
      await db.tx(() => add('test-c'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await slugs()).toEqual(['test-a', 'test-b']);
  });

  it('runs afterCommit actions after the commit, and never after a rollback', async () => {
    const done: string[] = [];
    await db.tx(async () => {
      db.afterCommit(() => done.push('committed'));
      await db.tx(async () => db.afterCommit(() => done.push('nested')));
      expect(done).toEqual([]);
    });
    await db
      .tx(async () => {
        db.afterCommit(() => done.push('rolled back'));
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(done).toEqual(['committed', 'nested']);
    db.afterCommit(() => done.push('at once'));
    expect(done).toEqual(['committed', 'nested', 'at once']);
  });

  it('a timer that outlives its transaction works outside of it', async () => {
    let late: Promise<void> | undefined;
    await db.tx(async () => {
      late = wait(50).then(async () => {
        expect(db.q().isTransaction).toBe(false);
        await db.tx(() => add('test-late'));
      });
      await add('test-early');
    });
    await late;
    expect(await slugs()).toEqual(['test-early', 'test-late']);
  });

  it('a notification listener works outside of the transaction that sent them', async () => {
    const heard: boolean[] = [];
    db.channels.once('test', () => {
      heard.push(db.q().isTransaction);
    });
    await db.listen('test');
    await db.tx(() => sql`select pg_notify('test', 'x')`.execute(db.q()));
    await vi.waitFor(() => expect(heard).toEqual([false]), { timeout: 5_000 });
  });

  it('an error leaves the connection usable, many times over', async () => {
    for (let round = 0; round < 30; round++) {
      await expect(sql`select no_such_column`.execute(db.q())).rejects.toMatchObject({ code: '42703' });
      await add('test-twice');
      await expect(add('test-twice')).rejects.toMatchObject({ code: '23505' });
      await expect(db.tx(() => add('test-twice'))).rejects.toMatchObject({ code: '23505' });
      await db.q().deleteFrom('property_types').where('slug', '=', 'test-twice').execute();
    }
    expect(await slugs()).toEqual([]);
  });

  it('concurrent transactions are isolated', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        db.tx(async () => {
          await add(`test-${n}-a`);
          await wait(Math.random() * 5);
          await add(`test-${n}-b`);
        }),
      ),
    );
    expect(await slugs()).toHaveLength(40);
  });

  it.runIf(kind === 'embedded')('has row statistics after maintenance', async () => {
    await sql`insert into property_types (name, slug) select 'test-' || n, 'test-' || n from generate_series(1, 500) n`.execute(
      db.q(),
    );
    await runMaintenance.run(
      testContext(db),
      {},
      { number: 1, last: false, signal: new AbortController().signal },
    );
    const { rows } =
      await sql`select reltuples::int as known from pg_class where relname = 'property_types'`.execute(
        db.q(),
      );
    expect(rows).toEqual([{ known: 507 }]);
  });

  it('returns cents, percentages and counts as numbers, and dates as text', async () => {
    const { rows } = await sql`
      select 9007199254740991::bigint as cents, 2.50::numeric as percent, date '2026-11-20' as day, count(*) as n
      from generate_series(1, 3)
    `.execute(db.q());
    expect(rows).toEqual([{ cents: Number.MAX_SAFE_INTEGER, percent: 2.5, day: '2026-11-20', n: 3 }]);
    await expect(sql`select 9007199254740993::bigint`.execute(db.q())).rejects.toThrow('does not fit');
  });

  it.runIf(kind === 'server')(
    'compiles no statement, however expensive the planner takes it for',
    async () => {
      const { rows } = await sql`select current_setting('jit') as jit`.execute(db.q());
      expect(rows).toEqual([{ jit: 'off' }]);
    },
  );

  it.runIf(kind === 'server')('replaces connections that have fallen silent', async () => {
    const { url, drop } = await createEmptyDatabase();
    const target = new URL(url);
    const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port || 5432) });
    target.hostname = '127.0.0.1';
    target.port = String(proxy.port);
    const behind = await openDatabase({
      url: target.href,
      dataDir: null,
      statementTimeout: 100,
      poolSize: 2,
    });
    const answers = () => sql`select 1`.execute(behind.q()).then(() => 'answered');
    try {
      await Promise.all([answers(), answers(), behind.ping()]);
      proxy.silence();
      const lost = [answers(), behind.tx(answers), behind.ping()].map((one) => one.catch(String));
      expect(await Promise.all(lost)).toEqual(Array(3).fill('Error: Query read timeout'));
      expect(await Promise.all([answers(), behind.tx(answers)])).toEqual(['answered', 'answered']);
      await vi.waitFor(() => behind.ping(), { timeout: 20_000 });
    } finally {
      await behind.close();
      await proxy.close();
      await drop();
    }
  });

  it.runIf(kind === 'server')('answers a ping while its pool is busy', async () => {
    const { url, drop } = await createEmptyDatabase();
    const busy = await openDatabase({ url, dataDir: null, poolSize: 2 });
    const held = await Promise.all([busy.pool.connect(), busy.pool.connect()]);
    await vi.waitFor(() => busy.ping(), { timeout: 20_000 });
    for (const client of held) client.release();
    await busy.close();
    await drop();
  });

  it.runIf(kind === 'server')(
    'is refused in an encoding that cannot hold every name, and warns of the locale C',
    async () => {
      const { url, drop } = await createEmptyDatabase();
      const { pathname } = new URL(url);
      const own = await openDatabase({ url, dataDir: null });
      const created = (suffix: string, rest: string) => {
        const name = `${pathname.slice(1)}_${suffix}`;
        const at = new URL(url);
        at.pathname = `/${name}`;
        return own.pool
          .query(`create database ${name} template template0 ${rest}`)
          .then(() => ({ name, url: at.href }));
      };
      const warningsOf = async (address: string) => {
        const other = await openDatabase({ url: address, dataDir: null });
        return localeWarnings(other).finally(() => other.close());
      };
      const utf8 = await created('utf8', `encoding 'UTF8' locale 'C.UTF-8'`);
      const plain = await created('plain', `encoding 'UTF8' locale 'C'`);
      const ascii = await created('ascii', `encoding 'SQL_ASCII' locale 'C'`);
      expect(await warningsOf(utf8.url)).toEqual([]);
      expect(await warningsOf(plain.url)).toEqual([
        expect.stringContaining('locale C knows no capital letters beyond ASCII'),
      ]);
      await expect(warningsOf(ascii.url)).rejects.toThrow('the database has the encoding SQL_ASCII');
      for (const { name } of [utf8, plain, ascii]) await own.pool.query(`drop database ${name}`);
      await own.close();
      await drop();
    },
  );

  it.runIf(kind === 'server')('recovers when the server ends every connection', async () => {
    let resyncs = 0;
    db.channels.on('resync', () => resyncs++);
    await db.listen('test');
    const { rows } = await db.pool.query<{ name: string }>('select current_database() as name');
    const cut = db.tx(async () => {
      await add('test-lost');
      await terminateConnections(rows[0]?.name ?? '');
      await add('test-lost-too');
    });
    await expect(cut).rejects.toThrow();
    await vi.waitFor(() => add('test-after'), { timeout: 5_000 });
    expect(await slugs()).toEqual(['test-after']);
    await vi.waitFor(() => expect(resyncs).toBeGreaterThan(0), { timeout: 5_000 });
    const heard = new Promise((resolve) => db.channels.once('test', resolve));
    await sql`select pg_notify('test', 'again')`.execute(db.q());
    expect(await heard).toBe('again');
  });

  it.runIf(kind === 'server')(
    'is migrated exactly once when several processes start at the same time',
    async () => {
      const { url, drop } = await createEmptyDatabase();
      const processes = await Promise.all([1, 2, 3, 4].map(() => openDatabase({ url, dataDir: null })));
      const steps = await Promise.all(processes.map((one) => migrate(one)));
      expect(steps.filter((done) => done.length > 0)).toHaveLength(1);
      for (const one of processes) expect(await isMigrated(one)).toBe(true);
      await Promise.all(processes.map((one) => one.close()));
      await drop();
    },
  );
});
