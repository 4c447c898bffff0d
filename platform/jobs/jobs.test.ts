import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { bossFor } from './boss.ts';
import { enqueue } from './enqueue.ts';
import { defineJob, handle, type JobHandler } from './job.ts';
import { type RunningJobs, readDeadLetters, retryDeadLetters, startJobs } from './jobs.ts';

interface Note {
  text: string;
}
const note = defineJob<Note>('test.note', { retries: 2, retryDelaySeconds: 1 });

await describeOnEachDatabase('jobs', (open, kind) => {
  let db: Database;
  let running: RunningJobs | undefined;
  const context = (requestId: string) => testContext(db, { requestId, now: () => new Date() });
  const startPolling = async (pollSeconds: number, ...handlers: JobHandler[]) => {
    running = await startJobs(context, handlers, { pollSeconds, cron: false });
  };
  const start = (...handlers: JobHandler[]) => startPolling(0.5, ...handlers);

  beforeEach(async () => {
    db = await open();
  });
  afterEach(async () => {
    await running?.stop(20_000);
    running = undefined;
    await db.close();
  });

  it('runs a job right after the commit, and never after a rollback', async () => {
    const seen: string[] = [];
    // Polled too seldom to be found by that in time.
    await startPolling(
      60,
      handle(note, async (_, { text }) => void seen.push(text)),
    );
    const failing = db.tx(async () => {
      await enqueue({ db }, note, { text: 'rolled back' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const uncommitted = Promise.withResolvers<void>();
    // Outside of the transaction. The embedded database's only session belongs to the transaction until its end.
    const meanwhile = kind === 'server' ? ['meanwhile'] : [];
    const added = uncommitted.promise.then(async () => {
      for (const text of meanwhile) await enqueue({ db }, note, { text });
    });
    await db.tx(async () => {
      await enqueue({ db }, note, { text: 'committed' });
      uncommitted.resolve();
      await added;
      // The uncommitted job was added first, so it would run first.
      await vi.waitFor(() => expect(seen).toEqual(meanwhile), { timeout: 20_000, interval: 5 });
    });
    const committed = [...meanwhile, 'committed'];
    await vi.waitFor(() => expect(seen).toEqual(committed), { timeout: 20_000, interval: 5 });
    // A job that is added later runs later, so the rolled-back one would have run by then.
    await enqueue({ db }, note, { text: 'later' });
    await vi.waitFor(() => expect(seen).toEqual([...committed, 'later']), { timeout: 20_000, interval: 5 });
  });

  it('works through jobs added together without waiting for the next poll', async () => {
    const seen: string[] = [];
    running = await startJobs(context, [handle(note, async (_, { text }) => void seen.push(text))], {
      pollSeconds: 60,
      cron: false,
    });
    const texts = Array.from({ length: 30 }, (_, number) => String(number));
    await db.tx(async () => {
      for (const text of texts) await enqueue({ db }, note, { text });
    });
    await vi.waitFor(() => expect(seen.toSorted()).toEqual(texts.toSorted()), {
      timeout: 20_000,
      interval: 20,
    });
  });

  it('a delayed job starts without a query for each queue', async () => {
    const seen: string[] = [];
    const others = Array.from({ length: 30 }, (_, number) => defineJob(`test.idle-${number}`));
    await start(
      handle(note, async (_, { text }) => void seen.push(text)),
      ...others.map((job) => handle(job, async () => undefined)),
    );
    await enqueue({ db }, note, { text: 'at once' });
    await vi.waitFor(() => expect(seen).toEqual(['at once']), { timeout: 20_000, interval: 20 });
    const connections = vi.spyOn(db.pool, 'connect');
    await enqueue({ db }, note, { text: 'in a second' }, { after: new Date(Date.now() + 1_000) });
    await vi.waitFor(() => expect(seen).toEqual(['at once', 'in a second']), {
      timeout: 20_000,
      interval: 20,
    });
    expect(connections.mock.calls.length).toBeLessThan(others.length);
    connections.mockRestore();
  });

  it('keeps one waiting job per key, and accepts the next once that one runs', async () => {
    expect(await enqueue({ db }, note, { text: 'a' }, { key: 'k' })).toBe(true);
    expect(await enqueue({ db }, note, { text: 'b' }, { key: 'k' })).toBe(false);
    expect(await enqueue({ db }, note, { text: 'c' }, { key: 'other' })).toBe(true);
    expect(await enqueue({ db }, note, { text: 'd' })).toBe(true);
    expect(await enqueue({ db }, note, { text: 'e' })).toBe(true);
    const seen: string[] = [];
    let again: boolean | undefined;
    await start(
      handle(note, async (ctx, { text }) => {
        seen.push(text);
        if (text === 'a') again = await enqueue(ctx, note, { text: 'b' }, { key: 'k' });
      }),
    );
    await vi.waitFor(() => expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']), { timeout: 20_000 });
    expect(again).toBe(true);
  });

  it('a duplicate key leaves the current transaction usable', async () => {
    await enqueue({ db }, note, { text: 'a' }, { key: 'k' });
    await db.tx(async () => {
      expect(await enqueue({ db }, note, { text: 'b' }, { key: 'k' })).toBe(false);
      await db.q().insertInto('property_types').values({ name: 'Houseboat', slug: 'houseboat' }).execute();
    });
    expect(await db.q().selectFrom('property_types').select('slug').execute()).toContainEqual({
      slug: 'houseboat',
    });
  });

  it('retries a failing job with delays, then keeps it as a dead letter that can be retried', async () => {
    const attempts: { number: number; last: boolean }[] = [];
    let fixed = false;
    await start(
      handle(note, async (_, __, { number, last }) => {
        attempts.push({ number, last });
        if (!fixed) throw new Error('the far side is down');
      }),
    );
    await enqueue({ db }, note, { text: 'x' });
    await vi.waitFor(async () => expect(await readDeadLetters({ db })).toHaveLength(1), {
      timeout: 20_000,
      interval: 200,
    });
    expect(attempts).toEqual([
      { number: 1, last: false },
      { number: 2, last: false },
      { number: 3, last: true },
    ]);
    expect(await readDeadLetters({ db })).toMatchObject([
      { job: 'test.note', data: { text: 'x' }, reason: 'the far side is down' },
    ]);
    fixed = true;
    expect(await retryDeadLetters({ db })).toBe(1);
    await vi.waitFor(() => expect(attempts).toHaveLength(4), { timeout: 20_000 });
    expect(await readDeadLetters({ db })).toEqual([]);
  });

  it('a queue statement that fails half way leaves the connection usable', async () => {
    const queue = bossFor(db).getDb();
    await expect(queue.executeSql('begin; select no_such_column; commit')).rejects.toThrow('no_such_column');
    const { rows } = await queue.executeSql('begin; select 1 as one; commit');
    expect(rows).toEqual([{ one: 1 }]);
    expect(await enqueue({ db }, note, { text: 'a' })).toBe(true);
  });

  it('stop waits for the running job and starts no other', async () => {
    const seen: string[] = [];
    const finish = Promise.withResolvers<void>();
    await start(
      handle(note, async (_, { text }) => {
        seen.push(`${text} begins`);
        await finish.promise;
        seen.push(`${text} ends`);
      }),
    );
    await enqueue({ db }, note, { text: 'first' });
    await enqueue({ db }, note, { text: 'second' });
    await vi.waitFor(() => expect(seen).toContain('first begins'), { timeout: 20_000, interval: 5 });
    let stopped = false;
    const stopping = running?.stop(20_000).then(() => {
      stopped = true;
    });
    // A stop that did not wait would end within a few statements.
    for (let statements = 0; statements < 50; statements++) await db.pool.query('select');
    expect({ stopped, seen }).toEqual({ stopped: false, seen: ['first begins'] });
    finish.resolve();
    await stopping;
    // The process may still serve requests.
    expect(await enqueue({ db }, note, { text: 'third' })).toBe(true);
    expect(seen).toEqual(['first begins', 'first ends']);
  });

  it('a scheduled job that its process could not end when it was stopped is not reported, but runs again', async () => {
    const sweep = defineJob('test.sweep', { cron: '0 3 * * *', retries: 0, retryDelaySeconds: 1 });
    const attempts: number[] = [];
    const endless = handle(sweep, async (_ctx, _data, { number, signal }) => {
      attempts.push(number);
      if (number === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await start(endless);
    await enqueue({ db }, sweep, {});
    await vi.waitFor(() => expect(attempts).toEqual([1]), { timeout: 20_000, interval: 5 });
    await running?.stop(100);
    expect(await readDeadLetters({ db })).toEqual([]);
    await start(endless);
    await vi.waitFor(() => expect(attempts).toEqual([1, 2]), { timeout: 20_000, interval: 20 });
  });

  it('runs what a killed process has left again, at the start where no other process can be running it', async () => {
    await startPolling(
      60,
      handle(note, async () => undefined),
    );
    await running?.stop(20_000);
    await enqueue({ db }, note, { text: 'left' });
    const [taken] = await bossFor(db).fetch(note.name);
    expect(taken).toBeDefined();
    const seen: number[] = [];
    await startPolling(
      60,
      handle(note, async (_ctx, _data, { number }) => void seen.push(number)),
    );
    if (kind === 'server') {
      const { rows } = await sql`select state from pgboss.job where id = ${taken?.id}`.execute(db.q());
      expect(rows).toEqual([{ state: 'active' }]);
    } else await vi.waitFor(() => expect(seen).toEqual([2]), { timeout: 20_000, interval: 5 });
  });

  it('creates, updates and removes cron schedules', async () => {
    const nightly = defineJob('test.nightly', { cron: '5 3 * * *' });
    const schedules = async () =>
      (await db.pool.query('select name, cron from pgboss.schedule order by 1')).rows;
    const nothing = async () => undefined;
    const first = await startJobs(context, [handle(nightly, nothing)]);
    expect(await schedules()).toEqual([{ name: 'test.nightly', cron: '5 3 * * *' }]);
    await first.stop(20_000);
    running = await startJobs(context, [handle({ ...nightly, cron: '6 3 * * *' }, nothing)]);
    expect(await schedules()).toEqual([{ name: 'test.nightly', cron: '6 3 * * *' }]);
    await running.stop(20_000);
    running = await startJobs(context, [handle({ ...nightly, cron: null }, nothing)]);
    expect(await schedules()).toEqual([]);
  });
});

describe('a job type', () => {
  it('has safe defaults', () => {
    expect(defineJob('a.b')).toMatchObject({ retries: 5, expireSeconds: 300, concurrency: 1, cron: null });
  });
});
