import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { HOLD_MS } from '#features/sales/model.ts';
import { receipt } from '#features/sales/reads.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import {
  payExpiredCrypto,
  settleSandbox,
  settleSandboxRefund,
} from '#gateways/payments/sandbox/settlement.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  chargeFees,
  createSaleScenario,
  failingCall,
  paymentsOf,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { sendRefund } from './commands/send-refund.ts';
import { applyCheckout, syncPayment } from './commands/sync-payment.ts';

const MINUTE = 60_000;

await describeOnDatabase('paying for a purchase', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  it.each(['card', 'crypto'] as const)(
    'by %s: escrow, ledger, receipt, provider fee, property and mails to both parties',
    async (method) => {
      const propertyId = await scenario.createListing({ price_cents: 300_000_00 });
      const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId, method);
      await scenario.actOnCheckoutPage(ref, 'pay');
      expect(await scenario.state(saleId)).toBe('pending/pending/');
      await scenario.sync(saleId);
      await scenario.sync(saleId);
      expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
      expect(await scenario.propertyStatus(propertyId)).toBe('escrow');
      const sale = await scenario.sale(saleId);
      expect(sale).toMatchObject({ sale_date: scenario.clock.now(), locked_until: null, checkout_url: null });
      const cost = sale.provider_fee_cents ?? 0;
      expect(cost).toBeGreaterThan(0);
      expect(await scenario.accountBalances(saleId)).toEqual({
        clearing: 304_995_00 - cost,
        processing_cost: cost,
        escrow_held: -300_000_00,
        fees_held: -4_995_00,
      });
      const buyerReceipt = await receipt(scenario.contextFor(scenario.buyer), saleId);
      expect(buyerReceipt).toMatchObject({
        totalCents: 304_995_00,
        basePriceCents: 300_000_00,
        method,
        sandbox: true,
      });
      expect(buyerReceipt.number).toMatch(/^ATP-\d{6}$/);
      if (method === 'crypto') expect(buyerReceipt.txHash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(await scenario.events(saleId)).toEqual(['begin', 'confirm_payment']);
      expect(await scenario.mailsTo(scenario.buyer.email)).toEqual([
        'Payment received: 48 Larkspur Lane is in escrow',
      ]);
      expect(await scenario.mailsTo(scenario.seller.email)).toEqual(['48 Larkspur Lane is in escrow']);
    },
  );

  it('is looked up by jobs alone: for others no provider is asked, and nothing is applied', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing(), 'card');
    const port = scenario.payments.forMethod('card');
    const checkout = await port.getCheckout(ref);
    for (const actor of [scenario.buyer, scenario.seller, scenario.admin]) {
      const ctx = {
        ...scenario.contextFor(actor),
        payments: paymentsOf({ ...port, getCheckout: failingCall('unavailable') }),
      };
      await expect(syncPayment(ctx, { saleId })).rejects.toMatchObject({ status: 403 });
      await expect(applyCheckout(ctx, { saleId, checkout })).rejects.toMatchObject({ status: 403 });
    }
  });

  it('by bank transfer: submitted, held for days, then paid', async () => {
    const propertyId = await scenario.createListing();
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
    await scenario.actOnCheckoutPage(ref, 'pay_later');
    await scenario.sync(saleId);
    expect(await scenario.state(saleId)).toBe('processing/pending/');
    expect((await scenario.sale(saleId)).locked_until?.getTime()).toBeGreaterThan(
      scenario.clock.now().getTime() + 5 * DAY,
    );
    expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ reason: 'in_progress' });
    await settleSandbox(db, ref, 'paid', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await scenario.events(saleId)).toEqual(['begin', 'submit_payment', 'confirm_payment']);
  });

  it('by bank transfer that bounces: failed, and the property is released', async () => {
    const propertyId = await scenario.createListing();
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
    await scenario.actOnCheckoutPage(ref, 'pay_later');
    await scenario.sync(saleId);
    await settleSandbox(db, ref, 'failed', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    expect(await scenario.accountBalances(saleId)).toEqual({});
    expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ ok: true });
  });

  it('must be the one of this checkout', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await scenario.actOnCheckoutPage(ref, 'pay');
    const truth = await scenario.payments.forMethod('card').getCheckout(ref);
    await scenario.apply(saleId, { ...truth, ref: 'cs_other' });
    expect(await scenario.state(saleId)).toBe('pending/pending/');
    await scenario.apply(saleId, truth);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
  });

  it('that arrives after the sale has ended is refunded automatically', async () => {
    const propertyId = await scenario.createListing();
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId, 'crypto');
    scenario.clock.advance(HOLD_MS + MINUTE);
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    const second = await scenario.checkout(scenario.otherBuyer, propertyId, 'crypto');
    await scenario.actOnCheckoutPage(second.ref, 'pay');
    await scenario.sync(second.saleId);
    scenario.clock.advance(MINUTE);
    await payExpiredCrypto(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    expect(await scenario.state(saleId)).toBe('completed/cancelled/');
    await scenario.settle();
    scenario.clock.advance(MINUTE);
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    const books = await scenario.accountBalances(saleId);
    expect(books.escrow_held ?? 0).toBe(0);
    expect(books.fees_held ?? 0).toBe(0);
    expect(await scenario.propertyStatus(propertyId)).toBe('escrow');
    expect(await scenario.mailsTo(scenario.buyer.email)).toEqual([
      'Your checkout for 48 Larkspur Lane has expired',
      'We are sending your payment for 48 Larkspur Lane back',
      'Your payment for 48 Larkspur Lane was refunded',
    ]);
  });

  it('that arrives weeks after the sale has ended is refunded automatically, even without any provider message', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing(), 'crypto');
    scenario.clock.advance(HOLD_MS + MINUTE);
    await scenario.settle();
    await payExpiredCrypto(db, ref, scenario.clock.now());
    scenario.clock.advance(20 * DAY);
    for (let pass = 0; pass < 3; pass += 1) {
      await scenario.settle();
      scenario.clock.advance(DAY + MINUTE);
    }
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
  });

  it('is refunded automatically if the seller was suspended or the listing withdrawn in the meantime', async () => {
    for (const change of ['suspended', 'withdrawn'] as const) {
      const propertyId = await scenario.createListing();
      const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
      if (change === 'withdrawn')
        await db
          .q()
          .updateTable('properties')
          .set({ status: 'withdrawn' })
          .where('id', '=', propertyId)
          .execute();
      else
        await db
          .q()
          .updateTable('agents')
          .set({ status: 'suspended' })
          .where('id', '=', scenario.seller.agentId)
          .execute();
      await scenario.actOnCheckoutPage(ref, 'pay');
      await scenario.sync(saleId);
      expect(await scenario.state(saleId)).toBe('completed/cancelled/');
      await scenario.settle();
      scenario.clock.advance(MINUTE);
      await scenario.settle();
      expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
      expect(await scenario.propertyStatus(propertyId)).toBe(change === 'withdrawn' ? 'withdrawn' : 'Active');
      await db
        .q()
        .updateTable('agents')
        .set({ status: 'active' })
        .where('id', '=', scenario.seller.agentId)
        .execute();
    }
  });

  it('a refund that fails at the provider is requested again under another key', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing(), 'crypto');
    scenario.clock.advance(HOLD_MS + MINUTE);
    await scenario.settle();
    await payExpiredCrypto(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    const [first] = await scenario.refunds(saleId);
    await sendRefund(scenario.system, { refundId: first?.id ?? '' });
    await settleSandboxRefund(
      db,
      (await scenario.refunds(saleId))[0]?.provider_ref ?? '',
      'failed',
      scenario.clock.now(),
    );
    await scenario.sync(saleId);
    expect(
      (await scenario.refunds(saleId)).map(({ status, idempotency_key }) => [status, idempotency_key]),
    ).toEqual([
      ['failed', `refund:${saleId}:0`],
      ['pending', `refund:${saleId}:1`],
    ]);
    await scenario.settle();
    scenario.clock.advance(MINUTE);
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
  });

  it('a refund that arrived and was returned weeks later is booked back and sent again', async () => {
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.admin, saleId, 'cancel_sale');
    await scenario.settle();
    scenario.clock.advance(MINUTE);
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    const [first] = await scenario.refunds(saleId);
    await settleSandboxRefund(db, first?.provider_ref ?? '', 'failed', scenario.clock.now());
    await scenario.sync(saleId);
    await scenario.sync(saleId);
    expect(await scenario.state(saleId)).toBe('completed/cancelled/');
    expect((await scenario.accountBalances(saleId)).escrow_held).toBe(-742_000_00);
    expect(await checkLedger(scenario.system)).toEqual([]);
    scenario.clock.advance(2 * 60 * MINUTE);
    await scenario.settle();
    scenario.clock.advance(MINUTE);
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect((await scenario.refunds(saleId)).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(await checkLedger(scenario.system)).toEqual([]);
  });

  it('a refund refused by the provider is recorded and requested again', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing(), 'crypto');
    scenario.clock.advance(HOLD_MS + MINUTE);
    await scenario.settle();
    await payExpiredCrypto(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    const [first] = await scenario.refunds(saleId);
    const port = scenario.payments.forMethod('crypto');
    await expect(
      sendRefund(
        { ...scenario.system, payments: paymentsOf({ ...port, refund: failingCall('unavailable') }) },
        { refundId: first?.id ?? '' },
      ),
    ).rejects.toThrow(PaymentError);
    expect(await scenario.refunds(saleId)).toMatchObject([{ status: 'pending' }]);
    await sendRefund(
      { ...scenario.system, payments: paymentsOf({ ...port, refund: failingCall('conflict') }) },
      { refundId: first?.id ?? '' },
    );
    expect(await scenario.refunds(saleId)).toMatchObject([{ status: 'failed' }, { status: 'pending' }]);
    expect(await scenario.events(saleId)).toContain('fail_refund');
  });
});
