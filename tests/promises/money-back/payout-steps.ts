import * as fc from 'fast-check';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { sendPayout } from '#features/payouts/commands/send-payout.ts';
import { startPayout } from '#features/payouts/commands/start-payout.ts';
import { syncSalePayouts } from '#features/payouts/commands/sync-sale-payouts.ts';
import {
  PAYOUT_OUTCOMES,
  type PayoutOutcome,
  settlePayout,
  settlePayoutItem,
} from '#gateways/payouts/sandbox/settlement.ts';
import { runPayoutJobs } from '../payout-jobs.ts';
import type { HistoryScenario, Purchase } from './history-scenario.ts';
import { type Model, noChoice, pick, purchaseStep, simpleStep } from './step.ts';

/** An administrator pays the seller of a purchase, if that can be done now. */
export async function paySeller(
  { saleScenario, payouts }: HistoryScenario,
  { saleId }: Purchase,
): Promise<void> {
  const started = await startPayout(
    { ...saleScenario.contextFor({ ...saleScenario.admin, provedAt: saleScenario.clock.now() }), payouts },
    { saleId, runId: null, expectedCents: null },
  );
  if (started.ok) await sendPayout({ ...saleScenario.system, payouts }, started);
}

/** The items of the payouts of a sale as the provider has them, the latest payout last. */
const itemsOf = ({ saleScenario }: HistoryScenario, { saleId }: Purchase) =>
  saleScenario.db
    .q()
    .selectFrom('sandbox_payout_items as i')
    .innerJoin('sandbox_payouts as p', 'p.id', 'i.payout_id')
    .select(['i.ref', 'p.key'])
    .where('p.sale_id', '=', saleId)
    .orderBy('i.id')
    .execute();

// Those held for a review are released or blocked by a person.
const outcome = fc.constantFrom(...PAYOUT_OUTCOMES.filter((one) => one !== 'hold'));

async function endPayout(scenario: HistoryScenario, purchase: Purchase, ends: PayoutOutcome): Promise<void> {
  const last = (await itemsOf(scenario, purchase)).at(-1);
  if (last) await settlePayout(scenario.saleScenario.db, last.key, ends, scenario.saleScenario.clock.now());
}

async function endItem(
  scenario: HistoryScenario,
  purchase: Purchase,
  [at, ends]: [number, PayoutOutcome],
): Promise<void> {
  const items = await itemsOf(scenario, purchase);
  if (items.length > 0)
    await settlePayoutItem(
      scenario.saleScenario.db,
      pick(items, at).ref,
      ends,
      scenario.saleScenario.clock.now(),
    );
}

const setSeller =
  (method: 'stripe' | 'paypal') =>
  ({ saleScenario }: HistoryScenario) =>
    saleScenario.db
      .q()
      .updateTable('agents')
      .set({ preferred_payout_method: method })
      .where('id', '=', saleScenario.seller.agentId)
      .execute();

/** What can happen to what the seller is paid. */
export const payoutSteps: fc.Arbitrary<fc.AsyncCommand<Model, HistoryScenario>>[] = [
  purchaseStep('pay the seller', noChoice, paySeller),
  purchaseStep('payout', outcome, endPayout),
  purchaseStep('item', fc.tuple(fc.nat({ max: 40 }), outcome), endItem),
  purchaseStep('ask about payouts', noChoice, ({ saleScenario, payouts }, { saleId }) =>
    syncSalePayouts({ ...saleScenario.system, payouts }, { saleId }),
  ),
  purchaseStep('retry the payout', noChoice, ({ saleScenario }, { saleId }) =>
    retryPayout(saleScenario.contextFor({ ...saleScenario.admin, provedAt: saleScenario.clock.now() }), {
      saleId,
    }),
  ),
  simpleStep('work on payouts', ({ saleScenario, payouts }) =>
    runPayoutJobs({ ...saleScenario.system, payouts }, saleScenario.db),
  ),
  // What was paid out to the seller's bank cannot be taken back.
  simpleStep('the seller spends it', ({ saleScenario }) =>
    saleScenario.db.q().updateTable('sandbox_accounts').set({ balance_cents: 0 }).execute(),
  ),
  simpleStep('the seller wants PayPal', setSeller('paypal')),
  simpleStep('the seller wants Stripe', setSeller('stripe')),
];
