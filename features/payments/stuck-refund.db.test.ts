import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { withPortOverrides } from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { confirmBankRefund, recordBankRefund } from './commands/pay-refund.ts';
import { refundSale } from './commands/refund-sale.ts';
import { returnBankRefund } from './commands/return-bank-refund.ts';
import { sendRefund } from './commands/send-refund.ts';
import { withdrawRefund } from './commands/withdraw-refund.ts';

const PRICE = 300_000_00;
const TOTAL = PRICE + 4_995_00;
const LOST = 100_000_00;
const PART = 50_000_00;

await describeOnDatabase('a refund that the provider refuses for ever', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let second: UserActor;
  let [saleId, ref, propertyId] = ['', '', ''];
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    second = await createUser(db, 'admin');
    propertyId = await scenario.createListing({ price_cents: PRICE });
    ({ saleId, ref } = await scenario.checkout(scenario.buyer, propertyId));
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
  });

  const as = (actor: UserActor) => scenario.contextFor(actor);
  const booksAreClean = async () => expect(await checkLedger(scenario.system)).toEqual([]);
  const order = (baseCents = PART, idempotencyKey = 'one click') =>
    refundSale(as(scenario.admin), {
      saleId,
      baseCents,
      feesCents: 0,
      reason: 'The roof leaks.',
      idempotencyKey,
    });
  async function losePart() {
    await disputeSandbox(db, ref, scenario.clock.now(), { amountCents: LOST });
    await scenario.sync(saleId);
    await closeSandboxDispute(db, ref, 'lost', scenario.clock.now());
    await scenario.sync(saleId);
  }
  const pending = async () => {
    const rows = (await scenario.refunds(saleId)).filter(({ status }) => status === 'pending');
    if (rows.length !== 1 || !rows[0]) throw new Error(`${rows.length} refunds are pending`);
    return rows[0];
  };
  /** What an administrator sees of the refund that has not left. */
  async function seen(reference = 'TR-2048') {
    const { id, amount_cents } = await pending();
    return { refundId: id, reference, amountCents: amount_cents };
  }
  const record = async (reference?: string, actor = scenario.admin) =>
    recordBankRefund(as(actor), await seen(reference));
  const confirm = async (actor = second) => confirmBankRefund(as(actor), await seen());
  const withdraw = async (reason = 'Agreed by phone.', actor = scenario.admin) =>
    withdrawRefund(as(actor), { refundId: (await seen()).refundId, reason });
  async function bodyOf(subject: string): Promise<string> {
    const { rows } = await db.pool.query<{ text_body: string }>(
      'select text_body from mail_outbox where subject = $1 and idempotency_key like $2 and to_address = $3',
      [subject, `sale:${saleId}:%`, scenario.buyer.email],
    );
    expect(rows).toHaveLength(1);
    return (rows[0]?.text_body ?? '').replace(/\s+/g, ' ');
  }
  const auditOf = async (action: string) =>
    db
      .q()
      .selectFrom('audit_log')
      .select('actor_id')
      .where('entity_id', '=', saleId)
      .where('action', '=', action)
      .execute();

  describe('of a sale that was cancelled after a part had been charged back', () => {
    beforeEach(async () => {
      await losePart();
      await scenario.act(scenario.admin, saleId, 'cancel_sale', 'Not possible.');
      await scenario.settle();
    });

    it('tells the buyer of the first failure alone', async () => {
      for (let count = 0; count < 3; count += 1) await scenario.settle();
      expect((await scenario.events(saleId)).filter((event) => event === 'fail_refund').length).toBe(4);
      expect(
        (await scenario.mailsTo(scenario.buyer.email)).filter((subject) => /could not be sent/.test(subject)),
      ).toHaveLength(1);
    });

    it('is paid from our bank account, which another administrator confirms', async () => {
      expect(await withdraw()).toEqual({ ok: false, reason: 'owed' });
      expect(await record(' ')).toEqual({ ok: false, reason: 'no_reference' });
      await expect(record('x'.repeat(201))).resolves.toEqual({ ok: false, reason: 'no_reference' });
      expect(await recordBankRefund(as(scenario.admin), { ...(await seen()), amountCents: 1 })).toEqual({
        ok: false,
        reason: 'changed',
      });
      await expect(confirm()).resolves.toEqual({ ok: false, reason: 'changed' });
      expect(await record('TR-1')).toEqual({ ok: true });
      expect(await record()).toEqual({ ok: true });
      expect(await record()).toEqual({ ok: true });
      expect(await auditOf('refund.record_reference')).toHaveLength(2);

      // The provider is not asked for it anymore, however much time passes.
      const { id } = await pending();
      scenario.clock.advance(2 * DAY);
      await scenario.settle();
      expect((await pending()).id).toBe(id);

      await expect(confirm(scenario.admin)).resolves.toEqual({ ok: false, reason: 'second_look' });
      const other = { ...(await seen()), amountCents: 1 };
      expect(await confirmBankRefund(as(second), other)).toEqual({ ok: false, reason: 'changed' });
      expect(await confirmBankRefund(as(second), await seen('TR-1'))).toEqual({
        ok: false,
        reason: 'changed',
      });
      expect(await confirm()).toEqual({ ok: true });

      expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
      expect((await scenario.events(saleId)).slice(-2)).toEqual(['pay_refund', 'settle_refund']);
      expect(await scenario.accountBalances(saleId)).toMatchObject({ bank: -(TOTAL - LOST) });
      expect((await scenario.refunds(saleId)).find((one) => one.id === id)).toMatchObject({
        origin: 'bank',
        status: 'succeeded',
        bank_reference: 'TR-2048',
        recorded_by: scenario.admin.id,
        confirmed_by: second.id,
      });
      expect(await auditOf('sale.pay_refund')).toEqual([{ actor_id: second.id }]);
      expect(await bodyOf('Your payment for 48 Larkspur Lane was refunded')).toContain(
        '$204,995.00 was sent back by bank transfer from our own account.',
      );
      const tasks = await db
        .q()
        .selectFrom('admin_tasks')
        .select('kind')
        .where('subject_id', '=', saleId)
        .where('closed_at', 'is', null)
        .execute();
      expect(tasks.map(({ kind }) => kind)).not.toContain('refund_failed');
      await booksAreClean();

      expect(await confirmBankRefund(as(second), { ...other, amountCents: TOTAL - LOST })).toEqual({
        ok: false,
        reason: 'has_left',
      });
      await scenario.settle();
      await booksAreClean();
    });

    it('comes back from the bank of the buyer, and is paid again', async () => {
      await record();
      const { id } = await pending();
      const comesBack = (reason = 'Account closed.', actor = scenario.admin) =>
        returnBankRefund(as(actor), { refundId: id, reason });
      expect(await comesBack()).toEqual({ ok: false, reason: 'changed' });
      expect(await confirm()).toEqual({ ok: true });
      expect(await comesBack('  ')).toEqual({ ok: false, reason: 'no_reason' });
      const own = { ...scenario.admin, id: scenario.buyer.id };
      await expect(comesBack('Account closed.', own)).resolves.toEqual({ ok: false, reason: 'not_yours' });

      expect(await Promise.all([comesBack(), comesBack()])).toEqual(
        expect.arrayContaining([{ ok: true }, { ok: false, reason: 'changed' }]),
      );
      expect(await scenario.state(saleId)).toBe('completed/cancelled/');
      expect((await scenario.events(saleId)).slice(-3)).toEqual([
        'pay_refund',
        'settle_refund',
        'return_refund',
      ]);
      expect((await scenario.accountBalances(saleId)).bank ?? 0).toBe(0);
      expect((await scenario.refunds(saleId)).find((one) => one.id === id)).toMatchObject({
        origin: 'bank',
        status: 'failed',
        failure_reason: 'Account closed.',
      });
      expect(await auditOf('refund.record_return')).toEqual([{ actor_id: scenario.admin.id }]);
      expect(await bodyOf('Your refund for 48 Larkspur Lane came back')).toContain('$204,995.00');
      await booksAreClean();

      // The provider refuses it as before; it is paid from the bank once more.
      await scenario.settle();
      expect((await pending()).amount_cents).toBe(TOTAL - LOST);
      expect(await record()).toEqual({ ok: true });
      expect(await confirm()).toEqual({ ok: true });
      expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
      expect(await scenario.accountBalances(saleId)).toMatchObject({ bank: -(TOTAL - LOST) });
      expect(await comesBack()).toEqual({ ok: false, reason: 'changed' });
      await booksAreClean();
    });

    it('is neither recorded nor confirmed while the bank may give the buyer the money', async () => {
      await record();
      await disputeSandbox(db, ref, scenario.clock.now(), { amountCents: PART });
      expect(await record('TR-3')).toEqual({ ok: false, reason: 'disputed' });
      expect(await confirm()).toEqual({ ok: false, reason: 'disputed' });
    });

    async function loseTheRest() {
      await record();
      await disputeSandbox(db, ref, scenario.clock.now(), { amountCents: TOTAL - LOST });
      await scenario.sync(saleId);
      await closeSandboxDispute(db, ref, 'lost', scenario.clock.now());
      await scenario.sync(saleId);
      expect(await record('TR-3')).toEqual({ ok: false, reason: 'too_much' });
    }

    it('is withdrawn when the bank has taken the rest meanwhile', async () => {
      await loseTheRest();
      expect(await withdraw()).toEqual({ ok: true });
      expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
      await booksAreClean();
    });

    it('is booked when it was paid all the same', async () => {
      await loseTheRest();
      expect(await confirm()).toEqual({ ok: true });
      expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
      const breaks = await db.q().selectFrom('breaks').select('kind').where('sale_id', '=', saleId).execute();
      expect(breaks).toEqual([{ kind: 'paid_back_twice' }]);
      await booksAreClean();
    });
  });

  describe('of a sale that goes on', () => {
    const ordered = async () => {
      expect(await order()).toMatchObject({ ok: true });
      await losePart();
      await scenario.settle();
    };

    it('is withdrawn, and no longer stands in the way of the release', async () => {
      await ordered();
      expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({
        ok: false,
        reason: 'refund_running',
      });
      expect(await withdraw('  ')).toEqual({ ok: false, reason: 'no_reason' });
      const { refundId } = await seen();
      expect(await withdraw()).toEqual({ ok: true });
      expect(await withdrawRefund(as(second), { refundId, reason: 'Again.' })).toEqual({
        ok: false,
        reason: 'has_left',
      });
      for (const { email } of [scenario.buyer, scenario.seller])
        expect((await scenario.mailsTo(email)).filter((subject) => /withdrawn/.test(subject))).toHaveLength(
          1,
        );
      expect(await bodyOf('Your refund for 48 Larkspur Lane was withdrawn')).toContain('Agreed by phone.');
      scenario.clock.advance(HOUR);
      await scenario.settle();
      expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
      await booksAreClean();
    });

    it('is paid from our bank account, before the release and after', async () => {
      await ordered();
      await record();
      expect(await confirm()).toEqual({ ok: true });
      expect((await scenario.events(saleId)).slice(-2)).toEqual(['pay_refund', 'settle_partial_refund']);
      expect(await bodyOf('Your refund for 48 Larkspur Lane was sent')).toContain('by bank transfer');
      expect(await scenario.accountBalances(saleId)).toMatchObject({
        bank: -PART,
        escrow_held: -(PRICE - LOST - PART),
      });
      await booksAreClean();
      expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
      await booksAreClean();
    });

    it('comes back after the release, and is ordered again', async () => {
      await ordered();
      await record();
      const { id } = await pending();
      await confirm();
      expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
      const before = await scenario.accountBalances(saleId);
      expect(await returnBankRefund(as(second), { refundId: id, reason: 'Account closed.' })).toEqual({
        ok: true,
      });
      expect((await pending()).amount_cents).toBe(PART);
      const after = await scenario.accountBalances(saleId);
      expect(after.bank ?? 0).toBe(0);
      expect((before.seller_payable ?? 0) + (before.platform_revenue ?? 0) - PART).toBe(
        (after.seller_payable ?? 0) + (after.platform_revenue ?? 0),
      );
      await booksAreClean();
      expect(await withdraw()).toEqual({ ok: true });
      await booksAreClean();
    });

    it('is decided about at most thirty times a minute, and by nobody whose own purchase it is', async () => {
      await ordered();
      const { refundId } = await seen();
      const own = { ...scenario.admin, id: scenario.buyer.id };
      await expect(withdraw('Agreed.', own)).resolves.toEqual({ ok: false, reason: 'not_yours' });
      const ctx = as(second);
      const limited = { ...ctx, config: { ...ctx.config, relaxedLimits: false } };
      const decide = () => withdrawRefund(limited, { refundId, reason: '' });
      for (let n = 1; n <= 30; n++) expect(await decide()).toEqual({ ok: false, reason: 'no_reason' });
      await expect(decide()).rejects.toMatchObject({ status: 429 });
    });

    it('is not ordered once a part has been charged back', async () => {
      await losePart();
      expect(await order()).toEqual({ ok: false, reason: 'charged_back' });
      expect(await scenario.refunds(saleId)).toEqual([]);
    });
  });

  it('that was carried out unheard has left: it is neither withdrawn nor paid again', async () => {
    await order();
    const { id } = await pending();
    const unheard = withPortOverrides(scenario.payments, (port) => ({
      refund: async (...call) => {
        await port.refund(...call);
        throw new Error('No answer');
      },
    }));
    await expect(sendRefund({ ...scenario.system, payments: unheard }, { refundId: id })).rejects.toThrow();
    const input = { refundId: id, reference: 'TR-1', amountCents: PART };
    for (const decision of [
      withdrawRefund(as(scenario.admin), { refundId: id, reason: 'Agreed.' }),
      recordBankRefund(as(scenario.admin), input),
    ])
      expect(await decision).toEqual({ ok: false, reason: 'has_left' });
  });

  it('that leaves while it is withdrawn or paid another way is booked', async () => {
    await order();
    const { id } = await pending();
    const meanwhile = withPortOverrides(scenario.payments, (port) => ({
      refund: async (...call) => {
        expect(await withdraw()).toEqual({ ok: true });
        return port.refund(...call);
      },
    }));
    await sendRefund({ ...scenario.system, payments: meanwhile }, { refundId: id });
    scenario.clock.advance(DAY);
    await scenario.settle();
    expect((await scenario.refunds(saleId))[0]).toMatchObject({ status: 'succeeded', origin: 'platform' });
    await booksAreClean();

    await order(PART, 'another click');
    const { id: paid } = await pending();
    const paidTwice = withPortOverrides(scenario.payments, (port) => ({
      refund: async (...call) => {
        await record();
        await confirm();
        return port.refund(...call);
      },
    }));
    await sendRefund({ ...scenario.system, payments: paidTwice }, { refundId: paid });
    scenario.clock.advance(DAY);
    await scenario.settle();
    expect((await scenario.refunds(saleId)).map(({ origin }) => origin).toSorted()).toEqual([
      'bank',
      'platform',
      'provider',
    ]);
    expect((await scenario.sale(saleId)).frozen_at).not.toBeNull();
    await booksAreClean();
  });
});
