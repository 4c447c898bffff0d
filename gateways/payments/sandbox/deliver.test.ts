import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { type RunningJobs, startJobs } from '#platform/jobs/jobs.ts';
import { testContext } from '#tests/support/context.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { SANDBOX_SECRET, sandboxBench, sandboxEvents } from '#tests/support/sandbox-bench.ts';
import { benchRequest, type PaymentsBench } from '../contract-bench.ts';
import { deliverSandboxEvents } from './deliver.ts';
import { createSandbox } from './sandbox.ts';

type Arrived = { path: string; headers: IncomingMessage['headers']; rawBody: Uint8Array };

const SECOND = 1_000;
const DAY = 86_400_000;

function originOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return `http://127.0.0.1:${address.port}`;
}

await describeOnEachDatabase('sandbox deliveries', (open) => {
  let db: Database;
  let bench: PaymentsBench;
  let server: Server;
  let baseUrl: string;
  let arrived: Arrived[];
  let answers: number[];
  let keys = 0;
  beforeAll(async () => {
    db = await open();
    server = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { url = '', headers } = request;
      arrived.push({ path: `${request.method} ${url}`, headers, rawBody: Buffer.concat(chunks) });
      response.writeHead(answers.shift() ?? 200).end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = originOf(server);
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await db.close();
  });
  beforeEach(async () => {
    bench = await sandboxBench(db, 'card');
    arrived = [];
    answers = [];
  });

  const opened = async (port = bench.port) =>
    (await port.createCheckout(benchRequest(bench), `key:${++keys}`)).ref;
  const paid = async () => {
    const ref = await opened();
    await bench.pay(ref);
    return ref;
  };
  const run = (change: { baseUrl?: string; fetch?: typeof fetch } = {}) =>
    deliverSandboxEvents({ baseUrl, secret: SANDBOX_SECRET, ...change }).run(
      testContext(db, { now: bench.now }),
      {},
      { number: 1, last: false, signal: new AbortController().signal },
    );
  const parsed = ({ rawBody, headers }: Arrived, port = bench.port) =>
    port.parseWebhook({ rawBody, headers: new Headers(headers as Record<string, string>), now: bench.now() });

  it('go to the route of their rail in order, signed, and once', async () => {
    const publicUrl = 'http://localhost:3000';
    const crypto = createSandbox({ db, rail: 'crypto', secret: SANDBOX_SECRET, now: bench.now, publicUrl });
    const [card, chain] = [await opened(), await opened(crypto)];
    await bench.payLater(card);
    await bench.pay(chain);
    await bench.settle(card);
    await run();
    expect(arrived.map(({ path }) => path)).toEqual([
      'POST /api/webhooks/stripe',
      'POST /api/webhooks/coinbase',
      'POST /api/webhooks/stripe',
    ]);
    const [submitted, success, settled] = arrived as [Arrived, Arrived, Arrived];
    const paymentRef = (await bench.port.getCheckout(card)).paymentRef;
    expect(parsed(submitted)).toMatchObject({ type: 'checkout.session.completed', ref: card, paymentRef });
    expect(parsed(success, crypto)).toMatchObject({ type: 'checkout.payment.success', ref: chain });
    expect(parsed(settled)).toMatchObject({ type: 'checkout.session.async_payment_succeeded', ref: card });
    expect(() => parsed(success)).toThrow(expect.objectContaining({ code: 'bad_signature' }));
    for (const { headers } of arrived) {
      expect(headers['user-agent']).toBe('AcreSandbox/1.0');
      expect(headers.origin).toBeUndefined();
    }
    const ids = new Set([
      parsed(submitted).eventId,
      parsed(success, crypto).eventId,
      parsed(settled).eventId,
    ]);
    expect(ids.size).toBe(3);
    await run();
    expect(arrived).toHaveLength(3);
  });

  it('that are not accepted come again after growing waits, the same but freshly signed', async () => {
    await paid();
    answers = [500, 404, 301];
    for (const [wait, count] of [
      [0, 1],
      [4_999, 1],
      [1, 2],
      [19_999, 2],
      [1, 3],
      [80 * SECOND, 4],
      [DAY, 4],
    ] as const) {
      bench.advance(wait);
      await run();
      expect(arrived, `after ${wait} ms`).toHaveLength(count);
    }
    bench.advance(-DAY);
    const last = arrived.at(-1);
    expect(last && parsed(last)).toMatchObject({ type: 'checkout.session.completed' });
    expect(new Set(arrived.map(({ rawBody }) => Buffer.from(rawBody).toString())).size).toBe(1);
    expect(new Set(arrived.map(({ headers }) => headers['stripe-signature'])).size).toBe(4);
    expect(await sandboxEvents(db)).toMatchObject([
      { attempts: 4, next_attempt_at: null, delivered_at: expect.any(Date), last_error: null },
    ]);
  });

  it('one that is refused holds up no other', async () => {
    const [first, second] = [await paid(), await paid()];
    answers = [500];
    await run();
    bench.advance(5 * SECOND);
    await run();
    expect(arrived.map((each) => parsed(each).ref)).toEqual([first, second, first]);
  });

  it('wait for a server that is not there, and are given up after three days', async () => {
    await paid();
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const nowhere = { baseUrl: originOf(closed) };
    await new Promise((resolve) => closed.close(resolve));
    await run(nowhere);
    expect(await sandboxEvents(db)).toMatchObject([{ attempts: 1, delivered_at: null }]);
    for (let attempt = 2; attempt <= 8; attempt++) {
      bench.advance(3_600 * SECOND);
      await run(nowhere);
    }
    const [waiting] = await sandboxEvents(db);
    expect(waiting).toMatchObject({ attempts: 8, last_error: expect.stringContaining('fetch failed') });
    expect(waiting?.next_attempt_at?.getTime()).toBe(bench.now().getTime() + 3_600 * SECOND);
    bench.advance(3 * DAY);
    await run(nowhere);
    expect(await sandboxEvents(db)).toMatchObject([{ attempts: 9, next_attempt_at: null }]);
  });

  it('are each taken by one of several processes', async () => {
    for (let sale = 0; sale < 6; sale++) await paid();
    await Promise.all([run(), run(), run()]);
    expect(arrived).toHaveLength(6);
    expect(new Set(arrived.map((each) => parsed(each).ref)).size).toBe(6);
  });

  it('of one run may be more than one batch', async () => {
    const ref = await opened();
    const events = Array.from({ length: 60 }, (_, index) => ({
      event_id: `evt_${index}`,
      rail: 'card' as const,
      type: 'checkout.session.completed',
      ref,
      payload: '{}',
      created_at: bench.now(),
      next_attempt_at: bench.now(),
    }));
    await db.q().insertInto('sandbox_deliveries').values(events).execute();
    await run();
    expect(arrived).toHaveLength(60);
  });

  let jobs: RunningJobs | undefined;
  afterEach(async () => {
    await jobs?.stop();
    jobs = undefined;
  });

  it('leave by themselves as soon as something happened', async () => {
    const handler = deliverSandboxEvents({ baseUrl, secret: SANDBOX_SECRET });
    jobs = await startJobs((requestId) => testContext(db, { now: bench.now, requestId }), [handler]);
    const began = performance.now();
    const ref = await paid();
    await vi.waitFor(() => expect(arrived).toHaveLength(1), { timeout: 5_000, interval: 5 });
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(arrived.map((each) => parsed(each).ref)).toEqual([ref]);
  });
});
