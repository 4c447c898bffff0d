import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { cancelCheckout } from '#features/checkout/commands/cancel-checkout.ts';
import { openCheckout } from '#features/checkout/commands/open-checkout.ts';
import { recognizeRefund } from '#features/payments/commands/recognize-refund.ts';
import { reconcileSales } from '#features/payments/commands/reconcile-sales.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { sweepSales } from '#features/payments/commands/sweep-sales.ts';
import { syncPayment } from '#features/payments/commands/sync-payment.ts';
import { foldReportEvents } from '#features/reports/commands/fold-events.ts';
import type { PartyEvent } from '#features/sales/model.ts';
import { paymentMethods } from '#gateways/payments/port.ts';
import {
  performSandboxAction,
  SANDBOX_ACTIONS,
  type SandboxAction,
} from '#gateways/payments/sandbox/checkout-page.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import {
  payExpiredCrypto,
  refundInDashboard,
  settleSandbox,
  settleSandboxRefund,
} from '#gateways/payments/sandbox/settlement.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { checkoutTarget } from '#tests/support/fixtures/sale-scenario.ts';
import { deliver, runJobs, sentMessages } from '../scenario.ts';
import { bankSteps } from './bank-steps.ts';
import type { Fault, HistoryScenario, Purchase } from './history-scenario.ts';
import { payoutSteps, paySeller } from './payout-steps.ts';
import { type Model, noChoice, pick, purchaseStep, Step, simpleStep } from './step.ts';

/** How far a purchase gets in one step; mostly to payment, in time or late, where it becomes interesting. */
const targetState = fc.constantFrom(
  'begun',
  'open',
  'paid',
  'paid',
  'paid late',
  'cancelled',
  'paid out',
  'paid out',
);

const begin = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 1 }), fc.constantFrom(...paymentMethods), targetState)
  .map(
    ([who, where, method, until]) =>
      new Step(`${who ? 'B' : 'A'} property ${where} ${method} ${until}`, 0, async (scenario) => {
        const { saleScenario, payments, propertyIds, purchases } = scenario;
        const buyer = who ? saleScenario.otherBuyer : saleScenario.buyer;
        const input = {
          propertyId: pick(propertyIds, where),
          method,
          expectedCents: null,
          key: randomUUID(),
        };
        const begun = await beginPurchase({ ...saleScenario.contextFor(buyer), payments }, input);
        if (!begun.ok) return;
        const known = purchases.find(({ saleId }) => saleId === begun.saleId);
        const purchase = known ?? { saleId: begun.saleId, buyer, method, ref: null };
        if (!known) purchases.push(purchase);
        if (until !== 'begun') await openPurchaseCheckout(scenario, purchase);
        if (['paid', 'cancelled', 'paid out'].includes(until)) await onPage(scenario, purchase, 'pay');
        if (until === 'paid late') await payLate(scenario, purchase);
        if (until === 'cancelled') await cancelPaid(scenario, purchase);
        if (until === 'paid out') await payOut(scenario, purchase);
      }),
  );

async function cancelPaid({ saleScenario, payments }: HistoryScenario, { saleId }: Purchase): Promise<void> {
  await syncPayment({ ...saleScenario.system, payments }, { saleId });
  await saleScenario.act(saleScenario.admin, saleId, 'cancel_sale');
}

/** Until the seller has been paid, when the provider answers at once. */
async function payOut(scenario: HistoryScenario, purchase: Purchase): Promise<void> {
  const { saleScenario, payments } = scenario;
  await syncPayment({ ...saleScenario.system, payments }, { saleId: purchase.saleId });
  await saleScenario.act(purchase.buyer, purchase.saleId, 'confirm_closing');
  saleScenario.clock.advance(8 * DAY);
  await paySeller(scenario, purchase);
}

async function payLate({ saleScenario, payments }: HistoryScenario, { ref }: Purchase): Promise<void> {
  saleScenario.clock.advance(46 * MINUTE);
  await processDue(saleScenario.db, saleScenario.clock.now());
  await sweepSales({ ...saleScenario.system, payments });
  if (ref !== null) await payExpiredCrypto(saleScenario.db, ref, saleScenario.clock.now());
}

const onPage = async (
  { saleScenario }: HistoryScenario,
  { ref }: Purchase,
  action: SandboxAction,
): Promise<void> => {
  if (ref !== null) await performSandboxAction(saleScenario.db, ref, action, saleScenario.clock.now());
};

async function openPurchaseCheckout(
  { saleScenario, payments }: HistoryScenario,
  purchase: Purchase,
): Promise<void> {
  const opened = await openCheckout(
    { ...saleScenario.contextFor(purchase.buyer), payments },
    checkoutTarget(purchase.saleId),
  );
  if (opened.ok) purchase.ref = opened.url.split('/').at(-1) ?? null;
}

const saleActions: readonly ['buyer' | 'seller' | 'admin', PartyEvent][] = [
  ['seller', 'deliver_documents'],
  ['buyer', 'confirm_closing'],
  ['buyer', 'request_cancellation'],
  ['seller', 'request_cancellation'],
  ['buyer', 'agree_cancellation'],
  ['seller', 'agree_cancellation'],
  ['admin', 'cancel_sale'],
  ['admin', 'cancel_sale'],
  ['buyer', 'report_problem'],
  ['admin', 'resolve_problem'],
  ['buyer', 'cancel_undelivered'],
  ['buyer', 'withdraw_problem'],
  ['admin', 'release'],
];

const withOpenCheckout =
  (does: (scenario: HistoryScenario, ref: string) => Promise<unknown>) =>
  (scenario: HistoryScenario, { ref }: Purchase) =>
    ref === null ? Promise.resolve() : does(scenario, ref);

const setSellerStatus = (status: 'active' | 'suspended') => (scenario: HistoryScenario) =>
  scenario.saleScenario.db
    .q()
    .updateTable('agents')
    .set({ status })
    .where('id', '=', scenario.saleScenario.seller.agentId)
    .execute();

const failRefund = async ({ saleScenario }: HistoryScenario, ref: string): Promise<void> => {
  const pending = await saleScenario.db
    .q()
    .selectFrom('sandbox_refunds')
    .select('ref')
    .where('checkout_ref', '=', ref)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (pending) await settleSandboxRefund(saleScenario.db, pending.ref, 'failed', saleScenario.clock.now());
};

const messages = fc.tuple(fc.nat({ max: 11 }), fc.integer({ min: 1, max: 3 })).map(
  ([at, times]) =>
    new Step(`message ${at} × ${times}`, 1, async ({ saleScenario, payments }) => {
      const sent = await sentMessages(saleScenario.db);
      const message = sent[at % Math.max(1, sent.length)];
      for (let count = 0; message && count < times; count += 1)
        await deliver(saleScenario, message, { payments });
    }),
);

/** Everything that can happen to two properties and two buyers, their payments, and our processes. */
export const steps: fc.Arbitrary<fc.AsyncCommand<Model, HistoryScenario>>[] = [
  begin,
  begin,
  begin,
  purchaseStep('open', noChoice, openPurchaseCheckout),
  purchaseStep('page', fc.constantFrom(...SANDBOX_ACTIONS), onPage),
  purchaseStep(
    'bank',
    fc.constantFrom('paid' as const, 'failed' as const),
    ({ saleScenario }, { ref }, outcome) =>
      ref === null
        ? Promise.resolve()
        : settleSandbox(saleScenario.db, ref, outcome, saleScenario.clock.now()),
  ),
  purchaseStep(
    'late payment',
    noChoice,
    withOpenCheckout(({ saleScenario }, ref) =>
      payExpiredCrypto(saleScenario.db, ref, saleScenario.clock.now()),
    ),
  ),
  purchaseStep(
    'dispute',
    noChoice,
    withOpenCheckout(({ saleScenario }, ref) =>
      disputeSandbox(saleScenario.db, ref, saleScenario.clock.now()),
    ),
  ),
  purchaseStep(
    'dispute in part',
    fc.integer({ min: 1, max: 500_000_00 }),
    ({ saleScenario }, { ref }, amountCents) =>
      ref === null
        ? Promise.resolve()
        : disputeSandbox(saleScenario.db, ref, saleScenario.clock.now(), { amountCents }),
  ),
  purchaseStep(
    'inquiry',
    noChoice,
    withOpenCheckout(({ saleScenario }, ref) =>
      disputeSandbox(saleScenario.db, ref, saleScenario.clock.now(), { inquiry: true }),
    ),
  ),
  purchaseStep(
    'refund at the provider',
    fc.integer({ min: 1, max: 700_000_00 }),
    ({ saleScenario }, { ref }, cents) =>
      ref === null
        ? Promise.resolve()
        : refundInDashboard(saleScenario.db, ref, cents, saleScenario.clock.now()),
  ),
  purchaseStep('recognize', noChoice, ({ saleScenario }, { saleId }) =>
    recognizeRefund(saleScenario.contextFor(saleScenario.admin), { saleId, note: 'Seen.' }),
  ),
  purchaseStep(
    'refund in part',
    fc.integer({ min: 1, max: 300_000_00 }),
    ({ saleScenario }, { saleId }, baseCents) =>
      refundSale(saleScenario.contextFor(saleScenario.admin), {
        saleId,
        baseCents,
        feesCents: 0,
        reason: 'A part',
        idempotencyKey: randomUUID(),
      }),
  ),
  purchaseStep(
    'dispute ends',
    fc.constantFrom('won' as const, 'lost' as const),
    ({ saleScenario }, { ref }, outcome) =>
      ref === null
        ? Promise.resolve()
        : closeSandboxDispute(saleScenario.db, ref, outcome, saleScenario.clock.now()),
  ),
  purchaseStep('refund fails', noChoice, withOpenCheckout(failRefund)),
  ...bankSteps,
  ...payoutSteps,
  messages,
  messages,
  purchaseStep('leave', noChoice, ({ saleScenario, payments }, { saleId, buyer }) =>
    cancelCheckout({ ...saleScenario.contextFor(buyer), payments }, { saleId }),
  ),
  purchaseStep('act', fc.constantFrom(...saleActions), ({ saleScenario }, { saleId, buyer }, [who, event]) =>
    saleScenario.act({ buyer, seller: saleScenario.seller, admin: saleScenario.admin }[who], saleId, event),
  ),
  purchaseStep('act', fc.constantFrom(...saleActions), ({ saleScenario }, { saleId, buyer }, [who, event]) =>
    saleScenario.act({ buyer, seller: saleScenario.seller, admin: saleScenario.admin }[who], saleId, event),
  ),
  simpleStep('work', ({ saleScenario, payments }) => runJobs(saleScenario.system, payments)),
  simpleStep('work', async ({ saleScenario, payments }) => {
    await runJobs(saleScenario.system, payments);
    await foldReportEvents(saleScenario.system, { batch: 3 });
  }),
  simpleStep('sweep', ({ saleScenario, payments }) => sweepSales({ ...saleScenario.system, payments })),
  simpleStep('reconcile', ({ saleScenario, payments }) =>
    reconcileSales({ ...saleScenario.system, payments }),
  ),
  fc.constantFrom(11 * MINUTE, 46 * MINUTE, 6 * HOUR, 3 * DAY, 8 * DAY).map(
    (ms) =>
      new Step(`${ms / HOUR} hours`, 1, async ({ saleScenario }) => {
        saleScenario.clock.advance(ms);
        await processDue(saleScenario.db, saleScenario.clock.now());
      }),
  ),
  fc
    .constantFrom<Fault>('down', 'refund unheard')
    .map((fault) => new Step(`fault: ${fault}`, 1, async ({ faults }) => void faults.push(fault))),
  simpleStep('seller suspended', setSellerStatus('suspended')),
  simpleStep('seller back', setSellerStatus('active')),
  fc
    .integer({ min: 1, max: 900_000_00 })
    .map(
      (price_cents) =>
        new Step(`price ${price_cents}`, 0, ({ saleScenario, propertyIds }) =>
          saleScenario.db
            .q()
            .updateTable('properties')
            .set({ price_cents })
            .where('id', 'in', propertyIds)
            .execute(),
        ),
    ),
];
