import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { readCursor } from './cursor.ts';
import { type Audience, deleteOldEvents, publish, RETENTION_MS } from './events.ts';
import { type Delivery, EventHub } from './hub.ts';

await describeOnEachDatabase('live events', (open, kind) => {
  let db: Database;
  let hub: EventHub;
  let ctx: Ctx;
  let now = new Date('2026-11-20T12:00:00Z');
  const log = createLog('silent');

  beforeEach(async () => {
    db = await open();
    now = new Date('2026-11-20T12:00:00Z');
    ctx = testContext(db, { log, now: () => now });
    hub = new EventHub(db, log, () => now);
    await hub.start();
  });
  afterEach(async () => {
    await hub.stop();
    await db.close();
  });

  const tell = (audience: Audience, n: number) =>
    publish(ctx, { audience, type: 'test.told', payload: { n } });
  const subscribe = async (audiences: Audience[], lastId?: string, hubOf = hub) => {
    const got: Delivery[] = [];
    const end = await hubOf.subscribe({ audiences, from: readCursor(lastId), deliver: (d) => got.push(d) });
    return { got, end };
  };
  const numbers = (got: Delivery[]) => got.flatMap(({ payload }) => (payload ? [payload.n as number] : []));

  it('reach only their audience, after the commit, by its notification', async () => {
    const ada = await subscribe(['public', 'user:ada']);
    const bob = await subscribe(['public', 'user:bob']);
    expect(ada.got).toMatchObject([{ type: 'ready' }]);
    const outside = AsyncLocalStorage.snapshot();
    await db.tx(async () => {
      await tell('user:ada', 1);
      await tell('public', 2);
      // A new subscription makes the hub read what there is before the commit. On the embedded database, which has one
      // connection, it would wait for the end of this transaction.
      if (kind === 'server') await outside(() => subscribe(['public', 'user:ada']));
      else await wait(60);
      expect(ada.got).toHaveLength(1);
    });
    // Without the notification they would come with the next poll, after half a minute.
    await vi.waitFor(() => expect(numbers(ada.got)).toEqual([1, 2]), { timeout: 5_000, interval: 2 });
    expect(numbers(bob.got)).toEqual([2]);
    await expect(
      db.tx(async () => {
        await tell('public', 3);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow();
    await tell('public', 4);
    await vi.waitFor(() => expect(numbers(bob.got)).toEqual([2, 4]), { timeout: 5_000 });
  });

  it('resume after the last one received, wherever the stream broke off', async () => {
    const whole = await subscribe(['public']);
    await db.tx(async () => {
      for (const n of [1, 2, 3]) await tell('public', n);
    });
    await tell('public', 4);
    await vi.waitFor(() => expect(numbers(whole.got)).toEqual([1, 2, 3, 4]), { timeout: 5_000 });
    whole.end();
    await tell('public', 5);
    await tell('user:ada', 6);
    for (const [at, delivery] of whole.got.entries()) {
      const resumed = await subscribe(['public'], delivery.id);
      expect(numbers(resumed.got)).toEqual([1, 2, 3, 4, 5].slice(at));
      resumed.end();
    }
  });

  it('resume from a position without an event', async () => {
    const first = await subscribe(['public']);
    await tell('public', 1);
    await vi.waitFor(() => expect(numbers(first.got)).toEqual([1]), { timeout: 5_000 });
    const position = hub.position();
    first.end();
    await tell('public', 2);
    const resumed = await subscribe(['public'], position);
    expect(numbers(resumed.got)).toEqual([2]);
  });

  it('require a resync after too long a break, or with a cursor of another database', async () => {
    const { got, end } = await subscribe(['public']);
    end();
    const late = now.getTime() + RETENTION_MS;
    now = new Date(late);
    expect((await subscribe(['public'], got[0]?.id)).got).toMatchObject([{ type: 'resync' }]);
    const foreign = `${now.getTime()}~900000000000:900000000000:`;
    expect((await subscribe(['public'], foreign)).got).toMatchObject([{ type: 'resync' }]);
  });

  it('are deleted after a day', async () => {
    await tell('public', 1);
    const { n } = await db
      .q()
      .selectFrom('live_events')
      .select((q) => q.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(1);
    await deleteOldEvents.run({ ...ctx, now: () => new Date(now.getTime() + RETENTION_MS + 1) }, {}, attempt);
    expect(await db.q().selectFrom('live_events').selectAll().execute()).toEqual([]);
  });

  it.runIf(kind === 'server')('arrive exactly once although transactions commit out of order', async () => {
    const steady = await subscribe(['public']);
    const broken: Delivery[] = [];
    let current = await subscribe(['public']);
    let publishing = true;
    const publishers = Array.from({ length: 8 }, async (_, worker) => {
      for (let round = 0; round < 25; round++) {
        await db.tx(async () => {
          await tell('public', worker * 1000 + round * 2);
          await wait(Math.random() * 25);
          await tell('public', worker * 1000 + round * 2 + 1);
          await wait(Math.random() * 10);
        });
      }
    });
    const breaker = async () => {
      while (publishing) {
        await wait(Math.random() * 20);
        current.end();
        // The connection may break with only part of what was sent received.
        const received = current.got.slice(0, Math.ceil(Math.random() * current.got.length));
        broken.push(...received);
        current = await subscribe(['public'], broken.at(-1)?.id);
      }
    };
    const breaking = breaker();
    await Promise.all(publishers);
    publishing = false;
    await breaking;
    const all = Array.from({ length: 8 }, (_, worker) =>
      Array.from({ length: 50 }, (__, round) => worker * 1000 + round),
    ).flat();
    await vi.waitFor(() => expect(numbers(steady.got)).toHaveLength(all.length), { timeout: 5_000 });
    await vi.waitFor(() => expect(numbers([...broken, ...current.got])).toHaveLength(all.length), {
      timeout: 5_000,
    });
    expect(numbers(steady.got).toSorted((a, b) => a - b)).toEqual(all);
    expect(numbers([...broken, ...current.got]).toSorted((a, b) => a - b)).toEqual(all);
  });

  it.runIf(kind === 'server')('are not lost when the database terminates all connections', async () => {
    const { got } = await subscribe(['public']);
    await tell('public', 1);
    await vi.waitFor(() => expect(numbers(got)).toEqual([1]), { timeout: 5_000 });
    const others = () =>
      db.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    for (let n = 2; n < 6; n++) {
      await others();
      await vi.waitFor(() => tell('public', n), { timeout: 5_000 });
      // Every second time the connections end while the hub is connecting again.
      if (n % 2 === 0) await vi.waitFor(() => expect(numbers(got)).toContain(n), { timeout: 10_000 });
    }
    await vi.waitFor(() => expect(numbers(got)).toEqual([1, 2, 3, 4, 5]), { timeout: 10_000 });
  });
});

const attempt = { number: 1, last: false, signal: new AbortController().signal };
