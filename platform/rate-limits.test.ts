import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { databaseUrl } from '#tests/support/database/empty-database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import type { Ctx } from './context.ts';
import { DAY, MINUTE } from './durations.ts';
import { TooManyRequests } from './errors.ts';
import { deleteOldCounters, per, resetTokens, takeToken, takeTokens } from './rate-limits.ts';

await describeOnEachDatabase('limits', (open, kind) => {
  let db: Database;
  let clock: TestClock;
  let ctx: Ctx;
  const three = per('test', 3, MINUTE);
  const growing = [per('test', 5, MINUTE), per('test-quarter', 10, 15 * MINUTE)];

  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await db.q().deleteFrom('rate_limits').execute();
    clock = testClock('2026-11-20T12:00:10Z');
    ctx = testContext(db, { now: clock.now });
  });

  it('allow up to the limit, then say how long to wait, then allow again', async () => {
    for (let use = 0; use < 3; use++) await takeToken(ctx, { ...three, key: 'ada' });
    const refused = await takeToken(ctx, { ...three, key: 'ada' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TooManyRequests);
    expect(refused).toMatchObject({ status: 429, retryAfterSeconds: 50 });
    await takeToken(ctx, { ...three, key: 'bob' });
    clock.advance(50_000);
    await takeToken(ctx, { ...three, key: 'ada' });
  });

  it('allow exactly the limit for concurrent requests', async () => {
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, () => takeToken(ctx, { ...three, key: 'ada' })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it.runIf(kind === 'server')('are shared between processes', async () => {
    const { rows } = await db.pool.query<{ name: string }>('select current_database() as name');
    const second = await openDatabase({ url: databaseUrl(rows[0]?.name ?? ''), dataDir: null });
    const other = testContext(second, { now: clock.now });
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => takeToken(n % 2 ? ctx : other, { ...three, key: 'ada' })),
    );
    await second.close();
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('make the delays after wrong passwords grow', async () => {
    const tryFor = async (minutes: number) => {
      let allowed = 0;
      for (let second = 0; second < minutes * 60; second += 10) {
        await takeTokens(ctx, growing, 'ada').then(
          () => allowed++,
          () => undefined,
        );
        clock.advance(10_000);
      }
      return allowed;
    };
    clock.advance(50_000);
    expect(await tryFor(1)).toBe(5);
    expect(await tryFor(13)).toBeLessThanOrEqual(5);
  });

  it('count a use in every limit of a list, up to the one that is exceeded', async () => {
    const list = [three, per('test-day', 5, DAY)];
    const take = () => takeTokens(ctx, list, 'ada');
    const counted = async () => {
      const rows = await db.q().selectFrom('rate_limits').select(['bucket', 'hits']).execute();
      return Object.fromEntries(rows.map(({ bucket, hits }) => [bucket.split(':')[0], hits]));
    };
    for (let use = 0; use < 3; use++) await take();
    await expect(take()).rejects.toMatchObject({ retryAfterSeconds: 50 });
    expect(await counted()).toEqual({ test: 4, 'test-day': 3 });
    clock.advance(MINUTE);
    for (let use = 0; use < 2; use++) await take();
    await expect(take()).rejects.toMatchObject({ retryAfterSeconds: 12 * 3600 - 70 });
    await takeTokens(ctx, [], 'ada');
  });

  it('can be reset for a key', async () => {
    for (let use = 0; use < 5; use++) await takeTokens(ctx, growing, 'ada');
    await expect(takeTokens(ctx, growing, 'ada')).rejects.toThrow(TooManyRequests);
    await resetTokens(ctx, growing, 'ada');
    await takeTokens(ctx, growing, 'ada');
  });

  it('are a thousand times higher when relaxed', async () => {
    const relaxed = { ...ctx, config: { ...testConfig, relaxedLimits: true } };
    const tight = { ...three, limit: 1 };
    await db
      .q()
      .insertInto('rate_limits')
      .values({ bucket: 'unused', window_start: clock.now(), hits: 1 })
      .execute();
    for (let use = 0; use < 30; use++) await takeToken(relaxed, { ...tight, key: 'ada' });
    await db.q().updateTable('rate_limits').set({ hits: 1_000 }).execute();
    await expect(takeToken(relaxed, { ...tight, key: 'ada' })).rejects.toThrow(TooManyRequests);
  });

  it('refuse to count inside a transaction, where a failure would undo the count', async () => {
    await expect(db.tx(() => takeToken(ctx, { ...three, key: 'ada' }))).rejects.toThrow(
      'inside a transaction',
    );
  });

  it('store neither addresses nor accounts in plain text, and delete old counters', async () => {
    await takeToken(ctx, { ...three, key: 'ada@acre.test' });
    const [row] = await db.q().selectFrom('rate_limits').selectAll().execute();
    expect(row?.bucket).toMatch(/^test:[\w-]{43}$/);
    const attempt = { number: 1, last: false, signal: new AbortController().signal };
    await deleteOldCounters.run(ctx, {}, attempt);
    expect(await db.q().selectFrom('rate_limits').selectAll().execute()).toHaveLength(1);
    clock.advance(3 * DAY);
    await deleteOldCounters.run(ctx, {}, attempt);
    expect(await db.q().selectFrom('rate_limits').selectAll().execute()).toEqual([]);
  });
});
