import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/durations.ts';
import { type FakeStripe, startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';
import { payoutsContract } from '../contract.ts';
import { type PayoutsFixture, payoutRequest, SALE_ID } from '../contract-fixture.ts';
import type { PayoutsPort } from '../port.ts';
import { createStripeConnect } from './provider.ts';

const START = new Date('2026-11-20T12:00:00Z');

payoutsContract('Stripe Connect', async (): Promise<PayoutsFixture> => {
  let now = START;
  const clock = { now: () => now };
  const double = await startFakeStripe(clock);
  const another = await startFakeStripe({ ...clock, accountId: 'acct_1Another' });
  const { account, actors, sellers, openSession, secretKey } = double.test;
  const common = { secretKey, webhookSecrets: [double.webhookSecret], ...clock, callTimeoutMs: 4_000 };
  return {
    port: createStripeConnect({ ...common, apiBase: double.url }),
    otherKeys: createStripeConnect({ ...common, apiBase: another.url }),
    ...clock,
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    fund: async (cents) => sellers.topUp(cents),
    destination: async () => sellers.openAccount(),
    unknownDestination: 'acct_1Nobody',
    arrive: async () => undefined,
    takeBack: async (ref) => sellers.reverse(ref),
    async signedWebhook(about, secret) {
      const transfer = account.events.findLast(
        ({ data }) => (data.object as { metadata?: { payout?: string } }).metadata?.payout === about,
      );
      const event = transfer ?? sellers.notifications.findLast(({ related_object: { id } }) => id === about);
      if (!event) throw new Error('Nothing was said about this');
      return double.signedWebhook(event, secret);
    },
    sellers: {
      activate: async (ref) => sellers.activate(ref),
      demand: async (ref) => sellers.restrict(ref),
      payOut: async (ref) => sellers.payOut(ref),
      async pay(cents, availableAfterMs = 0) {
        account.availableAfterSeconds = availableAfterMs / 1000;
        const session = openSession(cents);
        actors.pay(session);
        return account.session(session).payment_intent ?? '';
      },
    },
    async stop() {
      await double.stop();
      await another.stop();
    },
  };
});

describe('Stripe Connect specifics', () => {
  let double: FakeStripe;
  let port: PayoutsPort;
  let now: Date;
  beforeEach(async () => {
    now = START;
    double = await startFakeStripe({ now: () => now });
    port = portWith({});
    double.test.sellers.topUp(10_000_000);
  });
  afterEach(() => double.stop());

  const portWith = (change: Partial<Parameters<typeof createStripeConnect>[0]>) =>
    createStripeConnect({
      secretKey: double.test.secretKey,
      webhookSecrets: [double.webhookSecret],
      apiBase: double.url,
      now: () => now,
      callTimeoutMs: 4_000,
      ...change,
    });
  const transfers = () => [...double.test.account.transfers.values()];
  const request = (attempt = 1) => payoutRequest(double.test.sellers.openAccount(), attempt);

  test('names sale and payout, and groups the transfer with the payments of the sale', async () => {
    const asked = request();
    await port.send(asked);
    expect(transfers()).toMatchObject([
      {
        amount: asked.amountCents,
        destination: asked.destination,
        transfer_group: `sale_${SALE_ID}`,
        metadata: { payout: asked.key, sale_id: SALE_ID },
        source_transaction: null,
      },
    ]);
  });

  test.each(['reset', 'lost', 500, 503, 429, 'garbage', 'half'] as const)(
    'after %s the same call pays once',
    async (fault) => {
      const asked = request();
      // The look-up of what was sent before, then the transfer, which the SDK repeats once.
      double.queuedFaults.push(null, fault, fault);
      await expect(port.send(asked)).rejects.toMatchObject({ retryable: true });
      double.queuedFaults.length = 0;
      expect(await port.send(asked)).toMatchObject({ status: 'paid', paidCents: asked.amountCents });
      expect(transfers()).toHaveLength(1);
    },
  );

  test('gives up in time when nobody answers, and pays once when it is asked again', async () => {
    const asked = request();
    const hasty = portWith({ callTimeoutMs: 300 });
    double.faultSettings.fault = 'silence';
    await expect(hasty.send(asked)).rejects.toMatchObject({ code: 'unavailable' });
    double.faultSettings.fault = null;
    await port.send(asked);
    expect(transfers()).toHaveLength(1);
  });

  test('a payout that was sent days ago is not sent again when its key is forgotten', async () => {
    const asked = request();
    const first = await port.send(asked);
    now = new Date(START.getTime() + 3 * DAY);
    expect(await port.send(asked)).toMatchObject({ items: first.items });
    expect(transfers()).toHaveLength(1);
    await expect(port.send({ ...asked, amountCents: 999_999 })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('an answer that was lost between two parts is made good, without a part twice', async () => {
    const asked = { ...request(), amountCents: 150_000_000 };
    double.test.sellers.topUp(200_000_000);
    double.queuedFaults.push(null, null, 'lost', 'lost');
    await expect(port.send(asked)).rejects.toMatchObject({ retryable: true });
    const sentAt = now;
    expect(await port.find({ key: asked.key, ref: null, sentAt })).toMatchObject({ status: 'paid' });
    now = new Date(START.getTime() + 25 * HOUR);
    expect(await port.send(asked)).toMatchObject({ status: 'paid', paidCents: 150_000_000 });
    expect(transfers().map(({ amount }) => amount)).toEqual([99_999_999, 50_000_001]);
  });

  test('attempts of one sale are told apart', async () => {
    const first = request(1);
    const second = request(2);
    await port.send(first);
    await port.send(second);
    const sentAt = now;
    const found = await port.find({ key: first.key, ref: null, sentAt });
    expect(found?.items).toHaveLength(1);
    expect(found?.items[0]?.ref).toBe(transfers()[0]?.id);
  });

  test('draws on the charge of a payment', async () => {
    const session = double.test.openSession(2_000_000);
    double.test.actors.pay(session);
    const paymentRef = double.test.account.session(session).payment_intent ?? '';
    const asked = { ...request(), sources: [{ paymentRef, amountCents: 1_000_000 }] };
    await port.send(asked);
    expect(transfers()[0]?.source_transaction).toMatch(/^ch_/);
    const unknown = { ...request(2), sources: [{ paymentRef: 'pi_1Nothing', amountCents: 1_000_000 }] };
    expect(await port.send(unknown)).toMatchObject({ status: 'failed', failure: 'other', items: [] });
  });

  test('what was taken back is not taken back again days later, however much was since', async () => {
    const asked = request();
    const payoutKey = asked.key;
    await port.send(asked);
    const takeBack = (at: number) => port.reverse?.({ payoutKey, amountCents: 100 }, `reverse:${at}`);
    const first = await takeBack(0);
    for (let at = 1; at <= 11; at++) await takeBack(at);
    now = new Date(START.getTime() + 2 * DAY);
    expect(await takeBack(0)).toEqual(first);
    expect(await port.find({ key: asked.key, ref: null, sentAt: START })).toMatchObject({
      paidCents: asked.amountCents - 1_200,
    });
  });

  test.each([
    ['requirements_past_due', 'Stripe needs more information about you.'],
    ['requirements_pending_verification', 'Stripe is verifying what you have submitted.'],
    ['determining_status', 'Stripe is reviewing your account.'],
    ['rejected_listed', 'Stripe has rejected this account. Please contact Stripe.'],
    ['unsupported_country', 'Stripe does not support this kind of account.'],
    ['something_new', 'Complete the setup of your Stripe account.'],
  ])('says in words what an account lacks: %s', async (code, requirement) => {
    const ref = double.test.sellers.openAccount();
    double.test.sellers.restrict(ref, code);
    expect(await port.onboarding?.state(ref)).toEqual({ ref, transfersActive: false, requirement });
  });

  test('hears messages of each of its endpoints, in its own mode only', async () => {
    const ref = double.test.sellers.openAccount();
    double.test.sellers.activate(ref);
    const [notification] = double.test.sellers.notifications;
    if (!notification) throw new Error('Nothing was said');
    const several = portWith({ webhookSecrets: ['whsec_first', double.webhookSecret] });
    const hear = (by: PayoutsPort, event: object, secret?: string) =>
      by.parseWebhook({ ...double.signedWebhook(event, secret), now });
    expect(await hear(several, notification)).toMatchObject({ account: ref, payoutKey: null });
    expect(await hear(several, notification, 'whsec_first')).toMatchObject({ account: ref });
    await expect(hear(several, notification, 'whsec_third')).rejects.toMatchObject({ code: 'bad_signature' });
    await expect(hear(portWith({ webhookSecrets: [] }), notification)).rejects.toMatchObject({
      code: 'bad_signature',
    });
    await expect(hear(several, { ...notification, livemode: true })).rejects.toMatchObject({
      code: 'invalid',
    });
    const classic = {
      id: 'evt_1',
      object: 'event',
      type: 'account.updated',
      livemode: false,
      account: ref,
      data: { object: { id: ref, object: 'account' } },
    };
    expect(await hear(several, classic)).toMatchObject({ account: ref, payoutKey: null });
  });

  test('an invalid key is refused without being quoted', async () => {
    for (const secretKey of ['', 'pk_test_1', 'sk_test_'])
      expect(() => portWith({ secretKey })).toThrow(expect.objectContaining({ code: 'auth' }));
    const refusal = await portWith({ secretKey: 'sk_test_51SomebodyElse' })
      .check()
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'auth', retryable: false });
    expect(String(refusal)).not.toContain('Else');
  });
});
