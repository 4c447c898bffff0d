import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { lateCrypto, settleSandbox, settleSandboxRefund } from '#gateways/payments/sandbox/banks.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { broken, chargeFees, paymentsOf, type SaleBench, saleBench } from '#tests/support/sale-bench.ts';
import { sendRefund } from './commands/send-refund.ts';
import { HOLD_MS } from './model.ts';
import { receipt } from './reads.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

await describeOnEachDatabase('paying for a purchase', (open) => {
  let db: Database;
  let bench: SaleBench;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  beforeEach(async () => {
    bench = await saleBench(db);
  });
  afterAll(() => db.close());

  it.each(['card', 'crypto'] as const)(
    'by %s: escrow, ledger, receipt, cost, property and both parties told',
    async (rail) => {
      const house = await bench.house({ price_cents: 300_000_00 });
      const { saleId, ref } = await bench.checkout(bench.buyer, house, rail);
      await bench.onPage(ref, 'pay');
      expect(await bench.state(saleId)).toBe('pending/pending/');
      await bench.sync(saleId);
      await bench.sync(saleId);
      expect(await bench.state(saleId)).toBe('completed/in_escrow/');
      expect(await bench.property(house)).toBe('escrow');
      const sale = await bench.sale(saleId);
      expect(sale).toMatchObject({ sale_date: bench.clock.now(), locked_until: null, checkout_url: null });
      const cost = sale.provider_fee_cents ?? 0;
      expect(cost).toBeGreaterThan(0);
      expect(await bench.books(saleId)).toEqual({
        provider_clearing: 304_995_00 - cost,
        processing_cost: cost,
        escrow_held: -300_000_00,
        fees_held: -4_995_00,
      });
      const paper = await receipt(bench.as(bench.buyer), saleId);
      expect(paper).toMatchObject({
        totalCents: 304_995_00,
        basePriceCents: 300_000_00,
        method: rail,
        sandbox: true,
      });
      expect(paper.number).toMatch(/^ATP-\d{6}$/);
      if (rail === 'crypto') expect(paper.txHash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(await bench.events(saleId)).toEqual(['begin', 'confirm_payment']);
      expect(await bench.mailsTo(bench.buyer.email)).toEqual([
        'Payment received: 48 Larkspur Lane is in escrow',
      ]);
      expect(await bench.mailsTo(bench.seller.email)).toEqual(['48 Larkspur Lane is in escrow']);
    },
  );

  it('by bank transfer: submitted, held for days, then paid', async () => {
    const house = await bench.house();
    const { saleId, ref } = await bench.checkout(bench.buyer, house);
    await bench.onPage(ref, 'pay_later');
    await bench.sync(saleId);
    expect(await bench.state(saleId)).toBe('processing/pending/');
    expect((await bench.sale(saleId)).locked_until?.getTime()).toBeGreaterThan(
      bench.clock.now().getTime() + 5 * DAY,
    );
    expect(await bench.begin(bench.other, house)).toMatchObject({ reason: 'in_progress' });
    await settleSandbox(db, ref, 'paid', bench.clock.now());
    await bench.sync(saleId);
    expect(await bench.events(saleId)).toEqual(['begin', 'submit_payment', 'confirm_payment']);
  });

  it('by bank transfer that bounces: failed, and the property is free', async () => {
    const house = await bench.house();
    const { saleId, ref } = await bench.checkout(bench.buyer, house);
    await bench.onPage(ref, 'pay_later');
    await bench.sync(saleId);
    await settleSandbox(db, ref, 'failed', bench.clock.now());
    await bench.sync(saleId);
    expect(await bench.state(saleId)).toBe('failed/cancelled/');
    expect(await bench.books(saleId)).toEqual({});
    expect(await bench.begin(bench.other, house)).toMatchObject({ ok: true });
  });

  it('what was paid must be what was asked: otherwise nothing moves and an administrator looks', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.house());
    await bench.onPage(ref, 'pay');
    const truth = await bench.payments.forRail('card').getCheckout(ref);
    for (const wrong of [
      { amountCents: truth.amountCents - 1 },
      { currency: 'eur' },
      { livemode: true },
      { saleId: randomUUID() },
      { ref: 'cs_other' },
    ]) {
      await bench.apply(saleId, { ...truth, ...wrong });
      expect(await bench.state(saleId)).toBe('pending/pending/');
      await bench.apply(saleId, truth);
      if ('ref' in wrong) expect(await bench.state(saleId)).toBe('completed/in_escrow/');
      else {
        expect((await bench.sale(saleId)).frozen_at).not.toBeNull();
        await db
          .q()
          .updateTable('property_sales')
          .set({ frozen_at: null })
          .where('id', '=', saleId)
          .execute();
      }
    }
  });

  it('that comes after the sale had ended goes back by itself', async () => {
    const house = await bench.house();
    const { saleId, ref } = await bench.checkout(bench.buyer, house, 'crypto');
    bench.clock.advance(HOLD_MS + MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('failed/cancelled/');
    const second = await bench.checkout(bench.other, house, 'crypto');
    await bench.onPage(second.ref, 'pay');
    await bench.sync(second.saleId);
    bench.clock.advance(MINUTE);
    await lateCrypto(db, ref, bench.clock.now());
    await bench.sync(saleId);
    expect(await bench.state(saleId)).toBe('completed/cancelled/');
    await bench.settle();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    const books = await bench.books(saleId);
    expect(books.escrow_held ?? 0).toBe(0);
    expect(books.fees_held ?? 0).toBe(0);
    expect(await bench.property(house)).toBe('escrow');
    expect(await bench.mailsTo(bench.buyer.email)).toEqual([
      'Your checkout for 48 Larkspur Lane has expired',
      'We are sending your payment for 48 Larkspur Lane back',
      'Your payment for 48 Larkspur Lane was refunded',
    ]);
  });

  it('goes back by itself weeks after the sale had ended, though no message ever tells of it', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.house(), 'crypto');
    bench.clock.advance(HOLD_MS + MINUTE);
    await bench.settle();
    await lateCrypto(db, ref, bench.clock.now());
    bench.clock.advance(20 * DAY);
    for (let pass = 0; pass < 3; pass += 1) {
      await bench.settle();
      bench.clock.advance(DAY + MINUTE);
    }
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
  });

  it('while the seller was suspended meanwhile, or the listing withdrawn, goes back by itself', async () => {
    for (const change of ['suspended', 'withdrawn'] as const) {
      const house = await bench.house();
      const { saleId, ref } = await bench.checkout(bench.buyer, house);
      if (change === 'withdrawn')
        await db.q().updateTable('properties').set({ status: 'withdrawn' }).where('id', '=', house).execute();
      else
        await db
          .q()
          .updateTable('agents')
          .set({ status: 'suspended' })
          .where('id', '=', bench.seller.agentId)
          .execute();
      await bench.onPage(ref, 'pay');
      await bench.sync(saleId);
      expect(await bench.state(saleId)).toBe('completed/cancelled/');
      await bench.settle();
      bench.clock.advance(MINUTE);
      await bench.settle();
      expect(await bench.state(saleId)).toBe('refunded/cancelled/');
      expect(await bench.property(house)).toBe(change === 'withdrawn' ? 'withdrawn' : 'Active');
      await db
        .q()
        .updateTable('agents')
        .set({ status: 'active' })
        .where('id', '=', bench.seller.agentId)
        .execute();
    }
  });

  it('a refund that the provider cannot carry out is asked for again under another key', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.house(), 'crypto');
    bench.clock.advance(HOLD_MS + MINUTE);
    await bench.settle();
    await lateCrypto(db, ref, bench.clock.now());
    await bench.sync(saleId);
    const [first] = await bench.refunds(saleId);
    await sendRefund(bench.system, first?.id ?? '', bench.payments);
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

  it('a refund that arrived and came back weeks later is booked back and sent again', async () => {
    const saleId = await bench.inEscrow();
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
    expect((await bench.books(saleId)).escrow_held).toBe(-742_000_00);
    expect(await checkLedger(bench.system)).toEqual([]);
    bench.clock.advance(2 * 60 * MINUTE);
    await bench.settle();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    expect((await bench.refunds(saleId)).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(await checkLedger(bench.system)).toEqual([]);
  });

  it('a provider that refuses a refund is on record, and asked again', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.house(), 'crypto');
    bench.clock.advance(HOLD_MS + MINUTE);
    await bench.settle();
    await lateCrypto(db, ref, bench.clock.now());
    await bench.sync(saleId);
    const [first] = await bench.refunds(saleId);
    const port = bench.payments.forRail('crypto');
    await expect(
      sendRefund(bench.system, first?.id ?? '', paymentsOf({ ...port, refund: broken('unavailable') })),
    ).rejects.toThrow(PaymentError);
    expect(await bench.refunds(saleId)).toMatchObject([{ status: 'pending' }]);
    await sendRefund(bench.system, first?.id ?? '', paymentsOf({ ...port, refund: broken('conflict') }));
    expect(await bench.refunds(saleId)).toMatchObject([{ status: 'failed' }, { status: 'pending' }]);
    expect(await bench.events(saleId)).toContain('fail_refund');
  });
});
