import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { processMessages } from '#features/payments/commands/process-messages.ts';
import { receivePayoutMessage } from '#features/payments/commands/receive-payout-message.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import { createPayPal } from '#gateways/payouts/paypal/provider.ts';
import type { Payouts } from '#gateways/payouts/port.ts';
import { createStripeConnect } from '#gateways/payouts/stripe/provider.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { type FakePayPal, startFakePayPal } from '#tests/support/providers/paypal/fake-paypal.ts';
import { type FakeStripe, startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';
import { connectStripe } from './commands/connect-stripe.ts';
import { sendPayout } from './commands/send-payout.ts';
import { startPayout } from './commands/start-payout.ts';
import { followPayoutMessage } from './follow-message.ts';

await describeOnDatabase('payouts by real providers', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let payouts: Payouts;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  const withPayouts = <C extends object>(ctx: C): C & CtxWith<'payouts'> =>
    ({ ...ctx, payouts }) as C & CtxWith<'payouts'>;
  const system = () => withPayouts(scenario.system);
  const setSeller = (set: object) =>
    db
      .q()
      .updateTable('agents')
      .set({ payout_hold_until: null, ...set })
      .where('id', '=', scenario.seller.agentId ?? '')
      .execute();
  const seller = () =>
    db
      .q()
      .selectFrom('agents')
      .selectAll()
      .where('id', '=', scenario.seller.agentId ?? '')
      .executeTakeFirstOrThrow();

  /** A payout that was sent; the sale was paid elsewhere, so it comes out of the balance. */
  async function sent(): Promise<{ saleId: string; key: string; amountCents: number }> {
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    scenario.clock.advance(7 * DAY + HOUR);
    const admin = withPayouts(scenario.contextFor({ ...scenario.admin, provedAt: scenario.clock.now() }));
    const started = await startPayout(admin, { saleId, runId: null, expectedCents: null });
    if (!started.ok) throw new Error(started.refusal);
    await sendPayout(system(), { payoutId: started.payoutId });
    return { saleId, key: `payout:${saleId}:1`, amountCents: started.amountCents };
  }
  const statusOf = async (saleId: string) => (await scenario.sale(saleId)).payout_status;
  /** Each message arrives twice, and is processed as it is in the background. */
  async function hear(
    provider: 'paypal' | 'stripe-connect',
    messages: { rawBody: Uint8Array; headers: Headers }[],
  ): Promise<void> {
    for (const message of messages) {
      expect(await receivePayoutMessage(system(), { provider, ...message })).toBe(true);
      expect(await receivePayoutMessage(system(), { provider, ...message })).toBe(false);
    }
    await processMessages(scenario.system, (message) => followPayoutMessage(system(), message));
    const open = db.q().selectFrom('provider_events').select('id').where('status', '=', 'received');
    expect(await open.execute()).toEqual([]);
  }

  describe('PayPal', () => {
    let double: FakePayPal;
    beforeEach(async () => {
      double = await startFakePayPal({ now: scenario.clock.now });
      double.ours.account.totalCents = 100_000_000;
      const { webhookId, url: apiBase, ours } = double;
      const port = createPayPal({ ...ours, webhookId, mode: 'sandbox', apiBase, now: scenario.clock.now });
      payouts = payoutsOf([port]);
      await setSeller({
        preferred_payout_method: 'paypal',
        paypal_email: 'paid@market.example',
        paypal_confirmed_at: scenario.clock.now(),
      });
    });
    afterEach(() => double.stop());

    const newMessages = () =>
      double.ours.account.events.splice(0).map((event) => double.signedWebhook(event));

    it('is complete when all items have arrived, and open again when one comes back', async () => {
      const { saleId, key, amountCents } = await sent();
      expect(await statusOf(saleId)).toBe('processing');
      const { account } = double.ours;
      const items = account.batchWith(key)?.items ?? [];
      expect(items.reduce((sum, { cents }) => sum + cents, 0)).toBe(amountCents);
      expect(items.length).toBeGreaterThan(1);
      const [first, ...others] = items.map(({ id }) => id);
      for (const id of others) account.settle(id, 'SUCCESS');
      await hear('paypal', newMessages());
      expect(await statusOf(saleId)).toBe('processing');
      account.settle(first ?? '', 'SUCCESS');
      await hear('paypal', newMessages());
      expect(await statusOf(saleId)).toBe('completed');
      account.settle(first ?? '', 'REFUNDED');
      await hear('paypal', newMessages());
      expect(await statusOf(saleId)).toBe('failed');
    });

    it('an answer that was lost is made good by sending again', async () => {
      double.faultSettings.fault = null;
      await payouts.forMethod('paypal')?.check();
      const saleId = await scenario.createPaidSale();
      await scenario.act(scenario.buyer, saleId, 'confirm_closing');
      scenario.clock.advance(7 * DAY + HOUR);
      const admin = withPayouts(scenario.contextFor({ ...scenario.admin, provedAt: scenario.clock.now() }));
      const started = await startPayout(admin, { saleId, runId: null, expectedCents: null });
      if (!started.ok) throw new Error(started.refusal);
      double.faultSettings.fault = 'lost';
      const send = () => sendPayout(system(), { payoutId: started.payoutId });
      await expect(send()).rejects.toMatchObject({ code: 'unavailable' });
      double.faultSettings.fault = null;
      scenario.clock.advance(3 * DAY);
      await send();
      expect(double.ours.account.batches).toHaveLength(1);
      double.ours.account.process(`payout:${saleId}:1`);
      await hear('paypal', newMessages());
      expect(await statusOf(saleId)).toBe('completed');
    });
  });

  describe('Stripe Connect', () => {
    let double: FakeStripe;
    beforeEach(async () => {
      double = await startFakeStripe({ now: scenario.clock.now });
      double.test.sellers.topUp(100_000_000);
      const port = createStripeConnect({
        secretKey: double.test.secretKey,
        webhookSecrets: [double.webhookSecret],
        apiBase: double.url,
        now: scenario.clock.now,
      });
      payouts = payoutsOf([port]);
    });
    afterEach(() => double.stop());

    it('a seller connects an account, is paid, and the payout is taken back at Stripe', async () => {
      await connectStripe(withPayouts(scenario.contextFor(scenario.seller)));
      const { stripe_account_id: account, stripe_transfers_active: active } = await seller();
      expect(account).toMatch(/^acct_/);
      expect(active).toBe(false);
      const { sellers, account: ours } = double.test;
      sellers.activate(account ?? '');
      await hear(
        'stripe-connect',
        sellers.notifications.splice(0).map((event) => double.signedWebhook(event)),
      );
      expect((await seller()).stripe_transfers_active).toBe(true);
      await setSeller({ preferred_payout_method: 'stripe' });

      const { saleId, key, amountCents } = await sent();
      expect(await statusOf(saleId)).toBe('completed');
      const [transfer, ...others] = ours.transfers.values();
      expect(others).toEqual([]);
      expect(transfer).toMatchObject({
        amount: amountCents,
        destination: account,
        transfer_group: `sale_${saleId}`,
        metadata: { payout: key },
      });
      sellers.reverse(transfer?.id ?? '');
      const reversed = ours.events.filter(({ type }) => type === 'transfer.reversed');
      await hear(
        'stripe-connect',
        reversed.map((event) => double.signedWebhook(event)),
      );
      expect(await statusOf(saleId)).toBe('failed');
    });
  });
});
