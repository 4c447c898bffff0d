import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  createReconciliationScenario,
  type ReconciliationScenario,
} from '#tests/support/fixtures/reconciliation-scenario.ts';
import { postBreak } from './commands/post-break.ts';
import { writeOffBreak } from './commands/write-off-break.ts';
import { breakDecision } from './reads.ts';

await describeOnDatabase('a transaction that the provider states otherwise later', (open) => {
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
  const restate = (ref: string, amount_cents: number) =>
    db.q().updateTable('sandbox_transactions').set({ amount_cents }).where('ref', '=', ref).execute();
  const reconcile = async () => (await scenario.reconcile()).get('sandbox-card');
  /** Each run looks back far enough to be told of it again. */
  const reconcileLater = () => {
    scenario.clock.advance(6 * HOUR);
    return reconcile();
  };

  it('is found, and in the balance once', async () => {
    const ref = await scenario.book({ kind: 'bank_payout', amount_cents: -400 });
    await reconcile();
    await restate(ref, -450);
    const found = await reconcile();
    expect(await scenario.breaks(`${ref} -450 (1)`)).toMatchObject([
      { kind: 'transaction_restated', expected: -400, actual: -450, state: 'open' },
    ]);
    // Posted for both, the change would be in the books twice.
    expect(await scenario.breaks(found?.accountId ?? '')).toEqual([]);
    expect(found).toMatchObject({ opened: 0, balance: { unexplainedCents: 0 } });
  });

  it('is asked about once, however often it is said', async () => {
    const ref = await scenario.book({ kind: 'bank_payout', amount_cents: -400 });
    await reconcile();
    await restate(ref, -450);
    await reconcile();
    const [{ id = '' } = {}] = await scenario.breaks(`${ref} -450 (1)`);
    const posted = await postBreak(admin(), { breakId: id, account: 'bank', reason: 'Corrected' });
    expect(posted).toEqual({ ok: true });
    expect(await reconcileLater()).toMatchObject({
      opened: 0,
      balance: { oursCents: -450, pendingCents: 0, unexplainedCents: 0 },
    });
    expect(await scenario.breaks(`${ref} -450 (1)`)).toMatchObject([
      { state: 'resolved', resolution: 'posted' },
    ]);
    await restate(ref, -470);
    await reconcileLater();
    expect(await scenario.breaks(`${ref} -470 (2)`)).toMatchObject([
      { expected: -450, actual: -470, state: 'open' },
    ]);
    await restate(ref, -400);
    expect(await reconcileLater()).toMatchObject({
      opened: 0,
      balance: { oursCents: -450, pendingCents: 50, unexplainedCents: 0 },
    });
    expect(await scenario.breaks(`${ref} -400 (3)`)).toMatchObject([
      { expected: -470, actual: -400, state: 'open' },
    ]);
  });

  it('is found each time, also to and fro while nobody has looked at it', async () => {
    const ref = await scenario.book({ kind: 'bank_payout', amount_cents: -400 });
    await reconcile();
    for (const cents of [-450, -400, -450]) {
      await restate(ref, cents);
      expect(await reconcileLater()).toMatchObject({ opened: 0, balance: { unexplainedCents: 0 } });
    }
    expect(await scenario.breaks(`${ref} -450 (3)`)).toMatchObject([
      { expected: -400, actual: -450, state: 'open' },
    ]);
  });

  it('in a foreign currency changes no balance, and is not posted', async () => {
    scenario.says.change = (transaction) =>
      [8_800, 9_000].includes(transaction.amountCents) ? { ...transaction, currency: 'eur' } : transaction;
    scenario.says.offCents = -8_800;
    const ref = await scenario.book({ amount_cents: 8_800 });
    await reconcile();
    await restate(ref, 9_000);
    scenario.says.offCents = -9_000;
    expect(await reconcileLater()).toMatchObject({ balance: { oursCents: 0, unexplainedCents: 0 } });
    const [{ id: breakId = '' } = {}] = await scenario.breaks(`${ref} 9000 (1)`);
    const posted = await postBreak(admin(), { breakId, account: 'suspense', reason: 'Euro' });
    expect(posted).toMatchObject({ ok: false });
    expect(await writeOffBreak(admin(), { breakId, reason: 'Converted by hand' })).toEqual({ ok: true });
    expect(await reconcileLater()).toMatchObject({ balance: { oursCents: 0, unexplainedCents: 0 } });
  });

  it('in a foreign currency by more than one administrator may give up waits for another', async () => {
    scenario.says.change = (transaction) =>
      [88, 9_000_000_00].includes(transaction.amountCents)
        ? { ...transaction, currency: 'eur' }
        : transaction;
    const ref = await scenario.book({ amount_cents: 88 });
    await reconcile();
    await restate(ref, 9_000_000_00);
    await reconcileLater();
    const [{ id: breakId = '' } = {}] = await scenario.breaks(`${ref} 900000000 (1)`);
    expect(await breakDecision(admin(), { breakId })).toMatchObject({ atStakeCents: 8_999_999_12 });
    expect(await writeOffBreak(admin(), { breakId, reason: 'Converted by hand' })).toEqual({
      ok: true,
      awaitingApproval: true,
    });
  });
});
