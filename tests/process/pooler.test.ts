import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { SECOND } from '#platform/durations.ts';
import { bossFor } from '#platform/jobs/boss.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { type Pooler, pgbouncer, startPgbouncer } from '#tests/support/database/pgbouncer.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';

const reason = pgbouncer ? ((await serverIsReachable()) ? null : 'no PostgreSQL') : 'no PgBouncer installed';
const LIMIT_MS = 400;
/** Migrating, and what waits for the only connection meanwhile, takes long on a busy machine. */
const BUSY_MS = 120 * SECOND;

describe.skipIf(reason)(`the database through PgBouncer${reason ? ` skipped: ${reason}` : ''}`, () => {
  let own: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let pooler: Pooler;
  let db: Database;
  /** of the same pool, without any limit */
  let patient: Database;
  beforeAll(async () => {
    own = await createEmptyDatabase();
    const direct = await openDatabase({ url: own.url, dataDir: null });
    const name = new URL(own.url).pathname.slice(1);
    await sql`alter database ${sql.id(name)} set jit = on`.execute(direct.q());
    await direct.close();
    // One connection to the server: whatever stays set on it would reach the next client.
    pooler = await startPgbouncer([own.url], { default_pool_size: 1 });
    const choices = { url: pooler.urlOf(own.url), listenUrl: own.url, dataDir: null, poolSize: 4 };
    db = await openDatabase({ ...choices, statementTimeout: LIMIT_MS });
    patient = await openDatabase({ ...choices, statementTimeout: 0 });
  });
  afterAll(async () => {
    await Promise.all([db?.close(), patient?.close()]);
    await pooler?.stop();
    await own?.drop();
  });

  const limitOf = async (one: Database) => {
    const { rows } = await sql<{ limit: string }>`
      select current_setting('statement_timeout') as limit`.execute(one.q());
    return rows[0]?.limit;
  };
  const compilesFor = async (one: Database) => {
    const { rows } = await sql<{ jit: string }>`select current_setting('jit') as jit`.execute(one.q());
    return rows[0]?.jit;
  };
  const slow = (one: Database) => sql`select pg_sleep(${(2 * LIMIT_MS) / SECOND})`.execute(one.q());
  const CANCELLED = { code: '57014' };

  it('gives up a statement at its limit, within transactions and outside of them, with and without values', async () => {
    expect(await limitOf(db)).toBe(`${LIMIT_MS}ms`);
    await expect(slow(db)).rejects.toMatchObject(CANCELLED);
    await expect(sql`select pg_sleep(1)`.execute(db.q())).rejects.toMatchObject(CANCELLED);
    await expect(db.tx(() => slow(db))).rejects.toMatchObject(CANCELLED);
    const reading = db.q().transaction().setAccessMode('read only').setIsolationLevel('repeatable read');
    await expect(
      reading.execute((transaction) => sql`select pg_sleep(1)`.execute(transaction)),
    ).rejects.toMatchObject(CANCELLED);
    await expect(db.pool.query('select pg_sleep($1)', [1])).rejects.toMatchObject(CANCELLED);
    await new Promise<void>((resolve) =>
      db.pool.query('select pg_sleep(1)', (error: unknown) => {
        expect(error).toMatchObject(CANCELLED);
        resolve();
      }),
    );
  });

  it('leaves no limit on the connection, which another client gets next', async () => {
    await limitOf(db);
    await db.tx(() => limitOf(db));
    expect(await limitOf(patient)).toBe('0');
    await slow(patient);
  });

  it('compiles nothing, within transactions and outside of them, and leaves that to the next client', async () => {
    expect(await compilesFor(db)).toBe('off');
    expect(await db.tx(() => compilesFor(db))).toBe('off');
    expect(await compilesFor(patient)).toBe('on');
  });

  it('answers as without: rows, types, counts, errors, several statements in one text', {
    timeout: BUSY_MS,
  }, async () => {
    await migrate(patient);
    const { rows } = await sql<{ n: number; at: Date; text: string }>`
      select n::int as n, now() as at, ${'a;b'}::text as text from generate_series(1, 3) n`.execute(db.q());
    expect(rows.map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(rows[0]?.at).toBeInstanceOf(Date);
    expect(rows[0]?.text).toBe('a;b');
    const added = await db
      .q()
      .insertInto('property_types')
      .values({ name: 'T', slug: 'test-t' })
      .executeTakeFirst();
    expect(added.numInsertedOrUpdatedRows).toBe(1n);
    await expect(
      db.q().insertInto('property_types').values({ name: 'T', slug: 'test-t' }).execute(),
    ).rejects.toMatchObject({ code: '23505' });
    await expect(
      db.tx(async () => {
        await sql`update property_types set name = 'U' where slug = 'test-t'`.execute(db.q());
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const kept = await db
      .q()
      .selectFrom('property_types')
      .select('name')
      .where('slug', '=', 'test-t')
      .execute();
    expect(kept).toEqual([{ name: 'T' }]);
    const several = (await db.pool.query('select 1 as one; select 2 as two')) as unknown as {
      rows: object[];
    }[];
    expect(several.map((one) => one.rows)).toEqual([[{ one: 1 }], [{ two: 2 }]]);
    await db.pool.query('vacuum property_types');
  });

  it('hears notifications on the address of the server itself, in their order', {
    timeout: BUSY_MS,
  }, async () => {
    const heard: string[] = [];
    db.channels.on('news', (payload: string) => heard.push(payload));
    await db.listen('news');
    for (let n = 0; n < 20; n++) await sql`select pg_notify('news', ${String(n)})`.execute(db.q());
    await vi.waitFor(() => expect(heard).toEqual(Array.from({ length: 20 }, (_, n) => String(n))), {
      timeout: 10 * SECOND,
    });
  });

  it('runs the job queue', { timeout: BUSY_MS }, async () => {
    const boss = bossFor(db);
    // A statement of its upkeep may come to the limit; it is made again with the next round.
    boss.on('error', () => undefined);
    await boss.start();
    await boss.createQueue('pooled');
    const done = Promise.withResolvers<object>();
    await boss.work<object>('pooled', { pollingIntervalSeconds: 0.5 }, async ([job]) =>
      done.resolve(job?.data ?? {}),
    );
    await db.tx(async () => void (await boss.send('pooled', { n: 1 })));
    expect(await done.promise).toEqual({ n: 1 });
    await boss.stop({ close: false, graceful: true, timeout: 2_000 });
  });

  it('goes on by itself when PgBouncer was restarted', async () => {
    expect(await limitOf(db)).toBe(`${LIMIT_MS}ms`);
    const settings = { default_pool_size: 1, listen_port: pooler.port };
    await pooler.stop();
    await expect(limitOf(db)).rejects.toThrow();
    await expect(db.ping()).rejects.toThrow();
    pooler = await startPgbouncer([own.url], settings);
    await vi.waitFor(async () => expect(await limitOf(db)).toBe(`${LIMIT_MS}ms`), { timeout: 10 * SECOND });
    await vi.waitFor(() => db.ping(), { timeout: 10 * SECOND });
  });
});
