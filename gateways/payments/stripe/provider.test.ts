import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY } from '#platform/durations.ts';
import { type FakeStripe, startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';
import { paymentsContract } from '../contract.ts';
import { fixtureRequest, type PaymentsFixture } from '../contract-fixture.ts';
import type { CheckoutRequest, PaymentsPort } from '../port.ts';
import { createStripe } from './provider.ts';

const START = new Date('2026-11-20T12:00:00Z');

paymentsContract('Stripe', async (): Promise<PaymentsFixture> => {
  let now = START;
  const double = await startFakeStripe({ now: () => now, refunds: 'pending' });
  const { test: mode, webhookSecret, url: apiBase } = double;
  const { actors: people } = mode;
  const config = { webhookSecret, apiBase, now: () => now, callTimeoutMs: 4_000 };
  return {
    port: createStripe({ ...config, secretKey: mode.secretKey }),
    otherKeys: createStripe({ ...config, secretKey: double.live.secretKey }),
    now: () => now,
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    pay: async (ref) => people.pay(ref),
    payLater: async (ref) => people.submitTransfer(ref),
    settle: async (ref) => people.settleTransfer(ref),
    bounce: async (ref) => people.bounceTransfer(ref),
    settleRefund: async (ref) => people.refunds.settle(ref),
    failRefund: async (ref) => people.refunds.fail(ref),
    async refundInDashboard(ref, amountCents) {
      people.refundInDashboard(ref, amountCents);
    },
    coverShortfall(covers) {
      people.refunds.coversShortfall = covers;
    },
    passTime: async () => people.passTime(),
    async payMany(count) {
      for (let at = 0; at < count; at++) people.pay(mode.openSession());
    },
    banks: {
      async dispute(ref, options) {
        people.dispute(ref, options);
      },
      escalate: async (ref) => people.disputes.escalate(ref),
      decide: async (ref, status, returned) => people.disputes.close(ref, status, returned),
      holdRefund: async (ref) => people.refunds.hold(ref),
    },
    treasury: {
      payOut: async (amountCents) => people.send('payout', amountCents),
      transfer: async (amountCents, saleId) => people.send('transfer', amountCents, saleId),
      sendBack: async (ref) => people.sendBack(ref),
      setManualPayouts(manual) {
        mode.account.payoutInterval = manual ? 'manual' : 'daily';
      },
    },
    signedWebhook: async (ref, secret) => double.signedWebhook(double.latestEvent(mode, ref), secret),
    async sabotage(kind) {
      double.faultSettings.fault = kind;
    },
    stop: double.stop,
  };
});

describe('Stripe specifics', () => {
  let double: FakeStripe;
  let port: PaymentsPort;
  let now: Date;
  beforeEach(async () => {
    now = START;
    double = await startFakeStripe({ now: () => now, bankLimitCents: 600_000 });
    port = portWith({});
  });
  afterEach(() => double.stop());

  const portWith = (change: Partial<Parameters<typeof createStripe>[0]>) =>
    createStripe({
      secretKey: double.test.secretKey,
      webhookSecret: double.webhookSecret,
      apiBase: double.url,
      now: () => now,
      ...change,
    });
  const request = (change: Partial<CheckoutRequest> = {}) => fixtureRequest({ now: () => now }, change);
  const cheap = { amountCents: 500_000, lines: [{ name: 'Lot 7', amountCents: 500_000 }] };
  const open = async (key: string, change: Partial<CheckoutRequest> = {}) =>
    (await port.createCheckout(request(change), key)).ref;
  const sessionOf = (ref: string) => double.test.account.session(ref);
  const eventTypes = () => double.test.account.events.map(({ type }) => type);

  test('requests cards and bank transfers, with line items, and links session and payment to the sale', async () => {
    const asked = request();
    const ref = await open('sale:a');
    const { saleId } = asked;
    expect(sessionOf(ref)).toMatchObject({
      client_reference_id: saleId,
      customer_email: 'buyer@acre.test',
      metadata: { sale_id: saleId },
      methods: ['card', 'us_bank_account'],
      lines: [
        { name: '12 Elm Street', amount: 24_750_000 },
        { name: 'Platform fee', amount: 250_000 },
      ],
      intent: {
        description: asked.description,
        metadata: { sale_id: saleId },
        transfer_group: `sale_${saleId}`,
      },
      success_url: asked.successUrl,
      cancel_url: asked.cancelUrl,
      expires_at: asked.expiresAt.getTime() / 1000,
    });
  });

  test('asks for a card alone where the account may not take so much from a bank account', async () => {
    const limited = portWith({ bankDebitMaxCents: 500_000 });
    expect(limited.limits.bankDebitMaxCents).toBe(500_000);
    const refOf = async (key: string, change: Partial<CheckoutRequest>) =>
      (await limited.createCheckout(request(change), key)).ref;
    expect(sessionOf(await refOf('sale:small', cheap))).toMatchObject({
      methods: ['card', 'us_bank_account'],
    });
    expect(sessionOf(await refOf('sale:large', {}))).toMatchObject({ methods: ['card'] });
  });

  test('says what the account may be paid with, as far as Stripe mentions it', async () => {
    const { account } = double.test;
    expect(await port.accountSettings()).toMatchObject({ bankDebits: true, bankTransfers: true });
    account.capabilities = { us_bank_account_ach_payments: 'pending', us_bank_transfer_payments: 'inactive' };
    expect(await port.accountSettings()).toMatchObject({ bankDebits: false, bankTransfers: false });
    account.capabilities = { card_payments: 'active' };
    expect(await port.accountSettings()).toMatchObject({ bankDebits: null, bankTransfers: null });
  });

  test('reports fee, payment and receipt of a card payment', async () => {
    const ref = await open('sale:a', cheap);
    double.test.actors.pay(ref);
    const payment = sessionOf(ref).payment_intent;
    expect(await port.getCheckout(ref)).toMatchObject({
      status: 'paid',
      feeCents: 14_530,
      paymentRef: payment,
      receiptUrl: expect.stringMatching(/^https:\/\/pay\.stripe\.com\/receipts\//),
    });
  });

  test('a declined card leaves the checkout open', async () => {
    const ref = await open('sale:a');
    double.test.actors.declineCard(ref);
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'open', url: expect.any(String) });
    double.test.actors.pay(ref);
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'paid' });
  });

  test("a transfer above the account's limit is rejected, and a card can still pay", async () => {
    const ref = await open('sale:a');
    expect(() => double.test.actors.submitTransfer(ref)).toThrow(/transaction limit/);
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'open' });
    const small = await open('sale:b', cheap);
    double.test.actors.submitTransfer(small);
    expect(await port.getCheckout(small)).toMatchObject({ status: 'processing' });
    double.test.actors.settleTransfer(small);
    expect(await port.getCheckout(small)).toMatchObject({ status: 'paid', feeCents: 500 });
  });

  test('a card dispute accepts evidence until it is decided, and blocks refunds meanwhile', async () => {
    const ref = await open('sale:a');
    double.test.actors.pay(ref);
    const disputeRef = double.test.actors.dispute(ref);
    const due = new Date(START.getTime() + 9 * DAY);
    expect((await port.getCheckout(ref)).disputes).toMatchObject([{ status: 'open', evidenceDueAt: due }]);
    const refund = () => port.refund({ ref, amountCents: 100, reason: 'asked' }, 'refund:a');
    await expect(refund()).rejects.toMatchObject({ code: 'conflict', retryable: false });
    double.test.actors.disputes.close(disputeRef, 'won');
    expect((await port.getCheckout(ref)).disputes).toMatchObject([{ status: 'won', evidenceDueAt: null }]);
  });

  test('a returned transfer, even months later, is lost at once', async () => {
    const ref = await open('sale:a', cheap);
    double.test.actors.submitTransfer(ref);
    double.test.actors.settleTransfer(ref);
    now = new Date(START.getTime() + 59 * DAY);
    double.test.actors.dispute(ref);
    expect(await port.getCheckout(ref)).toMatchObject({
      status: 'paid',
      disputes: [{ kind: 'chargeback', status: 'lost', amountCents: 500_000, evidenceDueAt: null }],
    });
  });

  test('a payment is pending in the balance until Stripe makes it available', async () => {
    double.test.account.availableAfterSeconds = 2 * 86_400;
    const ref = await open('sale:a', cheap);
    double.test.actors.pay(ref);
    expect(await port.balance()).toEqual({ availableCents: 0, pendingCents: 485_470 });
    now = new Date(START.getTime() + 2 * DAY);
    expect(await port.balance()).toEqual({ availableCents: 485_470, pendingCents: 0 });
  });

  test('money in another currency is listed, and no part of the balance', async () => {
    double.test.account.books.record({
      type: 'charge',
      reporting_category: 'charge',
      amount: 9_000,
      currency: 'eur',
      source: null,
    });
    expect(await port.balance()).toEqual({ availableCents: 0, pendingCents: 0 });
    expect((await port.listTransactions({ since: START })).transactions).toMatchObject([
      { kind: 'payment', amountCents: 9_000, currency: 'eur' },
    ]);
  });

  test('evidence goes into the fields that Stripe has for it, its files by upload', async () => {
    const ref = await open('sale:a');
    double.test.actors.pay(ref);
    const disputeRef = double.test.actors.dispute(ref);
    const texts = {
      productDescription: '12 Elm Street',
      customerName: 'Bo Buyer',
      customerEmail: 'buyer@acre.test',
      customerPurchaseIp: '192.0.2.7',
      serviceDate: 'November 20, 2026',
      accessLog: 'signed in',
      refundPolicyDisclosure: 'shown before payment',
      refundRefusalExplanation: 'delivered',
      statement: 'The buyer moved in.',
    };
    const bytes = new TextEncoder().encode('%PDF-1.7');
    const contentType = 'application/pdf' as const;
    const files = [
      { kind: 'service_documentation' as const, name: 'deed.pdf', contentType, bytes },
      { kind: 'other' as const, name: 'more.pdf', contentType, bytes },
    ];
    await port.submitEvidence?.({ disputeRef, texts, files }, 'evidence:a');
    const uploaded = [...double.test.account.files.values()];
    expect(uploaded).toMatchObject([
      { purpose: 'dispute_evidence', filename: 'deed.pdf', size: 8 },
      { purpose: 'dispute_evidence', filename: 'more.pdf', size: 8 },
    ]);
    expect(double.test.account.disputes.get(disputeRef)).toMatchObject({
      status: 'under_review',
      evidence: {
        product_description: '12 Elm Street',
        customer_name: 'Bo Buyer',
        customer_email_address: 'buyer@acre.test',
        customer_purchase_ip: '192.0.2.7',
        service_date: 'November 20, 2026',
        access_activity_log: 'signed in',
        refund_policy_disclosure: 'shown before payment',
        refund_refusal_explanation: 'delivered',
        uncategorized_text: 'The buyer moved in.',
        service_documentation: uploaded.find(({ filename }) => filename === 'deed.pdf')?.id,
        uncategorized_file: uploaded.find(({ filename }) => filename === 'more.pdf')?.id,
      },
    });
  });

  test('a refund reason is sent as such if Stripe knows it, else in the metadata', async () => {
    const ref = await open('sale:a');
    double.test.actors.pay(ref);
    await port.refund({ ref, amountCents: 100, reason: 'requested_by_customer' }, 'refund:a');
    await port.refund({ ref, amountCents: 200, reason: 'The roof is gone' }, 'refund:b');
    const kept = [...double.test.account.refunds.values()].map(({ reason, metadata }) => [
      reason,
      metadata.reason,
    ]);
    expect(kept).toEqual([
      ['requested_by_customer', 'requested_by_customer'],
      [null, 'The roof is gone'],
    ]);
    expect((await port.getCheckout(ref)).refunds).toMatchObject([
      { key: 'refund:b', status: 'succeeded', amountCents: 200 },
      { key: 'refund:a', status: 'succeeded', amountCents: 100 },
    ]);
  });

  test('a succeeded refund can still fail', async () => {
    const ref = await open('sale:a');
    double.test.actors.pay(ref);
    const { ref: refundRef } = await port.refund({ ref, amountCents: 100, reason: 'asked' }, 'refund:a');
    double.test.actors.refunds.fail(refundRef);
    expect((await port.getCheckout(ref)).refunds).toMatchObject([{ ref: refundRef, status: 'failed' }]);
    expect(eventTypes().at(-1)).toBe('refund.failed');
  });

  test('test and live mode are separate', async () => {
    const live = portWith({ secretKey: double.live.secretKey });
    expect([port.livemode, live.livemode]).toEqual([false, true]);
    const ref = await open('sale:a');
    await expect(live.getCheckout(ref)).rejects.toMatchObject({ code: 'not_found' });
    const real = await live.createCheckout(request(), 'sale:a');
    expect(await live.getCheckout(real.ref)).toMatchObject({ livemode: true });
    double.live.actors.pay(real.ref);
    const event = double.signedWebhook(double.latestEvent(double.live, real.ref));
    expect(() => port.parseWebhook({ ...event, now })).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(live.parseWebhook({ ...event, now })).toMatchObject({ ref: real.ref });
  });

  test('an invalid key is rejected without being quoted', async () => {
    for (const secretKey of ['', 'pk_test_1', 'whsec_1', 'sk_test_', ' sk_live_1'])
      expect(() => portWith({ secretKey })).toThrow(expect.objectContaining({ code: 'auth' }));
    const secretKey = 'sk_test_51SomebodyElse';
    const refusal = await portWith({ secretKey })
      .check()
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'auth', retryable: false, cause: undefined });
    expect(String(refusal)).not.toContain('Else');
  });

  test("accepts what the SDK signs, and extracts checkout or payment from each of Stripe's objects", () => {
    const parse = (object: object, type = 'some.event') => {
      const data = { object };
      const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, livemode: false, data });
      const timestamp = now.getTime() / 1000;
      const secret = double.webhookSecret;
      const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
      const headers = new Headers({ 'stripe-signature': header });
      return port.parseWebhook({ rawBody: new TextEncoder().encode(payload), headers, now });
    };
    const session = { id: 'cs_test_1', object: 'checkout.session', payment_intent: null };
    expect(parse(session, 'checkout.session.expired')).toEqual({
      eventId: 'evt_1',
      type: 'checkout.session.expired',
      ref: 'cs_test_1',
      paymentRef: null,
    });
    for (const object of ['charge', 'refund', 'dispute'])
      expect(parse({ id: 'x_1', object, payment_intent: 'pi_1' })).toMatchObject({
        ref: null,
        paymentRef: 'pi_1',
      });
    expect(parse({ id: 'ch_1', object: 'charge', payment_intent: { id: 'pi_2' } }).paymentRef).toBe('pi_2');
    expect(parse({ id: 'pi_3', object: 'payment_intent' })).toMatchObject({ ref: null, paymentRef: 'pi_3' });
    expect(parse({ object: 'balance' })).toMatchObject({ ref: null, paymentRef: null });
    expect(() => parse([])).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});
