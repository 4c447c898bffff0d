import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PaymentError, type PaymentsPort } from '#gateways/payments/port.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { sendFromSandbox } from '#gateways/payments/sandbox/treasury.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import {
  createReconciliationScenario,
  type ReconciliationScenario,
} from '#tests/support/fixtures/reconciliation-scenario.ts';
import { paymentsOf } from '#tests/support/fixtures/sale-scenario.ts';
import { reconcileAccounts } from './commands/reconcile-accounts.ts';
import { recordTreasuryMove } from './commands/record-treasury-move.ts';
import { clearingBalances, reconciliationRuns } from './reads.ts';

await describeOnEachDatabase('reconciliation with the providers', (open) => {
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

  it('matches payments, fees, refunds and payouts to the bank, and agrees about the balance', async () => {
    const card = await scenario.pay();
    await scenario.pay({ method: 'crypto' });
    await scenario.act(scenario.admin, card.saleId, 'cancel_sale', 'Both want out');
    await scenario.settle();
    scenario.clock.advance(MINUTE);
    await scenario.settle();
    await sendFromSandbox(
      db,
      { method: 'crypto', account: card.account, livemode: false },
      { kind: 'bank_payout', amountCents: 1_000 },
      scenario.clock.now(),
    );
    scenario.letADayPass();
    const first = await scenario.reconcile();
    expect(first.get('sandbox-card')).toMatchObject({ outcome: 'finished', matched: 2, opened: 0 });
    expect(first.get('sandbox-crypto')).toMatchObject({ matched: 2, opened: 0 });
    for (const { balance } of [first.get('sandbox-card'), first.get('sandbox-crypto')].filter(
      (one) => one !== undefined,
    ))
      expect(balance).toMatchObject({ pendingCents: 0, unexplainedCents: 0 });
    scenario.clock.advance(HOUR);
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({
      matched: 0,
      opened: 0,
      closed: 0,
    });
    const { runs } = await reconciliationRuns(admin(), {
      providerAccountId: first.get('sandbox-card')?.accountId ?? '',
    });
    expect(runs).toMatchObject([
      { state: 'finished', stored: 0 },
      { state: 'finished', listed: 2, stored: 2, breaksOpened: 0 },
    ]);
  });

  it('matches disputes with their fees, however late we hear of them', async () => {
    const lost = await scenario.pay();
    const won = await scenario.pay();
    const unheard = await scenario.pay();
    for (const { ref } of [lost, won, unheard]) await disputeSandbox(db, ref, scenario.clock.now());
    for (const { saleId } of [lost, won]) await scenario.sync(saleId);
    await closeSandboxDispute(db, lost.ref, 'lost', scenario.clock.now());
    for (const { ref } of [won, unheard]) await closeSandboxDispute(db, ref, 'won', scenario.clock.now());
    for (const { saleId } of [lost, won, unheard]) await scenario.sync(saleId);
    await scenario.reconcile();
    scenario.letADayPass();
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({
      opened: 0,
      balance: { pendingCents: 0, unexplainedCents: 0 },
    });
    for (const { saleId } of [lost, won, unheard]) expect(await scenario.breaks(saleId)).toEqual([]);
  });

  it('compares without storing anything what is not reconciled yet', async () => {
    const { account, ...sale } = await scenario.pay();
    const own = (await clearingBalances(admin())).filter(({ comparison }) => comparison !== null);
    expect(own).toMatchObject([
      { oursCents: sale.total - sale.fee, comparison: { pendingCents: 0, unexplainedCents: 0 } },
      { oursCents: 0 },
    ]);
    expect(account).not.toBe('');
  });

  it('takes a payout for a move to another account when an administrator says so', async () => {
    const sent = await scenario.book({ kind: 'bank_payout', amount_cents: -60_000 });
    const received = await scenario.book({ method: 'crypto', kind: 'adjustment', amount_cents: 60_000 });
    await scenario.reconcile();
    scenario.letADayPass();
    await scenario.reconcile();
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
    expect(await scenario.breaks(received)).toMatchObject([{ resolution: 'treasury' }]);
  });

  it('goes on after a crash where it stopped, once the dead process is given up', async () => {
    for (let n = 0; n < 130; n++) await scenario.book({ kind: 'fee', amount_cents: -1 });
    const asked: number[] = [];
    scenario.says.beforePage = (pages) => {
      asked.push(pages);
      if (asked.length === 2) throw new Error('the process dies');
    };
    await expect(scenario.reconcile()).rejects.toThrow('the process dies');
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({ outcome: 'busy' });
    scenario.clock.advance(11 * MINUTE);
    const pages = asked.length;
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({
      outcome: 'finished',
      matched: 130,
    });
    // The rest of the list, what was booked since it was begun, which here is all of it, and the list of the other provider.
    expect(asked.length - pages).toBe(4);
  });

  it('goes on after a crash with what was booked since, also where the newest is listed first', async () => {
    const card = scenario.payments.forMethod('card');
    let dies = true;
    const newestFirst: PaymentsPort = {
      ...card,
      async listTransactions({ since, cursor = '0' }) {
        if (dies && cursor !== '0') throw new Error('the process dies');
        const { transactions } = await card.listTransactions({ since });
        // A cursor counts from the oldest, which stays where it is when there are newer ones.
        const end = cursor === '0' ? transactions.length : Number(cursor);
        const from = Math.max(0, end - 2);
        return {
          transactions: transactions.slice(from, end).toReversed(),
          next: from > 0 ? String(from) : null,
        };
      },
    };
    const reconcile = async () => {
      const ctx = { ...scenario.system, payments: paymentsOf(newestFirst) };
      const results = await reconcileAccounts(ctx, { syncSale: () => Promise.resolve() });
      return results.find(({ outcome }) => outcome === 'finished');
    };
    for (let n = 0; n < 3; n++) await scenario.book({ kind: 'fee', amount_cents: -1 });
    await expect(reconcile()).rejects.toThrow('the process dies');
    dies = false;
    scenario.clock.advance(HOUR);
    const during = await scenario.book({ kind: 'fee', amount_cents: -500 });
    scenario.clock.advance(5 * DAY);
    expect(await reconcile()).toMatchObject({ matched: 4, opened: 0, balance: { unexplainedCents: 0 } });
    const known = db.q().selectFrom('provider_transactions').select('amount_cents').where('ref', '=', during);
    expect(await known.execute()).toEqual([{ amount_cents: -500 }]);
  });

  it('stops when another process has taken it over', async () => {
    await scenario.book({ kind: 'fee', amount_cents: -1 });
    scenario.says.beforePage = async () => {
      await db.pool.query(
        `update reconciliation_runs set runner = gen_random_uuid() where state = 'running'`,
      );
    };
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({ outcome: 'busy', matched: 0 });
  });

  it('runs once at a time for an account', async () => {
    await scenario.pay();
    const results = await Promise.all([scenario.reconcile(), scenario.reconcile(), scenario.reconcile()]);
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
    await scenario.pay();
    const { accountId = '' } = (await scenario.reconcile()).get('sandbox-card') ?? {};
    scenario.says.beforePage = () => {
      throw new PaymentError('unavailable', 'The provider is down');
    };
    scenario.clock.advance(DAY);
    expect((await scenario.reconcile()).get('sandbox-card')).toMatchObject({
      outcome: 'failed',
      failure: 'The provider is down',
    });
    expect(await scenario.openTasks()).not.toContain(`reconciliation_overdue ${accountId}`);
    scenario.clock.advance(2 * DAY);
    await scenario.reconcile();
    expect(await scenario.openTasks()).toContain(`reconciliation_overdue ${accountId}`);
    scenario.says.beforePage = () => undefined;
    await scenario.reconcile();
    expect(await scenario.openTasks()).not.toContain(`reconciliation_overdue ${accountId}`);
  });

  it('tells them as well when it is a fault of ours, which nothing else would tell them', async () => {
    await scenario.pay();
    const { accountId = '' } = (await scenario.reconcile()).get('sandbox-card') ?? {};
    scenario.says.beforePage = () => {
      throw new Error('A fault');
    };
    scenario.clock.advance(DAY);
    await expect(scenario.reconcile()).rejects.toThrow('A fault');
    expect(await scenario.openTasks()).not.toContain(`reconciliation_overdue ${accountId}`);
    scenario.clock.advance(2 * DAY);
    await expect(scenario.reconcile()).rejects.toThrow('A fault');
    expect(await scenario.openTasks()).toContain(`reconciliation_overdue ${accountId}`);
    scenario.says.beforePage = () => undefined;
    scenario.clock.advance(HOUR);
    await scenario.reconcile();
    expect(await scenario.openTasks()).not.toContain(`reconciliation_overdue ${accountId}`);
  });

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
