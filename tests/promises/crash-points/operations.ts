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

async function withOpenCheckout(bench: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const propertyId = await bench.createListing();
  const { saleId, ref } = await bench.checkout(bench.buyer, propertyId, method);
  return { propertyId, saleId, ref };
}

async function withPaidCheckout(bench: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const setup = await withOpenCheckout(bench, method);
  await bench.actOnCheckoutPage(setup.ref, 'pay');
  return setup;
}

async function withSaleInEscrow(bench: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const setup = await withPaidCheckout(bench, method);
  await bench.sync(setup.saleId);
  return setup;
}

/** A sale that both parties have cancelled, with its refund on the way at the provider. */
async function withRefundUnderWay(bench: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const setup = await withSaleInEscrow(bench, method);
  await bench.act(bench.seller, setup.saleId, 'request_cancellation');
  await bench.act(bench.buyer, setup.saleId, 'agree_cancellation');
  await runJobs(bench.system, bench.payments);
  return setup;
}

/** A disputed payment of which we know. */
async function withDispute(bench: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const setup = await withSaleInEscrow(bench, method);
  await disputeSandbox(bench.db, setup.ref, bench.clock.now());
  await bench.sync(setup.saleId);
  return setup;
}

/** Everything that the providers have to say is stored and waits. */
async function deliverAll(bench: SaleScenario): Promise<void> {
  for (const message of await sentMessages(bench.db)) await deliver(bench, message);
}

/** Processes the messages that `happen` makes a provider send. */
const processingMessages =
  (
    start: (bench: SaleScenario, method: PaymentMethod) => Promise<Setup>,
    happen: (bench: SaleScenario, setup: Setup) => Promise<unknown> = async () => undefined,
  ): ByMethod =>
  (method) => ({
    async prepare(bench) {
      const setup = await start(bench, method);
      await happen(bench, setup);
      await deliverAll(bench);
      return setup;
    },
    run: ({ system, payments }) => processMessages({ ...system, payments }),
  });

const byEveryMethod: Record<string, ByMethod> = {
  begin: (method) => ({
    prepare: async (bench) => ({ propertyId: await bench.createListing(), saleId: '', ref: '' }),
    run: ({ as, payments }, { buyer }, { propertyId }) =>
      beginPurchase(
        { ...as(buyer), payments },
        { propertyId, method, expectedCents: null, key: 'one click' },
      ),
  }),
  'open checkout': (method) => ({
    async prepare(bench) {
      const propertyId = await bench.createListing();
      const begun = await bench.begin(bench.buyer, propertyId, method);
      return { propertyId, saleId: begun.ok ? begun.saleId : '', ref: '' };
    },
    run: ({ as, payments }, { buyer }, { saleId }) =>
      openCheckout({ ...as(buyer), payments }, checkoutTarget(saleId)),
  }),
  'receive a message': (method) => ({
    prepare: (bench) => withPaidCheckout(bench, method),
    async run({ system, payments }, bench) {
      for (const message of await sentMessages(bench.db))
        await deliver(bench, message, { ctx: system, payments });
    },
  }),
  'process messages': processingMessages(withPaidCheckout),
  'cancel checkout': (method) => ({
    prepare: (bench) => withOpenCheckout(bench, method),
    run: ({ as, payments }, { buyer }, { saleId }) => cancelCheckout({ ...as(buyer), payments }, { saleId }),
  }),
  'confirm closing': (method) => ({
    prepare: (bench) => withSaleInEscrow(bench, method),
    run: ({ as, payments }, { buyer }, { saleId }) =>
      releaseEscrow({ ...as(buyer), payments }, { saleId, event: 'confirm_closing' }),
  }),
  release: (method) => ({
    prepare: (bench) => withSaleInEscrow(bench, method),
    run: ({ as, payments }, { admin }, { saleId }) =>
      releaseEscrow({ ...as(admin), payments }, { saleId, event: 'release' }),
  }),
  'release by time': (method) => ({
    async prepare(bench) {
      const setup = await withSaleInEscrow(bench, method);
      await bench.act(bench.seller, setup.saleId, 'deliver_documents');
      bench.clock.advance(7 * DAY + MINUTE);
      return setup;
    },
    run: ({ system, payments }) => sweepSales({ ...system, payments }),
  }),
  'agree to a cancellation, and refund': (method) => ({
    async prepare(bench) {
      const setup = await withSaleInEscrow(bench, method);
      await bench.act(bench.seller, setup.saleId, 'request_cancellation');
      return setup;
    },
    async run(process, bench, { saleId }) {
      await actOnSale(process.as(bench.buyer), { saleId, event: 'agree_cancellation' });
      await runJobs(process.system, process.payments);
    },
  }),
  'cancel a sale, and refund': (method) => ({
    prepare: (bench) => withSaleInEscrow(bench, method),
    async run(process, bench, { saleId }) {
      await actOnSale(process.as(bench.admin), { saleId, event: 'cancel_sale' });
      await runJobs(process.system, process.payments);
    },
  }),
  'refund a part': (method) => ({
    prepare: (bench) => withSaleInEscrow(bench, method),
    async run(process, bench, { saleId }) {
      const part = { baseCents: 1_000_00, feesCents: 0, reason: 'The roof leaks.' };
      await refundSale(process.as(bench.admin), { saleId, ...part, idempotencyKey: 'one click' });
      await runJobs(process.system, process.payments);
    },
  }),
  'accept a payment that differs': (method) => ({
    async prepare(bench) {
      const setup = await withPaidCheckout(bench, method);
      const checkout = await bench.payments.forMethod(method).getCheckout(setup.ref);
      await bench.apply(setup.saleId, { ...checkout, saleId: null });
      return setup;
    },
    run: ({ as }, { admin }, { saleId }) => acceptMismatch(as(admin), { saleId, note: 'It is theirs.' }),
  }),
  'refund a late payment': (method) => ({
    async prepare(bench) {
      const setup = await withPaidCheckout(bench, method);
      await bench.db
        .q()
        .updateTable('properties')
        .set({ status: 'withdrawn' })
        .where('id', '=', setup.propertyId)
        .execute();
      await deliverAll(bench);
      return setup;
    },
    run: ({ system, payments }) => runJobs(system, payments),
  }),
  'end a hold': (method) => ({
    async prepare(bench) {
      const setup = await withOpenCheckout(bench, method);
      bench.clock.advance(46 * MINUTE);
      return setup;
    },
    run: ({ system, payments }) => sweepSales({ ...system, payments }),
  }),
  // Asked for at once, not by a message: until that is tried again, the payment would have arrived.
  'a payment is under way': (method) => ({
    async prepare(bench) {
      const setup = await withOpenCheckout(bench, method);
      await bench.actOnCheckoutPage(setup.ref, 'pay_later');
      return setup;
    },
    run: ({ system, payments }, _, { saleId }) => syncPayment({ ...system, payments }, { saleId }),
  }),
  // Messages that never came.
  'reconcile a payment': (method) => ({
    prepare: (bench) => withPaidCheckout(bench, method),
    run: ({ system, payments }) => reconcileSales({ ...system, payments }),
  }),
  'reconcile a refund': (method) => ({
    async prepare(bench) {
      const setup = await withRefundUnderWay(bench, method);
      bench.clock.advance(11 * DAY);
      await processDue(bench.db, bench.clock.now());
      return setup;
    },
    run: ({ system, payments }) => reconcileSales({ ...system, payments }),
  }),
};

/** What crypto does not have: bank transfers and disputes. */
const byCard: Record<string, ByMethod> = {
  'a bank transfer arrives': processingMessages(withOpenCheckout, async (bench, { saleId, ref }) => {
    await bench.actOnCheckoutPage(ref, 'pay_later');
    await bench.sync(saleId);
    await settleSandbox(bench.db, ref, 'paid', bench.clock.now());
  }),
  'a dispute is opened': processingMessages(withSaleInEscrow, (bench, { ref }) =>
    disputeSandbox(bench.db, ref, bench.clock.now()),
  ),
  'a dispute is answered': (method) => ({
    prepare: (bench) => withDispute(bench, method),
    async run(process, bench, { saleId }) {
      const { id: disputeId } = await bench.db
        .q()
        .selectFrom('disputes')
        .select('id')
        .where('sale_id', '=', saleId)
        .executeTakeFirstOrThrow();
      await answerDispute(process.as(bench.admin), { disputeId, statement: 'The buyer moved in.' });
      await runJobs(process.system, process.payments);
    },
  }),
  'a dispute is won': processingMessages(withDispute, (bench, { ref }) =>
    closeSandboxDispute(bench.db, ref, 'won', bench.clock.now()),
  ),
  'a dispute is lost': processingMessages(withDispute, (bench, { ref }) =>
    closeSandboxDispute(bench.db, ref, 'lost', bench.clock.now()),
  ),
};

const HOUSE_CENTS = 1_200_000_00;
const CAP_CENTS = 999_999_99;

async function withFirstTranche(bench: SaleScenario, method: PaymentMethod): Promise<Setup> {
  const propertyId = await bench.createListing({ price_cents: HOUSE_CENTS });
  const { saleId, ref } = await bench.checkout(bench.buyer, propertyId, method);
  await sendTranche(bench.db, ref, CAP_CENTS, bench.clock.now());
  return { propertyId, saleId, ref };
}

/** Payments in parts, above the limit of cards. */
const inParts: Record<string, ByMethod> = {
  'a tranche arrives': (method) => ({
    prepare: (bench) => withFirstTranche(bench, method),
    // Asked for at once, not by a message: until that is tried again, the hold would have ended.
    run: ({ system, payments }, _, { saleId }) => syncPayment({ ...system, payments }, { saleId }),
  }),
  'the last tranche arrives': processingMessages(withFirstTranche, async (bench, { saleId, ref }) => {
    await bench.sync(saleId);
    const { total_cents: total } = await bench.sale(saleId);
    await sendTranche(bench.db, ref, total - CAP_CENTS, bench.clock.now());
  }),
  'an incomplete transfer is returned': (method) => ({
    async prepare(bench) {
      const setup = await withFirstTranche(bench, method);
      await bench.sync(setup.saleId);
      bench.clock.advance(7 * DAY + 11 * MINUTE);
      return setup;
    },
    async run({ system, payments }) {
      await sweepSales({ ...system, payments });
      await runJobs(system, payments);
    },
  }),
  'a refund is drawn on several tranches': (method) => ({
    async prepare(bench) {
      const setup = await withFirstTranche(bench, method);
      const { total_cents: total } = await bench.sale(setup.saleId);
      await sendTranche(bench.db, setup.ref, total - CAP_CENTS, bench.clock.now());
      await bench.sync(setup.saleId);
      return setup;
    },
    async run(process, bench, { saleId }) {
      await actOnSale(process.as(bench.admin), { saleId, event: 'cancel_sale' });
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
    async prepare(bench) {
      const setup = await withSaleInEscrow(bench, 'card');
      const row = { method: 'crypto', account: 'sandbox', livemode: false } as const;
      const at = bench.clock.now();
      await bench.db
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
export async function recover(bench: SaleScenario): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await advanceTime(bench, 11 * MINUTE);
    for (const message of await sentMessages(bench.db)) await deliver(bench, message);
    await runJobs(bench.system, bench.payments);
    await runPayoutJobs(bench.system, bench.db);
  }
}
