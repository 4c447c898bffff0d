import { startPayout } from '#features/payouts/commands/start-payout.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import { type Payouts, payoutMethods } from '#gateways/payouts/port.ts';
import { createPayoutsSandbox } from '#gateways/payouts/sandbox/provider.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { newSale, paymentsFor, systemContext } from './sales.ts';
import type { Scenario } from './scenario.ts';

/** The sandboxes of both payout methods, on the scenario's database. */
export function payoutsFor({ db }: Scenario): Payouts {
  const { secret, publicUrl } = testConfig;
  const common = { db, secret, publicUrl, now: () => new Date() };
  return payoutsOf(payoutMethods.map((method) => createPayoutsSandbox({ ...common, method })));
}

/** A released sale of seller A, who can be paid for it now by PayPal. */
export async function payableSale(scenario: Scenario): Promise<string> {
  const { saleId } = await newSale(scenario, 'released');
  const q = scenario.db.q();
  await q
    .updateTable('property_sales')
    .set({ released_at: new Date('2020-01-01T00:00:00Z') })
    .where('id', '=', saleId)
    .execute();
  await q
    .updateTable('agents')
    .set({
      preferred_payout_method: 'paypal',
      paypal_email: 'paid@example.test',
      paypal_confirmed_at: new Date(),
      payout_hold_until: null,
      payout_status: 'complete',
    })
    .where('id', '=', scenario.cast.sellerA.agentId)
    .execute();
  return saleId;
}

/** A payout that is to be made by hand, because no provider is configured. */
export async function manualPayout(scenario: Scenario): Promise<string> {
  const saleId = await payableSale(scenario);
  const started = await startPayout(
    { ...systemContext(scenario), payments: paymentsFor(scenario), payouts: payoutsOf([]) },
    { saleId, runId: null, expectedCents: null },
  );
  if (!started.ok) throw new Error(started.refusal);
  return started.payoutId;
}
