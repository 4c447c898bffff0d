import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { cancelCheckout } from '#features/checkout/commands/cancel-checkout.ts';
import { openCheckout } from '#features/checkout/commands/open-checkout.ts';
import { answerDispute } from '#features/disputes/commands/answer-dispute.ts';
import { acceptMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { processMessages } from '#features/payments/commands/process-messages.ts';
import { reconcileSales } from '#features/payments/commands/reconcile-sales.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { releaseEscrow } from '#features/payments/commands/release-escrow.ts';
import { sweepSales } from '#features/payments/commands/sweep-sales.ts';
import { syncPayment } from '#features/payments/commands/sync-payment.ts';
import { reconcileAccounts } from '#features/reconciliation/commands/reconcile-accounts.ts';
import { actOnSale } from '#features/sales/commands/act-on-sale.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import { settleSandbox } from '#gateways/payments/sandbox/settlement.ts';
import { sendTranche } from '#gateways/payments/sandbox/tranches.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { checkoutTarget, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { runPayoutJobs } from '../payout-jobs.ts';
import { advanceTime, deliver, runJobs, sentMessages } from '../scenario.ts';
import { documentOperations } from './document-operations.ts';
import type { Operation, Setup } from './operation.ts';
import { payoutOperations } from './payout-operations.ts';

/** What an operation does with a purchase by one payment method. */
type ByMethod = (method: PaymentMethod) => Omit<Operation, 'name'>;

async function withOpenCheckout(scenario: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const propertyId = await scenario.createListing();
  const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId, method);
  return { propertyId, saleId, ref };
}

async function withPaidCheckout(scenario: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const setup = await withOpenCheckout(scenario, method);
  await scenario.actOnCheckoutPage(setup.ref, 'pay');
  return setup;
}

async function withSaleInEscrow(scenario: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const setup = await withPaidCheckout(scenario, method);
  await scenario.sync(setup.saleId);
  return setup;
}

/** A sale that both parties have cancelled, with its refund on the way at the provider. */
async function withRefundUnderWay(scenario: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const setup = await withSaleInEscrow(scenario, method);
  await scenario.act(scenario.seller, setup.saleId, 'request_cancellation');
  await scenario.act(scenario.buyer, setup.saleId, 'agree_cancellation');
  await runJobs(scenario.system, scenario.payments);
  return setup;
}

/** A disputed payment of which we know. */
async function withDispute(scenario: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const setup = await withSaleInEscrow(scenario, method);
  await disputeSandbox(scenario.db, setup.ref, scenario.clock.now());
  await scenario.sync(setup.saleId);
  return setup;
}

/** Everything that the providers have to say is stored and waits. */
async function deliverAll(scenario: SaleScenario): Promise<void> {
  for (const message of await sentMessages(scenario.db)) await deliver(scenario, message);
}

/** Processes the messages that `happen` makes a provider send. */
const processingMessages =
  (
    start: (scenario: SaleScenario, method: PaymentMethod) => Promise<Setup>,
    happen: (scenario: SaleScenario, setup: Setup) => Promise<unknown> = async () => undefined,
  ): ByMethod =>
  (method) => ({
    async prepare(scenario) {
      const setup = await start(scenario, method);
      await happen(scenario, setup);
      await deliverAll(scenario);
      return setup;
    },
    run: ({ system, payments }) => processMessages({ ...system, payments }),
  });

const byEveryMethod: Record<string, ByMethod> = {
  begin: (method) => ({
    prepare: async (scenario) => ({ propertyId: await scenario.createListing(), saleId: '', ref: '' }),
    run: ({ as, payments }, { buyer }, { propertyId }) =>
      beginPurchase(
        { ...as(buyer), payments },
        { propertyId, method, expectedCents: null, key: 'one click' },
      ),
  }),
  'open checkout': (method) => ({
    async prepare(scenario) {
      const propertyId = await scenario.createListing();
      const begun = await scenario.begin(scenario.buyer, propertyId, method);
      return { propertyId, saleId: begun.ok ? begun.saleId : '', ref: '' };
    },
    run: ({ as, payments }, { buyer }, { saleId }) =>
      openCheckout({ ...as(buyer), payments }, checkoutTarget(saleId)),
  }),
  'receive a message': (method) => ({
    prepare: (scenario) => withPaidCheckout(scenario, method),
    async run({ system, payments }, scenario) {
      for (const message of await sentMessages(scenario.db))
        await deliver(scenario, message, { ctx: system, payments });
    },
  }),
  'process messages': processingMessages(withPaidCheckout),
  'cancel checkout': (method) => ({
    prepare: (scenario) => withOpenCheckout(scenario, method),
    run: ({ as, payments }, { buyer }, { saleId }) => cancelCheckout({ ...as(buyer), payments }, { saleId }),
  }),
  'confirm closing': (method) => ({
    prepare: (scenario) => withSaleInEscrow(scenario, method),
    run: ({ as, payments }, { buyer }, { saleId }) =>
      releaseEscrow({ ...as(buyer), payments }, { saleId, event: 'confirm_closing' }),
  }),
  release: (method) => ({
    prepare: (scenario) => withSaleInEscrow(scenario, method),
    run: ({ as, payments }, { admin }, { saleId }) =>
      releaseEscrow({ ...as(admin), payments }, { saleId, event: 'release' }),
  }),
  'release by time': (method) => ({
    async prepare(scenario) {
      const setup = await withSaleInEscrow(scenario, method);
      await scenario.act(scenario.seller, setup.saleId, 'deliver_documents');
      scenario.clock.advance(7 * DAY + MINUTE);
      return setup;
    },
    run: ({ system, payments }) => sweepSales({ ...system, payments }),
  }),
  'agree to a cancellation, and refund': (method) => ({
    async prepare(scenario) {
      const setup = await withSaleInEscrow(scenario, method);
      await scenario.act(scenario.seller, setup.saleId, 'request_cancellation');
      return setup;
    },
    async run(process, scenario, { saleId }) {
      await actOnSale(process.as(scenario.buyer), { saleId, event: 'agree_cancellation' });
      await runJobs(process.system, process.payments);
    },
  }),
  'cancel a sale, and refund': (method) => ({
    prepare: (scenario) => withSaleInEscrow(scenario, method),
    async run(process, scenario, { saleId }) {
      await actOnSale(process.as(scenario.admin), { saleId, event: 'cancel_sale' });
      await runJobs(process.system, process.payments);
    },
  }),
  'refund a part': (method) => ({
    prepare: (scenario) => withSaleInEscrow(scenario, method),
    async run(process, scenario, { saleId }) {
      const part = { baseCents: 1_000_00, feesCents: 0, reason: 'The roof leaks.' };
      await refundSale(process.as(scenario.admin), { saleId, ...part, idempotencyKey: 'one click' });
      await runJobs(process.system, process.payments);
    },
  }),
  'accept a payment that differs': (method) => ({
    async prepare(scenario) {
      const setup = await withPaidCheckout(scenario, method);
      const checkout = await scenario.payments.forMethod(method).getCheckout(setup.ref);
      await scenario.apply(setup.saleId, { ...checkout, saleId: null });
      return setup;
    },
    run: ({ as }, { admin }, { saleId }) => acceptMismatch(as(admin), { saleId, note: 'It is theirs.' }),
  }),
  'refund a late payment': (method) => ({
    async prepare(scenario) {
      const setup = await withPaidCheckout(scenario, method);
      await scenario.db
        .q()
        .updateTable('properties')
        .set({ status: 'withdrawn' })
        .where('id', '=', setup.propertyId)
        .execute();
      await deliverAll(scenario);
      return setup;
    },
    run: ({ system, payments }) => runJobs(system, payments),
  }),
  'end a hold': (method) => ({
    async prepare(scenario) {
      const setup = await withOpenCheckout(scenario, method);
      scenario.clock.advance(46 * MINUTE);
      return setup;
    },
    run: ({ system, payments }) => sweepSales({ ...system, payments }),
  }),
  // Asked for at once, not by a message: until that is tried again, the payment would have arrived.
  'a payment is under way': (method) => ({
    async prepare(scenario) {
      const setup = await withOpenCheckout(scenario, method);
      await scenario.actOnCheckoutPage(setup.ref, 'pay_later');
      return setup;
    },
    run: ({ system, payments }, _, { saleId }) => syncPayment({ ...system, payments }, { saleId }),
  }),
  // Messages that never came.
  'reconcile a payment': (method) => ({
    prepare: (scenario) => withPaidCheckout(scenario, method),
    run: ({ system, payments }) => reconcileSales({ ...system, payments }),
  }),
  'reconcile a refund': (method) => ({
    async prepare(scenario) {
      const setup = await withRefundUnderWay(scenario, method);
      scenario.clock.advance(11 * DAY);
      await processDue(scenario.db, scenario.clock.now());
      return setup;
    },
    run: ({ system, payments }) => reconcileSales({ ...system, payments }),
  }),
};

/** What crypto does not have: bank transfers and disputes. */
const byCard: Record<string, ByMethod> = {
  'a bank transfer arrives': processingMessages(withOpenCheckout, async (scenario, { saleId, ref }) => {
    await scenario.actOnCheckoutPage(ref, 'pay_later');
    await scenario.sync(saleId);
    await settleSandbox(scenario.db, ref, 'paid', scenario.clock.now());
  }),
  'a dispute is opened': processingMessages(withSaleInEscrow, (scenario, { ref }) =>
    disputeSandbox(scenario.db, ref, scenario.clock.now()),
  ),
  'a dispute is answered': (method) => ({
    prepare: (scenario) => withDispute(scenario, method),
    async run(process, scenario, { saleId }) {
      const { id: disputeId } = await scenario.db
        .q()
        .selectFrom('disputes')
        .select('id')
        .where('sale_id', '=', saleId)
        .executeTakeFirstOrThrow();
      await answerDispute(process.as(scenario.admin), { disputeId, statement: 'The buyer moved in.' });
      await runJobs(process.system, process.payments);
    },
  }),
  'a dispute is won': processingMessages(withDispute, (scenario, { ref }) =>
    closeSandboxDispute(scenario.db, ref, 'won', scenario.clock.now()),
  ),
  'a dispute is lost': processingMessages(withDispute, (scenario, { ref }) =>
    closeSandboxDispute(scenario.db, ref, 'lost', scenario.clock.now()),
  ),
};

const HOUSE_CENTS = 1_200_000_00;
const CAP_CENTS = 999_999_99;

async function withFirstTranche(scenario: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const propertyId = await scenario.createListing({ price_cents: HOUSE_CENTS });
  const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId, method);
  await sendTranche(scenario.db, ref, CAP_CENTS, scenario.clock.now());
  return { propertyId, saleId, ref };
}

/** Payments in parts, above the limit of cards. */
const inParts: Record<string, ByMethod> = {
  'a tranche arrives': (method) => ({
    prepare: (scenario) => withFirstTranche(scenario, method),
    // Asked for at once, not by a message: until that is tried again, the hold would have ended.
    run: ({ system, payments }, _, { saleId }) => syncPayment({ ...system, payments }, { saleId }),
  }),
  'the last tranche arrives': processingMessages(withFirstTranche, async (scenario, { saleId, ref }) => {
    await scenario.sync(saleId);
    const { total_cents: total } = await scenario.sale(saleId);
    await sendTranche(scenario.db, ref, total - CAP_CENTS, scenario.clock.now());
  }),
  'an incomplete transfer is returned': (method) => ({
    async prepare(scenario) {
      const setup = await withFirstTranche(scenario, method);
      await scenario.sync(setup.saleId);
      scenario.clock.advance(7 * DAY + 11 * MINUTE);
      return setup;
    },
    async run({ system, payments }) {
      await sweepSales({ ...system, payments });
      await runJobs(system, payments);
    },
  }),
  'a refund is drawn on several tranches': (method) => ({
    async prepare(scenario) {
      const setup = await withFirstTranche(scenario, method);
      const { total_cents: total } = await scenario.sale(setup.saleId);
      await sendTranche(scenario.db, setup.ref, total - CAP_CENTS, scenario.clock.now());
      await scenario.sync(setup.saleId);
      return setup;
    },
    async run(process, scenario, { saleId }) {
      await actOnSale(process.as(scenario.admin), { saleId, event: 'cancel_sale' });
      await runJobs(process.system, process.payments);
    },
  }),
};

const named = (of: Record<string, ByMethod>, method: PaymentMethod): Operation[] =>
  Object.entries(of).map(([name, build]) => ({ name: `${name}, ${method}`, ...build(method) }));

const operations: readonly Operation[] = [
  ...named(byEveryMethod, 'card'),
  ...named(byEveryMethod, 'crypto'),
  ...named(byCard, 'card'),
  ...named(inParts, 'card'),
  {
    name: 'reconcile the books',
    async prepare(scenario) {
      const setup = await withSaleInEscrow(scenario, 'card');
      const row = { method: 'crypto', account: 'sandbox', livemode: false } as const;
      const at = scenario.clock.now();
      await scenario.db
        .q()
        .insertInto('sandbox_transactions')
        .values([
          {
            ...row,
            ref: 'txn_payout',
            kind: 'bank_payout',
            amount_cents: -1_000,
            created_at: at,
            available_at: at,
          },
          { ...row, ref: 'txn_orphan', kind: 'payment', amount_cents: 700, created_at: at, available_at: at },
        ])
        .execute();
      return setup;
    },
    run({ system, payments, payouts }, { clock }) {
      // A run whose process died is taken over after ten minutes.
      clock.advance(11 * MINUTE);
      const ctx = { ...system, payments, payouts };
      return reconcileAccounts(ctx, { syncSale: (saleId) => syncPayment(ctx, { saleId }) });
    },
  },
];

const all: readonly Operation[] = [...operations, ...payoutOperations, ...documentOperations];

export const operationNames = all.map(({ name }) => name);

export function operationOf(name: string): Operation {
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

/** What the system does after a restart: processes everything pending and runs its timers. */
export async function recover(scenario: SaleScenario): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await advanceTime(scenario, 11 * MINUTE);
    for (const message of await sentMessages(scenario.db)) await deliver(scenario, message);
    await runJobs(scenario.system, scenario.payments);
    await runPayoutJobs(scenario.system, scenario.db);
  }
}
