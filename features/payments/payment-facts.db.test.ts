import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import type { CheckoutState, DisputeState, RefundState } from '#gateways/payments/port.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { acceptMismatch, returnMismatch } from './commands/decide-mismatch.ts';
import { recogniseRefund } from './commands/recognise-refund.ts';
import { refundSale } from './commands/refund-sale.ts';

const PRICE = 300_000_00;
const FEES = 4_995_00;
const TOTAL = PRICE + FEES;
const SHARE = 240_000_00 - 100_00;

await describeOnEachDatabase('facts about money', (open) => {
  let db: Database;
  let bench: SaleScenario;
  let propertyId: string;
  let saleId: string;
  let truth: CheckoutState;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    bench = await createSaleScenario(db);
    propertyId = await bench.createListing({ price_cents: PRICE });
    const { saleId: id, ref } = await bench.checkout(bench.buyer, propertyId);
    saleId = id;
    await bench.actOnCheckoutPage(ref, 'pay');
    truth = { ...(await bench.payments.forMethod('card').getCheckout(ref)), feeCents: null };
  });

  /** The provider says how things stand. */
  const told = async (change: Partial<CheckoutState> = {}) => {
    truth = { ...truth, ...change };
    await bench.apply(saleId, truth);
  };
  const refund = (status: RefundState['status'], change: Partial<RefundState> = {}): RefundState => ({
    ref: `re_${saleId}`,
    status,
    amountCents: TOTAL,
    key: null,
    ...change,
  });
  const dispute = (status: DisputeState['status'], change: Partial<DisputeState> = {}): DisputeState => ({
    ref: `dp_${saleId}`,
    kind: 'chargeback',
    status,
    amountCents: TOTAL,
    returnedCents: 0,
    feeCents: null,
    reason: 'fraudulent',
    evidenceDueAt: null,
    ...change,
  });
  const balances = () => bench.accountBalances(saleId);
  const breaks = async () => {
    const rows = await db
      .q()
      .selectFrom('breaks')
      .select(['kind', 'state', 'resolution'])
      .where('sale_id', '=', saleId)
      .orderBy('created_at')
      .orderBy('kind')
      .execute();
    return rows.map(({ kind, state, resolution }) => `${kind} ${resolution ?? state}`);
  };
  const tasks = async () => {
    const rows = await db
      .q()
      .selectFrom('admin_tasks as t')
      .leftJoin('breaks as b', (join) =>
        join.on((on) => on('t.subject_id', '=', on.cast<string>(on.ref('b.id'), 'text'))),
      )
      .select('t.kind')
      .where('t.closed_at', 'is', null)
      .where((where) => where.or([where('t.subject_id', '=', saleId), where('b.sale_id', '=', saleId)]))
      .orderBy('t.kind')
      .execute();
    return rows.map(({ kind }) => kind);
  };
  const isFrozen = async () => (await bench.sale(saleId)).frozen_at !== null;
  const admin = () => bench.contextFor(bench.admin);
  const booksAreClean = async () => expect(await checkLedger(bench.system)).toEqual([]);

  describe('a bank debit returned while a refund of the same payment runs', () => {
    const cancelled = async () => {
      await told();
      await bench.act(bench.admin, saleId, 'cancel_sale');
      const key = `refund:${saleId}:0`;
      await told({ refunds: [refund('pending', { key })] });
      return key;
    };
    const expectedBooks = { clearing: -TOTAL, chargeback_loss: TOTAL };

    it.each(['the debit', 'the refund'])('%s first: both are posted, the second as a loss', async (first) => {
      const key = await cancelled();
      const paidBack = { refunds: [refund('succeeded', { key })] };
      const takenBack = { disputes: [dispute('lost')] };
      await told(first === 'the debit' ? takenBack : paidBack);
      await booksAreClean();
      await told(first === 'the debit' ? paidBack : takenBack);
      await told();
      expect(await balances()).toEqual(expectedBooks);
      expect(await bench.state(saleId)).toBe('refunded/cancelled/');
      expect(await bench.propertyStatus(propertyId)).toBe('Active');
      expect(await breaks()).toEqual(['paid_back_twice open']);
      expect(await tasks()).toContain('break_found');
      expect(await isFrozen()).toBe(false);
      await booksAreClean();
    });
  });

  describe('a refund made at the provider', () => {
    it('of everything freezes the sale, until an administrator recognises it', async () => {
      await told();
      await told({ refunds: [refund('succeeded')] });
      await told();
      expect(await balances()).toEqual({});
      expect(await bench.state(saleId)).toBe('completed/in_escrow/');
      expect(await bench.propertyStatus(propertyId)).toBe('escrow');
      expect([await isFrozen(), await breaks(), await tasks()]).toEqual([
        true,
        ['unexpected_refund open'],
        ['break_found'],
      ]);
      expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({
        ok: false,
        reason: 'frozen',
      });
      await booksAreClean();
      expect(await recogniseRefund(admin(), { saleId, note: 'Agreed by phone.' })).toEqual({ ok: true });
      expect(await bench.state(saleId)).toBe('refunded/cancelled/');
      expect(await bench.propertyStatus(propertyId)).toBe('Active');
      expect([await isFrozen(), await breaks(), await tasks()]).toEqual([
        false,
        ['unexpected_refund recognised'],
        [],
      ]);
      expect(await recogniseRefund(admin(), { saleId, note: '' })).toEqual({
        ok: false,
        reason: 'not_frozen',
      });
      await told();
      expect(await bench.state(saleId)).toBe('refunded/cancelled/');
      await booksAreClean();
    });

    it('of a part leaves the rest, which is released pro rata', async () => {
      await told();
      await told({ refunds: [refund('succeeded', { amountCents: 100_000_00 })] });
      expect(await isFrozen()).toBe(true);
      await recogniseRefund(admin(), { saleId, note: '' });
      expect([await isFrozen(), await bench.state(saleId)]).toEqual([false, 'completed/in_escrow/']);
      expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
      expect(await balances()).toEqual({
        clearing: TOTAL - 100_000_00,
        seller_payable: -(160_000_00 - 100_00),
        platform_revenue: -(40_000_00 + 100_00),
        fee_revenue: -FEES,
      });
      await booksAreClean();
    });

    it('after the release comes out of the shares; the whole of it ends the sale as refunded when recognised', async () => {
      await told();
      await bench.act(bench.buyer, saleId, 'confirm_closing');
      await told({ refunds: [refund('succeeded')] });
      expect(await balances()).toEqual({});
      expect(await bench.state(saleId)).toBe('completed/completed/pending');
      await recogniseRefund(admin(), { saleId, note: '' });
      expect(await bench.state(saleId)).toBe('refunded/completed/pending');
      await booksAreClean();
    });
  });

  describe('a payment that differs', () => {
    const off = (by: number) => ({ amountCents: TOTAL + by });

    it.each(['sale', 'currency', 'mode'])('in the %s is set aside', async (what) => {
      const wrong = {
        sale: { saleId: randomUUID() },
        currency: { currency: 'eur' },
        mode: { livemode: true },
      };
      await told(wrong[what as keyof typeof wrong]);
      await told();
      expect([await isFrozen(), await bench.state(saleId), await breaks(), await tasks()]).toEqual([
        true,
        'pending/pending/',
        ['payment_mismatch open'],
        ['payment_mismatch'],
      ]);
      // Other currencies and test money are no dollars of ours.
      expect(await balances()).toEqual(what === 'sale' ? { clearing: TOTAL, suspense: -TOTAL } : {});
      await booksAreClean();
      const accepted = await acceptMismatch(admin(), { saleId, note: '' });
      expect(accepted).toEqual(what === 'sale' ? { ok: true } : { ok: false, reason: 'nothing_received' });
      if (what === 'sale') return;
      expect(await returnMismatch(admin(), { saleId, note: 'Sent back by hand.' })).toEqual({ ok: true });
      await told();
      expect([await isFrozen(), await bench.state(saleId), await tasks()]).toEqual([
        false,
        'failed/cancelled/',
        [],
      ]);
      expect(await bench.begin(bench.otherBuyer, propertyId)).toMatchObject({ ok: true });
      await booksAreClean();
    });

    it('too little is accepted only with a reason; the rest is written off', async () => {
      await told(off(-5_00));
      expect(await acceptMismatch(admin(), { saleId, note: ' ' })).toEqual({
        ok: false,
        reason: 'no_reason',
      });
      expect(await acceptMismatch(admin(), { saleId, note: 'A bank fee.' })).toEqual({ ok: true });
      await told();
      expect(await bench.state(saleId)).toBe('completed/in_escrow/');
      expect(await bench.propertyStatus(propertyId)).toBe('escrow');
      expect(await balances()).toEqual({
        clearing: TOTAL - 5_00,
        write_offs: 5_00,
        escrow_held: -PRICE,
        fees_held: -FEES,
      });
      expect([await isFrozen(), await breaks(), await tasks()]).toEqual([
        false,
        ['payment_mismatch accepted'],
        [],
      ]);
      for (const { email } of [bench.buyer, bench.seller])
        expect((await bench.mailsTo(email)).join()).toContain('is in escrow');
      expect(await acceptMismatch(admin(), { saleId, note: '' })).toEqual({
        ok: false,
        reason: 'no_mismatch',
      });
      await booksAreClean();
    });

    it('too much is accepted, and the difference goes back', async () => {
      await told(off(5_00));
      await acceptMismatch(admin(), { saleId, note: '' });
      const [owed, ...others] = await bench.refunds(saleId);
      expect([owed?.amount_cents, owed?.suspense_cents, others.length]).toEqual([5_00, 5_00, 0]);
      await booksAreClean();
      const key = owed?.idempotency_key ?? '';
      await told({ refunds: [refund('succeeded', { key, amountCents: 5_00 })] });
      expect(await balances()).toEqual({ clearing: TOTAL, escrow_held: -PRICE, fees_held: -FEES });
      expect([await isFrozen(), await bench.state(saleId)]).toEqual([false, 'completed/in_escrow/']);
      await booksAreClean();
    });

    it('is sent back, and the property is free', async () => {
      await told(off(-5_00));
      expect(await returnMismatch(admin(), { saleId, note: '' })).toEqual({ ok: true });
      expect(await bench.state(saleId)).toBe('completed/cancelled/');
      expect(await bench.begin(bench.otherBuyer, propertyId)).toMatchObject({ ok: true });
      await booksAreClean();
      const key = `refund:${saleId}:0`;
      await told({ refunds: [refund('succeeded', { key, amountCents: TOTAL - 5_00 })] });
      expect([await bench.state(saleId), await balances()]).toEqual(['refunded/cancelled/', {}]);
      expect(await bench.mailsTo(bench.buyer.email)).toContain(
        'We are sending your payment for 48 Larkspur Lane back',
      );
      expect(await bench.mailsTo(bench.seller.email)).toContain(
        'The payment for 48 Larkspur Lane was not accepted',
      );
      await booksAreClean();
    });

    it('cannot be accepted for a property that is not for sale any more, nor by anybody but an administrator', async () => {
      await told(off(5_00));
      await expect(acceptMismatch(bench.contextFor(bench.seller), { saleId, note: '' })).rejects.toThrow();
      await db
        .q()
        .updateTable('properties')
        .set({ status: 'withdrawn' })
        .where('id', '=', propertyId)
        .execute();
      expect(await acceptMismatch(admin(), { saleId, note: '' })).toEqual({
        ok: false,
        reason: 'unavailable',
      });
    });
  });

  describe('disputes', () => {
    it('of a part: what it took is gone, and the sale goes on with the rest', async () => {
      await told();
      await told({ disputes: [dispute('open', { amountCents: 100_000_00, feeCents: 15_00 })] });
      expect(await balances()).toMatchObject({ disputed: 100_000_00, dispute_fees: 15_00 });
      expect(await isFrozen()).toBe(true);
      await booksAreClean();
      await told({ disputes: [dispute('lost', { amountCents: 100_000_00, feeCents: 15_00 })] });
      expect([await isFrozen(), await bench.state(saleId)]).toEqual([false, 'completed/in_escrow/']);
      expect(await balances()).toEqual({
        clearing: TOTAL - 100_000_00 - 15_00,
        dispute_fees: 15_00,
        escrow_held: -200_000_00,
        fees_held: -FEES,
      });
      await booksAreClean();
    });

    it('of a payment that is won returns the money and the fee', async () => {
      await told();
      await told({ disputes: [dispute('open', { feeCents: 15_00 })] });
      await told({ disputes: [dispute('won', { returnedCents: TOTAL, feeCents: 0 })] });
      expect(await balances()).toEqual({ clearing: TOTAL, escrow_held: -PRICE, fees_held: -FEES });
      expect(await tasks()).toEqual([]);
      await booksAreClean();
    });

    it('lost in part: what comes back stays with the sale, also later', async () => {
      await told();
      await told({ disputes: [dispute('lost', { returnedCents: 30_000_00 })] });
      const left = { escrow_held: -25_005_00, fees_held: -FEES, clearing: 30_000_00 };
      expect([await bench.state(saleId), await balances()]).toEqual(['completed/in_escrow/', left]);
      await booksAreClean();
      await told({ disputes: [dispute('lost', { returnedCents: 50_000_00 })] });
      await told({ disputes: [dispute('lost', { returnedCents: 30_000_00 })] });
      expect(await balances()).toEqual({ ...left, escrow_held: -45_005_00, clearing: 50_000_00 });
      await booksAreClean();
    });

    it('two of one payment: the sale stays frozen until none is open', async () => {
      await told();
      const first = dispute('open', { ref: `a_${saleId}`, amountCents: 10_000_00 });
      const second = dispute('open', { ref: `b_${saleId}`, amountCents: 20_000_00 });
      await told({ disputes: [first, second] });
      expect(await balances()).toMatchObject({ disputed: 30_000_00 });
      await told({ disputes: [{ ...first, status: 'won' }, second] });
      expect([await isFrozen(), await tasks()]).toEqual([true, ['dispute_opened']]);
      await told({
        disputes: [
          { ...first, status: 'won' },
          { ...second, status: 'lost' },
        ],
      });
      expect([await isFrozen(), await tasks()]).toEqual([false, ['dispute_lost']]);
      expect(await balances()).toMatchObject({ escrow_held: -(PRICE - 20_000_00) });
      await booksAreClean();
    });

    it('an inquiry posts nothing and stops nothing; it may become a chargeback', async () => {
      await told();
      await told({ disputes: [dispute('open', { kind: 'inquiry' })] });
      expect([await isFrozen(), await tasks()]).toEqual([false, []]);
      expect(await bench.act(bench.buyer, saleId, 'request_cancellation')).toEqual({ ok: true });
      expect(await bench.act(bench.seller, saleId, 'agree_cancellation')).toEqual({ ok: true });
      await told({ disputes: [dispute('open')] });
      expect([await isFrozen(), (await balances()).disputed]).toEqual([true, TOTAL]);
      await told({ disputes: [dispute('open', { kind: 'inquiry' })] });
      expect((await balances()).disputed).toBe(TOTAL);
      await booksAreClean();
    });

    it('lost after the release comes out of the shares, and is returned to them if decided again', async () => {
      await told();
      await bench.act(bench.buyer, saleId, 'confirm_closing');
      const before = await balances();
      await told({ disputes: [dispute('lost', { amountCents: 100_000_00 })] });
      expect(await balances()).toEqual({
        clearing: TOTAL - 100_000_00,
        seller_payable: -(160_000_00 - 100_00),
        platform_revenue: -(40_000_00 + 100_00),
        fee_revenue: -FEES,
      });
      await booksAreClean();
      await told({ disputes: [dispute('won', { amountCents: 100_000_00, returnedCents: 100_000_00 })] });
      expect(await balances()).toEqual(before);
      await booksAreClean();
    });
  });

  describe('a refund that an administrator orders', () => {
    const order = (baseCents: number, feesCents: number, idempotencyKey = 'one click') =>
      refundSale(admin(), { saleId, baseCents, feesCents, reason: 'The roof leaks.', idempotencyKey });
    /** The provider has carried out the refunds on record. */
    const carriedOut = async () => {
      const refunds = (await bench.refunds(saleId)).map(({ idempotency_key: key, amount_cents }, at) =>
        refund('succeeded', { ref: `re_${at}_${saleId}`, key, amountCents: amount_cents }),
      );
      await told({ refunds });
    };

    it('before the release leaves the rest in escrow, and both sides hear of it', async () => {
      await told();
      expect(await order(60_000_00, 995_00)).toMatchObject({ ok: true, amountCents: 60_995_00 });
      expect(await order(60_000_00, 995_00)).toMatchObject({ ok: true, amountCents: 60_995_00 });
      expect(await order(60_000_00, 0)).toEqual({ ok: false, reason: 'key_used' });
      expect(await bench.refunds(saleId)).toHaveLength(1);
      expect(await order(PRICE - 60_000_00 + 1, 0, 'another')).toEqual({ ok: false, reason: 'too_much' });
      await carriedOut();
      await told();
      expect(await balances()).toEqual({
        clearing: TOTAL - 60_995_00,
        escrow_held: -240_000_00,
        fees_held: -4_000_00,
      });
      expect(await bench.events(saleId)).toEqual([
        'begin',
        'confirm_payment',
        'request_refund',
        'settle_partial_refund',
      ]);
      for (const { email } of [bench.buyer, bench.seller])
        expect((await bench.mailsTo(email)).filter((subject) => /refund/.test(subject))).toHaveLength(2);
      await booksAreClean();
      await bench.act(bench.buyer, saleId, 'confirm_closing');
      expect((await balances()).seller_payable).toBe(-(192_000_00 - 100_00));
      await booksAreClean();
    });

    it('after the release comes out of the shares; after the payout the seller owes it', async () => {
      await told();
      await bench.act(bench.buyer, saleId, 'confirm_closing');
      await order(50_000_00, 0, 'first');
      await carriedOut();
      expect(await balances()).toMatchObject({ seller_payable: -(SHARE - 40_000_00), fee_revenue: -FEES });
      await booksAreClean();
      expect(await order(PRICE - 50_000_00, FEES, 'the rest')).toMatchObject({ ok: true });
      await carriedOut();
      expect([await balances(), await bench.state(saleId)]).toEqual([{}, 'refunded/completed/pending']);
      await booksAreClean();
    });

    it('of everything in escrow is a cancellation; nothing, no reason and a disputed payment are refused', async () => {
      await told();
      expect(await order(PRICE, FEES)).toEqual({ ok: false, reason: 'cancel_instead' });
      for (const [base, fees] of [
        [0, 0],
        [-1, 2],
        [0.5, 0],
      ] as const)
        expect(await order(base, fees)).toEqual({ ok: false, reason: 'nothing' });
      expect(
        await refundSale(admin(), { saleId, baseCents: 1, feesCents: 0, reason: ' ', idempotencyKey: 'x' }),
      ).toEqual({ ok: false, reason: 'no_reason' });
      await told({ disputes: [dispute('open')] });
      expect(await order(1_00, 0)).toEqual({ ok: false, reason: 'disputed' });
    });

    it('that fails is ordered again for the same parts', async () => {
      await told();
      await order(60_000_00, 0);
      const key = `refund:${saleId}:0`;
      await told({ refunds: [refund('failed', { key, amountCents: 60_000_00 })] });
      expect((await bench.refunds(saleId)).map((one) => [one.status, one.base_cents])).toEqual([
        ['failed', 60_000_00],
        ['pending', 60_000_00],
      ]);
      expect(await tasks()).toEqual(['refund_failed']);
    });
  });
});
