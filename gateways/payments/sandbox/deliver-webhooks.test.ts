import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { DAY, SECOND } from '#platform/durations.ts';
import { type RunningJobs, startJobs } from '#platform/jobs/jobs.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import {
  createSandboxHarness,
  SANDBOX_SECRET,
  sandboxEvents,
} from '#tests/support/providers/sandbox-harness.ts';
import { fixtureRequest, type PaymentsFixture } from '../contract-fixture.ts';
import { deliverSandboxWebhooks } from './deliver-webhooks.ts';
import { createSandbox } from './provider.ts';

type Arrived = { path: string; headers: IncomingMessage['headers']; rawBody: Uint8Array };

function originOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return `http://127.0.0.1:${address.port}`;
}

await describeOnDatabase('sandbox webhook deliveries', (open) => {
  let db: Database;
  let fixture: PaymentsFixture;
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
    fixture = await createSandboxHarness(db, 'card');
    arrived = [];
    answers = [];
  });

  const opened = async (port = fixture.port) =>
    (await port.createCheckout(fixtureRequest(fixture), `key:${++keys}`)).ref;
  const paid = async () => {
    const ref = await opened();
    await fixture.pay(ref);
    return ref;
  };
  const run = (change: { baseUrl?: string; fetch?: typeof fetch } = {}) =>
    deliverSandboxWebhooks({ baseUrl, secret: SANDBOX_SECRET, ...change }).run(
      testContext(db, { now: fixture.now }),
      {},
      { number: 1, last: false, signal: new AbortController().signal },
    );
  const parsed = ({ rawBody, headers }: Arrived, port = fixture.port) =>
    port.parseWebhook({
      rawBody,
      headers: new Headers(headers as Record<string, string>),
      now: fixture.now(),
    });

  it('go to the endpoint of their provider in order, signed, and once', async () => {
    const publicUrl = 'http://localhost:3000';
    const crypto = createSandbox({
      db,
      method: 'crypto',
      secret: SANDBOX_SECRET,
      now: fixture.now,
      publicUrl,
    });
    const [card, chain] = [await opened(), await opened(crypto)];
    await fixture.payLater(card);
    await fixture.pay(chain);
    await fixture.settle(card);
    await run();
    expect(arrived.map(({ path }) => path)).toEqual([
      'POST /api/webhooks/sandbox',
      'POST /api/webhooks/sandbox',
      'POST /api/webhooks/sandbox',
    ]);
    const [submitted, success, settled] = arrived as [Arrived, Arrived, Arrived];
    const paymentRef = (await fixture.port.getCheckout(card)).paymentRef;
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

  it('are retried with growing delays when not accepted, unchanged but freshly signed', async () => {
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
      fixture.advance(wait);
      await run();
      expect(arrived, `after ${wait} ms`).toHaveLength(count);
    }
    fixture.advance(-DAY);
    const last = arrived.at(-1);
    expect(last && parsed(last)).toMatchObject({ type: 'checkout.session.completed' });
    expect(new Set(arrived.map(({ rawBody }) => Buffer.from(rawBody).toString())).size).toBe(1);
    expect(new Set(arrived.map(({ headers }) => headers['stripe-signature'])).size).toBe(4);
    expect(await sandboxEvents(db)).toMatchObject([
      { attempts: 4, next_attempt_at: null, delivered_at: expect.any(Date), last_error: null },
    ]);
  });

  it('are not held up by one that is rejected', async () => {
    const [first, second] = [await paid(), await paid()];
    answers = [500];
    await run();
    fixture.advance(5 * SECOND);
    await run();
    expect(arrived.map((each) => parsed(each).ref)).toEqual([first, second, first]);
  });

  it('wait for an unreachable server, and are abandoned after three days', async () => {
    await paid();
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const nowhere = { baseUrl: originOf(closed) };
    await new Promise((resolve) => closed.close(resolve));
    await run(nowhere);
    expect(await sandboxEvents(db)).toMatchObject([{ attempts: 1, delivered_at: null }]);
    for (let attempt = 2; attempt <= 8; attempt++) {
      fixture.advance(3_600 * SECOND);
      await run(nowhere);
    }
    const [waiting] = await sandboxEvents(db);
    expect(waiting).toMatchObject({ attempts: 8, last_error: expect.stringContaining('fetch failed') });
    expect(waiting?.next_attempt_at?.getTime()).toBe(fixture.now().getTime() + 3_600 * SECOND);
    fixture.advance(3 * DAY);
    await run(nowhere);
    expect(await sandboxEvents(db)).toMatchObject([{ attempts: 9, next_attempt_at: null }]);
  });

  it('are each claimed by one of several processes', async () => {
    for (let sale = 0; sale < 6; sale++) await paid();
    await Promise.all([run(), run(), run()]);
    expect(arrived).toHaveLength(6);
    expect(new Set(arrived.map((each) => parsed(each).ref)).size).toBe(6);
  });

  it('can exceed one batch per run', async () => {
    const ref = await opened();
    const events = Array.from({ length: 60 }, (_, index) => ({
      event_id: `evt_${index}`,
      method: 'card' as const,
      type: 'checkout.session.completed',
      ref,
      payload: '{}',
      created_at: fixture.now(),
      next_attempt_at: fixture.now(),
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

  it('are sent automatically as soon as something happens', async () => {
    const handler = deliverSandboxWebhooks({ baseUrl, secret: SANDBOX_SECRET });
    jobs = await startJobs((requestId) => testContext(db, { now: fixture.now, requestId }), [handler]);
    const ref = await paid();
    await vi.waitFor(() => expect(arrived).toHaveLength(1), { timeout: 5_000, interval: 5 });
    expect(arrived.map((each) => parsed(each).ref)).toEqual([ref]);
  });
});
