import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { decideWriteOff } from '#features/reconciliation/commands/decide-write-off.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type SaleAtProvider, saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { acceptMismatch, returnMismatch } from './commands/decide-mismatch.ts';
import { recognizeRefund } from './commands/recognize-refund.ts';

const [PRICE, FEES] = [300_000_00, 4_995_00] as const;
const TOTAL = PRICE + FEES;

await describeOnDatabase('facts about money', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let sale: SaleAtProvider;
  let [saleId, propertyId] = ['', ''];
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    sale = await saleAtProvider(scenario, PRICE);
    ({ saleId, propertyId } = sale);
  });

  const admin = () => scenario.contextFor(scenario.admin);
  const booksAreClean = async () => expect(await checkLedger(scenario.system)).toEqual([]);

  describe('a bank debit returned while a refund of the same payment runs', () => {
    const cancelled = async () => {
      await sale.providerSays();
      await scenario.act(scenario.admin, saleId, 'cancel_sale');
      const key = `refund:${saleId}:0`;
      await sale.providerSays({ refunds: [sale.refund('pending', { key })] });
      return key;
    };
    const expectedBooks = { clearing: -TOTAL, chargeback_loss: TOTAL };

    it.each(['the debit', 'the refund'])('%s first: both are posted, the second as a loss', async (first) => {
      const key = await cancelled();
      const paidBack = { refunds: [sale.refund('succeeded', { key })] };
      const takenBack = { disputes: [sale.dispute('lost')] };
      await sale.providerSays(first === 'the debit' ? takenBack : paidBack);
      await booksAreClean();
      await sale.providerSays(first === 'the debit' ? paidBack : takenBack);
      await sale.providerSays();
      expect(await sale.balances()).toEqual(expectedBooks);
      expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
      expect(await scenario.propertyStatus(propertyId)).toBe('Active');
      expect(await sale.breaks()).toEqual(['paid_back_twice open']);
      expect(await sale.tasks()).toContain('break_found');
      expect(await sale.isFrozen()).toBe(false);
      await booksAreClean();
    });
  });

  describe('a refund made at the provider', () => {
    it('of everything freezes the sale, until an administrator recognizes it', async () => {
      await sale.providerSays();
      await sale.providerSays({ refunds: [sale.refund('succeeded')] });
      await sale.providerSays();
      expect(await sale.balances()).toEqual({});
      expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
      expect(await scenario.propertyStatus(propertyId)).toBe('escrow');
      expect([await sale.isFrozen(), await sale.breaks(), await sale.tasks()]).toEqual([
        true,
        ['unexpected_refund open'],
        ['break_found'],
      ]);
      expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({
        ok: false,
        reason: 'frozen',
      });
      await booksAreClean();
      expect(await recognizeRefund(admin(), { saleId, note: 'Agreed by phone.' })).toEqual({ ok: true });
      expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
      expect(await scenario.propertyStatus(propertyId)).toBe('Active');
      expect([await sale.isFrozen(), await sale.breaks(), await sale.tasks()]).toEqual([
        false,
        ['unexpected_refund recognised'],
        [],
      ]);
      expect(await recognizeRefund(admin(), { saleId, note: '' })).toEqual({
        ok: false,
        reason: 'not_frozen',
      });
      await sale.providerSays();
      expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
      await booksAreClean();
    });

    it('of a part leaves the rest, which is released pro rata', async () => {
      await sale.providerSays();
      await sale.providerSays({ refunds: [sale.refund('succeeded', { amountCents: 100_000_00 })] });
      expect(await sale.isFrozen()).toBe(true);
      await recognizeRefund(admin(), { saleId, note: '' });
      expect([await sale.isFrozen(), await scenario.state(saleId)]).toEqual([false, 'completed/in_escrow/']);
      expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
      expect(await sale.balances()).toEqual({
        clearing: TOTAL - 100_000_00,
        seller_payable: -(160_000_00 - 100_00),
        platform_revenue: -(40_000_00 + 100_00),
        fee_revenue: -FEES,
      });
      await booksAreClean();
    });

    it('after the release comes out of the shares; the whole of it ends the sale as refunded when recognized', async () => {
      await sale.providerSays();
      await scenario.act(scenario.buyer, saleId, 'confirm_closing');
      await sale.providerSays({ refunds: [sale.refund('succeeded')] });
      expect(await sale.balances()).toEqual({});
      expect(await scenario.state(saleId)).toBe('completed/completed/pending');
      await recognizeRefund(admin(), { saleId, note: '' });
      expect(await scenario.state(saleId)).toBe('refunded/completed/pending');
      await booksAreClean();
    });
  });

  it('decisions are about a sale that exists, and at most thirty a minute', async () => {
    const ctx = admin();
    const limited = { ...ctx, config: { ...ctx.config, relaxedLimits: false } };
    const unknown = randomUUID();
    for (const decide of [acceptMismatch, returnMismatch, recognizeRefund]) {
      await db.q().deleteFrom('rate_limits').execute();
      await expect(decide(limited, { saleId: unknown, note: '' })).rejects.toThrow('Not found');
      for (let n = 1; n < 30; n++) await decide(limited, { saleId, note: '' });
      await expect(decide(limited, { saleId, note: '' })).rejects.toMatchObject({ status: 429 });
    }
  });

  describe('a payment that differs', () => {
    const off = (by: number) => ({ amountCents: TOTAL + by });

    it.each(['sale', 'currency', 'mode'])('in the %s is set aside', async (what) => {
      const wrong = {
        sale: { saleId: randomUUID() },
        currency: { currency: 'eur' },
        mode: { livemode: true },
      };
      await sale.providerSays(wrong[what as keyof typeof wrong]);
      await sale.providerSays();
      expect([
        await sale.isFrozen(),
        await scenario.state(saleId),
        await sale.breaks(),
        await sale.tasks(),
      ]).toEqual([true, 'pending/pending/', ['payment_mismatch open'], ['payment_mismatch']]);
      // Other currencies and test money are no dollars of ours.
      expect(await sale.balances()).toEqual(what === 'sale' ? { clearing: TOTAL, suspense: -TOTAL } : {});
      await booksAreClean();
      const accepted = await acceptMismatch(admin(), { saleId, note: '' });
      expect(accepted).toEqual(what === 'sale' ? { ok: true } : { ok: false, reason: 'nothing_received' });
      if (what === 'sale') return;
      expect(await returnMismatch(admin(), { saleId, note: 'Sent back by hand.' })).toEqual({ ok: true });
      await sale.providerSays();
      expect([await sale.isFrozen(), await scenario.state(saleId), await sale.tasks()]).toEqual([
        false,
        'failed/cancelled/',
        [],
      ]);
      expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ ok: true });
      await booksAreClean();
    });

    it('too little is accepted only with a reason; the rest is written off', async () => {
      await sale.providerSays(off(-5_00));
      expect(await acceptMismatch(admin(), { saleId, note: ' ' })).toEqual({
        ok: false,
        reason: 'no_reason',
      });
      expect(await acceptMismatch(admin(), { saleId, note: 'A bank fee.' })).toEqual({ ok: true });
      await sale.providerSays();
      expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
      expect(await scenario.propertyStatus(propertyId)).toBe('escrow');
      expect(await sale.balances()).toEqual({
        clearing: TOTAL - 5_00,
        write_offs: 5_00,
        escrow_held: -PRICE,
        fees_held: -FEES,
      });
      expect([await sale.isFrozen(), await sale.breaks(), await sale.tasks()]).toEqual([
        false,
        ['payment_mismatch accepted'],
        [],
      ]);
      const { rows: audited } = await db.pool.query(
        `select b.kind, a.after->>'resolution' as resolution, a.after->>'by' as by from audit_log a join breaks b on b.id::text = a.entity_id
         where a.action = 'break.resolve' and b.sale_id = $1`,
        [saleId],
      );
      expect(audited).toEqual([{ kind: 'payment_mismatch', resolution: 'accepted', by: scenario.admin.id }]);
      for (const { email } of [scenario.buyer, scenario.seller])
        expect((await scenario.mailsTo(email)).join()).toContain('is in escrow');
      expect(await acceptMismatch(admin(), { saleId, note: '' })).toEqual({
        ok: false,
        reason: 'no_mismatch',
      });
      await booksAreClean();
    });

    it('too little by more than one may write off is accepted when a second administrator does, too', async () => {
      const accept = (who: typeof scenario.admin, note = 'Agreed with the bank.') =>
        acceptMismatch(scenario.contextFor(who), { saleId, note });
      const second = await createUser(db, 'admin');
      await sale.providerSays(off(-5_000_00));
      const waits = { ok: true, awaitingApproval: true };
      expect(await accept(scenario.admin)).toEqual(waits);
      expect(await accept(scenario.admin)).toEqual({ ok: false, reason: 'same_administrator' });
      expect([await scenario.state(saleId), await sale.breaks(), await sale.isFrozen()]).toEqual([
        'pending/pending/',
        ['payment_mismatch awaiting_approval'],
        true,
      ]);
      expect((await sale.balances()).write_offs).toBeUndefined();
      const { id: breakId } = await db
        .q()
        .selectFrom('breaks')
        .select('id')
        .where('sale_id', '=', saleId)
        .executeTakeFirstOrThrow();
      const decide = (approve: boolean) => decideWriteOff(scenario.contextFor(second), { breakId, approve });
      expect(await decide(true)).toEqual({ ok: false, reason: 'elsewhere' });
      expect(await decide(false)).toEqual({ ok: true });
      expect(await accept(second)).toEqual(waits);
      expect(await accept(scenario.admin)).toEqual({ ok: true });
      expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
      expect(await sale.balances()).toMatchObject({ write_offs: 5_000_00, escrow_held: -PRICE });
      const ended = await db
        .q()
        .selectFrom('breaks')
        .select(['resolved_by', 'approved_by'])
        .where('id', '=', breakId)
        .execute();
      expect(ended).toEqual([{ resolved_by: second.id, approved_by: scenario.admin.id }]);
      await booksAreClean();
    });

    it('a return withdraws what waits for a second administrator', async () => {
      await sale.providerSays(off(-5_000_00));
      await acceptMismatch(admin(), { saleId, note: 'Agreed.' });
      expect(await returnMismatch(admin(), { saleId, note: 'After all.' })).toEqual({ ok: true });
      const approvals = await db
        .q()
        .selectFrom('break_approvals as a')
        .innerJoin('breaks as b', 'b.id', 'a.break_id')
        .select('a.decision')
        .where('b.sale_id', '=', saleId)
        .execute();
      expect(approvals).toEqual([{ decision: 'withdrawn' }]);
    });

    it('too much is accepted, and the difference goes back', async () => {
      await sale.providerSays(off(5_00));
      await acceptMismatch(admin(), { saleId, note: '' });
      const [owed, ...others] = await scenario.refunds(saleId);
      expect([owed?.amount_cents, owed?.suspense_cents, others.length]).toEqual([5_00, 5_00, 0]);
      await booksAreClean();
      const key = owed?.idempotency_key ?? '';
      await sale.providerSays({ refunds: [sale.refund('succeeded', { key, amountCents: 5_00 })] });
      expect(await sale.balances()).toEqual({ clearing: TOTAL, escrow_held: -PRICE, fees_held: -FEES });
      expect([await sale.isFrozen(), await scenario.state(saleId)]).toEqual([false, 'completed/in_escrow/']);
      await booksAreClean();
    });

    it('is sent back, and the property is free', async () => {
      await sale.providerSays(off(-5_00));
      expect(await returnMismatch(admin(), { saleId, note: '' })).toEqual({ ok: true });
      expect(await scenario.state(saleId)).toBe('completed/cancelled/');
      expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ ok: true });
      await booksAreClean();
      const key = `refund:${saleId}:0`;
      await sale.providerSays({ refunds: [sale.refund('succeeded', { key, amountCents: TOTAL - 5_00 })] });
      expect([await scenario.state(saleId), await sale.balances()]).toEqual(['refunded/cancelled/', {}]);
      expect(await scenario.mailsTo(scenario.buyer.email)).toContain(
        'We are sending your payment for 48 Larkspur Lane back',
      );
      expect(await scenario.mailsTo(scenario.seller.email)).toContain(
        'The payment for 48 Larkspur Lane was not accepted',
      );
      await booksAreClean();
    });

    it('cannot be accepted for a property that is not for sale anymore, nor by anybody but an administrator', async () => {
      await sale.providerSays(off(5_00));
      const seller = scenario.contextFor(scenario.seller);
      await expect(acceptMismatch(seller, { saleId, note: '' })).rejects.toThrow();
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
      await sale.providerSays();
      await sale.providerSays({
        disputes: [sale.dispute('open', { amountCents: 100_000_00, feeCents: 15_00 })],
      });
      expect(await sale.balances()).toMatchObject({ disputed: 100_000_00, dispute_fees: 15_00 });
      expect(await sale.isFrozen()).toBe(true);
      await booksAreClean();
      await sale.providerSays({
        disputes: [sale.dispute('lost', { amountCents: 100_000_00, feeCents: 15_00 })],
      });
      expect([await sale.isFrozen(), await scenario.state(saleId)]).toEqual([false, 'completed/in_escrow/']);
      expect(await sale.balances()).toEqual({
        clearing: TOTAL - 100_000_00 - 15_00,
        dispute_fees: 15_00,
        escrow_held: -200_000_00,
        fees_held: -FEES,
      });
      await booksAreClean();
    });

    it('of a payment that is won returns the money and the fee', async () => {
      await sale.providerSays();
      await sale.providerSays({ disputes: [sale.dispute('open', { feeCents: 15_00 })] });
      await sale.providerSays({ disputes: [sale.dispute('won', { returnedCents: TOTAL, feeCents: 0 })] });
      expect(await sale.balances()).toEqual({ clearing: TOTAL, escrow_held: -PRICE, fees_held: -FEES });
      expect(await sale.tasks()).toEqual([]);
      await booksAreClean();
    });

    it('lost in part: what comes back stays with the sale, also later', async () => {
      await sale.providerSays();
      await sale.providerSays({ disputes: [sale.dispute('lost', { returnedCents: 30_000_00 })] });
      const left = { escrow_held: -25_005_00, fees_held: -FEES, clearing: 30_000_00 };
      expect([await scenario.state(saleId), await sale.balances()]).toEqual(['completed/in_escrow/', left]);
      await booksAreClean();
      await sale.providerSays({ disputes: [sale.dispute('lost', { returnedCents: 50_000_00 })] });
      await sale.providerSays({ disputes: [sale.dispute('lost', { returnedCents: 30_000_00 })] });
      expect(await sale.balances()).toEqual({ ...left, escrow_held: -45_005_00, clearing: 50_000_00 });
      await booksAreClean();
    });

    it('two of one payment: the sale stays frozen until none is open', async () => {
      await sale.providerSays();
      const first = sale.dispute('open', { ref: `a_${saleId}`, amountCents: 10_000_00 });
      const second = sale.dispute('open', { ref: `b_${saleId}`, amountCents: 20_000_00 });
      await sale.providerSays({ disputes: [first, second] });
      expect(await sale.balances()).toMatchObject({ disputed: 30_000_00 });
      await sale.providerSays({ disputes: [{ ...first, status: 'won' }, second] });
      expect([await sale.isFrozen(), await sale.tasks()]).toEqual([true, ['dispute_opened']]);
      await sale.providerSays({
        disputes: [
          { ...first, status: 'won' },
          { ...second, status: 'lost' },
        ],
      });
      expect([await sale.isFrozen(), await sale.tasks()]).toEqual([false, ['dispute_lost']]);
      expect(await sale.balances()).toMatchObject({ escrow_held: -(PRICE - 20_000_00) });
      await booksAreClean();
    });

    it('an inquiry posts nothing and stops nothing; it may become a chargeback', async () => {
      await sale.providerSays();
      await sale.providerSays({ disputes: [sale.dispute('open', { kind: 'inquiry' })] });
      expect([await sale.isFrozen(), await sale.tasks()]).toEqual([false, []]);
      expect(await scenario.act(scenario.buyer, saleId, 'request_cancellation')).toEqual({ ok: true });
      expect(await scenario.act(scenario.seller, saleId, 'agree_cancellation')).toEqual({ ok: true });
      await sale.providerSays({ disputes: [sale.dispute('open')] });
      expect([await sale.isFrozen(), (await sale.balances()).disputed]).toEqual([true, TOTAL]);
      await sale.providerSays({ disputes: [sale.dispute('open', { kind: 'inquiry' })] });
      expect((await sale.balances()).disputed).toBe(TOTAL);
      await booksAreClean();
    });

    it('lost after the release comes out of the shares, and is returned to them if decided again', async () => {
      await sale.providerSays();
      await scenario.act(scenario.buyer, saleId, 'confirm_closing');
      const before = await sale.balances();
      await sale.providerSays({ disputes: [sale.dispute('lost', { amountCents: 100_000_00 })] });
      expect(await sale.balances()).toEqual({
        clearing: TOTAL - 100_000_00,
        seller_payable: -(160_000_00 - 100_00),
        platform_revenue: -(40_000_00 + 100_00),
        fee_revenue: -FEES,
      });
      await booksAreClean();
      const won = sale.dispute('won', { amountCents: 100_000_00, returnedCents: 100_000_00 });
      await sale.providerSays({ disputes: [won] });
      expect(await sale.balances()).toEqual(before);
      await booksAreClean();
    });
  });
});
