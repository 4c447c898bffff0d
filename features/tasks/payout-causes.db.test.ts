import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  confirmManualPayout,
  failManualPayout,
  recordBankReference,
} from '#features/payouts/commands/manual-payouts.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { startPayout } from '#features/payouts/commands/start-payout.ts';
import { syncPayout } from '#features/payouts/commands/sync-payout.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { PayoutsPort } from '#gateways/payouts/port.ts';
import { settlePayout } from '#gateways/payouts/sandbox/settlement.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { followCauses } from './commands/follow-causes.ts';
import { taskList } from './reads.ts';

await describeOnDatabase('tasks about payouts', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  let colleague: UserActor;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    colleague = await createUser(db, 'admin');
    await scenario.setUpPaypal();
    await scenario.fund('paypal', 10_000_000_00);
  });
  beforeEach(() => db.q().deleteFrom('admin_tasks').execute());
  afterAll(() => db.close());

  const clock = () => scenario.saleScenario.clock;
  const as = (actor: UserActor) => scenario.saleScenario.contextFor({ ...actor, provedAt: clock().now() });
  const tasks = async (state: 'open' | 'closed' = 'open') => {
    await followCauses(scenario.saleScenario.system);
    const found = await taskList(scenario.admin(), { state, page: 1 });
    return found.tasks.map(({ kind, detail, resolution }) => ({ kind, detail, resolution }));
  };
  const keyOf = async (payoutId: string) =>
    (
      await db
        .q()
        .selectFrom('payouts')
        .select('idempotency_key as key')
        .where('id', '=', payoutId)
        .executeTakeFirstOrThrow()
    ).key;
  async function byHand(): Promise<string> {
    const saleId = await scenario.releasedSale();
    const started = await startPayout(
      { ...scenario.admin(), payouts: payoutsOf([]) },
      { saleId, runId: null, expectedCents: null },
    );
    if (!started.ok) throw new Error(started.refusal);
    return started.payoutId;
  }

  it('say when one has been on its way for three days, until it has arrived', async () => {
    const payoutId = await scenario.pay(await scenario.releasedSale());
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(
      clock().now(),
    );
    clock().advance(3 * DAY - HOUR);
    expect(await tasks()).toEqual([]);
    clock().advance(2 * HOUR);
    const detail = `Sent through PayPal on ${day}, and has not arrived.`;
    for (let run = 0; run < 2; run++)
      expect(await tasks()).toMatchObject([{ kind: 'payout_overdue', detail }]);
    await settlePayout(db, await keyOf(payoutId), 'arrive', clock().now());
    await scenario.sync(payoutId);
    expect(await tasks()).toEqual([]);
    expect(await tasks('closed')).toMatchObject([
      { kind: 'payout_overdue', detail, resolution: 'The payout has arrived or failed' },
    ]);
  });

  it('say when one waits to be made by hand for three days, and then to be confirmed', async () => {
    const payoutId = await byHand();
    clock().advance(3 * DAY - HOUR);
    expect(await tasks()).toEqual([]);
    clock().advance(2 * HOUR);
    expect(await tasks()).toMatchObject([
      {
        kind: 'payout_overdue',
        detail: expect.stringMatching(/^To be paid by hand since .*no bank reference\.$/),
      },
    ]);
    const reference = 'WIRE-1';
    await recordBankReference(scenario.admin(), { payoutId, reference });
    expect(await tasks()).toMatchObject([
      { kind: 'payout_overdue', detail: expect.stringContaining('not confirmed by a second administrator.') },
    ]);
    expect(await confirmManualPayout(as(colleague), { payoutId, reference })).toEqual({ ok: true });
    expect(await tasks()).toEqual([]);
  });

  it('say why one failed, until it is sent again', async () => {
    const payoutId = await byHand();
    const { sale_id: saleId } = await db
      .q()
      .selectFrom('payouts')
      .select('sale_id')
      .where('id', '=', payoutId)
      .executeTakeFirstOrThrow();
    await failManualPayout(scenario.admin(), { payoutId, reason: 'The bank is closed.', confirmed: false });
    for (let run = 0; run < 2; run++)
      expect(await tasks()).toMatchObject([
        { kind: 'payout_failed', detail: expect.stringContaining('The bank is closed.') },
      ]);
    expect(await retryPayout(scenario.admin(), { saleId })).toEqual({ ok: true });
    expect(await tasks()).toEqual([]);
    expect(await tasks('closed')).toMatchObject([
      { kind: 'payout_failed', resolution: 'The payout was sent again' },
    ]);
  });

  it('say when a provider contradicts what is on record, and change nothing', async () => {
    const saleId = await scenario.releasedSale();
    const payoutId = await scenario.pay(saleId);
    await settlePayout(db, await keyOf(payoutId), 'arrive', clock().now());
    await scenario.sync(payoutId);
    const paypal = scenario.saleScenario.payouts.forMethod('paypal') as PayoutsPort;
    const mistaken: PayoutsPort = {
      ...paypal,
      async find(...asked) {
        const state = await paypal.find(...asked);
        return (
          state && {
            ...state,
            items: state.items.flatMap((item) => [item, { ...item, ref: `${item.ref}-again` }]),
          }
        );
      },
    };
    await syncPayout({ ...scenario.saleScenario.system, payouts: payoutsOf([mistaken]) }, { payoutId });
    expect(await tasks()).toMatchObject([{ kind: 'payout_disagrees' }]);
    expect((await scenario.saleScenario.sale(saleId)).payout_status).toBe('completed');
  });
});
