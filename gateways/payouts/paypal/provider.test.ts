import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/durations.ts';
import { type FakePayPal, startFakePayPal } from '#tests/support/providers/paypal/fake-paypal.ts';
import { payoutsContract } from '../contract.ts';
import { type PayoutsFixture, payoutRequest } from '../contract-fixture.ts';
import type { PayoutsPort } from '../port.ts';
import { createPayPal } from './provider.ts';

const START = new Date('2026-11-20T12:00:00Z');

payoutsContract('PayPal', async (): Promise<PayoutsFixture> => {
  let now = START;
  const clock = { now: () => now };
  const double = await startFakePayPal(clock);
  const { account } = double.ours;
  const common = { webhookId: double.webhookId, mode: 'sandbox', apiBase: double.url, ...clock } as const;
  let sellers = 0;
  const settle = (state: Parameters<typeof account.settle>[1]) => async (ref: string) =>
    account.settle(ref, state);
  return {
    port: createPayPal({ ...common, ...double.ours }),
    otherKeys: createPayPal({ ...common, ...double.others }),
    ...clock,
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    async fund(cents) {
      account.totalCents += cents;
    },
    async destination() {
      sellers += 1;
      return `seller-${sellers}@market.example`;
    },
    unknownDestination: 'no-address',
    forgetsKeys: true,
    arrive: async (key) => account.process(key),
    takeBack: settle('REVERSED'),
    async signedWebhook(key, hook) {
      const event = account.events.findLast(({ resource }) => JSON.stringify(resource).includes(`"${key}:`));
      if (!event) throw new Error('Nothing was said about this');
      return double.signedWebhook(event, hook);
    },
    items: {
      fail: settle('FAILED'),
      hold: settle('ONHOLD'),
      block: settle('BLOCKED'),
      unclaim: settle('UNCLAIMED'),
      expire: settle('RETURNED'),
    },
    stop: double.stop,
  };
});

describe('PayPal specifics', () => {
  let double: FakePayPal;
  let port: PayoutsPort;
  let now: Date;
  beforeEach(async () => {
    now = START;
    double = await startFakePayPal({ now: () => now });
    double.ours.account.totalCents = 100_000_000;
    port = portWith({});
  });
  afterEach(() => double.stop());

  const portWith = (change: Partial<Parameters<typeof createPayPal>[0]>) =>
    createPayPal({
      ...double.ours,
      webhookId: double.webhookId,
      mode: 'sandbox',
      apiBase: double.url,
      now: () => now,
      callTimeoutMs: 4_000,
      ...change,
    });
  const request = (attempt = 1, amountCents = 1_000_000) =>
    payoutRequest('seller@market.example', attempt, { amountCents });
  const batches = () => double.ours.account.batches;
  const tokens = () => double.requests.filter((line) => line === 'POST /v1/oauth2/token').length;

  test('keeps a token while it is valid, and asks for another when it ends or is refused', async () => {
    await Promise.all([port.check(), port.check(), port.balance()]);
    expect(tokens()).toBe(1);
    now = new Date(START.getTime() + 8 * HOUR);
    await port.check();
    expect(tokens()).toBe(1);
    now = new Date(START.getTime() + 10 * HOUR);
    await port.check();
    expect(tokens()).toBe(2);
    double.revokeTokens();
    await port.check();
    expect(tokens()).toBe(3);
  });

  test('wrong keys are refused without being quoted', async () => {
    const refusal = await portWith({ clientSecret: 'secret-of-somebody' })
      .check()
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'PaymentError', code: 'auth', retryable: false });
    expect(String(refusal)).not.toContain('somebody');
  });

  test.each(['reset', 'lost', 500, 503, 429, 'garbage', 'half'] as const)(
    'after %s the same call pays once',
    async (fault) => {
      await port.check();
      const asked = request();
      double.queuedFaults.push(fault, fault);
      await port.send(asked).catch((error: unknown) => expect(error).toMatchObject({ retryable: true }));
      double.queuedFaults.length = 0;
      expect(await port.send(asked)).toMatchObject({ status: 'processing', key: asked.key });
      expect(batches()).toHaveLength(1);
      expect(batches()[0]?.items).toHaveLength(1);
    },
  );

  test('gives up in time when nobody answers', async () => {
    const hasty = portWith({ callTimeoutMs: 300 });
    double.faultSettings.fault = 'silence';
    await expect(hasty.send(request())).rejects.toMatchObject({ code: 'unavailable' });
    expect(batches()).toHaveLength(0);
  });

  test('a batch whose items are not listed yet is under way', async () => {
    double.ours.account.hidesItems = true;
    const asked = request(1, 5_000_000);
    const state = await port.send(asked);
    expect(state).toMatchObject({ status: 'processing', items: [], paidCents: 0, failure: null });
    expect(state.ref).not.toBeNull();
    double.ours.account.hidesItems = false;
    double.ours.account.process(asked.key);
    expect(await port.find({ key: asked.key, ref: state.ref, sentAt: now })).toMatchObject({
      status: 'paid',
      paidCents: 5_000_000,
      feeCents: 75,
    });
  });

  test('a batch that is said to be done is under way until everything of it is listed and processed', async () => {
    const asked = request(1, 5_000_000);
    const { ref } = await port.send(asked);
    const [batch] = batches();
    const find = () => port.find({ key: asked.key, ref, sentAt: now });
    if (!batch) throw new Error('Nothing was sent');
    for (const status of ['SUCCESS', 'ACKNOWLEDGED']) {
      batch.status = status;
      double.ours.account.hidesItems = true;
      expect(await find(), status).toMatchObject({ status: 'processing', failure: null });
      double.ours.account.hidesItems = false;
      expect(await find(), status).toMatchObject({ status: 'processing', failure: null });
    }
    batch.status = 'DENIED';
    double.ours.account.hidesItems = true;
    expect(await find()).toMatchObject({ status: 'failed', items: [], paidCents: 0, failure: 'other' });
  });

  test.each([
    ['a refusal as repeated that names no batch', 400, 'USER_BUSINESS_ERROR'],
    ['two calls at a time', 409, 'RESOURCE_CONFLICT'],
  ])('concludes nothing from %s', async (_, status, name) => {
    await port.check();
    double.queuedFaults.push({ status, body: JSON.stringify({ name, details: [] }) });
    await expect(port.send(request())).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });

  test('a batch that cannot be read after it was sent is no refusal', async () => {
    await port.check();
    const asked = request();
    const unreadable = { status: 400, body: JSON.stringify({ name: 'INSUFFICIENT_FUNDS', details: [] }) };
    double.queuedFaults.push(null, unreadable);
    await expect(port.send(asked)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await port.send(asked)).toMatchObject({ status: 'processing' });
    expect(batches()).toHaveLength(1);
  });

  test('reads every page of a large payout, in order', async () => {
    double.ours.account.totalCents = 3_000_000_000;
    const asked = request(1, 2_500_000_001);
    const state = await port.send(asked);
    expect(state.items).toHaveLength(1_251);
    expect(state.items.at(-1)?.amountCents).toBe(1);
  });

  test('finds nothing under the reference of another payout', async () => {
    const { ref } = await port.send(request(1));
    const find = (key: string, of: string | null) => port.find({ key, ref: of, sentAt: now });
    await expect(find(request(2).key, ref)).rejects.toMatchObject({ code: 'not_found' });
    await expect(find(request(1).key, '../oauth2')).rejects.toMatchObject({ code: 'not_found' });
    await expect(find(request(1).key, 'NOTHING')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('concludes nothing about a payout without reference when PayPal has forgotten its key', async () => {
    const asked = request();
    await port.send(asked);
    const sentAt = now;
    now = new Date(START.getTime() + 31 * DAY);
    await expect(port.find({ key: asked.key, ref: null, sentAt })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  test('what is held for items is not available, and still in the balance', async () => {
    await port.send(request(1, 5_000_000));
    expect(await port.balance()).toEqual({ availableCents: 94_999_925, pendingCents: 5_000_075 });
  });

  test('refuses messages that PayPal has not signed, without asking where headers are missing', async () => {
    const asked = request();
    await port.send(asked);
    double.ours.account.process(asked.key);
    const [event] = double.ours.account.events;
    if (!event) throw new Error('Nothing was said');
    const { rawBody, headers } = double.signedWebhook(event);
    const before = double.requests.length;
    const foreign = new Headers(headers);
    foreign.set('paypal-cert-url', 'https://paypal.com.example/cert');
    const refused = { code: 'bad_signature' };
    await expect(port.parseWebhook({ rawBody, headers: foreign, now })).rejects.toMatchObject(refused);
    const text = new TextEncoder().encode('{"id":"WH-1"');
    await expect(port.parseWebhook({ rawBody: text, headers, now })).rejects.toMatchObject(refused);
    expect(double.requests).toHaveLength(before);
    const others = portWith({ webhookId: 'ANOTHER' });
    await expect(others.parseWebhook({ rawBody, headers, now })).rejects.toMatchObject(refused);
    expect(await port.parseWebhook({ rawBody, headers, now })).toMatchObject({ payoutKey: asked.key });
  });
});
