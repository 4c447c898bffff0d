import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { settleSandbox } from '#gateways/payments/sandbox/settlement.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { acknowledgeBreak } from './commands/acknowledge-break.ts';
import { decideWriteOff } from './commands/decide-write-off.ts';
import { openBreak } from './commands/open-break.ts';
import { returnSuspense } from './commands/return-suspense.ts';
import { freezeSale } from './freeze-sale.ts';
import { breakDecision, breakDetail, breakList } from './reads.ts';

await describeOnDatabase('the end of a break about what is in the books already', (open) => {
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
  const breakOf = async (saleId: string) => {
    const { breaks } = await breakList(admin(), { state: 'open', saleId });
    return breaks[0]?.id ?? '';
  };
  const actsOf = async (breakId: string) => (await breakDecision(admin(), { breakId })).actions;
  const auditOf = async (breakId: string) => {
    const rows = await db
      .q()
      .selectFrom('audit_log')
      .select('action')
      .where('entity_id', '=', breakId)
      .orderBy('id')
      .execute();
    return rows.map(({ action }) => action);
  };
  const openTasksOf = async (breakId: string) =>
    db
      .q()
      .selectFrom('admin_tasks')
      .select('kind')
      .where('subject_id', '=', breakId)
      .where('closed_at', 'is', null)
      .execute();
  /** More arrives for a paid sale: it is in suspense, and the sale cannot follow. */
  async function moreArrived(cents: number): Promise<{ saleId: string; breakId: string }> {
    const saleId = await scenario.createPaidSale();
    const sale = await scenario.sale(saleId);
    const checkout = await scenario.payments.of(sale.provider).getCheckout(sale.provider_session_id ?? '');
    await scenario.apply(saleId, { ...checkout, amountCents: checkout.amountCents + cents });
    return { saleId, breakId: await breakOf(saleId) };
  }
  /** The provider carries out what was asked for. */
  const refunded = async (saleId: string) => {
    await scenario.settle();
    scenario.clock.advance(HOUR);
    await scenario.settle();
    await scenario.sync(saleId);
  };

  it('is its acknowledgement, by two administrators above the threshold: money that went back twice', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await scenario.actOnCheckoutPage(ref, 'pay_later');
    await settleSandbox(db, ref, 'paid', scenario.clock.now());
    await scenario.sync(saleId);
    await scenario.act({ ...scenario.admin, provedAt: scenario.clock.now() }, saleId, 'cancel_sale');
    await refunded(saleId);
    await disputeSandbox(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    const breakId = await breakOf(saleId);
    expect(await breakDetail(admin(), { breakId })).toMatchObject({ kind: 'paid_back_twice' });
    expect(await actsOf(breakId)).toEqual(['acknowledge']);
    const input = { breakId, reason: 'The bank took it, and the refund had arrived' };
    await expect(acknowledgeBreak(admin(), { ...input, reason: ' ' })).resolves.toEqual({
      ok: false,
      reason: 'no_reason',
    });
    expect(await acknowledgeBreak(admin(), input)).toEqual({ ok: true, awaitingApproval: true });
    expect((await breakDetail(admin(), { breakId })).approvals).toMatchObject([
      { amountCents: 742_000_00, account: null },
    ]);
    expect(await actsOf(breakId)).toEqual(['decline']);
    expect(await decideWriteOff(admin(), { breakId, approve: true })).toEqual({
      ok: false,
      reason: 'same_administrator',
    });
    expect(await decideWriteOff(scenario.contextFor(second), { breakId, approve: true })).toEqual({
      ok: true,
    });
    expect(await breakDetail(admin(), { breakId })).toMatchObject({
      state: 'resolved',
      resolution: 'acknowledged',
      resolvedBy: scenario.admin.name,
      approvedBy: second.name,
      note: input.reason,
    });
    expect(await auditOf(breakId)).toEqual([
      'break.open',
      'break.ask_write_off',
      'break.decide_write_off',
      'break.resolve',
    ]);
    expect(await openTasksOf(breakId)).toEqual([]);
    expect(await checkLedger(scenario.system)).toEqual([]);
    await expect(acknowledgeBreak(admin(), input)).resolves.toEqual({ ok: false, reason: 'resolved' });
  });

  it('comes after the return of what is in suspense, which is sent once', async () => {
    const { saleId, breakId } = await moreArrived(50_00);
    expect(await scenario.accountBalances(saleId)).toMatchObject({ suspense: -50_00 });
    expect(await actsOf(breakId)).toEqual(['return']);
    const input = { breakId, reason: 'Paid twice' };
    expect(await acknowledgeBreak(admin(), input)).toEqual({ ok: false, reason: 'held_in_suspense' });
    const both = await Promise.all([
      returnSuspense(admin(), input),
      returnSuspense(scenario.contextFor(second), input),
    ]);
    expect(both).toContainEqual({ ok: true });
    expect(both).toContainEqual({ ok: false, reason: 'refund_running' });
    expect(await actsOf(breakId)).toEqual([]);
    expect(await acknowledgeBreak(admin(), input)).toEqual({ ok: false, reason: 'refund_running' });
    await refunded(saleId);
    expect((await scenario.accountBalances(saleId)).suspense).toBeUndefined();
    expect(await scenario.refunds(saleId)).toMatchObject([{ amount_cents: 50_00, suspense_cents: 50_00 }]);
    expect(await actsOf(breakId)).toEqual(['acknowledge']);
    expect(await acknowledgeBreak(admin(), input)).toEqual({ ok: true });
    expect(await auditOf(breakId)).toEqual(['break.open', 'break.return', 'break.resolve']);
    expect(await openTasksOf(breakId)).toEqual([]);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    expect(await checkLedger(scenario.system)).toEqual([]);
  });

  it('is not the return of money that somebody disputes or doubts, or that is one’s own', async () => {
    const input = async (change: (saleId: string) => Promise<unknown> = async () => {}) => {
      const { saleId, breakId } = await moreArrived(50_00);
      await change(saleId);
      return { breakId, reason: 'Paid twice' };
    };
    const notRefundable = { ok: false, reason: 'not_refundable' };
    const doubted = await input((saleId) => db.tx(() => freezeSale(scenario.system, saleId, 'In doubt')));
    expect(await returnSuspense(admin(), doubted)).toEqual(notRefundable);
    const disputed = await input(async (saleId) => {
      await disputeSandbox(db, (await scenario.sale(saleId)).provider_session_id ?? '', scenario.clock.now());
      await scenario.sync(saleId);
      // A dispute freezes the sale as well, which must not be the only reason.
      await db.q().updateTable('property_sales').set({ frozen_at: null }).where('id', '=', saleId).execute();
    });
    expect(await returnSuspense(admin(), disputed)).toEqual(notRefundable);
    const buyer = scenario.contextFor({ ...scenario.buyer, role: 'admin' });
    expect(await returnSuspense(buyer, await input())).toEqual(notRefundable);
    const { breakId } = await moreArrived(50_00);
    await expect(returnSuspense(admin(), { breakId, reason: ' ' })).resolves.toEqual({
      ok: false,
      reason: 'no_reason',
    });
  });

  it('that names no amount counts as the whole payment, and an approval of another state is none', async () => {
    const saleId = await scenario.createPaidSale();
    await openBreak(scenario.system, { kind: 'refused_move', subject: saleId, saleId, detail: '' });
    const breakId = await breakOf(saleId);
    const input = { breakId, reason: 'Settled by hand' };
    expect(await acknowledgeBreak(admin(), input)).toEqual({ ok: true, awaitingApproval: true });
    expect(await returnSuspense(admin(), input)).toEqual({ ok: false, reason: 'awaiting_approval' });
    const sale = await scenario.sale(saleId);
    const checkout = await scenario.payments.of(sale.provider).getCheckout(sale.provider_session_id ?? '');
    await scenario.apply(saleId, { ...checkout, amountCents: checkout.amountCents + 1 });
    expect(await decideWriteOff(scenario.contextFor(second), { breakId, approve: true })).toEqual({
      ok: false,
      reason: 'amount_changed',
    });
    expect(await actsOf(breakId)).toEqual(['return']);
  });
});
