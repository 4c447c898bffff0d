import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { cancelCheckout } from '#features/checkout/commands/cancel-checkout.ts';
import { checkLedger } from '#features/ledger/reads.ts';
import { saleView } from '#features/sales/reads.ts';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import { refundInDashboard, settleSandboxRefund } from '#gateways/payments/sandbox/settlement.ts';
import { sendTranche } from '#gateways/payments/sandbox/tranches.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  createReconciliationScenario,
  type ReconciliationScenario,
} from '#tests/support/fixtures/reconciliation-scenario.ts';
import { acceptMismatch, returnMismatch } from './commands/decide-mismatch.ts';
import { refundSale } from './commands/refund-sale.ts';
import { sendRefund } from './commands/send-refund.ts';
import { sweepSales } from './commands/sweep-sales.ts';

const CAP = 999_999_99;
const PRICE = 2_400_000_00;
const REST = PRICE - 2 * CAP;
/** 0.5 % of it, but at most $5.00 */
const FEE = 5_00;

await describeOnDatabase('payments in parts', (open) => {
  let db: Database;
  let scenario: ReconciliationScenario;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    scenario = await createReconciliationScenario(db);
  });
  afterAll(() => db.close());

  async function begun() {
    const propertyId = await scenario.createListing({ price_cents: PRICE });
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
    const arrive = async (...amounts: number[]) => {
      for (const cents of amounts) await sendTranche(db, ref, cents, scenario.clock.now());
      await scenario.sync(saleId);
    };
    return { propertyId, saleId, ref, arrive };
  }
  const books = async (saleId: string) =>
    (await checkLedger(scenario.contextFor(scenario.admin))).filter(({ subject }) =>
      subject.includes(saleId),
    );
  /** The provider's books and ours agree. */
  async function expectReconciled(saleId: string) {
    await scenario.reconcile();
    scenario.letADayPass();
    const balance = { pendingCents: 0, unexplainedCents: 0 };
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({ opened: 0, balance });
    expect(await scenario.breaks(saleId)).toEqual([]);
    expect(await books(saleId)).toEqual([]);
  }
  /** What the jobs do about one sale; those of other tests are on other accounts. */
  async function settle(saleId: string) {
    await processDue(db, scenario.clock.now());
    for (const { id, status } of await scenario.refunds(saleId))
      if (status === 'pending') await sendRefund(scenario.system, { refundId: id });
    await sweepSales(scenario.system);
  }
  async function settleRefunds(saleId: string, outcome: 'succeeded' | 'failed' = 'succeeded') {
    await settle(saleId);
    for (const ref of await partsOf(saleId))
      await settleSandboxRefund(db, ref, outcome, scenario.clock.now());
    await scenario.sync(saleId);
  }
  async function partsOf(saleId: string): Promise<string[]> {
    const rows = await db
      .q()
      .selectFrom('sandbox_refunds as r')
      .innerJoin('sandbox_checkouts as c', 'c.ref', 'r.checkout_ref')
      .select('r.ref')
      .where('c.sale_id', '=', saleId)
      .where('r.status', '=', 'pending')
      .orderBy('r.amount_cents', 'desc')
      .orderBy('r.tranche_ref')
      .execute();
    return rows.map(({ ref }) => ref);
  }

  it.each([
    { amounts: [CAP, CAP, REST], fees: 3 * FEE },
    { amounts: [500_00, CAP, CAP, REST - 500_00], fees: 2_50 + 3 * FEE },
  ])('$amounts complete the payment', async ({ amounts, fees }) => {
    const { saleId, propertyId, arrive } = await begun();
    await arrive(...amounts);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    expect(await scenario.propertyStatus(propertyId)).toBe('escrow');
    expect(await scenario.accountBalances(saleId)).toMatchObject({
      clearing: PRICE - fees,
      escrow_held: -PRICE,
    });
    expect(await scenario.sale(saleId)).toMatchObject({
      paid_with: 'transfer',
      provider: 'sandbox-transfers',
    });
    await expectReconciled(saleId);
  });

  it('each part is posted when it arrives, keeps the property, and tells both sides what is missing', async () => {
    const { saleId, propertyId, arrive } = await begun();
    const tomorrow = new Date(scenario.clock.now().getTime() + DAY);
    expect((await scenario.sale(saleId)).locked_until).toEqual(tomorrow);
    const view = () => saleView(scenario.contextFor(scenario.buyer), saleId);
    expect(await view()).toMatchObject({
      receivedCents: 0,
      checkoutUrl: expect.stringContaining('/sandbox/checkout/cus_'),
      next: { who: 'buyer', text: expect.stringContaining('Send your first bank transfer') },
    });
    scenario.clock.advance(HOUR);
    await arrive(CAP);
    const until = new Date(scenario.clock.now().getTime() + 7 * DAY);
    scenario.clock.advance(HOUR);
    await arrive(CAP);
    await arrive();
    expect(await scenario.state(saleId)).toBe('processing/pending/');
    expect(await scenario.propertyStatus(propertyId)).toBe('Active');
    expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({
      reason: 'in_progress',
      until,
    });
    expect(await scenario.accountBalances(saleId)).toEqual({
      clearing: 2 * (CAP - FEE),
      processing_cost: 2 * FEE,
      suspense: -2 * CAP,
    });
    expect(await scenario.events(saleId)).toEqual(['begin', 'receive_part', 'receive_part']);
    expect(await view()).toMatchObject({
      receivedCents: 2 * CAP,
      checkoutUrl: expect.any(String),
      next: {
        who: 'buyer',
        text: 'Part of the payment has arrived: $1,999,999.98 of $2,400,000.00. The rest is due.',
        by: until.toISOString(),
      },
    });
    const { text_body: mail = '' } = await newestMail(scenario.buyer.email);
    expect(mail).toContain('$999,999.99 has arrived. $400,000.02 is missing and due by');
    expect(mail).toContain(until.toUTCString());
    expect(await scenario.mailsTo(scenario.seller.email)).toHaveLength(2);
    await expectReconciled(saleId);
    await arrive(REST);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
  });

  it('an older answer after a newer one, and each of them twice, change nothing', async () => {
    const { saleId, ref, arrive } = await begun();
    const port = scenario.payments.forMethod('card', PRICE);
    const answers = [await port.getCheckout(ref)];
    for (const cents of [CAP, CAP, REST]) {
      await sendTranche(db, ref, cents, scenario.clock.now());
      answers.push(await port.getCheckout(ref));
    }
    await arrive();
    const before = await scenario.accountBalances(saleId);
    for (const answer of [...answers, ...answers.toReversed()]) await scenario.apply(saleId, answer);
    expect(await scenario.accountBalances(saleId)).toEqual(before);
    expect(await scenario.events(saleId)).toEqual(['begin', 'confirm_payment']);
  });

  it('without a first transfer the hold ends after a day, with nothing to return', async () => {
    const { saleId, propertyId } = await begun();
    scenario.clock.advance(DAY - MINUTE);
    await settle(saleId);
    expect(await scenario.state(saleId)).toBe('pending/pending/');
    scenario.clock.advance(2 * MINUTE);
    await settle(saleId);
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ ok: true });
  });

  it('what is not complete at the deadline goes back whole, and the property is free', async () => {
    const { saleId, propertyId, arrive } = await begun();
    await arrive(CAP, CAP);
    scenario.clock.advance(7 * DAY - MINUTE);
    await settle(saleId);
    expect(await scenario.state(saleId)).toBe('processing/pending/');
    scenario.clock.advance(11 * MINUTE);
    await settle(saleId);
    expect(await scenario.state(saleId)).toBe('completed/cancelled/');
    expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ ok: true });
    expect((await scenario.sale(saleId)).sale_date).toBeNull();
    await settleRefunds(saleId);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect(await scenario.refunds(saleId)).toMatchObject([{ amount_cents: 2 * CAP, status: 'succeeded' }]);
    expect(await scenario.accountBalances(saleId)).toEqual({ clearing: -2 * FEE, processing_cost: 2 * FEE });
    const subject = 'We are sending your payment for';
    expect(await scenario.mailsTo(scenario.buyer.email)).toContainEqual(expect.stringContaining(subject));
    expect(await scenario.mailsTo(scenario.seller.email)).toContainEqual(
      expect.stringContaining('was not complete in time'),
    );
    await expectReconciled(saleId);
  });

  it('a part that arrived unheard is found when the hold ends', async () => {
    const { saleId, ref } = await begun();
    await sendTranche(db, ref, CAP, scenario.clock.now());
    scenario.clock.advance(DAY + MINUTE);
    await settle(saleId);
    expect(await scenario.state(saleId)).toBe('processing/pending/');
    scenario.clock.advance(7 * DAY + MINUTE);
    await settle(saleId);
    expect(await scenario.state(saleId)).toBe('completed/cancelled/');
  });

  it('the buyer can give it up, and gets back what has arrived, heard of or not', async () => {
    for (const heard of [true, false]) {
      const { saleId, ref, arrive } = await begun();
      await sendTranche(db, ref, CAP, scenario.clock.now());
      if (heard) await arrive();
      const buyer = scenario.contextFor(scenario.buyer);
      expect(await cancelCheckout(buyer, { saleId })).toEqual({ ok: true, returned: true });
      expect(await scenario.state(saleId)).toBe('completed/cancelled/');
      await settleRefunds(saleId);
      expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    }
    const { saleId, arrive } = await begun();
    await arrive(CAP, CAP, REST);
    const late = await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId });
    expect(late).toEqual({ ok: false, reason: 'not_now' });
  });

  it('while it is frozen the buyer cannot give it up, and is not told that everything goes back', async () => {
    const { saleId, ref, arrive } = await begun();
    await arrive(CAP);
    await refundInDashboard(db, ref, 1_000_00, scenario.clock.now());
    await scenario.sync(saleId);
    expect((await scenario.sale(saleId)).frozen_at).not.toBeNull();
    const given = await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId });
    expect(given).toEqual({ ok: false, reason: 'frozen' });
    // Its checkout is open still, for when an administrator has decided.
    await arrive(CAP);
    expect((await scenario.accountBalances(saleId)).suspense).toBe(-2 * CAP);
  });

  it('what is too much goes back, and the sale goes on', async () => {
    const { saleId, arrive } = await begun();
    await arrive(CAP, CAP, REST + 1_000_00);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    expect(await scenario.accountBalances(saleId)).toMatchObject({
      escrow_held: -PRICE,
      suspense: -1_000_00,
    });
    await settleRefunds(saleId);
    await arrive(700_00);
    await settleRefunds(saleId);
    expect(await scenario.refunds(saleId)).toMatchObject([
      { amount_cents: 1_000_00, status: 'succeeded' },
      { amount_cents: 700_00, status: 'succeeded' },
    ]);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    expect(await scenario.accountBalances(saleId)).toMatchObject({ escrow_held: -PRICE });
    await expectReconciled(saleId);
  });

  it('a transfer that arrives after the end is posted and goes back, however often', async () => {
    const { saleId, arrive } = await begun();
    await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId });
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    for (const cents of [CAP, 700_00]) {
      await arrive(cents);
      expect(await scenario.state(saleId)).toBe('completed/cancelled/');
      await settleRefunds(saleId);
      expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    }
    await arrive(300_00);
    await arrive(400_00);
    await settleRefunds(saleId);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    await expectReconciled(saleId);
  });

  it('a complete payment that comes too late is refunded like any other', async () => {
    const { saleId, ref, arrive, propertyId } = await begun();
    await db
      .q()
      .updateTable('properties')
      .set({ status: 'withdrawn' })
      .where('id', '=', propertyId)
      .execute();
    await sendTranche(db, ref, CAP, scenario.clock.now());
    await arrive(CAP, REST);
    expect(await scenario.events(saleId)).toEqual(['begin', 'confirm_refused_payment']);
    await settleRefunds(saleId);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect(await scenario.refunds(saleId)).toMatchObject([{ amount_cents: PRICE }]);
    await expectReconciled(saleId);
  });

  it('a sale that is cancelled in escrow, refunded in part before, returns all that is left', async () => {
    const { saleId, arrive } = await begun();
    await arrive(CAP, CAP, REST);
    const part = { saleId, baseCents: 1_500_000_00, feesCents: 0, reason: 'The roof', idempotencyKey: 'a' };
    expect(await refundSale(scenario.contextFor(scenario.admin), part)).toMatchObject({ ok: true });
    await settleRefunds(saleId);
    await scenario.act(scenario.admin, saleId, 'cancel_sale', 'Both want out');
    await settleRefunds(saleId);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect((await scenario.refunds(saleId)).map(({ amount_cents }) => amount_cents)).toEqual([
      1_500_000_00, 900_000_00,
    ]);
    await expectReconciled(saleId);
  });

  it('when a part of a refund fails, the rest counts as returned, and what failed is sent again', async () => {
    const { saleId, arrive } = await begun();
    await arrive(CAP, CAP, REST);
    await scenario.act(scenario.admin, saleId, 'cancel_sale', 'Both want out');
    await settle(saleId);
    const [failing = '', ...others] = await partsOf(saleId);
    await settleSandboxRefund(db, failing, 'failed', scenario.clock.now());
    for (const ref of others) await settleSandboxRefund(db, ref, 'succeeded', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await scenario.refunds(saleId)).toMatchObject([
      { amount_cents: PRICE - CAP, status: 'succeeded' },
      { amount_cents: CAP, status: 'pending' },
    ]);
    expect(await scenario.accountBalances(saleId)).toMatchObject({ escrow_held: -CAP });
    expect(await books(saleId)).toEqual([]);
    await settleRefunds(saleId);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    await expectReconciled(saleId);
  });

  it('a part of a refund that comes back later is sent again', async () => {
    const { saleId, arrive } = await begun();
    await arrive(CAP, CAP, REST);
    await scenario.act(scenario.admin, saleId, 'cancel_sale', 'Both want out');
    await settle(saleId);
    const parts = await partsOf(saleId);
    for (const ref of parts) await settleSandboxRefund(db, ref, 'succeeded', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    for (const ref of parts.slice(0, 2)) {
      await settleSandboxRefund(db, ref, 'failed', scenario.clock.now());
      await scenario.sync(saleId);
      expect(await scenario.state(saleId)).toBe('completed/cancelled/');
      await scenario.sync(saleId);
      expect(await books(saleId)).toEqual([]);
    }
    await settleRefunds(saleId);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect((await scenario.refunds(saleId)).map(({ amount_cents }) => amount_cents)).toEqual([
      REST,
      CAP,
      CAP,
    ]);
    await expectReconciled(saleId);
  });

  it('a payment that names another sale is set aside: accepted with what is too much sent back, or returned', async () => {
    for (const decide of [acceptMismatch, returnMismatch]) {
      const { saleId, ref, arrive } = await begun();
      for (const cents of [CAP, CAP, REST]) await sendTranche(db, ref, cents, scenario.clock.now());
      const checkout = await scenario.payments.forMethod('card', PRICE).getCheckout(ref);
      await scenario.apply(saleId, { ...checkout, saleId: null });
      expect(await scenario.sale(saleId)).toMatchObject({ frozen_at: expect.any(Date) });
      expect(await scenario.breaks(saleId)).toMatchObject([{ kind: 'payment_mismatch', actual: PRICE }]);
      await arrive(500_00);
      expect(await scenario.refunds(saleId)).toEqual([]);
      expect(await decide(scenario.contextFor(scenario.admin), { saleId, note: 'Looked at' })).toEqual({
        ok: true,
      });
      await settleRefunds(saleId);
      const accepted = decide === acceptMismatch;
      expect(await scenario.state(saleId)).toBe(accepted ? 'completed/in_escrow/' : 'refunded/cancelled/');
      expect(await scenario.refunds(saleId)).toMatchObject([
        { amount_cents: accepted ? 500_00 : PRICE + 500_00 },
      ]);
      expect(await books(saleId)).toEqual([]);
    }
  });

  it('messages about a transfer or a refund of it are found to be about its sale', async () => {
    const { saleId, ref } = await begun();
    await sendTranche(db, ref, CAP, scenario.clock.now());
    const sent = db.q().selectFrom('sandbox_deliveries').selectAll().where('ref', '=', ref);
    expect(await sent.execute()).toMatchObject([{ method: 'card', type: 'payment_intent.succeeded' }]);
    await scenario.sync(saleId);
    const { provider_payment_id } = await scenario.sale(saleId);
    const tranches = db.q().selectFrom('sale_tranches').select('provider_ref').where('sale_id', '=', saleId);
    expect(await tranches.execute()).toEqual([{ provider_ref: provider_payment_id }]);
  });

  async function newestMail(address: string) {
    return db
      .q()
      .selectFrom('mail_outbox')
      .select(['subject', 'text_body'])
      .where('to_address', '=', address)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
  }
});
