import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { beginPurchase } from '#features/purchases/commands/begin-purchase.ts';
import { cancelCheckout } from '#features/purchases/commands/cancel-checkout.ts';
import { openCheckout } from '#features/purchases/commands/open-checkout.ts';
import { reconcileSales, sweepSales } from '#features/purchases/commands/sweep-sales.ts';
import type { PartyEvent } from '#features/purchases/model.ts';
import type { Rail } from '#gateways/payments/port.ts';
import {
  closeSandboxDispute,
  disputeSandbox,
  lateCrypto,
  settleSandbox,
  settleSandboxRefund,
} from '#gateways/payments/sandbox/banks.ts';
import { actOnSandbox, SANDBOX_ACTIONS, type SandboxAction } from '#gateways/payments/sandbox/page.ts';
import { letTimePass } from '#gateways/payments/sandbox/time.ts';
import { target } from '#tests/support/sale-bench.ts';
import { DAY, deliver, HOUR, MINUTE, sentMessages, work } from '../world.ts';
import { attempt, type Fault, type Purchase, type World } from './world.ts';

/** What a step asks of a history so far: how many purchases were begun. */
export interface Model {
  begun: number;
}

class Step implements fc.AsyncCommand<Model, World> {
  readonly name: string;
  readonly #needs: number;
  readonly #does: (world: World) => Promise<unknown>;
  constructor(name: string, needs: number, does: (world: World) => Promise<unknown>) {
    this.name = name;
    this.#needs = needs;
    this.#does = does;
  }
  check({ begun }: Model): boolean {
    return begun >= this.#needs;
  }
  async run(model: Model, world: World): Promise<void> {
    await attempt(world, () => this.#does(world));
    model.begun = world.purchases.length;
  }
  toString(): string {
    return this.name;
  }
}

const rails: readonly Rail[] = ['card', 'crypto'];
const which = fc.nat({ max: 3 });
const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

/** A step of one purchase. */
const ofOne = <T>(
  name: string,
  choices: fc.Arbitrary<T>,
  does: (world: World, purchase: Purchase, choice: T) => Promise<unknown>,
) =>
  fc
    .tuple(which, choices)
    .map(
      ([at, choice]) =>
        new Step(`${name} #${at} ${choice ?? ''}`.trim(), 1, (world) =>
          does(world, pick(world.purchases, at), choice),
        ),
    );
const nothing = fc.constant(null);

/** How far a purchase comes at once: what is interesting happens to those that are paid, in time or too late. */
const far = fc.constantFrom('begun', 'open', 'paid', 'paid', 'paid late');

const begin = fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 1 }), fc.constantFrom(...rails), far).map(
  ([who, where, method, until]) =>
    new Step(`${who ? 'B' : 'A'} house ${where} ${method} ${until}`, 0, async (world) => {
      const { bench, payments, houses, purchases } = world;
      const buyer = who ? bench.other : bench.buyer;
      const input = { propertyId: pick(houses, where), method, expectedCents: null, key: randomUUID() };
      const begun = await beginPurchase(bench.as(buyer), input, payments);
      if (!begun.ok) return;
      const known = purchases.find(({ saleId }) => saleId === begun.saleId);
      const purchase = known ?? { saleId: begun.saleId, buyer, rail: method, ref: null };
      if (!known) purchases.push(purchase);
      if (until !== 'begun') await open(world, purchase);
      if (until === 'paid') await onPage(world, purchase, 'pay');
      if (until === 'paid late') await payLate(world, purchase);
    }),
);

async function payLate({ bench, payments }: World, { ref }: Purchase): Promise<void> {
  bench.clock.advance(46 * MINUTE);
  await letTimePass(bench.db, bench.clock.now());
  await sweepSales(bench.system, payments);
  if (ref !== null) await lateCrypto(bench.db, ref, bench.clock.now());
}

const onPage = async ({ bench }: World, { ref }: Purchase, action: SandboxAction): Promise<void> => {
  if (ref !== null) await actOnSandbox(bench.db, ref, action, bench.clock.now());
};

async function open({ bench, payments }: World, purchase: Purchase): Promise<void> {
  const opened = await openCheckout(bench.as(purchase.buyer), target(purchase.saleId), payments);
  if (opened.ok) purchase.ref = opened.url.split('/').at(-1) ?? null;
}

const acts: readonly ['buyer' | 'seller' | 'admin', PartyEvent][] = [
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
  ['admin', 'release'],
];

const atProvider =
  (does: (world: World, ref: string) => Promise<unknown>) =>
  (world: World, { ref }: Purchase) =>
    ref === null ? Promise.resolve() : does(world, ref);

const setSeller = (status: 'active' | 'suspended') => (world: World) =>
  world.bench.db
    .q()
    .updateTable('agents')
    .set({ status })
    .where('id', '=', world.bench.seller.agentId)
    .execute();

const failRefund = async ({ bench }: World, ref: string): Promise<void> => {
  const pending = await bench.db
    .q()
    .selectFrom('sandbox_refunds')
    .select('ref')
    .where('checkout_ref', '=', ref)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (pending) await settleSandboxRefund(bench.db, pending.ref, 'failed', bench.clock.now());
};

const messages = fc.tuple(fc.nat({ max: 11 }), fc.integer({ min: 1, max: 3 })).map(
  ([at, times]) =>
    new Step(`message ${at} × ${times}`, 1, async ({ bench, payments }) => {
      const sent = await sentMessages(bench.db);
      const message = sent[at % Math.max(1, sent.length)];
      for (let count = 0; message && count < times; count += 1) await deliver(bench, message, { payments });
    }),
);

const plain = (name: string, does: (world: World) => Promise<unknown>) =>
  fc.constant(null).map(() => new Step(name, 1, does));

/** Everything that can happen to two houses and two buyers, to their payments, and to us. */
export const steps: fc.Arbitrary<fc.AsyncCommand<Model, World>>[] = [
  begin,
  begin,
  begin,
  ofOne('open', nothing, open),
  ofOne('page', fc.constantFrom(...SANDBOX_ACTIONS), onPage),
  ofOne('bank', fc.constantFrom('paid' as const, 'failed' as const), ({ bench }, { ref }, outcome) =>
    ref === null ? Promise.resolve() : settleSandbox(bench.db, ref, outcome, bench.clock.now()),
  ),
  ofOne(
    'late payment',
    nothing,
    atProvider(({ bench }, ref) => lateCrypto(bench.db, ref, bench.clock.now())),
  ),
  ofOne(
    'dispute',
    nothing,
    atProvider(({ bench }, ref) => disputeSandbox(bench.db, ref, bench.clock.now())),
  ),
  ofOne('dispute ends', fc.constantFrom('won' as const, 'lost' as const), ({ bench }, { ref }, outcome) =>
    ref === null ? Promise.resolve() : closeSandboxDispute(bench.db, ref, outcome, bench.clock.now()),
  ),
  ofOne('refund fails', nothing, atProvider(failRefund)),
  messages,
  messages,
  ofOne('leave', nothing, ({ bench, payments }, { saleId, buyer }) =>
    cancelCheckout(bench.as(buyer), saleId, payments),
  ),
  ofOne('act', fc.constantFrom(...acts), ({ bench }, { saleId, buyer }, [who, event]) =>
    bench.act({ buyer, seller: bench.seller, admin: bench.admin }[who], saleId, event),
  ),
  ofOne('act', fc.constantFrom(...acts), ({ bench }, { saleId, buyer }, [who, event]) =>
    bench.act({ buyer, seller: bench.seller, admin: bench.admin }[who], saleId, event),
  ),
  plain('work', ({ bench, payments }) => work(bench.system, payments)),
  plain('work', ({ bench, payments }) => work(bench.system, payments)),
  plain('sweep', ({ bench, payments }) => sweepSales(bench.system, payments)),
  plain('reconcile', ({ bench, payments }) => reconcileSales(bench.system, payments)),
  fc.constantFrom(11 * MINUTE, 46 * MINUTE, 6 * HOUR, 3 * DAY, 8 * DAY).map(
    (ms) =>
      new Step(`${ms / HOUR} hours`, 1, async ({ bench }) => {
        bench.clock.advance(ms);
        await letTimePass(bench.db, bench.clock.now());
      }),
  ),
  fc
    .constantFrom<Fault>('down', 'refund unheard')
    .map((fault) => new Step(`fault: ${fault}`, 1, async ({ faults }) => void faults.push(fault))),
  plain('seller suspended', setSeller('suspended')),
  plain('seller back', setSeller('active')),
  fc
    .integer({ min: 1, max: 900_000_00 })
    .map(
      (price_cents) =>
        new Step(`price ${price_cents}`, 0, ({ bench, houses }) =>
          bench.db.q().updateTable('properties').set({ price_cents }).where('id', 'in', houses).execute(),
        ),
    ),
];
