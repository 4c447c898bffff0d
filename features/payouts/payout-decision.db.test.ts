import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { settleSandbox } from '#gateways/payments/sandbox/settlement.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { payoutDecision } from './reads.ts';

await describeOnDatabase('whether a seller is paid', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    await db
      .q()
      .updateTable('agents')
      .set({
        preferred_payout_method: 'paypal',
        paypal_email: 'paid@example.test',
        paypal_confirmed_at: new Date(),
      })
      .where('id', '=', scenario.seller.agentId)
      .execute();
  });
  afterAll(() => db.close());

  const decision = (saleId: string) =>
    payoutDecision({ ...scenario.contextFor(scenario.admin), payouts: payoutsOf([]) }, saleId);
  const fromNow = (days: number) => new Date(scenario.clock.now().getTime() + days * DAY);
  const setSeller = (status: 'active' | 'suspended') =>
    db.q().updateTable('agents').set({ status }).where('id', '=', scenario.seller.agentId).execute();

  it('waits by how the buyer paid, as the setting says, from the release on', async () => {
    const card = await scenario.createPaidSale();
    const bank = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await scenario.actOnCheckoutPage(bank.ref, 'pay_later');
    await settleSandbox(db, bank.ref, 'paid', scenario.clock.now());
    const chain = await scenario.checkout(scenario.buyer, await scenario.createListing(), 'crypto');
    await scenario.actOnCheckoutPage(chain.ref, 'pay');
    for (const { saleId } of [bank, chain]) await scenario.sync(saleId);
    expect(await decision(card)).toEqual({ ok: false, refusal: 'not_released' });
    scenario.clock.advance(2 * DAY);
    const held = (days: number) => ({ ok: false, refusal: 'risk_hold', until: fromNow(days) });
    for (const [saleId, days] of [
      [card, 7],
      [bank.saleId, 60],
      [chain.saleId, 1],
    ] as const) {
      expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
      expect(await decision(saleId)).toEqual(held(days));
    }
    await changeSetting(scenario.contextFor(scenario.admin), {
      name: 'payout_hold_days',
      value: { card: 0, bank: 90, chain: 1 },
    });
    expect(await decision(card)).toEqual({ ok: true });
    expect(await decision(bank.saleId)).toEqual(held(90));
    await setSeller('suspended');
    expect(await decision(card)).toEqual({ ok: false, refusal: 'suspended' });
    await setSeller('active');
  });

  it('not while the payment is disputed; once a part is lost, for what is left', async () => {
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    const ref = (await scenario.sale(saleId)).provider_session_id ?? '';
    await disputeSandbox(db, ref, scenario.clock.now(), { amountCents: 100_000_00 });
    await scenario.sync(saleId);
    scenario.clock.advance(100 * DAY);
    expect(await decision(saleId)).toEqual({ ok: false, refusal: 'frozen' });
    await closeSandboxDispute(db, ref, 'lost', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await decision(saleId)).toEqual({ ok: true });
  });

  it('is not known of a sale that does not exist', async () => {
    await expect(decision('no sale')).rejects.toThrow('Not found');
    await expect(decision(scenario.buyer.id)).rejects.toThrow('Not found');
  });
});
