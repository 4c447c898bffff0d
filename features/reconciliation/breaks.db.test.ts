import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { taskList } from '#features/tasks/reads.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createOrphanBreak } from '#tests/support/fixtures/breaks.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { acknowledgeBreak } from './commands/acknowledge-break.ts';
import { decideWriteOff } from './commands/decide-write-off.ts';
import { linkBreak } from './commands/link-break.ts';
import { openBreak } from './commands/open-break.ts';
import { postBreak } from './commands/post-break.ts';
import { recordTreasuryMove } from './commands/record-treasury-move.ts';
import { returnSuspense } from './commands/return-suspense.ts';
import { writeOffBreak } from './commands/write-off-break.ts';
import { freezeSale } from './freeze-sale.ts';
import { breakDetail, breakList } from './reads.ts';

await describeOnDatabase('the end of a break', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let second: UserActor;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    second = await createUser(db, 'admin');
  });
  afterAll(() => db.close());

  const admin = () => scenario.contextFor(scenario.admin);
  /** The balance of each account of the ledger on the entries of a break, in cents. */
  async function bookedFor(breakId: string): Promise<Record<string, number>> {
    const rows = await db
      .q()
      .selectFrom('ledger_postings as p')
      .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
      .select(['p.account', (sum) => sum.fn.sum<number>('p.amount_cents').as('cents')])
      .where('e.idempotency_key', 'like', `break:${breakId}%`)
      .groupBy('p.account')
      .execute();
    return Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]));
  }
  const stateOf = async (breakId: string) => {
    const { state, resolution, note, resolvedBy, approvedBy } = await breakDetail(admin(), { breakId });
    return { state, resolution, note, resolvedBy, approvedBy };
  };
  const isSettled = async (transactionId: string) => {
    const row = await db
      .q()
      .selectFrom('provider_transactions')
      .select(['amount_settled_at', 'fee_settled_at'])
      .where('id', '=', transactionId)
      .executeTakeFirstOrThrow();
    return row.amount_settled_at !== null && row.fee_settled_at !== null;
  };
  const openTasks = async () => (await taskList(admin(), { state: 'open', page: 1 })).tasks;
  const auditOf = async (breakId: string) =>
    (
      await db
        .q()
        .selectFrom('audit_log')
        .select('action')
        .where('entity_id', '=', breakId)
        .orderBy('id')
        .execute()
    ).map(({ action }) => action);

  it('is a posting of what the books miss, with the fee among the costs', async () => {
    const { breakId, transactionId } = await createOrphanBreak(db, 'payment', {
      amountCents: 30_000,
      feeCents: 900,
    });
    expect((await openTasks()).some(({ subjectId }) => subjectId === breakId)).toBe(true);
    const post = { breakId, account: 'suspense', reason: 'Nobody knows the payer yet' };
    await expect(postBreak(admin(), { ...post, reason: '  ' })).resolves.toEqual({
      ok: false,
      reason: 'no_reason',
    });
    expect(await postBreak(admin(), { ...post, account: 'escrow_held' })).toEqual({
      ok: false,
      reason: 'wrong_account',
    });
    expect(await postBreak(admin(), post)).toEqual({ ok: true });
    expect(await bookedFor(breakId)).toEqual({ clearing: 29_100, processing_cost: 900, suspense: -30_000 });
    expect(await isSettled(transactionId)).toBe(true);
    expect(await stateOf(breakId)).toEqual({
      state: 'resolved',
      resolution: 'posted',
      note: post.reason,
      resolvedBy: scenario.admin.name,
      approvedBy: null,
    });
    expect((await openTasks()).some(({ subjectId }) => subjectId === breakId)).toBe(false);
    expect(await auditOf(breakId)).toEqual(['break.open', 'break.resolve']);
    expect(await postBreak(admin(), post)).toEqual({ ok: false, reason: 'resolved' });
    expect(await bookedFor(breakId)).toMatchObject({ clearing: 29_100 });
  });

  it('happens once, however many administrators decide at the same time', async () => {
    const { breakId } = await createOrphanBreak(db);
    const results = await Promise.all([
      ...[1, 2, 3].map(() => postBreak(admin(), { breakId, account: 'suspense', reason: 'Mine' })),
      writeOffBreak(scenario.contextFor(second), { breakId, reason: 'Mine' }),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await bookedFor(breakId)).toMatchObject({ clearing: 5_000 });
  });

  it('is a link when both sides agree to the cent, and nothing is posted', async () => {
    const { breakId, transactionId, postingId } = await createOrphanBreak(db);
    const other = await createOrphanBreak(db, 'payment', { amountCents: 5_001 });
    const link = { breakId, to: { postingId }, reason: 'Entered by hand' };
    expect(await linkBreak(admin(), { ...link, to: { postingId: other.postingId } })).toEqual({
      ok: false,
      reason: 'nothing_fits',
    });
    await expect(linkBreak(admin(), { ...link, reason: ' ' })).resolves.toEqual({
      ok: false,
      reason: 'no_reason',
    });
    expect(await linkBreak(admin(), link)).toEqual({ ok: true });
    expect(await isSettled(transactionId)).toBe(true);
    expect(await bookedFor(breakId)).toEqual({});
    expect(await stateOf(breakId)).toMatchObject({ resolution: 'linked' });
  });

  it('is a write-off, alone up to the threshold', async () => {
    const { breakId } = await createOrphanBreak(db, 'payment', { amountCents: 10_000 });
    await expect(writeOffBreak(admin(), { breakId, reason: ' ' })).resolves.toEqual({
      ok: false,
      reason: 'no_reason',
    });
    expect(await writeOffBreak(admin(), { breakId, reason: 'Not worth more time' })).toEqual({ ok: true });
    expect(await bookedFor(breakId)).toEqual({ clearing: 10_000, write_offs: -10_000 });
    expect(await stateOf(breakId)).toMatchObject({ resolution: 'written_off', approvedBy: null });
  });

  it('above the threshold waits for another administrator, who is not the first', async () => {
    const { breakId } = await createOrphanBreak(db, 'payment', { amountCents: 10_001 });
    expect(await writeOffBreak(admin(), { breakId, reason: 'Old' })).toEqual({
      ok: true,
      awaitingApproval: true,
    });
    expect(await bookedFor(breakId)).toEqual({});
    expect(await stateOf(breakId)).toMatchObject({ state: 'awaiting_approval', resolution: null });
    expect(await postBreak(admin(), { breakId, account: 'suspense', reason: 'Or so' })).toEqual({
      ok: false,
      reason: 'awaiting_approval',
    });
    await expect(decideWriteOff(admin(), { breakId, approve: true })).resolves.toEqual({
      ok: false,
      reason: 'same_administrator',
    });
    expect(await decideWriteOff(scenario.contextFor(second), { breakId, approve: true })).toEqual({
      ok: true,
    });
    expect(await bookedFor(breakId)).toEqual({ clearing: 10_001, write_offs: -10_001 });
    expect(await stateOf(breakId)).toMatchObject({
      state: 'resolved',
      note: 'Old',
      resolvedBy: scenario.admin.name,
      approvedBy: second.name,
    });
    expect(await auditOf(breakId)).toEqual([
      'break.open',
      'break.ask_write_off',
      'break.decide_write_off',
      'break.resolve',
    ]);
  });

  it.each(['chargeback_loss', 'processing_cost', 'dispute_fees'] as const)(
    'a posting to %s is given up as a write-off is: above the threshold by two administrators',
    async (account) => {
      const small = await createOrphanBreak(db, 'adjustment', { amountCents: -10_000 });
      expect(await postBreak(admin(), { breakId: small.breakId, account, reason: 'Gone' })).toEqual({
        ok: true,
      });
      expect(await bookedFor(small.breakId)).toEqual({ clearing: -10_000, [account]: 10_000 });
      const { breakId } = await createOrphanBreak(db, 'adjustment', { amountCents: -9_000_000 });
      const awaits = { ok: true, awaitingApproval: true };
      expect(await postBreak(admin(), { breakId, account, reason: 'Gone' })).toEqual(awaits);
      expect(await bookedFor(breakId)).toEqual({});
      expect(await stateOf(breakId)).toMatchObject({ state: 'awaiting_approval' });
      expect(await decideWriteOff(admin(), { breakId, approve: true })).toEqual({
        ok: false,
        reason: 'same_administrator',
      });
      expect(await decideWriteOff(scenario.contextFor(second), { breakId, approve: true })).toEqual({
        ok: true,
      });
      expect(await bookedFor(breakId)).toEqual({ clearing: -9_000_000, [account]: 9_000_000 });
      expect(await stateOf(breakId)).toMatchObject({
        resolution: 'posted',
        resolvedBy: scenario.admin.name,
        approvedBy: second.name,
      });
    },
  );

  it('that was declined, or withdrawn, leaves the break open', async () => {
    const { breakId } = await createOrphanBreak(db, 'payment', { amountCents: 50_000 });
    for (const by of [second, scenario.admin]) {
      scenario.clock.advance(1_000);
      await writeOffBreak(admin(), { breakId, reason: 'Again' });
      expect(await decideWriteOff(scenario.contextFor(by), { breakId, approve: false })).toEqual({
        ok: true,
      });
      expect(await stateOf(breakId)).toMatchObject({ state: 'open' });
    }
    const { approvals } = await breakDetail(admin(), { breakId });
    expect(approvals.map(({ decision }) => decision)).toEqual(['declined', 'withdrawn']);
    expect(await decideWriteOff(admin(), { breakId, approve: false })).toEqual({
      ok: false,
      reason: 'not_awaiting',
    });
  });

  it('follows the threshold of the settings', async () => {
    await changeSetting(admin(), { name: 'write_off_approval_cents', value: 100 });
    const { breakId } = await createOrphanBreak(db, 'payment', { amountCents: 101 });
    expect(await writeOffBreak(admin(), { breakId, reason: 'A dollar' })).toMatchObject({
      awaitingApproval: true,
    });
    await db.q().deleteFrom('platform_settings').execute();
  });

  it('does not follow a threshold that the administrator raised alone', async () => {
    await changeSetting(admin(), { name: 'write_off_approval_cents', value: 1_000_000 });
    const { breakId } = await createOrphanBreak(db, 'payment', { amountCents: 10_001 });
    expect(await writeOffBreak(admin(), { breakId, reason: 'Mine' })).toMatchObject({
      awaitingApproval: true,
    });
    await decideWriteOff(admin(), { breakId, approve: false });
    expect(await writeOffBreak(scenario.contextFor(second), { breakId, reason: 'Yours' })).toEqual({
      ok: true,
    });
    const other = await createOrphanBreak(db, 'payment', { amountCents: 501 });
    await changeSetting(scenario.contextFor(second), { name: 'write_off_approval_cents', value: 500 });
    await changeSetting(admin(), { name: 'write_off_approval_cents', value: 10_000 });
    expect(await writeOffBreak(admin(), { breakId: other.breakId, reason: 'Mine' })).toMatchObject({
      awaitingApproval: true,
    });
    await db.q().deleteFrom('platform_settings').execute();
  });

  it('unfreezes the sale when no other break holds it', async () => {
    const saleId = await scenario.createPaidSale();
    const first = await createOrphanBreak(db);
    const other = await createOrphanBreak(db);
    for (const { breakId } of [first, other])
      await db
        .q()
        .updateTable('breaks')
        .set({ sale_id: saleId, freezes: true })
        .where('id', '=', breakId)
        .execute();
    await db.tx(() => freezeSale(scenario.system, saleId, 'In doubt'));
    const unfrozen = async () => (await scenario.events(saleId)).filter((event) => event === 'unfreeze_sale');
    const mails = () => scenario.mailsTo(scenario.buyer.email);
    const before = await mails();
    await postBreak(admin(), { breakId: first.breakId, account: 'suspense', reason: 'One' });
    expect((await scenario.sale(saleId)).frozen_at).not.toBeNull();
    expect(await unfrozen()).toEqual([]);
    expect(await mails()).toEqual(before);
    await postBreak(admin(), { breakId: other.breakId, account: 'suspense', reason: 'Two' });
    expect((await scenario.sale(saleId)).frozen_at).toBeNull();
    expect(await unfrozen()).toHaveLength(1);
    expect(await mails()).toHaveLength(before.length + 1);
  });

  it('never takes more out of suspense than is there', async () => {
    const { breakId } = await createOrphanBreak(db, 'adjustment', { amountCents: -9_000_000 });
    await expect(postBreak(admin(), { breakId, account: 'suspense', reason: 'Theirs' })).resolves.toEqual({
      ok: false,
      reason: 'nothing_in_suspense',
    });
    await writeOffBreak(admin(), { breakId, reason: 'Gone' });
    expect(await decideWriteOff(scenario.contextFor(second), { breakId, approve: true })).toEqual({
      ok: true,
    });
  });

  it('of a sale’s own operations is left to them', async () => {
    const saleId = await scenario.createPaidSale();
    await openBreak(scenario.system, { kind: 'payment_mismatch', subject: saleId, saleId, detail: '' });
    const { breaks } = await breakList(admin(), { state: 'open', saleId });
    const breakId = breaks[0]?.id ?? '';
    const input = { breakId, reason: 'Away with it' };
    expect(await writeOffBreak(admin(), input)).toEqual({ ok: false, reason: 'elsewhere' });
    expect(await acknowledgeBreak(admin(), input)).toEqual({ ok: false, reason: 'not_acknowledged' });
    expect(await returnSuspense(admin(), input)).toEqual({ ok: false, reason: 'not_acknowledged' });
  });

  it('is a move between our own accounts, one leg after the other or both at once', async () => {
    const transit = async () => {
      const { cents } = await db
        .q()
        .selectFrom('ledger_postings')
        .select((sum) => sum.fn.sum<number>('amount_cents').as('cents'))
        .where('account', '=', 'treasury_in_transit')
        .executeTakeFirstOrThrow();
      return Number(cents);
    };
    const before = await transit();
    const legs = async () => ({
      sent: await createOrphanBreak(db, 'adjustment', { amountCents: -700_000, feeCents: 25 }),
      received: await createOrphanBreak(db, 'adjustment', { amountCents: 700_000 }),
    });
    const move = (sentId: string | null, receivedId: string | null) =>
      recordTreasuryMove(admin(), { sentId, receivedId, reason: 'For refunds' });
    const one = await legs();
    expect(await move(one.sent.transactionId, null)).toEqual({ ok: true });
    expect((await transit()) - before).toBe(700_000);
    expect(await move(one.sent.transactionId, one.received.transactionId)).toEqual({ ok: true });
    expect((await transit()) - before).toBe(0);
    const both = await legs();
    expect(await move(both.sent.transactionId, both.received.transactionId)).toEqual({ ok: true });
    expect((await transit()) - before).toBe(0);
    for (const { breakId } of [one.sent, one.received, both.sent, both.received])
      expect(await stateOf(breakId)).toMatchObject({ resolution: 'treasury' });
    expect(await move(both.received.transactionId, null)).toEqual({ ok: false, reason: 'no_transaction' });
    expect(await move(null, null)).toEqual({ ok: false, reason: 'no_transaction' });
    expect(await auditOf(both.sent.transactionId)).toContain('treasury.record');
    // Money that the books have recorded as something else is no move of ours.
    const elsewhere = await createOrphanBreak(db, 'adjustment', { amountCents: -500 });
    await postBreak(admin(), { breakId: elsewhere.breakId, account: 'processing_cost', reason: 'A fee' });
    expect(await move(elsewhere.transactionId, null)).toEqual({ ok: false, reason: 'no_transaction' });
    const unexplained = await legs();
    await expect(
      recordTreasuryMove(admin(), { sentId: unexplained.sent.transactionId, receivedId: null, reason: ' ' }),
    ).resolves.toEqual({ ok: false, reason: 'no_reason' });
    expect((await transit()) - before).toBe(0);
    const other = await createOrphanBreak(db, 'adjustment', { amountCents: 700_001 });
    expect(await move(both.sent.transactionId, other.transactionId)).toEqual({
      ok: false,
      reason: 'amounts_differ',
    });
  });

  it('is listed by pages, with filters', async () => {
    const accounts = new Set<string>();
    for (let n = 0; n < 51; n++) accounts.add((await createOrphanBreak(db)).accountId);
    const first = await breakList(admin(), { state: 'open', kind: 'orphan_charge' });
    const next = await breakList(admin(), { state: 'open', kind: 'orphan_charge', before: first.before });
    expect(first.breaks).toHaveLength(50);
    const ids = [...first.breaks, ...next.breaks].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const [account = ''] = accounts;
    const of = await breakList(admin(), { state: 'all', providerAccountId: account });
    expect(of.breaks).toMatchObject([{ kind: 'orphan_charge', expectedCents: 0, actualCents: 5_000 }]);
    expect((await breakList(admin(), { state: 'resolved', providerAccountId: account })).breaks).toEqual([]);
  });

  it('leaves balanced books', async () => {
    expect((await checkLedger(scenario.system)).filter(({ check }) => check.includes('balances'))).toEqual(
      [],
    );
  });
});
