import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE, SECOND } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { chargeFees } from '#tests/support/fixtures/sale-scenario.ts';
import { sendPayout } from './commands/send-payout.ts';
import { heldForSales } from './sql.ts';

/** 80 % of $742,000.00 */
const SHARE = 593_600_00;

await describeOnDatabase('a balance that is short', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  let other: PayoutScenario;
  const inEscrow: string[] = [];
  beforeAll(async () => {
    db = await open();
    const clock = testClock();
    scenario = await createPayoutScenario(db, { clock });
    other = await createPayoutScenario(db, { clock });
    await scenario.setUpStripe();
    await other.setUpStripe();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    inEscrow.push(await scenario.saleScenario.createPaidSale());
  });

  afterEach(async () => {
    const open = await db.q().selectFrom('payouts').select('id').where('status', '=', 'processing').execute();
    for (const { id } of open) await sendPayout(scenario.saleScenario.system, { payoutId: id });
  });

  const refused = { ok: false, refusal: 'balance_short' };
  const heldFor = async (saleId: string) => {
    const { escrow_held = 0, fees_held = 0 } = await scenario.saleScenario.accountBalances(saleId);
    return -escrow_held - fees_held;
  };
  /** Brings or takes money, so that so much of the balance, which is available whole, is left beside the payments in escrow. */
  async function leave(freeCents: number): Promise<void> {
    const balance = await scenario.saleScenario.payouts.forMethod('stripe')?.balance();
    expect(balance?.pendingCents).toBe(0);
    let wanted = freeCents - (balance?.availableCents ?? 0);
    for (const saleId of inEscrow) wanted += await heldFor(saleId);
    if (wanted !== 0) await scenario.fund('stripe', wanted);
    // Balances are asked for anew after a minute.
    scenario.saleScenario.clock.advance(2 * MINUTE);
  }

  it('pays a crypto sale with no money that is in escrow for the buyer of another one', async () => {
    const saleId = await scenario.releasedSale('crypto');
    await leave(SHARE - 1);
    expect(await scenario.start(saleId)).toEqual(refused);
    expect((await scenario.saleScenario.sale(saleId)).payout_status).toBe('pending');
    await leave(SHARE);
    await scenario.pay(saleId);
    expect((await scenario.saleScenario.sale(saleId)).payout_status).toBe('completed');
    expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  });

  it('pays one of two sellers who are paid at the same moment', async () => {
    const sales = [await scenario.releasedSale('crypto'), await other.releasedSale('crypto')];
    await leave(2 * SHARE - 1);
    const results = await Promise.all([scenario.start(sales[0] ?? ''), other.start(sales[1] ?? '')]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results).toContainEqual(refused);
  });

  it('counts once what a payment in it pays for itself', async () => {
    const own = await scenario.releasedSale();
    const saleId = await scenario.releasedSale('crypto');
    await leave(2 * SHARE);
    expect(await other.start(own)).toMatchObject({ ok: true });
    expect(await scenario.start(saleId)).toMatchObject({ ok: true });
  });

  it('does not know yet of what has been sent since it was asked for', async () => {
    const [first, second] = [await scenario.releasedSale('crypto'), await scenario.releasedSale('crypto')];
    await leave(2 * SHARE - 1);
    const started = await scenario.start(first);
    if (!started.ok) throw new Error(started.refusal);
    scenario.saleScenario.clock.advance(SECOND);
    await sendPayout(scenario.saleScenario.system, started);
    expect((await scenario.saleScenario.sale(first)).payout_status).toBe('completed');
    expect(await scenario.start(second)).toEqual(refused);
  });

  it('holds all that the buyer of a sale in escrow has paid, the fees too', async () => {
    const held = async () => {
      const { provider_account_id: accountId } = await scenario.saleScenario.sale(inEscrow[0] ?? '');
      const { rows } = await sql<{
        held: number;
      }>`select ${heldForSales(accountId ?? '', null)} as held`.execute(db.q());
      return Number(rows[0]?.held);
    };
    await chargeFees(db);
    const before = await held();
    const { total_cents, buyer_fees_cents } = await scenario.saleScenario.sale(
      await scenario.saleScenario.createPaidSale(),
    );
    expect(buyer_fees_cents).toBeGreaterThan(0);
    expect(await held()).toBe(before + total_cents);
  });
});
