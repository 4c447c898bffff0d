import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import { refundInDashboard, settleSandboxRefund } from '#gateways/payments/sandbox/settlement.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  createReconciliationScenario,
  type ReconciliationScenario,
} from '#tests/support/fixtures/reconciliation-scenario.ts';
import { postBreak } from './commands/post-break.ts';
import { refundBreak } from './commands/refund-break.ts';
import { sendBreakRefund } from './commands/send-break-refund.ts';
import { writeOffBreak } from './commands/write-off-break.ts';
import { breakDetail } from './reads.ts';

await describeOnDatabase('breaks between the books and the providers', (open) => {
  let db: Database;
  let scenario: ReconciliationScenario;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    scenario = await createReconciliationScenario(db);
  });
  afterAll(() => db.close());

  const admin = () => scenario.contextFor(scenario.admin);
  const foundOnce = async (about: string, found: { kind: string; actual: number; expected: number }) => {
    const breaks = await scenario.breaks(about);
    expect(breaks).toMatchObject([{ ...found, state: 'open' }]);
    const id = breaks[0]?.id ?? '';
    expect(await scenario.openTasks()).toContain(`break_found ${id}`);
    return id;
  };
  const isFrozen = async (saleId: string) => (await scenario.sale(saleId)).frozen_at !== null;

  it('finds a payment whose message was lost, and lets the sale follow', async () => {
    const { saleId, total, fee } = await scenario.pay({ unheard: true });
    await scenario.reconcile();
    expect(await scenario.breaks(saleId)).toEqual([]);
    scenario.letADayPass();
    const found = (await scenario.reconcile({ sync: true })).get('sandbox-card');
    expect(found).toMatchObject({ resolvedBySync: 1, opened: 0 });
    expect(await scenario.breaks(saleId)).toMatchObject([
      { kind: 'missing_message', actual: total - fee, expected: 0, state: 'resolved', resolution: 'matched' },
    ]);
    expect(await scenario.state(saleId)).toMatch(/^completed\/in_escrow/);
  });

  it('finds one that stays lost, and ends the break when it is heard', async () => {
    const { saleId, total, fee } = await scenario.pay({ unheard: true });
    await scenario.reconcile();
    scenario.letADayPass();
    await scenario.reconcile();
    await scenario.reconcile();
    const id = await foundOnce(saleId, { kind: 'missing_message', actual: total - fee, expected: 0 });
    await scenario.sync(saleId);
    await scenario.reconcile();
    expect(await scenario.breaks(saleId)).toMatchObject([{ state: 'resolved', resolution: 'matched' }]);
    expect(await scenario.openTasks()).not.toContain(`break_found ${id}`);
    expect(await scenario.state(saleId)).toMatch(/^completed\/in_escrow/);
  });

  it('finds a wrong amount', async () => {
    const { saleId, ref, total } = await scenario.pay();
    await db
      .q()
      .updateTable('sandbox_transactions')
      .set({ amount_cents: total - 100 })
      .where('checkout_ref', '=', ref)
      .execute();
    await scenario.reconcile();
    scenario.letADayPass();
    await scenario.reconcile();
    await foundOnce(saleId, { kind: 'wrong_amount', actual: total - 100, expected: total });
    expect(await isFrozen(saleId)).toBe(true);
  });

  it('finds a refund that nobody here asked for', async () => {
    const { saleId, ref } = await scenario.pay();
    await refundInDashboard(db, ref, 20_000, scenario.clock.now());
    await scenario.reconcile();
    scenario.letADayPass();
    await scenario.reconcile();
    await foundOnce(saleId, { kind: 'unexpected_refund', actual: -20_000, expected: 0 });
  });

  it('leaves the decision about such a refund open when the sale has followed', async () => {
    const { saleId, ref } = await scenario.pay();
    await refundInDashboard(db, ref, 20_000, scenario.clock.now());
    await processDue(db, scenario.clock.now());
    await scenario.reconcile();
    scenario.letADayPass();
    await processDue(db, scenario.clock.now());
    for (let run = 0; run < 2; run++)
      expect((await scenario.reconcile({ sync: true })).get('sandbox-card')).toMatchObject({ opened: 0 });
    const id = await foundOnce(saleId, { kind: 'unexpected_refund', actual: -20_000, expected: 0 });
    expect(await isFrozen(saleId)).toBe(true);
    expect(await writeOffBreak(admin(), { breakId: id, reason: 'Away with it' })).toEqual({
      ok: false,
      reason: 'elsewhere',
    });
  });

  it('finds a dispute that nobody told us of', async () => {
    const { saleId, ref, total } = await scenario.pay();
    await disputeSandbox(db, ref, scenario.clock.now());
    await scenario.reconcile();
    scenario.letADayPass();
    await scenario.reconcile();
    await foundOnce(saleId, { kind: 'dispute', actual: -total - 1_500, expected: 0 });
    expect(await isFrozen(saleId)).toBe(true);
  });

  it('finds a second charge of a sale', async () => {
    const { saleId, total } = await scenario.pay();
    await scenario.book({ amount_cents: total, fee_cents: 40, sale_id: saleId, payment_ref: 'pi_again' });
    await scenario.reconcile();
    scenario.letADayPass();
    await scenario.reconcile();
    await foundOnce(saleId, { kind: 'duplicate_charge', actual: total - 40, expected: 0 });
    expect(await isFrozen(saleId)).toBe(false);
  });

  it('finds a charge of no sale at once, and sends it back', async () => {
    const ref = await payForNoSale('card');
    await scenario.reconcile();
    const { transaction, fee } = await transactionOf(ref);
    const id = await foundOnce(transaction, { kind: 'orphan_charge', actual: 90_000 - fee, expected: 0 });
    expect(await refundBreak(admin(), { breakId: id, reason: 'Not ours' })).toEqual({ ok: true });
    expect(await postBreak(admin(), { breakId: id, account: 'suspense', reason: 'Also' })).toEqual({
      ok: false,
      reason: 'refund_running',
    });
    await sendRefunds();
    await sendRefunds();
    await processDue(db, scenario.clock.now());
    expect((await scenario.reconcile()).get('sandbox-card')?.balance).toMatchObject({
      oursCents: -fee,
      unexplainedCents: 0,
    });
    expect(await scenario.breaks(transaction)).toMatchObject([{ state: 'resolved', resolution: 'refunded' }]);
    expect((await breakDetail(admin(), { breakId: id })).refunds).toMatchObject([{ status: 'arrived' }]);
  });

  it('opens a break again whose refund the provider accepted and then could not carry out', async () => {
    const ref = await payForNoSale('crypto');
    await scenario.reconcile();
    const { transaction } = await transactionOf(ref);
    const [{ id = '' } = {}] = await scenario.breaks(transaction);
    expect(await refundBreak(admin(), { breakId: id, reason: 'Not ours' })).toEqual({ ok: true });
    await sendRefunds();
    await scenario.reconcile();
    const refunds = async () => (await breakDetail(admin(), { breakId: id })).refunds;
    expect(await refunds()).toMatchObject([{ status: 'sent' }]);
    const { refunds: asked } = await scenario.payments.forMethod('crypto').getCheckout(ref);
    await settleSandboxRefund(db, asked[0]?.ref ?? '', 'failed', scenario.clock.now());
    await scenario.reconcile();
    expect(await refunds()).toMatchObject([
      { status: 'failed', failure: 'The provider could not send the money back.' },
    ]);
    expect(await scenario.openTasks()).toContain(`break_found ${id}`);
    expect(await refundBreak(admin(), { breakId: id, reason: 'Once more' })).toEqual({ ok: true });
    await sendRefunds();
    await scenario.settle();
    scenario.clock.advance(HOUR);
    await scenario.settle();
    await scenario.reconcile();
    expect(await refunds()).toMatchObject([{ status: 'failed' }, { status: 'arrived' }]);
    expect(await scenario.breaks(transaction)).toMatchObject([{ state: 'resolved', resolution: 'refunded' }]);
  });

  it('leaves a break open whose refund the provider refuses, with another choice', async () => {
    const ref = await scenario.book({ amount_cents: 9_000 });
    await scenario.reconcile();
    const [{ id = '' } = {}] = await scenario.breaks(ref);
    expect(await refundBreak(admin(), { breakId: id, reason: 'Back' })).toMatchObject({
      reason: 'not_refundable',
    });
    await db
      .q()
      .updateTable('breaks')
      .set({ provider_transaction_id: await withCheckout(ref) })
      .where('id', '=', id)
      .execute();
    expect(await refundBreak(admin(), { breakId: id, reason: 'Back' })).toEqual({ ok: true });
    await sendRefunds();
    expect((await breakDetail(admin(), { breakId: id })).refunds).toMatchObject([{ status: 'failed' }]);
    await scenario.reconcile();
    expect(await scenario.breaks(ref)).toMatchObject([{ state: 'open' }]);
    expect(await writeOffBreak(admin(), { breakId: id, reason: 'It cannot go back' })).toEqual({ ok: true });
  });

  it('finds a fee that differs', async () => {
    const { saleId, ref, fee } = await scenario.pay();
    await db
      .q()
      .updateTable('sandbox_transactions')
      .set({ fee_cents: fee + 7 })
      .where('checkout_ref', '=', ref)
      .execute();
    await scenario.reconcile();
    scenario.letADayPass();
    await scenario.reconcile();
    const id = await foundOnce(saleId, { kind: 'fee_drift', actual: -fee - 7, expected: -fee });
    expect(
      await postBreak(admin(), { breakId: id, account: 'processing_cost', reason: 'New tariff' }),
    ).toEqual({ ok: true });
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({
      opened: 0,
      balance: { pendingCents: 0 },
    });
  });

  it('finds a payment in another account or mode than its sale', async () => {
    const { saleId } = await scenario.pay();
    await scenario.book({ method: 'crypto', amount_cents: 5_000, sale_id: saleId });
    await scenario.reconcile();
    await foundOnce(saleId, { kind: 'mode_mix', actual: 5_000, expected: 0 });
  });

  it('finds a foreign currency, which the books do not take in', async () => {
    scenario.says.change = (transaction) =>
      transaction.amountCents === 8_800 ? { ...transaction, currency: 'eur' } : transaction;
    scenario.says.offCents = -8_800;
    const ref = await scenario.book({ amount_cents: 8_800 });
    const result = (await scenario.reconcile()).get('sandbox-card');
    const id = await foundOnce(ref, { kind: 'unknown_currency', actual: 8_800, expected: 0 });
    expect(result?.balance).toMatchObject({ oursCents: 0, unexplainedCents: 0 });
    expect(await postBreak(admin(), { breakId: id, account: 'suspense', reason: 'Euro' })).toMatchObject({
      ok: false,
    });
    expect(await writeOffBreak(admin(), { breakId: id, reason: 'Converted by hand' })).toEqual({ ok: true });
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({
      opened: 0,
      balance: { oursCents: 0 },
    });
  });

  it('brings a task back that was closed by hand while its break lasts', async () => {
    const ref = await scenario.book({ amount_cents: 4_000 });
    await scenario.reconcile();
    const id = await foundOnce(ref, { kind: 'orphan_charge', actual: 4_000, expected: 0 });
    await db
      .q()
      .updateTable('admin_tasks')
      .set({ closed_at: scenario.clock.now(), resolution: 'Seen' })
      .where('subject_id', '=', id)
      .execute();
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({ opened: 0 });
    await foundOnce(ref, { kind: 'orphan_charge', actual: 4_000, expected: 0 });
  });

  it('tells once of a break that stays as it is, however often it is found', async () => {
    const ref = await scenario.book({ amount_cents: 4_000 });
    await scenario.reconcile();
    const id = await foundOnce(ref, { kind: 'orphan_charge', actual: 4_000, expected: 0 });
    const task = () =>
      db
        .q()
        .selectFrom('admin_tasks')
        .select(['id', 'detail'])
        .where('subject_id', '=', id)
        .executeTakeFirstOrThrow();
    const told = await task();
    expect(told.detail).toBe(
      `A payment belongs to no sale. At the provider $40.00, in the books $0.00: ${ref}.`,
    );
    await scenario.reconcile();
    expect(await task()).toEqual(told);
    const changes = db.q().selectFrom('live_events').select('payload').where('type', '=', 'task.changed');
    expect(await changes.execute()).not.toContainEqual({ payload: { task: told.id } });
  });

  it('finds what the provider never booked', async () => {
    const { saleId, ref, total, fee } = await scenario.pay();
    await db.q().deleteFrom('sandbox_transactions').where('checkout_ref', '=', ref).execute();
    scenario.clock.advance(2 * DAY);
    await scenario.reconcile();
    expect(await scenario.breaks(saleId)).toEqual([]);
    scenario.clock.advance(2 * DAY);
    await scenario.reconcile();
    expect(await scenario.breaks(saleId)).toMatchObject([
      { kind: 'missing_at_provider', actual: 0, expected: total },
      { kind: 'missing_at_provider', actual: 0, expected: -fee },
    ]);
  });

  it('finds a balance that its transactions do not add up to', async () => {
    await scenario.pay();
    scenario.says.offCents = 300;
    const { accountId = '' } = (await scenario.reconcile()).get('sandbox-card') ?? {};
    const [{ id = '' } = {}] = await scenario.breaks(accountId);
    expect(await scenario.breaks(accountId)).toMatchObject([{ kind: 'balance_difference', state: 'open' }]);
    await postBreak(admin(), { breakId: id, account: 'bank', reason: 'Paid in by hand' });
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({
      opened: 0,
      balance: { unexplainedCents: 0 },
    });
  });

  /** Pays for something that is not ours to sell; its checkout. */
  async function payForNoSale(method: PaymentMethod): Promise<string> {
    const { ref } = await scenario.payments.forMethod(method).createCheckout(
      {
        saleId: 'something else',
        lines: [{ name: 'A mistake', amountCents: 90_000 }],
        amountCents: 90_000,
        description: 'A mistake',
        buyerEmail: 'payer@example.com',
        successUrl: 'http://localhost:3000/ok',
        cancelUrl: 'http://localhost:3000/no',
        expiresAt: new Date(scenario.clock.now().getTime() + HOUR),
      },
      'order-of-something-else',
    );
    await scenario.actOnCheckoutPage(ref, 'pay');
    return ref;
  }
  async function transactionOf(checkoutRef: string) {
    const { ref, fee_cents } = await db
      .q()
      .selectFrom('sandbox_transactions')
      .select(['ref', 'fee_cents'])
      .where('checkout_ref', '=', checkoutRef)
      .executeTakeFirstOrThrow();
    return { transaction: ref, fee: fee_cents };
  }
  async function sendRefunds() {
    const refunds = await db.q().selectFrom('break_refunds').select('id').execute();
    for (const { id } of refunds) await sendBreakRefund(scenario.system, { refundId: id });
  }
  /** A copy of a transaction that names a checkout the provider does not know. */
  async function withCheckout(ref: string) {
    const row = await db
      .q()
      .selectFrom('provider_transactions')
      .selectAll()
      .where('ref', '=', ref)
      .executeTakeFirstOrThrow();
    const { id: _id, ...facts } = row;
    const copy = await db
      .q()
      .insertInto('provider_transactions')
      .values({ ...facts, ref: `${ref} again`, checkout_ref: 'cs_unknown' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return copy.id;
  }
});
