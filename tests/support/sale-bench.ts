import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { actOnSale } from '#features/purchases/commands/act-on-sale.ts';
import { beginPurchase } from '#features/purchases/commands/begin-purchase.ts';
import { openCheckout } from '#features/purchases/commands/open-checkout.ts';
import { processMessages } from '#features/purchases/commands/process-messages.ts';
import { sendRefund } from '#features/purchases/commands/send-refund.ts';
import { reconcileSales, sweepSales } from '#features/purchases/commands/sweep-sales.ts';
import { applyCheckout, syncPayment } from '#features/purchases/commands/sync-payment.ts';
import type { BeginResult, MoveResult, PartyEvent } from '#features/purchases/model.ts';
import {
  type CheckoutState,
  PaymentError,
  type PaymentErrorCode,
  type Payments,
  type PaymentsPort,
  type Rail,
} from '#gateways/payments/port.ts';
import { actOnSandbox, type SandboxAction } from '#gateways/payments/sandbox/page.ts';
import { createSandbox } from '#gateways/payments/sandbox/sandbox.ts';
import { letTimePass } from '#gateways/payments/sandbox/time.ts';
import type { Actor, Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { type TestClock, testClock, testConfig, testContext } from './context.ts';
import { createListing } from './listings.ts';
import { createPerson } from './people.ts';

/** Payments over given providers, found by rail and by name. */
export const paymentsOf = (...ports: PaymentsPort[]): Payments => ({
  forRail(rail) {
    const port = ports.find((one) => one.rail === rail);
    if (!port) throw new PaymentError('unavailable', `Nothing is set up for ${rail}`);
    return port;
  },
  of(provider) {
    const port = ports.find((one) => one.provider === provider);
    if (!port) throw new PaymentError('unavailable', `${provider} is not set up`);
    return port;
  },
});

export interface SaleBench {
  db: Database;
  clock: TestClock;
  payments: Payments;
  seller: UserActor;
  buyer: UserActor;
  other: UserActor;
  admin: UserActor;
  as(actor: Actor): Ctx;
  system: Ctx;
  house(facts?: Parameters<typeof createListing>[2]): Promise<string>;
  begin(actor: UserActor, propertyId: string, method?: Rail, key?: string): Promise<BeginResult>;
  /** A begun purchase with an open checkout. */
  checkout(actor: UserActor, propertyId: string, method?: Rail): Promise<{ saleId: string; ref: string }>;
  /** What somebody does on the provider's page. */
  onPage(ref: string, action: SandboxAction): Promise<void>;
  sync(saleId: string): Promise<void>;
  apply(saleId: string, checkout: CheckoutState | null): Promise<void>;
  /** Lets the provider's time pass and everything of ours that runs by itself run once. */
  settle(): Promise<void>;
  sale(saleId: string): Promise<Awaited<ReturnType<typeof readSale>>>;
  property(id: string): Promise<string>;
  /** cents of a sale, summed by account, without zeros */
  books(saleId: string): Promise<Record<string, number>>;
  /** 'payment/escrow/payout' */
  state(saleId: string): Promise<string>;
  events(saleId: string): Promise<string[]>;
  /** subjects, oldest first */
  mailsTo(address: string): Promise<string[]>;
  refunds(saleId: string): Promise<Selectable<DB['refunds']>[]>;
  act(actor: UserActor, saleId: string, event: PartyEvent, note?: string): Promise<MoveResult>;
  /** A paid sale. */
  inEscrow(house?: string): Promise<string>;
}

const readSale = (db: Database, id: string) =>
  db.q().selectFrom('property_sales').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** A seller, two buyers and an administrator, with both sandboxes as providers unless others are given, on a clock that is moved by hand. */
export async function saleBench(
  db: Database,
  {
    clock = testClock(),
    providers,
    publicUrl = testConfig.publicUrl,
  }: { clock?: TestClock; providers?: Payments; publicUrl?: string } = {},
): Promise<SaleBench> {
  const common = { db, now: clock.now, secret: testConfig.secret, publicUrl };
  const payments =
    providers ??
    paymentsOf(createSandbox({ ...common, rail: 'card' }), createSandbox({ ...common, rail: 'crypto' }));
  const seller = await createPerson(db, 'agent');
  const [buyer, other] = [await createPerson(db, 'buyer'), await createPerson(db, 'buyer')];
  const admin = await createPerson(db, 'admin');
  const as = (actor: Actor) =>
    testContext(db, { actor, now: clock.now, config: { ...testConfig, publicUrl, relaxedLimits: true } });
  const system = as({ kind: 'system', name: 'test' });
  const begin: SaleBench['begin'] = (actor, propertyId, method = 'card', key = randomUUID()) =>
    beginPurchase(as(actor), { propertyId, method, expectedCents: null, key }, payments);
  const bench: SaleBench = {
    db,
    clock,
    payments,
    seller,
    buyer,
    other,
    admin,
    as,
    system,
    begin,
    house: (facts) => createListing(db, seller.agentId, facts),
    async checkout(actor, propertyId, method) {
      const begun = await begin(actor, propertyId, method);
      if (!begun.ok) throw new Error(`No purchase was begun: ${begun.reason}`);
      const opened = await openCheckout(
        as(actor),
        { saleId: begun.saleId, propertyId: null, expectedCents: null },
        payments,
      );
      if (!opened.ok) throw new Error(`No checkout was opened: ${opened.reason}`);
      return { saleId: begun.saleId, ref: opened.url.split('/').at(-1) ?? '' };
    },
    async onPage(ref, action) {
      const done = await actOnSandbox(db, ref, action, clock.now());
      if (!done.ok) throw new Error(done.reason);
    },
    sync: (saleId) => syncPayment(system, saleId, payments),
    apply: (saleId, checkout) => applyCheckout(system, saleId, checkout),
    async settle() {
      await letTimePass(db, clock.now());
      await processMessages(system, payments);
      const refunds = await db
        .q()
        .selectFrom('refunds')
        .select('id')
        .where('status', '=', 'pending')
        .execute();
      for (const { id } of refunds) await sendRefund(system, id, payments);
      await sweepSales(system, payments);
      await reconcileSales(system, payments);
    },
    sale: (saleId) => readSale(db, saleId),
    async property(id) {
      const row = await db
        .q()
        .selectFrom('properties')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row.status;
    },
    async books(saleId) {
      const rows = await db
        .q()
        .selectFrom('ledger_postings as p')
        .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
        .select(['p.account', (sum) => sum.fn.sum<number>('p.amount_cents').as('cents')])
        .where('e.sale_id', '=', saleId)
        .groupBy('p.account')
        .execute();
      return Object.fromEntries(
        rows.filter(({ cents }) => Number(cents) !== 0).map(({ account, cents }) => [account, Number(cents)]),
      );
    },
    async state(saleId) {
      const sale = await readSale(db, saleId);
      return [sale.stripe_payment_status, sale.escrow_status, sale.payout_status].join('/');
    },
    async events(saleId) {
      const rows = await db
        .q()
        .selectFrom('sale_events')
        .select('event')
        .where('sale_id', '=', saleId)
        .orderBy('id')
        .execute();
      return rows.map(({ event }) => event);
    },
    async mailsTo(address) {
      const rows = await db
        .q()
        .selectFrom('mail_outbox')
        .select('subject')
        .where('to_address', '=', address)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(({ subject }) => subject);
    },
    refunds: (saleId) =>
      db
        .q()
        .selectFrom('refunds')
        .selectAll()
        .where('sale_id', '=', saleId)
        .orderBy('idempotency_key')
        .execute(),
    act: (actor, saleId, event, note) => actOnSale(as(actor), { saleId, event, ...(note && { note }) }),
    async inEscrow(house) {
      const { saleId, ref } = await bench.checkout(buyer, house ?? (await bench.house()));
      await bench.onPage(ref, 'pay');
      await bench.sync(saleId);
      return saleId;
    },
  };
  return bench;
}

/** Fees of both sides: 1.5 % and $495.00 of the buyer, $100.00 of the seller. */
export async function chargeFees(db: Database): Promise<void> {
  await db
    .q()
    .insertInto('service_fees')
    .values([
      { name: 'Buyer Protection', fee_type: 'percentage', percent: 1.5, applies_to: ['buyer'], position: 1 },
      { name: 'Closing', fee_type: 'fixed', fixed_cents: 495_00, applies_to: ['buyer'], position: 2 },
      { name: 'Listing', fee_type: 'fixed', fixed_cents: 100_00, applies_to: ['seller'], position: 3 },
    ])
    .execute();
}

/** A sale as the caller of `openCheckout` names it. */
export const target = (saleId: string) => ({ saleId, propertyId: null, expectedCents: null });

/** A call of a provider that fails. */
export const broken = (code: PaymentErrorCode) => (): Promise<never> =>
  Promise.reject(new PaymentError(code, 'Broken for the test'));

/** What the panel asks of a listing. */
export const listingOf = (id: string, seller: UserActor) => ({
  id,
  status: 'Active' as const,
  seller: { id: seller.agentId ?? '', name: '', email: '', userId: seller.id, suspended: false },
});
