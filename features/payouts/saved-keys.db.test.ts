import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { removeFormerKeys } from '#features/payment-settings/commands/remove-former-keys.ts';
import { saveStripeKeys } from '#features/payment-settings/commands/save-stripe-keys.ts';
import { stripeConnection } from '#features/payment-settings/reads.ts';
import { processMessages } from '#features/payments/commands/process-messages.ts';
import { receivePayoutMessage } from '#features/payments/commands/receive-payout-message.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { openPayments } from '#gateways/payments/open.ts';
import { openStripeSetup } from '#gateways/payments/open-setup.ts';
import type { StripeSetup } from '#gateways/payments/stripe/setup-port.ts';
import { openPayouts } from '#gateways/payouts/open.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Actor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { type FakeStripe, startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';
import { checkSellerAccounts } from './commands/check-seller-accounts.ts';
import { connectStripe } from './commands/connect-stripe.ts';
import { savePayoutSettings } from './commands/save-payout-settings.ts';
import { sendPayout } from './commands/send-payout.ts';
import { startPayout } from './commands/start-payout.ts';
import { takeBackPayout } from './commands/take-back-payout.ts';
import { followPayoutMessage } from './follow-message.ts';
import { FOREIGN_ACCOUNT } from './seller-account.ts';

await describeOnDatabase('payouts with keys that administrators save', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let double: FakeStripe;
  let payouts: Awaited<ReturnType<typeof openPayouts>>;
  let stripeSetup: StripeSetup;
  let close: () => Promise<void>;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    const { now } = scenario.clock;
    double = await startFakeStripe({ now });
    // Its objects have other names than those of the first account.
    for (let count = 0; count < 1_000; count += 1) double.other.account.uniqueId('acct');
    const config = {
      ...testConfig,
      stripeApiBase: double.url,
      stripeConnect: { webhookSecrets: [double.webhookSecret] },
    };
    const payments = await openPayments(config, db, { now });
    payouts = await openPayouts(config, db, now);
    const reload = async () => {
      await payments.reload();
      await payouts.reload();
    };
    stripeSetup = openStripeSetup(config, { reload });
    close = async () => {
      payments.close();
      payouts.close();
      await double.stop();
    };
  });
  beforeEach(() => {
    for (const { sellers } of [double.test, double.other]) sellers.topUp(1_000_000_000);
  });
  afterAll(async () => {
    await close();
    await db.close();
  });

  type PayoutCtx = CtxWith<'payments' | 'payouts' | 'stripeSetup'>;
  const as = (actor: Actor): PayoutCtx => ({ ...scenario.contextFor(actor), payouts, stripeSetup });
  const admin = () => as({ ...scenario.admin, provedAt: scenario.clock.now() });
  const system = (): PayoutCtx => ({ ...scenario.system, payouts, stripeSetup });
  async function saveKeys(testSecret: string): Promise<void> {
    const { version: seen } = await stripeConnection(admin());
    const none = { testPublishable: '', livePublishable: '', liveSecret: '' };
    expect(await saveStripeKeys(admin(), { ...none, testSecret, seen })).toMatchObject({ ok: true });
  }
  const seller = () =>
    db
      .q()
      .selectFrom('agents')
      .selectAll()
      .where('id', '=', scenario.seller.agentId ?? '')
      .executeTakeFirstOrThrow();
  const payout = (saleId: string) =>
    db
      .q()
      .selectFrom('payouts as p')
      .leftJoin('provider_accounts as a', 'a.id', 'p.provider_account_id')
      .select(['p.id', 'p.provider', 'p.status', 'p.reversed_cents', 'a.account_ref'])
      .where('p.sale_id', '=', saleId)
      .executeTakeFirstOrThrow();

  /** The seller opens an account at Stripe, which can then be paid. */
  async function connect(mode: FakeStripe['test']): Promise<string> {
    expect(await connectStripe(as(scenario.seller))).toMatchObject({ ok: true });
    const { stripe_account_id: account } = await seller();
    mode.sellers.activate(account ?? '');
    await hear(mode.sellers.notifications.splice(0));
    expect(await savePayoutSettings(as(scenario.seller), { method: 'stripe' })).toMatchObject({ ok: true });
    await db.q().updateTable('agents').set({ payout_hold_until: null }).execute();
    expect(await seller()).toMatchObject({ stripe_transfers_active: true, payout_status: 'complete' });
    return account ?? '';
  }
  async function hear(events: object[]): Promise<void> {
    for (const event of events)
      expect(
        await receivePayoutMessage(system(), { provider: 'stripe-connect', ...double.signedWebhook(event) }),
      ).toBe(true);
    await processMessages(system(), (message) => followPayoutMessage(system(), message));
  }
  /** A sale that was released, and paid elsewhere. */
  async function released(): Promise<string> {
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    scenario.clock.advance(7 * DAY + HOUR);
    return saleId;
  }
  const start = (saleId: string) => startPayout(admin(), { saleId, runId: null, expectedCents: null });
  async function paid(): Promise<string> {
    const saleId = await released();
    const started = await start(saleId);
    if (!started.ok) throw new Error(started.refusal);
    await sendPayout(system(), started);
    return saleId;
  }
  async function refund(saleId: string, baseCents: number): Promise<void> {
    const asked = {
      saleId,
      baseCents,
      feesCents: 0,
      reason: 'The roof leaks.',
      idempotencyKey: randomUUID(),
    };
    expect(await refundSale(admin(), asked)).toMatchObject({ ok: true });
    await scenario.settle();
    scenario.clock.advance(HOUR);
    await scenario.settle();
    await scenario.sync(saleId);
  }

  it('are sent by Connect, and those of a former account are followed and taken back with its keys', async () => {
    expect(payouts.forMethod('stripe')?.provider).toBe('sandbox-connect');
    await saveKeys(double.test.secretKey);
    const account = await connect(double.test);
    const [returned, reversed, later] = [await paid(), await paid(), await paid()];
    const former = double.test.account.transfers;
    expect([...former.values()].map(({ destination }) => destination)).toEqual([account, account, account]);
    const ours = { provider: 'stripe-connect', account_ref: double.test.account.id };
    expect(await payout(returned)).toMatchObject({ ...ours, status: 'completed' });

    await saveKeys(double.other.secretKey);
    expect(await payouts.forMethod('stripe')?.account()).toBe(double.other.account.id);
    const [first] = former.keys();
    double.test.sellers.reverse(first ?? '');
    await hear(double.test.account.events.filter(({ type }) => type === 'transfer.reversed'));
    expect((await payout(returned)).status).toBe('failed');
    await refund(reversed, 100_000_00);
    await takeBackPayout(system(), { saleId: reversed });
    expect(await payout(reversed)).toMatchObject({ status: 'completed', reversed_cents: 80_000_00 });
    expect(double.other.account.transfers.size).toBe(0);
    expect((await payout(later)).status).toBe('completed');
    expect(await checkLedger(scenario.system)).toEqual([]);
  });

  it('go to no account that another account of ours has opened, and to the one that is connected instead', async () => {
    await saveKeys(double.test.secretKey);
    const former = await connect(double.test);
    await saveKeys(double.other.secretKey);
    const saleId = await released();
    expect(await start(saleId)).toEqual({ ok: false, refusal: 'account_inactive' });
    const [stripe_requirement, payout_status] = [FOREIGN_ACCOUNT, 'pending'];
    expect(await seller()).toMatchObject({ stripe_requirement, payout_status });
    expect(
      await savePayoutSettings(as(scenario.seller), { method: 'paypal', paypalEmail: 'paid@market.example' }),
    ).toMatchObject({ ok: true });
    expect(await savePayoutSettings(as(scenario.seller), { method: 'stripe' })).toMatchObject({
      errors: { method: 'Disconnect your Stripe account and connect it again first.' },
    });
    const account = await connect(double.other);
    expect(account).not.toBe(former);
    const started = await start(saleId);
    if (!started.ok) throw new Error(started.refusal);
    await sendPayout(system(), started);
    const sent = [...double.other.account.transfers.values()].map(({ destination }) => destination);
    expect(sent).toEqual([account]);
    expect(await payout(saleId)).toMatchObject({ account_ref: double.other.account.id, status: 'completed' });
  });

  it('tell sellers soon that they have to connect again', async () => {
    await saveKeys(double.test.secretKey);
    await connect(double.test);
    await saveKeys(double.other.secretKey);
    await checkSellerAccounts(system());
    const [stripe_requirement, stripe_transfers_active] = [FOREIGN_ACCOUNT, false];
    expect(await seller()).toMatchObject({ stripe_requirement, stripe_transfers_active });
  });

  it('keep the keys of a former account until what was sent with them has ended', async () => {
    await saveKeys(double.test.secretKey);
    await connect(double.test);
    const saleId = await released();
    const started = await start(saleId);
    if (!started.ok) throw new Error(started.refusal);
    await saveKeys(double.other.secretKey);
    const former = async () => (await stripeConnection(admin())).former.map(({ sales }) => sales);
    scenario.clock.advance(2 * DAY);
    await removeFormerKeys(system());
    expect(await former()).toEqual([1]);
    await sendPayout(system(), started);
    expect(await payout(saleId)).toMatchObject({ account_ref: double.test.account.id, status: 'completed' });
    await removeFormerKeys(system());
    expect(await former()).toEqual([]);
  });
});
