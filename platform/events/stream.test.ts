import { Hono } from 'hono';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Actor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { compression } from '#platform/http/compression.ts';
import { discardHeadBody } from '#platform/http/discard-head-body.ts';
import type { HttpEnv } from '#platform/http/environment.ts';
import { type Listening, listen } from '#platform/http/serve.ts';
import { createLog } from '#platform/log.ts';
import { eventStreams } from '#platform/metrics.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { userWith } from '#tests/support/fixtures/actors.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { type Audience, publish } from './events.ts';
import { EventHub } from './hub.ts';
import { EventStreams } from './stream.ts';

interface Message {
  id: string;
  type: string;
  payload: { n?: number } | null;
  event?: number;
}

/** Reads server-sent events like a browser: it remembers the last id, also of a block without data. */
async function open(port: number, who: string, lastId?: string, after = '') {
  const leaving = new AbortController();
  const query = after && `&after=${encodeURIComponent(after)}`;
  const answer = await fetch(`http://127.0.0.1:${port}/api/events?who=${who}${query}`, {
    signal: leaving.signal,
    headers: { 'accept-encoding': 'br, gzip', ...(lastId && { 'last-event-id': lastId }) },
  });
  const reader = {
    answer,
    messages: [] as Message[],
    lastId: lastId ?? '',
    ended: false,
    leave: () => leaving.abort(),
  };
  const read = async () => {
    let rest = '';
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
        reader.lastId = field('id') ?? reader.lastId;
        const data = field('data');
        if (data) reader.messages.push({ id: reader.lastId, ...(JSON.parse(data) as Omit<Message, 'id'>) });
      }
    }
  };
  void read()
    .catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error;
    })
    .finally(() => {
      reader.ended = true;
    });
  return reader;
}

const user = (id: string): Actor => userWith('buyer', { id });

await describeOnEachDatabase('event streams', (openDatabase) => {
  let db: Database;
  let hub: EventHub;
  let streams: EventStreams;
  let listening: Listening;
  let expiry = Number.POSITIVE_INFINITY;
  const log = createLog('silent');

  beforeEach(async () => {
    db = await openDatabase();
    hub = new EventHub(db, log);
    await hub.start();
    streams = new EventStreams(hub, log, { heartbeatMs: 100 });
    const app = new Hono<HttpEnv>();
    app.use(discardHeadBody);
    app.use(compression);
    app.get('/api/events', (c) =>
      streams.respond(c, { actor: user(c.req.query('who') ?? ''), ip: '203.0.113.9' }, async () => ({
        current: !c.req.query('ended') && Date.now() < expiry,
        endsAt: c.req.query('expires') ? new Date(expiry) : null,
      })),
    );
    listening = await listen(app.fetch, { port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    streams.closeAll();
    await listening.close(20_000);
    await hub.stop();
    await db.close();
  });
  const tell = (audience: Audience, n: number, type = 'test.told') =>
    publish(testContext(db, { now: () => new Date() }), { audience, type, payload: { n } });
  const numbers = (messages: Message[]) => messages.flatMap(({ payload }) => payload?.n ?? []);

  it('have the right headers, are uncompressed, and deliver to each user their own events', async () => {
    const ada = await open(listening.port, 'ada');
    const bob = await open(listening.port, 'bob');
    expect(ada.answer.headers.get('content-type')).toBe('text/event-stream');
    expect(ada.answer.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(ada.answer.headers.has('content-encoding')).toBe(false);
    await vi.waitFor(() => expect([...ada.messages, ...bob.messages]).toHaveLength(2), { timeout: 5_000 });
    await tell('user:ada', 1);
    await tell('role:buyer', 2);
    await tell('role:admin', 3);
    await vi.waitFor(() => expect(numbers(bob.messages)).toEqual([2]), { timeout: 5_000 });
    await vi.waitFor(() => expect(numbers(ada.messages)).toEqual([1, 2]), { timeout: 5_000 });
    expect(ada.messages[1]).toMatchObject({ type: 'test.told' });
  });

  it('leave nothing behind of HEAD requests', async () => {
    const openStreams = async () => (await eventStreams.get()).values[0]?.value ?? 0;
    const before = await openStreams();
    for (let n = 0; n < 30; n++) {
      const { status } = await fetch(`http://127.0.0.1:${listening.port}/api/events?who=ada`, {
        method: 'HEAD',
      });
      expect(status).toBe(200);
    }
    await vi.waitFor(async () => expect(await openStreams()).toBe(before), { timeout: 5_000 });
  });

  it('are limited: one too many is refused, until another ends', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => open(listening.port, 'ada')));
    expect(all.map(({ answer }) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    const refused = await open(listening.port, 'ada');
    expect([refused.answer.status, refused.answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect((await open(listening.port, 'bob')).answer.status).toBe(200);
    all[0]?.leave();
    await vi.waitFor(async () => expect((await open(listening.port, 'ada')).answer.status).toBe(200), {
      timeout: 5_000,
    });
  });

  it('resume after Last-Event-ID, also after one from a heartbeat', async () => {
    const first = await open(listening.port, 'ada');
    await vi.waitFor(() => expect(first.messages).toHaveLength(1), { timeout: 5_000 });
    const ready = first.lastId;
    await tell('user:bob', 1);
    await vi.waitFor(() => expect(first.lastId).not.toBe(ready), { timeout: 5_000 });
    first.leave();
    await tell('user:ada', 2);
    await tell('user:ada', 3);
    const second = await open(listening.port, 'ada', first.lastId);
    await vi.waitFor(() => expect(numbers(second.messages)).toEqual([2, 3]), { timeout: 5_000 });
    const third = await open(listening.port, 'ada', second.messages[0]?.id);
    await vi.waitFor(() => expect(numbers(third.messages)).toEqual([3]), { timeout: 5_000 });
    const inAnotherTab = await open(listening.port, 'ada', undefined, second.messages[0]?.id);
    await vi.waitFor(() => expect(numbers(inAnotherTab.messages)).toEqual([3]), { timeout: 5_000 });
    // The event number is the same in every stream; Last-Event-ID takes precedence over ?after=.
    expect(inAnotherTab.messages[0]?.event).toBe(second.messages[1]?.event);
    const goingOn = await open(listening.port, 'ada', second.messages[1]?.id, second.messages[0]?.id);
    await tell('user:ada', 4);
    await vi.waitFor(() => expect(numbers(goingOn.messages)).toEqual([4]), { timeout: 5_000 });
  });

  it('start afresh for an invalid id', async () => {
    const reader = await open(listening.port, 'ada', "1~0:0:'");
    await vi.waitFor(() => expect(reader.messages).toMatchObject([{ type: 'ready' }]), { timeout: 5_000 });
  });

  it('end when the user’s session changes, so that the browser reconnects with the new one', async () => {
    const ada = await open(listening.port, 'ada');
    const bob = await open(listening.port, 'bob');
    await vi.waitFor(() => expect([...ada.messages, ...bob.messages]).toHaveLength(2), { timeout: 5_000 });
    await tell('user:ada', 1, 'session');
    await vi.waitFor(() => expect(ada.ended).toBe(true), { timeout: 5_000 });
    expect(ada.messages.at(-1)).toMatchObject({ type: 'session' });
    expect(bob.ended).toBe(false);
  });

  it('end at once when the session ended before the stream was subscribed', async () => {
    const ada = await open(listening.port, 'ada&ended=1');
    await vi.waitFor(() => expect(ada.ended).toBe(true), { timeout: 5_000 });
    expect(ada.messages.at(-1)).toMatchObject({ type: 'session' });
  });

  it('end when the session expires, which nobody publishes, and not before: one in use is renewed', async () => {
    expiry = Date.now() - 500;
    const renewed = Date.now() + 60_000;
    const ada = open(listening.port, 'ada&expires=1');
    expect((await ada).messages).toEqual([]);
    await vi.waitFor(async () => expect((await ada).ended).toBe(true), { timeout: 5_000 });
    expiry = renewed;
    const bob = await open(listening.port, 'bob&expires=1');
    await vi.waitFor(() => expect(bob.messages).toHaveLength(1), { timeout: 5_000 });
    expect(bob.ended).toBe(false);
  });

  it('all end when the process stops, and no new one starts', async () => {
    const readers = await Promise.all(['ada', 'bob', 'cleo'].map((who) => open(listening.port, who)));
    streams.closeAll();
    await vi.waitFor(() => expect(readers.every(({ ended }) => ended)).toBe(true), { timeout: 5_000 });
    expect((await fetch(`http://127.0.0.1:${listening.port}/api/events`)).status).toBe(503);
  });
});
