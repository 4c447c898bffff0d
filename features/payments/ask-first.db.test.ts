import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { recordBankReference } from '#features/payouts/commands/manual-payouts.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { sendPayout } from '#features/payouts/commands/send-payout.ts';
import { startPayout } from '#features/payouts/commands/start-payout.ts';
import type { ReleasingEvent } from '#features/sales/model.ts';
import type { Payments } from '#gateways/payments/port.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { failingCall } from '#tests/support/fixtures/sale-scenario.ts';
import { reconcileSales } from './commands/reconcile-sales.ts';
import { releaseEscrow } from './commands/release-escrow.ts';

await describeOnDatabase('before money leaves, the provider is asked', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  /** A dispute of which no message comes. */
  const disputeUnheard = async (saleId: string, amountCents?: number) => {
    const ref = (await scenario.saleScenario.sale(saleId)).provider_session_id ?? '';
    const options = amountCents === undefined ? {} : { amountCents };
    await disputeSandbox(db, ref, scenario.saleScenario.clock.now(), options);
    return ref;
  };
  const state = (saleId: string) => scenario.saleScenario.state(saleId);
  const silent = (): Payments => {
    const { payments } = scenario.saleScenario;
    const call = failingCall('unavailable');
    return {
      ...payments,
      of: (...which) => ({ ...payments.of(...which), getCheckout: call }),
    };
  };
  const sentOf = (saleId: string) =>
    db.q().selectFrom('sandbox_payouts').select('amount_cents').where('sale_id', '=', saleId).execute();
  const payoutsOfSale = (saleId: string) =>
    db
      .q()
      .selectFrom('payouts')
      .select(['status', 'failure', 'sent_at'])
      .where('sale_id', '=', saleId)
      .orderBy('attempt')
      .execute();

  it.each(['confirm_closing', 'release'] as const)('%s: an unheard dispute stops it', async (event) => {
    const { saleScenario } = scenario;
    const saleId = await saleScenario.createPaidSale();
    await disputeUnheard(saleId);
    expect(await saleScenario.act(actorOf(event), saleId, event)).toEqual({ ok: false, reason: 'frozen' });
    expect(await state(saleId)).toBe('completed/in_escrow/');
    expect(await saleScenario.events(saleId)).toContain('open_dispute');
    expect(await checkLedger(saleScenario.system)).toEqual([]);
  });

  it.each(['confirm_closing', 'release'] as const)('%s: without an answer the money stays', async (event) => {
    const { saleScenario } = scenario;
    const saleId = await saleScenario.createPaidSale();
    const ctx = { ...saleScenario.contextFor(actorOf(event)), payments: silent() };
    await expect(releaseEscrow(ctx, { saleId, event })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await state(saleId)).toBe('completed/in_escrow/');
    expect(await saleScenario.act(actorOf(event), saleId, event)).toEqual({ ok: true });
  });

  const actorOf = (event: ReleasingEvent) =>
    event === 'release'
      ? { ...scenario.saleScenario.admin, provedAt: scenario.saleScenario.clock.now() }
      : scenario.saleScenario.buyer;

  it('pressing on during an outage does not put off when the sale is asked about next', async () => {
    const { saleScenario } = scenario;
    const saleId = await saleScenario.createPaidSale();
    const ctx = { ...saleScenario.contextFor(saleScenario.buyer), payments: silent() };
    const from = saleScenario.clock.now().getTime();
    for (let times = 0; times < 7; times++)
      await expect(releaseEscrow(ctx, { saleId, event: 'confirm_closing' })).rejects.toThrow();
    const { ask_failures, next_ask_at } = await saleScenario.sale(saleId);
    expect(next_ask_at?.getTime()).toBe(from + 10 * MINUTE);
    expect(ask_failures).toBe(1);
    saleScenario.clock.advance(10 * MINUTE);
    await reconcileSales(saleScenario.system);
    expect((await saleScenario.sale(saleId)).ask_failures).toBe(0);
  });

  it('nobody has the provider asked about what is not theirs, or not possible', async () => {
    const { saleScenario } = scenario;
    const saleId = await saleScenario.createPaidSale();
    const ctx = { ...saleScenario.contextFor(saleScenario.seller), payments: silent() };
    expect(await releaseEscrow(ctx, { saleId, event: 'confirm_closing' })).toEqual({
      ok: false,
      reason: 'not_yours',
    });
  });

  it('a payout is not sent after an unheard dispute, and again when it is decided', async () => {
    const { saleScenario } = scenario;
    const saleId = await scenario.releasedSale();
    const ref = await disputeUnheard(saleId);
    await scenario.pay(saleId);
    expect(await sentOf(saleId)).toEqual([]);
    expect(await payoutsOfSale(saleId)).toEqual([{ status: 'failed', failure: 'held', sent_at: null }]);
    expect(await checkLedger(saleScenario.system)).toEqual([]);
    await closeSandboxDispute(db, ref, 'won', saleScenario.clock.now());
    await saleScenario.sync(saleId);
    expect(await retryPayout(scenario.admin(), { saleId })).toEqual({ ok: true });
    await scenario.pay(saleId);
    expect(await state(saleId)).toBe('completed/completed/completed');
    expect(await checkLedger(saleScenario.system)).toEqual([]);
  });

  it('nor more than is left after an unheard dispute that was lost', async () => {
    const { saleScenario } = scenario;
    const saleId = await scenario.releasedSale();
    const started = await scenario.start(saleId);
    if (!started.ok) throw new Error(started.refusal);
    const ref = await disputeUnheard(saleId, 100_000_00);
    await closeSandboxDispute(db, ref, 'lost', saleScenario.clock.now());
    await sendPayout(saleScenario.system, started);
    expect(await sentOf(saleId)).toEqual([]);
    expect(await checkLedger(saleScenario.system)).toEqual([]);
    await retryPayout(scenario.admin(), { saleId });
    await scenario.pay(saleId);
    expect(await sentOf(saleId)).toEqual([{ amount_cents: 513_600_00 }]);
    expect(await state(saleId)).toBe('completed/completed/completed');
    expect(await checkLedger(saleScenario.system)).toEqual([]);
  });

  it('a payout waits for an answer, and is then sent', async () => {
    const { saleScenario } = scenario;
    const saleId = await scenario.releasedSale();
    const started = await scenario.start(saleId);
    if (!started.ok) throw new Error(started.refusal);
    const send = (payments: Payments) => sendPayout({ ...saleScenario.system, payments }, started);
    await expect(send(silent())).rejects.toMatchObject({ code: 'unavailable' });
    expect(await payoutsOfSale(saleId)).toEqual([{ status: 'processing', failure: null, sent_at: null }]);
    await send(saleScenario.payments);
    expect(await state(saleId)).toBe('completed/completed/completed');
    // What was sent is not asked about again.
    await send(silent());
  });

  it('a payout by hand is not started after an unheard dispute, nor without an answer', async () => {
    const { saleScenario } = scenario;
    const saleId = await scenario.releasedSale();
    const byHand = { ...scenario.admin(), payouts: payoutsOf([]) };
    const input = { saleId, runId: null, expectedCents: null };
    await expect(startPayout({ ...byHand, payments: silent() }, input)).rejects.toMatchObject({
      code: 'unavailable',
    });
    const ref = await disputeUnheard(saleId);
    expect(await startPayout(byHand, input)).toEqual({ ok: false, refusal: 'frozen' });
    await closeSandboxDispute(db, ref, 'won', saleScenario.clock.now());
    const started = await startPayout(byHand, input);
    if (!started.ok) throw new Error(started.refusal);
    const reference = { payoutId: started.payoutId, reference: 'WIRE 1' };
    expect(await recordBankReference(byHand, reference)).toEqual({ ok: true });
  });
});
