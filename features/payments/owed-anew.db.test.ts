import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { refundInDashboard, settleSandboxRefund } from '#gateways/payments/sandbox/settlement.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { recognizeRefund } from './commands/recognize-refund.ts';
import { withdrawRefund } from './commands/withdraw-refund.ts';

const TOTAL = 300_000_00 + 4_995_00;
const PART = 1_000_00;
const COST = 8_845_16;

await describeOnDatabase('what a cancelled sale owes while a refund is made at the provider', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let [saleId, ref] = ['', ''];
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    const propertyId = await scenario.createListing({ price_cents: 300_000_00 });
    ({ saleId, ref } = await scenario.checkout(scenario.buyer, propertyId));
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
  });

  const admin = () => scenario.contextFor(scenario.admin);
  const cancel = () => scenario.act(scenario.admin, saleId, 'cancel_sale', 'Not possible.');
  const refundThere = () => refundInDashboard(db, ref, PART, scenario.clock.now());
  const withdraw = async () => {
    const unsent = (await scenario.refunds(saleId)).find(
      ({ status, provider_ref }) => status === 'pending' && provider_ref === null,
    );
    return withdrawRefund(admin(), {
      refundId: unsent?.id ?? '',
      reason: 'A part was paid in the dashboard.',
    });
  };
  const amounts = async () =>
    (await scenario.refunds(saleId)).map(({ status, amount_cents }) => [status, amount_cents]);
  async function expectRefundedOnce() {
    expect(await recognizeRefund(admin(), { saleId, note: 'Agreed.' })).toEqual({ ok: true });
    for (let hours = 0; hours < 4; hours += 1) {
      scenario.clock.advance(2 * HOUR);
      await scenario.settle();
    }
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    const back = (await amounts()).flatMap(([status, cents]) =>
      status === 'succeeded' ? [Number(cents)] : [],
    );
    expect(back.reduce((sum, cents) => sum + cents, 0)).toBe(TOTAL);
    expect(await scenario.accountBalances(saleId)).toEqual({
      clearing: -COST,
      processing_cost: COST,
    });
    expect(await checkLedger(scenario.system)).toEqual([]);
  }

  it('is ordered in place of a refund that is withdrawn because a part of it has gone back already', async () => {
    await refundThere();
    await cancel();
    scenario.clock.advance(11 * MINUTE);
    expect(await withdraw()).toEqual({ ok: true });
    expect(await amounts()).toEqual([
      ['pending', PART],
      ['failed', TOTAL],
      ['pending', TOTAL - PART],
    ]);
    expect(await withdraw()).toEqual({ ok: false, reason: 'owed' });
    const mails = await db.pool.query<{ text_body: string }>(
      `select text_body from mail_outbox where subject = 'Your refund for 48 Larkspur Lane was withdrawn'
        and idempotency_key like $1`,
      [`sale:${saleId}:%`],
    );
    expect(mails.rows.map(({ text_body }) => text_body.replace(/\s+/g, ' '))).toEqual([
      expect.stringContaining('has withdrawn the refund of $1,000.00, which had not been sent'),
    ]);
    await expectRefundedOnce();
  });

  it('is ordered when that refund fails', async () => {
    await cancel();
    const { ref: refund } = await refundThere();
    await scenario.sync(saleId);
    // More than is left: the provider refuses it, and the rest is ordered.
    await scenario.settle();
    await settleSandboxRefund(db, refund, 'failed', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await amounts()).toEqual([
      ['failed', PART],
      ['failed', TOTAL],
      ['pending', TOTAL - PART],
      ['pending', PART],
    ]);
    await expectRefundedOnce();
  });
});
