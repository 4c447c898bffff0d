import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import { visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { bossFor } from './boss.ts';
import { enqueue } from './enqueue.ts';
import { defineJob, handle, type JobHandler } from './job.ts';
import { type RunningJobs, readDeadLetters, retryDeadLetters, startJobs } from './jobs.ts';

interface Note {
  text: string;
}
const note = defineJob<Note>('test.note', { retries: 2, retryDelaySeconds: 1 });

await describeOnEachDatabase('jobs', (open) => {
  let db: Database;
  let running: RunningJobs | undefined;
  const context = (requestId: string) =>
    ({ db, log: createLog('silent'), actor: visitor, requestId, ip: null, now: () => new Date() }) as Ctx;
  const start = async (...handlers: JobHandler[]) => {
    running = await startJobs(context, handlers, { pollSeconds: 0.5, cron: false });
  };

  beforeEach(async () => {
    db = await open();
  });
  afterEach(async () => {
    await running?.stop(1_000);
    running = undefined;
    await db.close();
  });

  it('runs a job within a moment of the commit, and never one of a transaction rolled back', async () => {
    const seen: string[] = [];
    await start(handle(note, async (_, { text }) => void seen.push(text)));
    const failing = db.tx(async () => {
      await enqueue({ db }, note, { text: 'rolled back' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const began = performance.now();
    await db.tx(async () => {
      await enqueue({ db }, note, { text: 'committed' });
      await wait(50);
      expect(seen).toEqual([]);
    });
    await vi.waitFor(() => expect(seen).toEqual(['committed']), { timeout: 5_000, interval: 5 });
    expect(performance.now() - began).toBeLessThan(1_000);
    await wait(700);
    expect(seen).toEqual(['committed']);
  });

  it('works through what was added together without waiting for the next look', async () => {
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
      timeout: 10_000,
      interval: 20,
    });
  });

  it('keeps one waiting job for a key, and takes the next once that one runs', async () => {
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
    await vi.waitFor(() => expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']), { timeout: 10_000 });
    expect(again).toBe(true);
  });

  it('a refused key leaves the running transaction usable', async () => {
    await enqueue({ db }, note, { text: 'a' }, { key: 'k' });
    await db.tx(async () => {
      expect(await enqueue({ db }, note, { text: 'b' }, { key: 'k' })).toBe(false);
      await db.q().insertInto('property_types').values({ name: 'Houseboat', slug: 'houseboat' }).execute();
    });
    expect(await db.q().selectFrom('property_types').select('slug').execute()).toContainEqual({
      slug: 'houseboat',
    });
  });

  it('tries a failing job again with waits, then keeps it as a dead letter that can be sent back', async () => {
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
    await vi.waitFor(() => expect(attempts).toHaveLength(4), { timeout: 5_000 });
    expect(await readDeadLetters({ db })).toEqual([]);
  });

  it('a statement of the queue that fails half way leaves the connection usable', async () => {
    const queue = bossFor(db).getDb();
    await expect(queue.executeSql('begin; select no_such_column; commit')).rejects.toThrow('no_such_column');
    const { rows } = await queue.executeSql('begin; select 1 as one; commit');
    expect(rows).toEqual([{ one: 1 }]);
    expect(await enqueue({ db }, note, { text: 'a' })).toBe(true);
  });

  it('stopping waits for the running job and starts no other', async () => {
    const seen: string[] = [];
    await start(
      handle(note, async (_, { text }) => {
        seen.push(`${text} begins`);
        await wait(300);
        seen.push(`${text} ends`);
      }),
    );
    await enqueue({ db }, note, { text: 'first' });
    await enqueue({ db }, note, { text: 'second' });
    await vi.waitFor(() => expect(seen).toContain('first begins'), { timeout: 5_000, interval: 5 });
    await running?.stop(5_000);
    expect(seen).toEqual(['first begins', 'first ends']);
  });

  it('a scheduled job gets its clock entry, and loses it when the schedule is gone', async () => {
    const nightly = defineJob('test.nightly', { cron: '5 3 * * *' });
    const schedules = async () =>
      (await db.pool.query('select name, cron from pgboss.schedule order by 1')).rows;
    const nothing = async () => undefined;
    const first = await startJobs(context, [handle(nightly, nothing)]);
    expect(await schedules()).toEqual([{ name: 'test.nightly', cron: '5 3 * * *' }]);
    await first.stop(1_000);
    running = await startJobs(context, [handle({ ...nightly, cron: '6 3 * * *' }, nothing)]);
    expect(await schedules()).toEqual([{ name: 'test.nightly', cron: '6 3 * * *' }]);
    await running.stop(1_000);
    running = await startJobs(context, [handle({ ...nightly, cron: null }, nothing)]);
    expect(await schedules()).toEqual([]);
  });
});

describe('a job kind', () => {
  it('has safe choices unless told otherwise', () => {
    expect(defineJob('a.b')).toMatchObject({ retries: 5, expireSeconds: 300, concurrency: 1, cron: null });
  });
});
