import { afterEach, beforeEach, expect, it } from 'vitest';
import { processMessages } from '#features/payments/commands/process-messages.ts';
import { receiveMessage } from '#features/payments/commands/receive-message.ts';
import { sweepSales } from '#features/payments/commands/sweep-sales.ts';
import { syncPayment } from '#features/payments/commands/sync-payment.ts';
import { reconcileAccounts } from '#features/reconciliation/commands/reconcile-accounts.ts';
import { createCoinbase } from '#gateways/payments/coinbase/provider.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { createSandbox } from '#gateways/payments/sandbox/provider.ts';
import { sandboxWebhookSecret } from '#gateways/payments/sandbox/rules.ts';
import { signWebhook } from '#gateways/payments/sandbox/webhook.ts';
import { createStripe } from '#gateways/payments/stripe/provider.ts';
import { createStripeTransfers } from '#gateways/payments/stripe/transfers.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { withPortOverrides } from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testConfig } from '#tests/support/fixtures/context.ts';
import {
  checkoutTarget,
  createSaleScenario,
  paymentsOf,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { type FakeCoinbase, startFakeCoinbase } from '#tests/support/providers/coinbase/fake-coinbase.ts';
import { type FakeStripe, startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';
import { cancelCheckout } from './commands/cancel-checkout.ts';
import { openCheckout } from './commands/open-checkout.ts';

// End to end with the real adapters, against test doubles that follow the providers' rules and sign with their algorithms.
await describeOnDatabase('a purchase with the real provider adapters', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let stripe: FakeStripe;
  let coinbase: FakeCoinbase;
  // A database per test: the doubles restart their reference numbers.
  beforeEach(async () => {
    const clock = testClock();
    db = await open();
    stripe = await startFakeStripe({ now: clock.now, refunds: 'pending' });
    coinbase = await startFakeCoinbase({ now: clock.now });
    const atStripe = {
      secretKey: stripe.test.secretKey,
      webhookSecret: stripe.webhookSecret,
      apiBase: stripe.url,
      now: clock.now,
    };
    const providers = paymentsOf(
      createStripe(atStripe),
      createStripeTransfers(atStripe),
      createCoinbase({
        ...coinbase.keys.ed25519,
        webhookSecret: coinbase.webhookSecret,
        apiBase: coinbase.sandbox.base,
        now: clock.now,
      }),
    );
    // Coinbase redirects back to https only.
    scenario = await createSaleScenario(db, { clock, providers, publicUrl: 'https://market.example' });
  });
  afterEach(async () => {
    await Promise.all([stripe.stop(), coinbase.stop()]);
    await db.close();
  });

  const begun = async (method: 'card' | 'crypto', price_cents = 400_000_00) => {
    const propertyId = await scenario.createListing({ price_cents });
    const sale = await scenario.begin(scenario.buyer, propertyId, method);
    const saleId = sale.ok ? sale.saleId : '';
    const opened = await openCheckout(scenario.contextFor(scenario.buyer), checkoutTarget(saleId));
    expect(opened).toMatchObject({ ok: true });
    return { propertyId, saleId, ref: (await scenario.sale(saleId)).provider_session_id ?? '' };
  };
  /** Delivers the newest message about a payment `times` times and processes everything that is waiting. */
  const deliver = async (method: 'card' | 'crypto', ref: string, times = 1) => {
    const { rawBody, headers } =
      method === 'card'
        ? stripe.signedWebhook(stripe.latestEvent(stripe.test, ref))
        : coinbase.signedWebhook(coinbase.latestEvent(coinbase.sandbox.account, ref));
    for (let time = 0; time < times; time++)
      await receiveMessage(scenario.system, {
        provider: method === 'card' ? 'stripe' : 'coinbase',
        rawBody,
        headers,
      });
    await processMessages(scenario.system);
  };

  it('by card at Stripe: one message delivered three times is one payment with its fee', async () => {
    const { propertyId, saleId, ref } = await begun('card');
    stripe.test.actors.pay(ref);
    await deliver('card', ref, 3);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    expect(await scenario.propertyStatus(propertyId)).toBe('escrow');
    const sale = await scenario.sale(saleId);
    expect(sale).toMatchObject({ provider: 'stripe', livemode: false });
    expect(sale.stripe_payment_intent_id).toMatch(/^pi_/);
    expect(sale.provider_fee_cents).toBeGreaterThan(0);
    expect(await scenario.events(saleId)).toEqual(['begin', 'confirm_payment']);
    const stored = await db
      .q()
      .selectFrom('provider_events')
      .select(['status', 'attempts'])
      .where('ref', '=', ref)
      .execute();
    expect(stored).toEqual([{ status: 'processed', attempts: 1 }]);
  });

  it('by bank transfer at Stripe: submitted, then paid, then disputed by the bank', async () => {
    const { saleId, ref } = await begun('card');
    stripe.test.actors.submitTransfer(ref);
    await deliver('card', ref);
    expect(await scenario.state(saleId)).toBe('processing/pending/');
    stripe.test.actors.settleTransfer(ref);
    await deliver('card', ref);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    stripe.test.actors.dispute(ref);
    await deliver('card', ref);
    expect((await scenario.events(saleId)).slice(0, 4)).toEqual([
      'begin',
      'submit_payment',
      'confirm_payment',
      'open_dispute',
    ]);
  });

  it('in parts by bank transfer at Stripe: each part heard of, cancelled, refunded, and the books agree', async () => {
    const { propertyId, saleId, ref } = await begun('card', 2_400_000_00);
    const { account, actors } = stripe.test;
    let heard = 0;
    const hearAll = async () => {
      for (const event of account.events.slice(heard))
        await receiveMessage(scenario.system, { provider: 'stripe', ...stripe.signedWebhook(event) });
      heard = account.events.length;
      await processMessages(scenario.system);
    };
    const instructions = async () => (await scenario.sale(saleId)).checkout_url;
    const first = await instructions();
    actors.transfers.send(ref, 999_999_99);
    await hearAll();
    expect(await scenario.state(saleId)).toBe('processing/pending/');
    expect(await instructions()).not.toBe(first);
    actors.transfers.send(ref, 999_999_99);
    actors.transfers.send(ref, 400_000_02);
    await hearAll();
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    expect(await scenario.sale(saleId)).toMatchObject({
      provider: 'stripe-transfers',
      paid_with: 'transfer',
    });
    expect(await scenario.propertyStatus(propertyId)).toBe('escrow');
    await scenario.act(scenario.admin, saleId, 'cancel_sale', 'Both want out');
    await scenario.settle();
    for (const { id } of account.refunds.values()) actors.refunds.settle(id);
    await hearAll();
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect(await scenario.refunds(saleId)).toMatchObject([
      { amount_cents: 2_400_000_00, status: 'succeeded' },
    ]);
    const results = await reconcileAccounts(scenario.system, { syncSale: () => Promise.resolve() });
    expect(results.map(({ provider }) => provider).toSorted()).toEqual(['coinbase', 'stripe']);
    scenario.clock.advance(2 * DAY);
    for (const result of await reconcileAccounts(scenario.system, { syncSale: () => Promise.resolve() }))
      expect(result).toMatchObject({ opened: 0, balance: { pendingCents: 0, unexplainedCents: 0 } });
  });

  it('in parts, cancelled with a part half sent, whose return Stripe did not answer: it is returned before the sale ends', async () => {
    const { saleId, ref } = await begun('card', 2_400_000_00);
    const { account, actors } = stripe.test;
    actors.transfers.send(ref, 500_000_00);
    const held = () => account.customers.get(ref)?.cashCents;
    // The customer and the payments, three that are closed, both again; then the return and its retry.
    stripe.queuedFaults.push(...Array.from({ length: 7 }, () => null), 'reset', 'reset');
    const cancel = () => cancelCheckout(scenario.contextFor(scenario.buyer), { saleId });
    await expect(cancel()).rejects.toMatchObject({ code: 'unavailable' });
    expect(held()).toBe(500_000_00);
    scenario.clock.advance(MINUTE);
    for (const event of account.events)
      await receiveMessage(scenario.system, { provider: 'stripe', ...stripe.signedWebhook(event) });
    await processMessages(scenario.system);
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    expect(held()).toBe(0);
  });

  it('in parts, half sent, whose return Stripe did not answer until the sale had ended: it is returned afterwards', async () => {
    const { saleId, ref } = await begun('card', 2_400_000_00);
    const { account, actors } = stripe.test;
    actors.transfers.send(ref, 500_000_00);
    const held = () => account.customers.get(ref)?.cashCents;
    let calls = 0;
    const payments = withPortOverrides(scenario.payments, (port) => ({
      async cancelCheckout(...call) {
        if (calls++ > 0) throw new PaymentError('unavailable', 'No answer');
        // The customer and the payments, three that are closed, both again; then the return and its retry.
        stripe.queuedFaults.push(...Array.from({ length: 7 }, () => null), 'reset', 'reset');
        return port.cancelCheckout(...call);
      },
    }));
    const { locked_until: deadline } = await scenario.sale(saleId);
    scenario.clock.advance(Number(deadline) - scenario.clock.now().getTime() + MINUTE);
    await sweepSales({ ...scenario.system, payments });
    expect([await scenario.state(saleId), held()]).toEqual(['pending/pending/', 500_000_00]);
    scenario.clock.advance(DAY);
    await sweepSales({ ...scenario.system, payments });
    expect([await scenario.state(saleId), held()]).toEqual(['failed/cancelled/', 500_000_00]);
    await scenario.sync(saleId);
    expect([await scenario.state(saleId), held()]).toEqual(['failed/cancelled/', 0]);
  });

  it.each([
    { sent: [500_000_00], ends: 'failed/cancelled/', refunds: [] },
    { sent: [800_000_00, 500_000_00], ends: 'completed/cancelled/', refunds: [800_000_00] },
  ])(
    'in parts, half sent, and no answer of Stripe until the sale had ended: $sent cents go back afterwards',
    async ({ sent, ends, refunds }) => {
      const { saleId, ref } = await begun('card', 2_400_000_00);
      const { account, actors } = stripe.test;
      for (const cents of sent) actors.transfers.send(ref, cents);
      const silent = () => Promise.reject(new PaymentError('unavailable', 'No answer'));
      const payments = withPortOverrides(scenario.payments, () => ({
        getCheckout: silent,
        cancelCheckout: silent,
      }));
      const { locked_until: deadline } = await scenario.sale(saleId);
      scenario.clock.advance(Number(deadline) - scenario.clock.now().getTime() + MINUTE);
      await sweepSales({ ...scenario.system, payments });
      scenario.clock.advance(DAY);
      await sweepSales({ ...scenario.system, payments });
      expect(await scenario.state(saleId)).toBe('failed/cancelled/');
      await scenario.sync(saleId);
      await scenario.settle();
      expect([await scenario.state(saleId), account.customers.get(ref)?.cashCents]).toEqual([ends, 0]);
      expect([...account.intents.values()].filter(({ status }) => status === 'requires_action')).toEqual([]);
      expect([...account.refunds.values()].map(({ amount }) => amount)).toEqual(refunds);
    },
  );

  it('in parts, paid in full just when it was to be closed after its end: all of it goes back', async () => {
    const { saleId, ref } = await begun('card', 2_400_000_00);
    const { actors } = stripe.test;
    const silent = () => Promise.reject(new PaymentError('unavailable', 'No answer'));
    const unheard = withPortOverrides(scenario.payments, () => ({ getCheckout: silent }));
    scenario.clock.advance(8 * DAY);
    await sweepSales({ ...scenario.system, payments: unheard });
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    const overtaken = withPortOverrides(scenario.payments, (port) => ({
      cancelCheckout(...call) {
        for (let part = 0; part < 3; part++) actors.transfers.send(ref, 800_000_00);
        return port.cancelCheckout(...call);
      },
    }));
    await syncPayment({ ...scenario.system, payments: overtaken }, { saleId });
    expect(await scenario.state(saleId)).toBe('completed/cancelled/');
    expect(await scenario.refunds(saleId)).toMatchObject([{ status: 'pending', amount_cents: 2_400_000_00 }]);
  });

  it('payments of other customers of the account at Stripe have nothing to do with us', async () => {
    const { account } = stripe.test;
    const payment = { id: 'pi_other', object: 'payment_intent', customer: 'cus_other' };
    const other = {
      object: 'customer',
      created: 0,
      livemode: false,
      email: null,
      metadata: {},
      cashCents: 0,
    } as const;
    account.customers.set('cus_other', { id: 'cus_other', ...other });
    account.recordEvent('payment_intent.succeeded', payment);
    account.recordEvent('payment_intent.succeeded', { ...payment, customer: 'cus_unknown' });
    for (const event of account.events)
      await receiveMessage(scenario.system, { provider: 'stripe', ...stripe.signedWebhook(event) });
    await processMessages(scenario.system);
    const stored = db.q().selectFrom('provider_events').select('status');
    expect(await stored.execute()).toEqual([{ status: 'ignored' }, { status: 'ignored' }]);
  });

  it('nor have paid checkouts of another system in the account, unlike one that names a sale that is not there', async () => {
    const { account, actors } = stripe.test;
    const { ref } = await begun('card');
    const own = account.session(ref);
    const foreign = { ...own, id: 'cs_of_a_shop', client_reference_id: 'order 7', metadata: {} };
    const lost = { ...own, id: 'cs_of_a_lost_sale' };
    for (const session of [foreign, lost]) {
      account.sessions.set(session.id, session);
      actors.pay(session.id);
      await deliver('card', session.id);
    }
    const stored = db.q().selectFrom('provider_events').select(['ref', 'status']).orderBy('id');
    expect(await stored.execute()).toEqual([
      { ref: 'cs_of_a_shop', status: 'ignored' },
      { ref: 'cs_of_a_lost_sale', status: 'received' },
    ]);
  });

  it('in parts by bank transfer at Stripe, not complete in time: all of it goes back', async () => {
    const { propertyId, saleId, ref } = await begun('card', 2_400_000_00);
    stripe.test.actors.transfers.send(ref, 999_999_99);
    stripe.test.actors.transfers.send(ref, 5_000_00);
    await scenario.sync(saleId);
    scenario.clock.advance(7 * DAY + 11 * MINUTE);
    await scenario.settle();
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('completed/cancelled/');
    expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ ok: true });
    expect(stripe.test.account.customers.get(ref)?.cashCents).toBe(0);
    for (const { id } of stripe.test.account.refunds.values()) stripe.test.actors.refunds.settle(id);
    await scenario.sync(saleId);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect(await scenario.refunds(saleId)).toMatchObject([{ amount_cents: 800_000_00 }]);
  });

  it('in USDC at Coinbase, and refunded when both sides agree', async () => {
    const { propertyId, saleId, ref } = await begun('crypto', 1_500_000_00);
    coinbase.sandbox.account.pay(ref);
    await deliver('crypto', ref);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    expect((await scenario.sale(saleId)).tx_hash).toMatch(/^0x/);
    await scenario.act(scenario.buyer, saleId, 'request_cancellation');
    await scenario.act(scenario.seller, saleId, 'agree_cancellation');
    await scenario.settle();
    const [refund] = await scenario.refunds(saleId);
    expect(refund).toMatchObject({ status: 'pending', amount_cents: 1_500_000_00 });
    coinbase.sandbox.account.settleRefund(refund?.provider_ref ?? '');
    await deliver('crypto', ref);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect(await scenario.propertyStatus(propertyId)).toBe('Active');
  });

  it('cancelled by the buyer: closed at the provider first; if just paid, the payment stands', async () => {
    const left = await begun('card');
    expect(await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId: left.saleId })).toEqual({
      ok: true,
    });
    expect(() => stripe.test.actors.pay(left.ref)).toThrow();
    const paid = await begun('card');
    stripe.test.actors.pay(paid.ref);
    const answer = await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId: paid.saleId });
    expect(answer).toEqual({ ok: false, reason: 'not_now' });
    expect(await scenario.state(paid.saleId)).toBe('completed/in_escrow/');
  });

  it('the response to opening a checkout is lost: nothing can be paid, and the next purchase works', async () => {
    const propertyId = await scenario.createListing();
    const sale = await scenario.begin(scenario.buyer, propertyId, 'card');
    stripe.faultSettings.fault = 'reset';
    const opened = await openCheckout(
      scenario.contextFor(scenario.buyer),
      checkoutTarget(sale.ok ? sale.saleId : ''),
    );
    expect(opened).toEqual({ ok: false, reason: 'provider_down' });
    stripe.faultSettings.fault = null;
    const again = await scenario.checkout(scenario.otherBuyer, propertyId);
    expect(await scenario.state(again.saleId)).toBe('pending/pending/');
  });

  it('by card at Stripe is still heard of after card payments moved to another provider', async () => {
    const { saleId, ref } = await begun('card');
    stripe.test.actors.pay(ref);
    const { secret } = testConfig;
    const sandbox = createSandbox({
      db,
      method: 'card',
      secret,
      publicUrl: 'https://market.example',
      now: scenario.clock.now,
    });
    const switched = { ...scenario.system, payments: paymentsOf(sandbox, scenario.payments.of('stripe')) };
    expect(switched.payments.forMethod('card').provider).toBe('sandbox-card');
    const message = stripe.signedWebhook(stripe.latestEvent(stripe.test, ref));
    expect(await receiveMessage(switched, { provider: 'stripe', ...message })).toBe(true);
    await processMessages(switched);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
  });

  it('is not believed of Stripe when the sandbox signed the message', async () => {
    const { ref } = await begun('card');
    const event = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: { id: ref, object: 'checkout.session' } },
    });
    const delivery = {
      method: 'card' as const,
      event_id: 'evt_1',
      type: 'checkout.session.completed',
      payload: event,
    };
    const message = signWebhook(
      delivery,
      sandboxWebhookSecret(testConfig.secret, 'card'),
      scenario.clock.now(),
    );
    await expect(receiveMessage(scenario.system, { provider: 'stripe', ...message })).rejects.toMatchObject({
      code: 'bad_signature',
    });
  });
});
