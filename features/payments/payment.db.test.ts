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

const MINUTE = 60_000;

await describeOnDatabase('paying for a purchase', (open) => {
  let db: Database;
  let bench: SaleScenario;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  beforeEach(async () => {
    bench = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  it.each(['card', 'crypto'] as const)(
    'by %s: escrow, ledger, receipt, provider fee, property and mails to both parties',
    async (method) => {
      const propertyId = await bench.createListing({ price_cents: 300_000_00 });
      const { saleId, ref } = await bench.checkout(bench.buyer, propertyId, method);
      await bench.actOnCheckoutPage(ref, 'pay');
      expect(await bench.state(saleId)).toBe('pending/pending/');
      await bench.sync(saleId);
      await bench.sync(saleId);
      expect(await bench.state(saleId)).toBe('completed/in_escrow/');
      expect(await bench.propertyStatus(propertyId)).toBe('escrow');
      const sale = await bench.sale(saleId);
      expect(sale).toMatchObject({ sale_date: bench.clock.now(), locked_until: null, checkout_url: null });
      const cost = sale.provider_fee_cents ?? 0;
      expect(cost).toBeGreaterThan(0);
      expect(await bench.accountBalances(saleId)).toEqual({
        clearing: 304_995_00 - cost,
        processing_cost: cost,
        escrow_held: -300_000_00,
        fees_held: -4_995_00,
      });
      const buyerReceipt = await receipt(bench.contextFor(bench.buyer), saleId);
      expect(buyerReceipt).toMatchObject({
        totalCents: 304_995_00,
        basePriceCents: 300_000_00,
        method,
        sandbox: true,
      });
      expect(buyerReceipt.number).toMatch(/^ATP-\d{6}$/);
      if (method === 'crypto') expect(buyerReceipt.txHash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(await bench.events(saleId)).toEqual(['begin', 'confirm_payment']);
      expect(await bench.mailsTo(bench.buyer.email)).toEqual([
        'Payment received: 48 Larkspur Lane is in escrow',
      ]);
      expect(await bench.mailsTo(bench.seller.email)).toEqual(['48 Larkspur Lane is in escrow']);
    },
  );

  it('by bank transfer: submitted, held for days, then paid', async () => {
    const propertyId = await bench.createListing();
    const { saleId, ref } = await bench.checkout(bench.buyer, propertyId);
    await bench.actOnCheckoutPage(ref, 'pay_later');
    await bench.sync(saleId);
    expect(await bench.state(saleId)).toBe('processing/pending/');
    expect((await bench.sale(saleId)).locked_until?.getTime()).toBeGreaterThan(
      bench.clock.now().getTime() + 5 * DAY,
    );
    expect(await bench.begin(bench.otherBuyer, propertyId)).toMatchObject({ reason: 'in_progress' });
    await settleSandbox(db, ref, 'paid', bench.clock.now());
    await bench.sync(saleId);
    expect(await bench.events(saleId)).toEqual(['begin', 'submit_payment', 'confirm_payment']);
  });

  it('by bank transfer that bounces: failed, and the property is released', async () => {
    const propertyId = await bench.createListing();
    const { saleId, ref } = await bench.checkout(bench.buyer, propertyId);
    await bench.actOnCheckoutPage(ref, 'pay_later');
    await bench.sync(saleId);
    await settleSandbox(db, ref, 'failed', bench.clock.now());
    await bench.sync(saleId);
    expect(await bench.state(saleId)).toBe('failed/cancelled/');
    expect(await bench.accountBalances(saleId)).toEqual({});
    expect(await bench.begin(bench.otherBuyer, propertyId)).toMatchObject({ ok: true });
  });

  it('must be the one of this checkout', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.createListing());
    await bench.actOnCheckoutPage(ref, 'pay');
    const truth = await bench.payments.forMethod('card').getCheckout(ref);
    await bench.apply(saleId, { ...truth, ref: 'cs_other' });
    expect(await bench.state(saleId)).toBe('pending/pending/');
    await bench.apply(saleId, truth);
    expect(await bench.state(saleId)).toBe('completed/in_escrow/');
  });

  it('that arrives after the sale has ended is refunded automatically', async () => {
    const propertyId = await bench.createListing();
    const { saleId, ref } = await bench.checkout(bench.buyer, propertyId, 'crypto');
    bench.clock.advance(HOLD_MS + MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('failed/cancelled/');
    const second = await bench.checkout(bench.otherBuyer, propertyId, 'crypto');
    await bench.actOnCheckoutPage(second.ref, 'pay');
    await bench.sync(second.saleId);
    bench.clock.advance(MINUTE);
    await payExpiredCrypto(db, ref, bench.clock.now());
    await bench.sync(saleId);
    expect(await bench.state(saleId)).toBe('completed/cancelled/');
    await bench.settle();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    const books = await bench.accountBalances(saleId);
    expect(books.escrow_held ?? 0).toBe(0);
    expect(books.fees_held ?? 0).toBe(0);
    expect(await bench.propertyStatus(propertyId)).toBe('escrow');
    expect(await bench.mailsTo(bench.buyer.email)).toEqual([
      'Your checkout for 48 Larkspur Lane has expired',
      'We are sending your payment for 48 Larkspur Lane back',
      'Your payment for 48 Larkspur Lane was refunded',
    ]);
  });

  it('that arrives weeks after the sale has ended is refunded automatically, even without any provider message', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.createListing(), 'crypto');
    bench.clock.advance(HOLD_MS + MINUTE);
    await bench.settle();
    await payExpiredCrypto(db, ref, bench.clock.now());
    bench.clock.advance(20 * DAY);
    for (let pass = 0; pass < 3; pass += 1) {
      await bench.settle();
      bench.clock.advance(DAY + MINUTE);
    }
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
  });

  it('is refunded automatically if the seller was suspended or the listing withdrawn in the meantime', async () => {
    for (const change of ['suspended', 'withdrawn'] as const) {
      const propertyId = await bench.createListing();
      const { saleId, ref } = await bench.checkout(bench.buyer, propertyId);
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
          .where('id', '=', bench.seller.agentId)
          .execute();
      await bench.actOnCheckoutPage(ref, 'pay');
      await bench.sync(saleId);
      expect(await bench.state(saleId)).toBe('completed/cancelled/');
      await bench.settle();
      bench.clock.advance(MINUTE);
      await bench.settle();
      expect(await bench.state(saleId)).toBe('refunded/cancelled/');
      expect(await bench.propertyStatus(propertyId)).toBe(change === 'withdrawn' ? 'withdrawn' : 'Active');
      await db
        .q()
        .updateTable('agents')
        .set({ status: 'active' })
        .where('id', '=', bench.seller.agentId)
        .execute();
    }
  });

  it('a refund that fails at the provider is requested again under another key', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.createListing(), 'crypto');
    bench.clock.advance(HOLD_MS + MINUTE);
    await bench.settle();
    await payExpiredCrypto(db, ref, bench.clock.now());
    await bench.sync(saleId);
    const [first] = await bench.refunds(saleId);
    await sendRefund(bench.system, { refundId: first?.id ?? '' });
    await settleSandboxRefund(
      db,
      (await bench.refunds(saleId))[0]?.provider_ref ?? '',
      'failed',
      bench.clock.now(),
    );
    await bench.sync(saleId);
    expect(
      (await bench.refunds(saleId)).map(({ status, idempotency_key }) => [status, idempotency_key]),
    ).toEqual([
      ['failed', `refund:${saleId}:0`],
      ['pending', `refund:${saleId}:1`],
    ]);
    await bench.settle();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
  });

  it('a refund that arrived and was returned weeks later is booked back and sent again', async () => {
    const saleId = await bench.createPaidSale();
    await bench.act(bench.admin, saleId, 'cancel_sale');
    await bench.settle();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    const [first] = await bench.refunds(saleId);
    await settleSandboxRefund(db, first?.provider_ref ?? '', 'failed', bench.clock.now());
    await bench.sync(saleId);
    await bench.sync(saleId);
    expect(await bench.state(saleId)).toBe('completed/cancelled/');
    expect((await bench.accountBalances(saleId)).escrow_held).toBe(-742_000_00);
    expect(await checkLedger(bench.system)).toEqual([]);
    bench.clock.advance(2 * 60 * MINUTE);
    await bench.settle();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    expect((await bench.refunds(saleId)).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(await checkLedger(bench.system)).toEqual([]);
  });

  it('a refund refused by the provider is recorded and requested again', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.createListing(), 'crypto');
    bench.clock.advance(HOLD_MS + MINUTE);
    await bench.settle();
    await payExpiredCrypto(db, ref, bench.clock.now());
    await bench.sync(saleId);
    const [first] = await bench.refunds(saleId);
    const port = bench.payments.forMethod('crypto');
    await expect(
      sendRefund(
        { ...bench.system, payments: paymentsOf({ ...port, refund: failingCall('unavailable') }) },
        { refundId: first?.id ?? '' },
      ),
    ).rejects.toThrow(PaymentError);
    expect(await bench.refunds(saleId)).toMatchObject([{ status: 'pending' }]);
    await sendRefund(
      { ...bench.system, payments: paymentsOf({ ...port, refund: failingCall('conflict') }) },
      { refundId: first?.id ?? '' },
    );
    expect(await bench.refunds(saleId)).toMatchObject([{ status: 'failed' }, { status: 'pending' }]);
    expect(await bench.events(saleId)).toContain('fail_refund');
  });
});
