import { actOnSale } from '#features/purchases/commands/act-on-sale.ts';
import { beginPurchase } from '#features/purchases/commands/begin-purchase.ts';
import { cancelCheckout } from '#features/purchases/commands/cancel-checkout.ts';
import { openCheckout } from '#features/purchases/commands/open-checkout.ts';
import { processMessages } from '#features/purchases/commands/process-messages.ts';
import { sweepSales } from '#features/purchases/commands/sweep-sales.ts';
import type { Payments } from '#gateways/payments/port.ts';
import type { Actor, Ctx } from '#platform/context.ts';
import { type SaleBench, target } from '#tests/support/sale-bench.ts';
import { DAY, deliver, MINUTE, pass, sentMessages, work } from '../world.ts';

/** Our side as one process runs it. */
export interface Process {
  as(actor: Actor): Ctx;
  system: Ctx;
  payments: Payments;
}

/** What was there before: a house, and the purchase that the operation is about. */
export interface Before {
  house: string;
  saleId: string;
  ref: string;
}

/** Something that our processes do, all of whose crash points are tried. */
export interface Operation {
  name: string;
  prepare(bench: SaleBench): Promise<Before>;
  /** the click, the message or the tick; after a crash it is repeated */
  run(process: Process, bench: SaleBench, before: Before): Promise<unknown>;
}

async function held(bench: SaleBench): Promise<Before> {
  const house = await bench.house();
  const { saleId, ref } = await bench.checkout(bench.buyer, house, 'crypto');
  return { house, saleId, ref };
}

async function paid(bench: SaleBench): Promise<Before> {
  const before = await held(bench);
  await bench.onPage(before.ref, 'pay');
  return before;
}

async function inEscrow(bench: SaleBench): Promise<Before> {
  const before = await paid(bench);
  await bench.sync(before.saleId);
  return before;
}

const operations: readonly Operation[] = [
  {
    name: 'begin',
    prepare: async (bench) => ({ house: await bench.house(), saleId: '', ref: '' }),
    run: ({ as, payments }, { buyer }, { house }) =>
      beginPurchase(
        as(buyer),
        { propertyId: house, method: 'card', expectedCents: null, key: 'one click' },
        payments,
      ),
  },
  {
    name: 'open checkout',
    async prepare(bench) {
      const house = await bench.house();
      const begun = await bench.begin(bench.buyer, house);
      return { house, saleId: begun.ok ? begun.saleId : '', ref: '' };
    },
    run: ({ as, payments }, { buyer }, { saleId }) => openCheckout(as(buyer), target(saleId), payments),
  },
  {
    name: 'receive a message',
    prepare: paid,
    async run({ system, payments }, bench) {
      for (const message of await sentMessages(bench.db))
        await deliver(bench, message, { ctx: system, payments });
    },
  },
  {
    name: 'process messages',
    async prepare(bench) {
      const before = await paid(bench);
      for (const message of await sentMessages(bench.db)) await deliver(bench, message);
      return before;
    },
    run: ({ system, payments }) => processMessages(system, payments),
  },
  {
    name: 'cancel checkout',
    prepare: held,
    run: ({ as, payments }, { buyer }, { saleId }) => cancelCheckout(as(buyer), saleId, payments),
  },
  {
    name: 'confirm closing',
    prepare: inEscrow,
    run: ({ as }, { buyer }, { saleId }) => actOnSale(as(buyer), { saleId, event: 'confirm_closing' }),
  },
  {
    name: 'agree to a cancellation, and refund',
    async prepare(bench) {
      const before = await inEscrow(bench);
      await bench.act(bench.seller, before.saleId, 'request_cancellation');
      return before;
    },
    async run(process, bench, { saleId }) {
      await actOnSale(process.as(bench.buyer), { saleId, event: 'agree_cancellation' });
      await work(process.system, process.payments);
    },
  },
  {
    name: 'refund a late payment',
    async prepare(bench) {
      const before = await paid(bench);
      await bench.db
        .q()
        .updateTable('properties')
        .set({ status: 'withdrawn' })
        .where('id', '=', before.house)
        .execute();
      for (const message of await sentMessages(bench.db)) await deliver(bench, message);
      return before;
    },
    run: ({ system, payments }) => work(system, payments),
  },
  {
    name: 'end a hold',
    async prepare(bench) {
      const before = await held(bench);
      bench.clock.advance(46 * MINUTE);
      return before;
    },
    run: ({ system, payments }) => sweepSales(system, payments),
  },
  {
    name: 'release by time',
    async prepare(bench) {
      const before = await inEscrow(bench);
      await bench.act(bench.seller, before.saleId, 'deliver_documents');
      bench.clock.advance(7 * DAY + MINUTE);
      return before;
    },
    run: ({ system, payments }) => sweepSales(system, payments),
  },
];

export const operationNames = operations.map(({ name }) => name);

export function operationOf(name: string): Operation {
  const found = operations.find((one) => one.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

/** What a restarted machine does with what it finds: everything that waits, and rounds of its timers. */
export async function recover(bench: SaleBench): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await pass(bench, 11 * MINUTE);
    for (const message of await sentMessages(bench.db)) await deliver(bench, message);
    await work(bench.system, bench.payments);
  }
}
