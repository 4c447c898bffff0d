import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CoinbaseDouble, startCoinbaseDouble } from '#tests/support/coinbase-double.ts';
import { createCoinbase } from './coinbase.ts';
import { paymentsContract } from './contract.ts';
import { benchRequest, type PaymentsBench } from './contract-bench.ts';
import type { CheckoutRequest, PaymentsPort } from './port.ts';
import { signCoinbase } from './signature.ts';

const START = new Date('2026-11-20T12:00:00Z');

paymentsContract('Coinbase', async (): Promise<PaymentsBench> => {
  let now = START;
  const double = await startCoinbaseDouble({ now: () => now });
  const { account, base: apiBase } = double.sandbox;
  const { webhookSecret, keys } = double;
  return {
    port: createCoinbase({ ...keys.ed25519, webhookSecret, apiBase, now: () => now, callMs: 1_500 }),
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
    signedWebhook: async (ref, secret) => double.signed(double.newest(account, ref), secret),
    async sabotage(kind) {
      double.weather.fault = kind;
    },
    stop: double.stop,
  };
});

describe('Coinbase in particular', () => {
  let double: CoinbaseDouble;
  let port: PaymentsPort;
  let now: Date;
  beforeEach(async () => {
    now = START;
    double = await startCoinbaseDouble({ now: () => now });
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
  const request = (change: Partial<CheckoutRequest> = {}) => benchRequest({ now: () => now }, change);
  const open = async (change: Partial<CheckoutRequest> = {}) =>
    (await port.createCheckout(request(change), 'sale:a')).ref;
  const kept = (ref: string) => double.sandbox.account.checkout(ref);

  test('asks for USDC, with the sale beside it and the lines in its description', async () => {
    const asked = request();
    expect(kept(await open())).toMatchObject({
      amount: '250000.00',
      currency: 'USDC',
      description: '12 Elm Street, Lebanon, NH: 12 Elm Street $247500.00, Platform fee $2500.00',
      metadata: { sale_id: asked.saleId },
      successRedirectUrl: asked.successUrl,
      failRedirectUrl: asked.cancelUrl,
      expiresAt: asked.expiresAt.toISOString(),
    });
  });

  test('a description never grows beyond what Coinbase takes', async () => {
    const ref = await open({ description: 'A very long road '.repeat(40) });
    expect(kept(ref).description).toHaveLength(500);
  });

  test('the fee is what Coinbase keeps of the amount', async () => {
    const ref = await open({ amountCents: 10_000, lines: [{ name: 'Lot 7', amountCents: 10_000 }] });
    double.sandbox.account.pay(ref);
    expect(kept(ref).settlement).toMatchObject({
      totalAmount: '100.00',
      feeAmount: '1.25',
      netAmount: '98.75',
    });
    expect(await port.getCheckout(ref)).toMatchObject({ feeCents: 125, receiptUrl: null, paymentRef: null });
  });

  test('a page that leads back without TLS is refused by Coinbase', async () => {
    const refusal = { code: 'invalid', message: 'Coinbase: 400, invalid_request, 41deb8d59a9dc9a7-IAD' };
    await expect(open({ successUrl: 'http://localhost:3000/done' })).rejects.toMatchObject(refusal);
  });

  test('a checkout that was closed though the answer was lost is closed', async () => {
    const ref = await open();
    double.faults.push(null, 'lost', 'lost');
    expect(await port.cancelCheckout(ref, 'cancel:a')).toMatchObject({ status: 'canceled' });
  });

  test('whoever pays while it is being closed has paid', async () => {
    const ref = await open();
    double.weather.before = (line) => {
      if (line.endsWith('/deactivate')) double.sandbox.account.submit(ref);
    };
    await expect(port.cancelCheckout(ref, 'cancel:a')).rejects.toMatchObject({ code: 'conflict' });
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'processing' });
  });

  test('after a refund of everything nothing is left, and it stays a paid checkout', async () => {
    const ref = await open();
    double.sandbox.account.pay(ref);
    const all = await port.refund({ ref, amountCents: 25_000_000, reason: 'x'.repeat(600) }, 'refund:a');
    double.sandbox.account.settleRefund(all.ref);
    expect(kept(ref)).toMatchObject({ status: 'REFUNDED', refundedAmount: '250000.00' });
    expect(kept(ref).refunds?.[0]?.reason).toMatch(/^x{489} \[refund:a\]$/);
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'paid', refunds: [{ key: 'refund:a' }] });
    const more = port.refund({ ref, amountCents: 1, reason: 'more' }, 'refund:b');
    await expect(more).rejects.toMatchObject({ code: 'limit' });
  });

  test('sandbox and live have the same keys and different checkouts', async () => {
    const live = portWith({ apiBase: double.live.base });
    expect([port.livemode, live.livemode]).toEqual([false, true]);
    await expect(live.getCheckout(await open())).rejects.toMatchObject({ code: 'not_found' });
    const real = await live.createCheckout(request(), 'sale:a');
    expect(await live.getCheckout(real.ref)).toMatchObject({ livemode: true, status: 'open' });
    const unnamed = { apiBase: undefined };
    expect(portWith({ ...unnamed, sandbox: true }).livemode).toBe(false);
    expect(portWith(unnamed).livemode).toBe(true);
  });

  test('both kinds of keys are accepted, also with escaped line ends', async () => {
    const { keyId, keySecret } = double.keys.es256;
    await expect(portWith({ keyId, keySecret }).check()).resolves.toBeUndefined();
    const escaped = keySecret.replaceAll('\n', '\\n');
    await expect(portWith({ keyId, keySecret: escaped }).check()).resolves.toBeUndefined();
  });

  test('wrong keys and a wrong clock are told apart from bad weather', async () => {
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

  test('a message without an id of its own is known by what happened', async () => {
    const ref = await open();
    double.sandbox.account.pay(ref);
    const { rawBody } = double.signed(double.newest(double.sandbox.account, ref));
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

  test('a signed body that is no checkout is invalid', () => {
    const rawBody = new TextEncoder().encode('[]');
    const { headers } = double.signed({ eventId: 'e1', eventType: 'ping', body: [] });
    expect(() => port.parseWebhook({ rawBody, headers, now })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  });
});
