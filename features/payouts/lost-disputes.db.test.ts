import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { runPayoutSchedule } from '#features/payout-schedule/commands/run-schedule.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { runPayoutJobs } from '#tests/support/fixtures/payable-sellers.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { completeEmptyPayouts } from './commands/ask-payouts.ts';

await describeOnDatabase('payouts after a dispute was lost', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  const dispute = async (saleId: string, amountCents?: number) => {
    const ref = (await scenario.saleScenario.sale(saleId)).provider_session_id ?? '';
    await disputeSandbox(
      db,
      ref,
      scenario.saleScenario.clock.now(),
      amountCents === undefined ? {} : { amountCents },
    );
    await scenario.saleScenario.sync(saleId);
    return ref;
  };
  const lose = async (saleId: string, ref: string) => {
    await closeSandboxDispute(db, ref, 'lost', scenario.saleScenario.clock.now());
    await scenario.saleScenario.sync(saleId);
  };
  const lostSale = async () => {
    const saleId = await scenario.releasedSale();
    await lose(saleId, await dispute(saleId));
    return saleId;
  };
  /** more than are looked at in one pass, before all others */
  const held = Array.from(
    { length: 201 },
    (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  );
  const stateOf = (saleId: string) => scenario.saleScenario.state(saleId);

  it('a part is lost before the release: the seller is paid what is left, to the cent', async () => {
    const { saleScenario } = scenario;
    const saleId = await saleScenario.createPaidSale();
    const ref = await dispute(saleId, 100_000_33);
    expect(await saleScenario.act(saleScenario.buyer, saleId, 'confirm_closing')).toMatchObject({
      ok: false,
    });
    await lose(saleId, ref);
    expect(await saleScenario.act(saleScenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    saleScenario.clock.advance(8 * DAY);
    // 80 % of $642,000.00 less $0.33
    expect(await saleScenario.accountBalances(saleId)).toMatchObject({ seller_payable: -513_599_74 });
    await scenario.pay(saleId);
    expect(await stateOf(saleId)).toBe('completed/completed/completed');
    expect((await saleScenario.accountBalances(saleId)).seller_payable).toBeUndefined();
    const paid = await db
      .q()
      .selectFrom('payouts')
      .select(['amount_cents', 'paid_cents', 'status'])
      .where('sale_id', '=', saleId)
      .execute();
    expect(paid).toEqual([{ amount_cents: 513_599_74, paid_cents: 513_599_74, status: 'completed' }]);
    expect(await checkLedger(saleScenario.system)).toEqual([]);
  });

  it('a part is lost after the release: the schedule pays what is left', async () => {
    const { saleScenario } = scenario;
    const saleId = await scenario.releasedSale();
    await lose(saleId, await dispute(saleId, 100_000_00));
    await changeSetting(saleScenario.contextFor(saleScenario.admin), {
      name: 'payout_schedule',
      value: { frequency: 'instant', minimumCents: 100_00 },
    });
    saleScenario.clock.advance(DAY);
    await runPayoutSchedule(saleScenario.system);
    await runPayoutJobs(saleScenario.system);
    expect(await stateOf(saleId)).toBe('completed/completed/completed');
    expect((await saleScenario.accountBalances(saleId)).seller_payable).toBeUndefined();
    expect(await checkLedger(saleScenario.system)).toEqual([]);
  });

  it('all of it is lost after the release: the empty payout is completed', async () => {
    const saleId = await scenario.releasedSale();
    const ref = await dispute(saleId);
    await completeEmptyPayouts(scenario.saleScenario.system);
    expect(await stateOf(saleId)).toBe('completed/completed/pending');
    await lose(saleId, ref);
    expect(await stateOf(saleId)).toBe('refunded/completed/pending');
    await completeEmptyPayouts(scenario.saleScenario.system);
    expect(await stateOf(saleId)).toBe('refunded/completed/completed');
    expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  });

  it('empty payouts that are held keep none of the others', async () => {
    const copied = await lostSale();
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_name = 'property_sales' and is_generated = 'NEVER'`.execute(db.q());
    const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
    const values = sql.join(rows.map(({ name }) => sql.ref(`held.${name}`)));
    await sql`
      insert into property_sales (${columns}) select ${values}
      from property_sales s, unnest(${held}::text[]) with ordinality copy(copy_id, number),
        jsonb_populate_record(null::property_sales, to_jsonb(s) || jsonb_build_object('id', copy_id, 'frozen_at', now(),
          'idempotency_key', copy_id, 'provider_session_id', copy_id, 'provider_payment_id', copy_id,
          'receipt_number', 1000000 + number)) held
      where s.id = ${copied}`.execute(db.q());
    const lost = await lostSale();
    await completeEmptyPayouts(scenario.saleScenario.system);
    expect(await stateOf(lost)).toBe('refunded/completed/completed');
  });
});
