import * as fc from 'fast-check';
import { recognizeRefund } from '#features/payments/commands/recognize-refund.ts';
import type { Payments } from '#gateways/payments/port.ts';
import { closeSandboxDispute } from '#gateways/payments/sandbox/disputes.ts';
import type { Payouts } from '#gateways/payouts/port.ts';
import type { Database } from '#platform/db/database.ts';
import { payoutScenarioOf } from '#tests/support/fixtures/payout-scenario.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { moneyFindings } from '../money-checks.ts';
import { settlePayouts } from '../payout-jobs.ts';
import type { Report, RunOptions } from '../report.ts';
import { createScenario, settleAll } from '../scenario.ts';
import { payByBank } from './bank-steps.ts';
import { createHistoryScenario, type Fault, type HistoryScenario } from './history-scenario.ts';
import { steps } from './steps.ts';

interface HistoryOptions extends RunOptions {
  /** wraps the providers */
  wrapPayments?: (payments: Payments) => Payments;
  wrapPayouts?: (payouts: Payouts) => Payouts;
  /** faults that every history begins with */
  faults?: readonly Fault[];
  /** maximum steps per history */
  steps?: number;
  /** false stops at the first failing history without shrinking it */
  shrink?: boolean;
}

/**
 * Runs random histories of two buyers and two properties, each followed by a period without faults, after which the money
 * must be where it belongs (R2), that of the sellers too. Reports the shortest failing history found.
 */
export async function checkRandomHistories(
  db: Database,
  {
    size,
    seed,
    wrapPayments = (payments) => payments,
    wrapPayouts = (payouts) => payouts,
    faults = [],
    steps: maxSteps = 20,
    shrink = true,
  }: HistoryOptions,
): Promise<Report> {
  const { rewinding, saleScenario } = await createScenario(db);
  try {
    const propertyIds = [
      await saleScenario.createListing({ price_cents: 640_000_00 }),
      await saleScenario.createListing(),
    ];
    await preparePayouts(saleScenario);
    await rewinding.mark();
    const began = saleScenario.clock.now().getTime();
    const history = fc.asyncProperty(
      fc.commands(steps, { maxCommands: maxSteps, size: 'max' }),
      async (commands) => {
        await rewinding.rewind();
        saleScenario.clock.advance(began - saleScenario.clock.now().getTime());
        const scenario = createHistoryScenario(saleScenario, propertyIds, {
          payments: wrapPayments(saleScenario.payments),
          payouts: wrapPayouts(saleScenario.payouts),
        });
        scenario.faults.push(...faults);
        await fc.asyncModelRun(() => ({ model: { begun: 0 }, real: scenario }), commands);
        await endFaults(scenario);
        await settleAll(saleScenario, { payments: wrapPayments(saleScenario.payments) });
        if (await recognizeRefunds(saleScenario))
          await settleAll(saleScenario, { payments: wrapPayments(saleScenario.payments) });
        await payStuckRefunds(saleScenario);
        await settlePayouts(saleScenario, wrapPayouts(saleScenario.payouts));
        const found = [...scenario.errors, ...(await moneyFindings(saleScenario))];
        if (found.length > 0) throw new Error(found.join('\n'));
      },
    );
    const result = await fc.check(history, {
      numRuns: size,
      seed,
      endOnFailure: !shrink,
    });
    const error = result.errorInstance instanceof Error ? result.errorInstance.message : 'failed';
    return {
      trials: result.numRuns,
      findings: result.failed ? [`${error}\nafter: ${result.counterexample}`] : [],
    };
  } finally {
    await rewinding.rollbackAll();
  }
}

/** The seller can be paid by either provider, by Stripe first. */
async function preparePayouts(saleScenario: SaleScenario): Promise<void> {
  const payouts = payoutScenarioOf(saleScenario);
  await payouts.setUpPaypal();
  await payouts.setUpStripe();
  await payouts.fund('paypal', 2_000_000_00);
}

/** An administrator looks at the refunds that were made at the provider. @returns whether there were any */
async function recognizeRefunds(saleScenario: SaleScenario): Promise<boolean> {
  const open = await saleScenario.db
    .q()
    .selectFrom('breaks')
    .select('sale_id')
    .distinct()
    .where('kind', '=', 'unexpected_refund')
    .where('state', '<>', 'resolved')
    .where('sale_id', 'is not', null)
    .$narrowType<{ sale_id: string }>()
    .execute();
  for (const { sale_id: saleId } of open)
    await recognizeRefund(saleScenario.contextFor(saleScenario.admin), { saleId, note: 'Seen.' });
  return open.length > 0;
}

/** Administrators pay from the bank account what the provider still refuses to refund. */
async function payStuckRefunds(saleScenario: SaleScenario): Promise<void> {
  const unsent = saleScenario.db
    .q()
    .selectFrom('refunds')
    .select('sale_id')
    .distinct()
    .where('status', '=', 'pending')
    .where('provider_ref', 'is', null);
  for (const { sale_id } of await unsent.execute()) await payByBank(saleScenario, sale_id);
}

/** Removes remaining faults and closes open disputes. */
async function endFaults({ saleScenario, faults }: HistoryScenario): Promise<void> {
  faults.length = 0;
  const disputes = saleScenario.db
    .q()
    .selectFrom('sandbox_disputes')
    .select('ref')
    .where('status', '=', 'open');
  for (const { ref } of await disputes.execute())
    await closeSandboxDispute(saleScenario.db, ref, 'won', saleScenario.clock.now());
}
