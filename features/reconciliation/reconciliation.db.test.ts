import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { taskList } from '#features/tasks/reads.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import { refundInDashboard } from '#gateways/payments/sandbox/settlement.ts';
import { sendFromSandbox } from '#gateways/payments/sandbox/treasury.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import {
  createReconciliationScenario,
  type ReconciliationScenario,
} from '#tests/support/fixtures/reconciliation-scenario.ts';
import { postBreak } from './commands/post-break.ts';
import { recordTreasuryMove } from './commands/record-treasury-move.ts';
import { refundBreak } from './commands/refund-break.ts';
import { sendBreakRefund } from './commands/send-break-refund.ts';
import { writeOffBreak } from './commands/write-off-break.ts';
import { breakDetail, clearingBalances, reconciliationRuns } from './reads.ts';

await describeOnEachDatabase('reconciliation with the providers', (open) => {
  let db: Database;
  let bench: ReconciliationScenario;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    bench = await createReconciliationScenario(db);
  });
  afterAll(() => db.close());

  const admin = () => bench.contextFor(bench.admin);
  /** A paid sale with its checkout; unheard: nothing of ours knows that it was paid. */
  async function paid({ unheard = false, method = 'card' as 'card' | 'crypto' } = {}) {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.createListing(), method);
    await bench.actOnCheckoutPage(ref, 'pay');
    if (!unheard) await bench.sync(saleId);
    const { total_cents: total } = await bench.sale(saleId);
    const { fee_cents: fee, account } = await db
      .q()
      .selectFrom('sandbox_transactions')
      .select(['fee_cents', 'account'])
      .where('checkout_ref', '=', ref)
      .executeTakeFirstOrThrow();
    return { saleId, ref, total, fee, account };
  }
  const openTasks = async () =>
    (await taskList(admin(), { state: 'open', page: 1 })).tasks.map(
      ({ kind, subjectId }) => `${kind} ${subjectId}`,
    );
  const foundOnce = async (about: string, found: { kind: string; actual: number; expected: number }) => {
    const breaks = await bench.breaks(about);
    expect(breaks).toMatchObject([{ ...found, state: 'open' }]);
    const id = breaks[0]?.id ?? '';
    expect(await openTasks()).toContain(`break_found ${id}`);
    return id;
  };
  const isFrozen = async (saleId: string) => (await bench.sale(saleId)).frozen_at !== null;

  it('matches payments, fees, refunds and payouts to the bank, and agrees about the balance', async () => {
    const card = await paid();
    await paid({ method: 'crypto' });
    await bench.act(bench.admin, card.saleId, 'cancel_sale', 'Both want out');
    await bench.settle();
    bench.clock.advance(MINUTE);
    await bench.settle();
    await sendFromSandbox(
      db,
      { rail: 'crypto', account: card.account, livemode: false },
      { kind: 'bank_payout', amountCents: 1_000 },
      bench.clock.now(),
    );
    bench.letADayPass();
    const first = await bench.reconcile();
    expect(first.get('sandbox-card')).toMatchObject({ outcome: 'finished', matched: 2, opened: 0 });
    expect(first.get('sandbox-crypto')).toMatchObject({ matched: 2, opened: 0 });
    for (const { balance } of [first.get('sandbox-card'), first.get('sandbox-crypto')].filter(
      (one) => one !== undefined,
    ))
      expect(balance).toMatchObject({ pendingCents: 0, unexplainedCents: 0 });
    bench.clock.advance(HOUR);
    expect((await bench.reconcile()).get('sandbox-card')).toMatchObject({ matched: 0, opened: 0, closed: 0 });
    const { runs } = await reconciliationRuns(admin(), {
      providerAccountId: first.get('sandbox-card')?.accountId ?? '',
    });
    expect(runs).toMatchObject([
      { state: 'finished', stored: 0 },
      { state: 'finished', listed: 2, stored: 2, breaksOpened: 0 },
    ]);
  });

  it('compares without storing anything what is not reconciled yet', async () => {
    const { account, ...sale } = await paid();
    const own = (await clearingBalances(admin())).filter(({ comparison }) => comparison !== null);
    expect(own).toMatchObject([
      { oursCents: sale.total - sale.fee, comparison: { pendingCents: 0, unexplainedCents: 0 } },
      { oursCents: 0 },
    ]);
    expect(account).not.toBe('');
  });

  it('finds a payment whose message was lost, and lets the sale follow', async () => {
    const { saleId, total, fee } = await paid({ unheard: true });
    await bench.reconcile();
    expect(await bench.breaks(saleId)).toEqual([]);
    bench.letADayPass();
    const found = (await bench.reconcile({ sync: true })).get('sandbox-card');
    expect(found).toMatchObject({ healed: 1, opened: 0 });
    expect(await bench.breaks(saleId)).toMatchObject([
      { kind: 'missing_message', actual: total - fee, expected: 0, state: 'resolved', resolution: 'matched' },
    ]);
    expect(await bench.state(saleId)).toMatch(/^completed\/in_escrow/);
  });

  it('finds one that stays lost, and ends the break when it is heard', async () => {
    const { saleId, total, fee } = await paid({ unheard: true });
    await bench.reconcile();
    bench.letADayPass();
    await bench.reconcile();
    await bench.reconcile();
    const id = await foundOnce(saleId, { kind: 'missing_message', actual: total - fee, expected: 0 });
    await bench.sync(saleId);
    await bench.reconcile();
    expect(await bench.breaks(saleId)).toMatchObject([{ state: 'resolved', resolution: 'matched' }]);
    expect(await openTasks()).not.toContain(`break_found ${id}`);
    expect(await bench.state(saleId)).toMatch(/^completed\/in_escrow/);
  });

  it('finds a wrong amount', async () => {
    const { saleId, ref, total } = await paid();
    await db
      .q()
      .updateTable('sandbox_transactions')
      .set({ amount_cents: total - 100 })
      .where('checkout_ref', '=', ref)
      .execute();
    await bench.reconcile();
    bench.letADayPass();
    await bench.reconcile();
    await foundOnce(saleId, { kind: 'wrong_amount', actual: total - 100, expected: total });
    expect(await isFrozen(saleId)).toBe(true);
  });

  it('finds a refund that nobody here asked for', async () => {
    const { saleId, ref } = await paid();
    await refundInDashboard(db, ref, 20_000, bench.clock.now());
    await bench.reconcile();
    bench.letADayPass();
    await bench.reconcile();
    await foundOnce(saleId, { kind: 'unexpected_refund', actual: -20_000, expected: 0 });
  });

  it('finds a dispute that nobody told us of', async () => {
    const { saleId, ref, total } = await paid();
    await disputeSandbox(db, ref, bench.clock.now());
    await bench.reconcile();
    bench.letADayPass();
    await bench.reconcile();
    await foundOnce(saleId, { kind: 'dispute', actual: -total - 1_500, expected: 0 });
    expect(await isFrozen(saleId)).toBe(true);
  });

  it('finds a second charge of a sale', async () => {
    const { saleId, total } = await paid();
    await bench.book({ amount_cents: total, fee_cents: 40, sale_id: saleId, payment_ref: 'pi_again' });
    await bench.reconcile();
    bench.letADayPass();
    await bench.reconcile();
    await foundOnce(saleId, { kind: 'duplicate_charge', actual: total - 40, expected: 0 });
    expect(await isFrozen(saleId)).toBe(false);
  });

  it('finds a charge of no sale at once, and sends it back', async () => {
    const port = bench.payments.forMethod('card');
    const { ref } = await port.createCheckout(
      {
        saleId: 'something else',
        lines: [{ name: 'A mistake', amountCents: 90_000 }],
        amountCents: 90_000,
        description: 'A mistake',
        buyerEmail: 'payer@example.com',
        successUrl: 'http://localhost:3000/ok',
        cancelUrl: 'http://localhost:3000/no',
        expiresAt: new Date(bench.clock.now().getTime() + HOUR),
      },
      'order-of-something-else',
    );
    await bench.actOnCheckoutPage(ref, 'pay');
    await bench.reconcile();
    const { transaction, fee } = await transactionOf(ref);
    const id = await foundOnce(transaction, { kind: 'orphan_charge', actual: 90_000 - fee, expected: 0 });
    expect(await refundBreak(admin(), { breakId: id, reason: 'Not ours' })).toEqual({ ok: true });
    expect(await postBreak(admin(), { breakId: id, account: 'suspense', reason: 'Also' })).toEqual({
      ok: false,
      reason: 'refund_running',
    });
    await sendRefunds();
    await sendRefunds();
    await processDue(db, bench.clock.now());
    expect((await bench.reconcile()).get('sandbox-card')?.balance).toMatchObject({
      oursCents: -fee,
      unexplainedCents: 0,
    });
    expect(await bench.breaks(transaction)).toMatchObject([{ state: 'resolved', resolution: 'refunded' }]);
    expect((await breakDetail(admin(), { breakId: id })).refunds).toMatchObject([{ status: 'arrived' }]);
  });

  it('leaves a break open whose refund the provider refuses, with another choice', async () => {
    const ref = await bench.book({ amount_cents: 9_000 });
    await bench.reconcile();
    const [{ id = '' } = {}] = await bench.breaks(ref);
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
    await bench.reconcile();
    expect(await bench.breaks(ref)).toMatchObject([{ state: 'open' }]);
    expect(await writeOffBreak(admin(), { breakId: id, reason: 'It cannot go back' })).toEqual({ ok: true });
  });

  it('finds a fee that differs', async () => {
    const { saleId, ref, fee } = await paid();
    await db
      .q()
      .updateTable('sandbox_transactions')
      .set({ fee_cents: fee + 7 })
      .where('checkout_ref', '=', ref)
      .execute();
    await bench.reconcile();
    bench.letADayPass();
    await bench.reconcile();
    const id = await foundOnce(saleId, { kind: 'fee_drift', actual: -fee - 7, expected: -fee });
    expect(
      await postBreak(admin(), { breakId: id, account: 'processing_cost', reason: 'New tariff' }),
    ).toEqual({ ok: true });
    expect((await bench.reconcile()).get('sandbox-card')).toMatchObject({
      opened: 0,
      balance: { pendingCents: 0 },
    });
  });

  it('finds a payment in another account or mode than its sale', async () => {
    const { saleId } = await paid();
    await bench.book({ rail: 'crypto', amount_cents: 5_000, sale_id: saleId });
    await bench.reconcile();
    await foundOnce(saleId, { kind: 'mode_mix', actual: 5_000, expected: 0 });
  });

  it('finds a foreign currency, which the books do not take in', async () => {
    bench.says.change = (transaction) =>
      transaction.amountCents === 8_800 ? { ...transaction, currency: 'eur' } : transaction;
    bench.says.offCents = -8_800;
    const ref = await bench.book({ amount_cents: 8_800 });
    const result = (await bench.reconcile()).get('sandbox-card');
    const id = await foundOnce(ref, { kind: 'unknown_currency', actual: 8_800, expected: 0 });
    expect(result?.balance).toMatchObject({ oursCents: 0, unexplainedCents: 0 });
    expect(await postBreak(admin(), { breakId: id, account: 'suspense', reason: 'Euro' })).toMatchObject({
      ok: false,
    });
    expect(await writeOffBreak(admin(), { breakId: id, reason: 'Converted by hand' })).toEqual({ ok: true });
    expect((await bench.reconcile()).get('sandbox-card')).toMatchObject({
      opened: 0,
      balance: { oursCents: 0 },
    });
  });

  it('finds what the provider never booked', async () => {
    const { saleId, ref, total, fee } = await paid();
    await db.q().deleteFrom('sandbox_transactions').where('checkout_ref', '=', ref).execute();
    bench.clock.advance(2 * DAY);
    await bench.reconcile();
    expect(await bench.breaks(saleId)).toEqual([]);
    bench.clock.advance(2 * DAY);
    await bench.reconcile();
    expect(await bench.breaks(saleId)).toMatchObject([
      { kind: 'missing_at_provider', actual: 0, expected: total },
      { kind: 'missing_at_provider', actual: 0, expected: -fee },
    ]);
  });

  it('finds what the provider says otherwise later', async () => {
    const ref = await bench.book({ kind: 'bank_payout', amount_cents: -400 });
    await bench.reconcile();
    await db
      .q()
      .updateTable('sandbox_transactions')
      .set({ amount_cents: -450 })
      .where('ref', '=', ref)
      .execute();
    await bench.reconcile();
    expect(await bench.breaks(`${ref} -450`)).toMatchObject([
      { kind: 'transaction_restated', expected: -400, actual: -450, state: 'open' },
    ]);
  });

  it('finds a balance that its transactions do not add up to', async () => {
    await paid();
    bench.says.offCents = 300;
    const { accountId = '' } = (await bench.reconcile()).get('sandbox-card') ?? {};
    const [{ id = '' } = {}] = await bench.breaks(accountId);
    expect(await bench.breaks(accountId)).toMatchObject([{ kind: 'balance_difference', state: 'open' }]);
    await postBreak(admin(), { breakId: id, account: 'bank', reason: 'Paid in by hand' });
    expect((await bench.reconcile()).get('sandbox-card')).toMatchObject({
      opened: 0,
      balance: { unexplainedCents: 0 },
    });
  });

  it('takes a payout for a move to another account when an administrator says so', async () => {
    const sent = await bench.book({ kind: 'bank_payout', amount_cents: -60_000 });
    const received = await bench.book({ rail: 'crypto', kind: 'adjustment', amount_cents: 60_000 });
    await bench.reconcile();
    bench.letADayPass();
    await bench.reconcile();
    const idOf = async (ref: string) =>
      (
        await db
          .q()
          .selectFrom('provider_transactions')
          .select('id')
          .where('ref', '=', ref)
          .executeTakeFirstOrThrow()
      ).id;
    const move = { sentId: await idOf(sent), receivedId: await idOf(received), reason: 'Refunds in crypto' };
    expect(await recordTreasuryMove(admin(), move)).toEqual({ ok: true });
    expect(await recordTreasuryMove(admin(), move)).toEqual({ ok: true });
    const { rows } = { rows: await entriesOf(move.sentId, move.receivedId) };
    expect(rows).toEqual({ bank: 0, clearing: 0, treasury_in_transit: 0 });
    expect(await bench.breaks(received)).toMatchObject([{ resolution: 'treasury' }]);
  });

  it('goes on after a crash where it stopped, once the dead process is given up', async () => {
    for (let n = 0; n < 130; n++) await bench.book({ kind: 'fee', amount_cents: -1 });
    const asked: number[] = [];
    bench.says.beforePage = (pages) => {
      asked.push(pages);
      if (asked.length === 2) throw new Error('the process dies');
    };
    await expect(bench.reconcile()).rejects.toThrow('the process dies');
    expect((await bench.reconcile()).get('sandbox-card')).toMatchObject({ outcome: 'busy' });
    bench.clock.advance(11 * MINUTE);
    const pages = asked.length;
    expect((await bench.reconcile()).get('sandbox-card')).toMatchObject({
      outcome: 'finished',
      matched: 130,
    });
    // The rest of the list, and the one of the other provider.
    expect(asked.length - pages).toBe(2);
  });

  it('runs once at a time for an account', async () => {
    await paid();
    const results = await Promise.all([bench.reconcile(), bench.reconcile(), bench.reconcile()]);
    const outcomes = results.map((result) => result.get('sandbox-card')?.outcome);
    expect(outcomes.filter((outcome) => outcome === 'finished').length).toBeGreaterThanOrEqual(1);
    const { stored } = await db
      .q()
      .selectFrom('clearing_matches as m')
      .innerJoin('ledger_postings as p', 'p.id', 'm.posting_id')
      .select((count) => count.fn.countAll<number>().as('stored'))
      .where('p.provider_account_id', '=', results[0]?.get('sandbox-card')?.accountId ?? '')
      .executeTakeFirstOrThrow();
    expect(Number(stored)).toBe(2);
  });

  it('tells the administrators when an account cannot be reconciled for days', async () => {
    await paid();
    const { accountId = '' } = (await bench.reconcile()).get('sandbox-card') ?? {};
    bench.says.beforePage = () => {
      throw new PaymentError('unavailable', 'The provider is down');
    };
    bench.clock.advance(DAY);
    expect((await bench.reconcile()).get('sandbox-card')).toMatchObject({
      outcome: 'failed',
      failure: 'The provider is down',
    });
    expect(await openTasks()).not.toContain(`reconciliation_overdue ${accountId}`);
    bench.clock.advance(2 * DAY);
    await bench.reconcile();
    expect(await openTasks()).toContain(`reconciliation_overdue ${accountId}`);
    bench.says.beforePage = () => undefined;
    await bench.reconcile();
    expect(await openTasks()).not.toContain(`reconciliation_overdue ${accountId}`);
  });

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
    for (const { id } of refunds) await sendBreakRefund(bench.system, { refundId: id });
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
  async function entriesOf(...transactions: string[]): Promise<Record<string, number>> {
    const rows = await db
      .q()
      .selectFrom('ledger_postings as p')
      .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
      .select(['p.account', (sum) => sum.fn.sum<number>('p.amount_cents').as('cents')])
      .where(
        'e.idempotency_key',
        'in',
        transactions.flatMap((id) => [`booked:${id}`, `treasury:${id}`]),
      )
      .groupBy('p.account')
      .orderBy('p.account')
      .execute();
    return Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]));
  }
});
