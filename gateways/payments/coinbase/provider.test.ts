import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCheckout } from '#tests/support/providers/coinbase/api.ts';
import { type FakeCoinbase, startFakeCoinbase } from '#tests/support/providers/coinbase/fake-coinbase.ts';
import { paymentsContract } from '../contract.ts';
import { fixtureRequest, type PaymentsFixture } from '../contract-fixture.ts';
import type { CheckoutRequest, PaymentsPort } from '../port.ts';
import { signCoinbase } from '../webhook-signature.ts';
import { createCoinbase } from './provider.ts';

const START = new Date('2026-11-20T12:00:00Z');

paymentsContract('Coinbase', async (): Promise<PaymentsFixture> => {
  let now = START;
  const double = await startFakeCoinbase({ now: () => now });
  const { account, base: apiBase } = double.sandbox;
  const { webhookSecret, keys } = double;
  const config = { ...keys.ed25519, webhookSecret, now: () => now, callTimeoutMs: 4_000 };
  return {
    port: createCoinbase({ ...config, apiBase }),
    otherKeys: createCoinbase({ ...config, apiBase: double.live.base }),
    now: () => now,
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    pay: async (ref) => account.pay(ref),
    payLater: async (ref) => account.submit(ref),
    settle: async (ref) => account.settle(ref),
    bounce: async (ref) => account.bounce(ref),
    settleRefund: async (ref) => account.settleRefund(ref),
    failRefund: async (ref) => account.failRefund(ref),
    async refundInDashboard(ref, amountCents) {
      account.refund(account.checkout(ref), { amount: (amountCents / 100).toFixed(2) });
    },
    coverShortfall(covers) {
      account.coversShortfall = covers;
    },
    passTime: async () => undefined,
    async payMany(count) {
      for (let at = 0; at < count; at++) account.pay(openCheckout(account));
    },
    signedWebhook: async (ref, secret) => double.signedWebhook(double.latestEvent(account, ref), secret),
    async sabotage(kind) {
      double.faultSettings.fault = kind;
    },
    stop: double.stop,
  };
});

describe('Coinbase specifics', () => {
  let double: FakeCoinbase;
  let port: PaymentsPort;
  let now: Date;
  beforeEach(async () => {
    now = START;
    double = await startFakeCoinbase({ now: () => now });
    port = portWith({});
  });
  afterEach(() => double.stop());

  const portWith = (change: Partial<Parameters<typeof createCoinbase>[0]>) =>
    createCoinbase({
      ...double.keys.ed25519,
      webhookSecret: double.webhookSecret,
      apiBase: double.sandbox.base,
      now: () => now,
      ...change,
    });
  const request = (change: Partial<CheckoutRequest> = {}) => fixtureRequest({ now: () => now }, change);
  const open = async (change: Partial<CheckoutRequest> = {}) =>
    (await port.createCheckout(request(change), 'sale:a')).ref;
  const storedCheckout = (ref: string) => double.sandbox.account.checkout(ref);

  test('requests USDC, with the sale in the metadata and the lines in the description', async () => {
    const asked = request();
    expect(storedCheckout(await open())).toMatchObject({
      amount: '250000.00',
      currency: 'USDC',
      description: '12 Elm Street, Lebanon, NH: 12 Elm Street $247500.00, Platform fee $2500.00',
      metadata: { sale_id: asked.saleId },
      successRedirectUrl: asked.successUrl,
      failRedirectUrl: asked.cancelUrl,
      expiresAt: asked.expiresAt.toISOString(),
    });
  });

  test('a description is cut to the length that Coinbase accepts', async () => {
    const ref = await open({ description: 'A very long road '.repeat(40) });
    expect(storedCheckout(ref).description).toHaveLength(500);
  });

  test('reports the fee that Coinbase deducts', async () => {
    const ref = await open({ amountCents: 10_000, lines: [{ name: 'Lot 7', amountCents: 10_000 }] });
    double.sandbox.account.pay(ref);
    expect(storedCheckout(ref).settlement).toMatchObject({
      totalAmount: '100.00',
      feeAmount: '1.25',
      netAmount: '98.75',
    });
    expect(await port.getCheckout(ref)).toMatchObject({ feeCents: 125, receiptUrl: null, paymentRef: null });
  });

  test('Coinbase rejects a return URL without TLS', async () => {
    const refusal = { code: 'invalid', message: 'Coinbase: 400, invalid_request, 41deb8d59a9dc9a7-IAD' };
    await expect(open({ successUrl: 'http://localhost:3000/done' })).rejects.toMatchObject(refusal);
  });

  test('a checkout counts as closed even when the response was lost', async () => {
    const ref = await open();
    double.queuedFaults.push(null, 'lost', 'lost');
    expect(await port.cancelCheckout(ref, 'cancel:a')).toMatchObject({ status: 'canceled' });
  });

  test('a payment made while the checkout is being closed counts', async () => {
    const ref = await open();
    double.faultSettings.beforeExecute = (line) => {
      if (line.endsWith('/deactivate')) double.sandbox.account.submit(ref);
    };
    await expect(port.cancelCheckout(ref, 'cancel:a')).rejects.toMatchObject({ code: 'conflict' });
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'processing' });
  });

  test('after a full refund nothing is left to refund, and the checkout stays paid', async () => {
    const ref = await open();
    double.sandbox.account.pay(ref);
    const all = await port.refund({ ref, amountCents: 25_000_000, reason: 'x'.repeat(600) }, 'refund:a');
    double.sandbox.account.settleRefund(all.ref);
    expect(storedCheckout(ref)).toMatchObject({ status: 'REFUNDED', refundedAmount: '250000.00' });
    expect(storedCheckout(ref).refunds?.[0]?.reason).toMatch(/^x{489} \[refund:a\]$/);
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'paid', refunds: [{ key: 'refund:a' }] });
    const more = port.refund({ ref, amountCents: 1, reason: 'more' }, 'refund:b');
    await expect(more).rejects.toMatchObject({ code: 'limit' });
  });

  test('the balance is what is in the USDC account, fractions of a cent left out', async () => {
    const live = portWith({ apiBase: double.live.base });
    const { ref } = await live.createCheckout(request(), 'sale:a');
    double.live.account.pay(ref);
    expect(await live.balance()).toEqual({ availableCents: 24_687_500, pendingCents: 0 });
    expect(await port.balance()).toEqual({ availableCents: 0, pendingCents: 0 });
    expect(await live.account()).toBe(await port.account());
  });

  test('a payment is dated by its checkout and is listed as long as something happens to it', async () => {
    const ref = await open();
    const opened = now;
    const later = (milliseconds: number) => {
      now = new Date(now.getTime() + milliseconds);
      return now;
    };
    later(600_000);
    double.sandbox.account.pay(ref);
    const paid = { ref: `payment:${ref}`, kind: 'payment', checkoutRef: ref, at: opened };
    const walk = async (since: Date) => {
      const found = [];
      let cursor: string | undefined;
      do {
        const page = await port.listTransactions({ since, ...(cursor ? { cursor } : {}) });
        found.push(...page.transactions);
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      return found;
    };
    expect(await walk(now)).toMatchObject([paid]);
    const asked = later(600_000);
    const refund = await port.refund({ ref, amountCents: 100, reason: 'asked' }, 'refund:a');
    expect(await walk(new Date(0))).toMatchObject([paid]);
    const arrived = later(600_000);
    double.sandbox.account.settleRefund(refund.ref);
    const back = { ref: `refund:${refund.ref}`, kind: 'refund', amountCents: -100, at: arrived };
    expect(await walk(asked)).toMatchObject([paid, back]);
    later(600_000);
    expect(await walk(now)).toEqual([]);
    await expect(port.listTransactions({ since: now, cursor: 'ACTIVE:' })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('sandbox and live share keys but not checkouts', async () => {
    const live = portWith({ apiBase: double.live.base });
    expect([port.livemode, live.livemode]).toEqual([false, true]);
    await expect(live.getCheckout(await open())).rejects.toMatchObject({ code: 'not_found' });
    const real = await live.createCheckout(request(), 'sale:a');
    expect(await live.getCheckout(real.ref)).toMatchObject({ livemode: true, status: 'open' });
    const unnamed = { apiBase: undefined };
    expect(portWith({ ...unnamed, sandbox: true }).livemode).toBe(false);
    expect(portWith(unnamed).livemode).toBe(true);
  });

  test('both kinds of keys are accepted, also with escaped line breaks', async () => {
    const { keyId, keySecret } = double.keys.es256;
    await expect(portWith({ keyId, keySecret }).check()).resolves.toBeUndefined();
    const escaped = keySecret.replaceAll('\n', '\\n');
    await expect(portWith({ keyId, keySecret: escaped }).check()).resolves.toBeUndefined();
  });

  test('wrong keys and a wrong clock are reported as auth, not as unavailable', async () => {
    const { ed25519, es256 } = double.keys;
    const late = () => new Date(now.getTime() + 600_000);
    for (const change of [{ keyId: 'other' }, { keyId: es256.keyId }, { now: late }]) {
      const refusal = { code: 'auth', retryable: false };
      await expect(portWith(change).check(), JSON.stringify(change)).rejects.toMatchObject(refusal);
    }
    const swapped = Buffer.from(ed25519.keySecret, 'base64').reverse().toString('base64');
    for (const keySecret of ['', 'S3CRET', swapped, es256.keySecret.slice(0, 90)]) {
      const opening = () => portWith({ keySecret });
      expect(opening).toThrow(expect.objectContaining({ code: 'auth' }));
      if (keySecret) expect(opening).not.toThrow(keySecret);
    }
  });

  test('an event without an id gets one derived from its content', async () => {
    const ref = await open();
    double.sandbox.account.pay(ref);
    const { rawBody } = double.signedWebhook(double.latestEvent(double.sandbox.account, ref));
    const fields = { 'content-type': 'application/json', 'x-event-id': '', 'x-event-type': 'x' };
    const older = signCoinbase({ rawBody, secret: double.webhookSecret, at: now, headers: fields });
    const headers = new Headers({ 'x-hook0-signature': older.replace(/,h=.*/, '') });
    expect(port.parseWebhook({ rawBody, headers, now })).toEqual({
      eventId: `${ref}:checkout.payment.success`,
      type: 'checkout.payment.success',
      ref,
      paymentRef: null,
    });
  });

  test('a signed body that is not a checkout is invalid', () => {
    const rawBody = new TextEncoder().encode('[]');
    const { headers } = double.signedWebhook({ eventId: 'e1', eventType: 'ping', body: [] });
    expect(() => port.parseWebhook({ rawBody, headers, now })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  });

  test('a signed message with an unusable id is invalid', async () => {
    const ref = await open();
    double.sandbox.account.pay(ref);
    const { rawBody } = double.signedWebhook(double.latestEvent(double.sandbox.account, ref));
    const fields = {
      'content-type': 'application/json',
      'x-event-id': 'e'.repeat(1_000),
      'x-event-type': 'x',
    };
    const signature = signCoinbase({ rawBody, secret: double.webhookSecret, at: now, headers: fields });
    const headers = new Headers({ ...fields, 'x-hook0-signature': signature });
    expect(() => port.parseWebhook({ rawBody, headers, now })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  });
});
