import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { cancelCheckout } from '#features/checkout/commands/cancel-checkout.ts';
import { openCheckout } from '#features/checkout/commands/open-checkout.ts';
import { processMessages } from '#features/payments/commands/process-messages.ts';
import { sweepSales } from '#features/payments/commands/sweep-sales.ts';
import { syncPayment } from '#features/payments/commands/sync-payment.ts';
import { reconcileAccounts } from '#features/reconciliation/commands/reconcile-accounts.ts';
import { actOnSale } from '#features/sales/commands/act-on-sale.ts';
import type { Payments } from '#gateways/payments/port.ts';
import type { Actor, Ctx } from '#platform/context.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { checkoutTarget, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { advanceTime, deliver, runJobs, sentMessages } from '../scenario.ts';

/** The dependencies of one of our processes. */
export interface Process {
  as(actor: Actor): Ctx;
  system: Ctx;
  payments: Payments;
}

/** The starting point: a property, and the purchase the operation is about. */
export interface Setup {
  propertyId: string;
  saleId: string;
  ref: string;
}

/** An operation whose crash points are all tried. */
export interface Operation {
  name: string;
  prepare(bench: SaleScenario): Promise<Setup>;
  /** the request, message or timer tick; repeated after a crash */
  run(process: Process, bench: SaleScenario, setup: Setup): Promise<unknown>;
}

async function withOpenCheckout(bench: SaleScenario): Promise<Setup> {
  const propertyId = await bench.createListing();
  const { saleId, ref } = await bench.checkout(bench.buyer, propertyId, 'crypto');
  return { propertyId, saleId, ref };
}

async function withPaidCheckout(bench: SaleScenario): Promise<Setup> {
  const setup = await withOpenCheckout(bench);
  await bench.actOnCheckoutPage(setup.ref, 'pay');
  return setup;
}

async function withSaleInEscrow(bench: SaleScenario): Promise<Setup> {
  const setup = await withPaidCheckout(bench);
  await bench.sync(setup.saleId);
  return setup;
}

const operations: readonly Operation[] = [
  {
    name: 'begin',
    prepare: async (bench) => ({ propertyId: await bench.createListing(), saleId: '', ref: '' }),
    run: ({ as, payments }, { buyer }, { propertyId }) =>
      beginPurchase(
        { ...as(buyer), payments },
        { propertyId: propertyId, method: 'card', expectedCents: null, key: 'one click' },
      ),
  },
  {
    name: 'open checkout',
    async prepare(bench) {
      const propertyId = await bench.createListing();
      const begun = await bench.begin(bench.buyer, propertyId);
      return { propertyId, saleId: begun.ok ? begun.saleId : '', ref: '' };
    },
    run: ({ as, payments }, { buyer }, { saleId }) =>
      openCheckout({ ...as(buyer), payments }, checkoutTarget(saleId)),
  },
  {
    name: 'receive a message',
    prepare: withPaidCheckout,
    async run({ system, payments }, bench) {
      for (const message of await sentMessages(bench.db))
        await deliver(bench, message, { ctx: system, payments });
    },
  },
  {
    name: 'process messages',
    async prepare(bench) {
      const setup = await withPaidCheckout(bench);
      for (const message of await sentMessages(bench.db)) await deliver(bench, message);
      return setup;
    },
    run: ({ system, payments }) => processMessages({ ...system, payments }),
  },
  {
    name: 'cancel checkout',
    prepare: withOpenCheckout,
    run: ({ as, payments }, { buyer }, { saleId }) => cancelCheckout({ ...as(buyer), payments }, { saleId }),
  },
  {
    name: 'confirm closing',
    prepare: withSaleInEscrow,
    run: ({ as }, { buyer }, { saleId }) => actOnSale(as(buyer), { saleId, event: 'confirm_closing' }),
  },
  {
    name: 'agree to a cancellation, and refund',
    async prepare(bench) {
      const setup = await withSaleInEscrow(bench);
      await bench.act(bench.seller, setup.saleId, 'request_cancellation');
      return setup;
    },
    async run(process, bench, { saleId }) {
      await actOnSale(process.as(bench.buyer), { saleId, event: 'agree_cancellation' });
      await runJobs(process.system, process.payments);
    },
  },
  {
    name: 'refund a late payment',
    async prepare(bench) {
      const setup = await withPaidCheckout(bench);
      await bench.db
        .q()
        .updateTable('properties')
        .set({ status: 'withdrawn' })
        .where('id', '=', setup.propertyId)
        .execute();
      for (const message of await sentMessages(bench.db)) await deliver(bench, message);
      return setup;
    },
    run: ({ system, payments }) => runJobs(system, payments),
  },
  {
    name: 'end a hold',
    async prepare(bench) {
      const setup = await withOpenCheckout(bench);
      bench.clock.advance(46 * MINUTE);
      return setup;
    },
    run: ({ system, payments }) => sweepSales({ ...system, payments }),
  },
  {
    name: 'release by time',
    async prepare(bench) {
      const setup = await withSaleInEscrow(bench);
      await bench.act(bench.seller, setup.saleId, 'deliver_documents');
      bench.clock.advance(7 * DAY + MINUTE);
      return setup;
    },
    run: ({ system, payments }) => sweepSales({ ...system, payments }),
  },
  {
    name: 'reconcile',
    async prepare(bench) {
      const setup = await withSaleInEscrow(bench);
      const row = { rail: 'crypto', account: 'sandbox', livemode: false } as const;
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
    run({ system, payments }, { clock }) {
      // A run whose process died is taken over after ten minutes.
      clock.advance(11 * MINUTE);
      const ctx = { ...system, payments };
      return reconcileAccounts(ctx, { syncSale: (saleId) => syncPayment(ctx, { saleId }) });
    },
  },
];

export const operationNames = operations.map(({ name }) => name);

export function operationOf(name: string): Operation {
  const found = operations.find((one) => one.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

/** What the system does after a restart: processes everything pending and runs its timers. */
export async function recover(bench: SaleScenario): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await advanceTime(bench, 11 * MINUTE);
    for (const message of await sentMessages(bench.db)) await deliver(bench, message);
    await runJobs(bench.system, bench.payments);
  }
}
