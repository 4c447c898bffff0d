import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { cancelCheckout } from '#features/checkout/commands/cancel-checkout.ts';
import { openCheckout } from '#features/checkout/commands/open-checkout.ts';
import { releaseEscrow } from '#features/payments/commands/release-escrow.ts';
import { syncPayment } from '#features/payments/commands/sync-payment.ts';
import { actOnSale } from '#features/sales/commands/act-on-sale.ts';
import { type PartyEvent, releasesEscrow } from '#features/sales/model.ts';
import type { PaymentMethod, Payments } from '#gateways/payments/port.ts';
import { performSandboxAction, type SandboxAction } from '#gateways/payments/sandbox/checkout-page.ts';
import { createSandbox } from '#gateways/payments/sandbox/provider.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { deliveryOf } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { checkoutTarget, paymentsOf } from '#tests/support/fixtures/sale-scenario.ts';
import type { ActorName } from './access-table.ts';
import type { Scenario } from './scenario.ts';

/** A sale by seller A to buyer A, or between the given seller and buyer. */
export interface SaleFixture {
  saleId: string;
  propertyId: string;
  buyer: ActorName;
  seller: ActorName;
  /** the checkout's reference; null before one is opened */
  ref: string | null;
}

/** The events that bring a paid sale into each state named in the tables. */
const EVENTS_BY_STATE: Record<string, [by: 'buyer' | 'seller' | 'admin', event: PartyEvent][]> = {
  'in escrow': [],
  'with documents': [['seller', 'deliver_documents']],
  'with a problem': [['buyer', 'report_problem']],
  overdue: [],
  'overdue with documents': [['seller', 'deliver_documents']],
  'buyer wants out': [['buyer', 'request_cancellation']],
  'seller wants out': [['seller', 'request_cancellation']],
  frozen: [],
  released: [['buyer', 'confirm_closing']],
  cancelled: [['admin', 'cancel_sale']],
};

/** What the payer does when not paying at once, or not at all. */
const UNPAID: Record<string, SandboxAction> = { submitted: 'pay_later', expired: 'expire' };

const payments = new WeakMap<Scenario, Payments>();
const sharedSales = new WeakMap<Scenario, Map<string, Promise<SaleFixture>>>();

/** The sandbox provider for both payment methods, on the scenario's database. */
export function paymentsFor(scenario: Scenario): Payments {
  const common = {
    db: scenario.db,
    now: () => new Date(),
    secret: testConfig.secret,
    publicUrl: testConfig.publicUrl,
  };
  const made =
    payments.get(scenario) ??
    paymentsOf(createSandbox({ ...common, method: 'card' }), createSandbox({ ...common, method: 'crypto' }));
  payments.set(scenario, made);
  return made;
}

/** The context without rate limits, which only some cells are about. */
export const withoutRateLimits = (ctx: Ctx): Ctx => ({
  ...ctx,
  config: { ...ctx.config, relaxedLimits: true },
});

/** The context a background job runs in. */
export const systemContext = (scenario: Scenario): Ctx =>
  testContext(scenario.db, { actor: { kind: 'system', name: 'stage' }, now: () => new Date() });

interface SaleOptions {
  buyer?: ActorName;
  seller?: 'sellerA' | 'sellerB' | 'suspended';
  method?: PaymentMethod;
  /** an existing property; without it a new one is created */
  existingPropertyId?: string;
}

/**
 * Creates a sale in the given state: 'begun' has no checkout yet, 'open' has one, 'submitted' is paid by bank transfer,
 * 'given up' was cancelled by its buyer, 'expired' timed out; all others are paid and then go through their events in
 * EVENTS_BY_STATE. The suspended seller is reinstated while the sale is made.
 */
export async function newSale(
  scenario: Scenario,
  state: string,
  { buyer = 'buyerA', seller = 'sellerA', method = 'card', existingPropertyId }: SaleOptions = {},
): Promise<SaleFixture> {
  const providers = paymentsFor(scenario);
  const ctx = (actor: ActorName) => withoutRateLimits(scenario.ctx(actor));
  const suspend = (status: 'active' | 'suspended') =>
    scenario.db
      .q()
      .updateTable('agents')
      .set({ status })
      .where('id', '=', scenario.person(seller).agentId)
      .execute();
  if (seller === 'suspended') await suspend('active');
  const propertyId =
    existingPropertyId ?? (await createListing(scenario.db, scenario.person(seller).agentId));
  const begun = await beginPurchase(
    { ...ctx(buyer), payments: providers },
    { propertyId, method, expectedCents: null, key: randomUUID() },
  );
  if (!begun.ok) throw new Error(`${state}: no purchase, ${begun.reason}`);
  const { saleId } = begun;
  const sale: SaleFixture = { saleId, propertyId, buyer, seller, ref: null };
  if (state !== 'begun') {
    const opened = await openCheckout({ ...ctx(buyer), payments: providers }, checkoutTarget(saleId));
    if (!opened.ok) throw new Error(`${state}: no checkout, ${opened.reason}`);
    sale.ref = opened.url.split('/').at(-1) ?? '';
    await advanceTo(scenario, sale, state);
  }
  if (seller === 'suspended') await suspend('suspended');
  return sale;
}

/** What a person does on the page of a sale. */
export const act = (
  ctx: CtxWith<'payments'>,
  { saleId, event, note }: { saleId: string; event: PartyEvent; note: string },
) =>
  releasesEscrow(event)
    ? releaseEscrow(ctx, { saleId, event, note })
    : actOnSale(ctx, { saleId, event, note, ...deliveryOf(event) });

async function advanceTo(
  scenario: Scenario,
  { saleId, buyer, seller, ref }: SaleFixture,
  state: string,
): Promise<void> {
  const providers = paymentsFor(scenario);
  if (state === 'open') return;
  if (state === 'given up') {
    await cancelCheckout({ ...withoutRateLimits(scenario.ctx(buyer)), payments: providers }, { saleId });
    return;
  }
  const steps = EVENTS_BY_STATE[state];
  const unpaid = UNPAID[state];
  if (!steps && !unpaid) throw new Error(`No story of a sale: ${state}`);
  const done = await performSandboxAction(scenario.db, ref ?? '', unpaid ?? 'pay', new Date());
  if (!done.ok) throw new Error(done.reason);
  await syncPayment({ ...systemContext(scenario), payments: providers }, { saleId });
  for (const [by, event] of steps ?? []) {
    const actor = by === 'buyer' ? buyer : by === 'seller' ? seller : 'admin';
    const ctx = {
      ...withoutRateLimits(scenario.ctx(actor)),
      actor: { ...scenario.person(actor), suspended: false },
      payments: providers,
    };
    const moved = await act(ctx, { saleId, event, note: 'said to the other side' });
    if (!moved.ok) throw new Error(`${state}: ${event} by the ${by} is refused, ${moved.reason}`);
  }
  if (state.startsWith('overdue'))
    await scenario.db
      .q()
      .updateTable('property_sales')
      .set({ documents_due_at: new Date(0) })
      .where('id', '=', saleId)
      .execute();
  if (state === 'frozen')
    await scenario.db
      .q()
      .updateTable('property_sales')
      .set({ frozen_at: new Date() })
      .where('id', '=', saleId)
      .execute();
}

/** A sale shared by all cells that do not change it. */
export function sharedSale(scenario: Scenario, state: string, who: SaleOptions = {}): Promise<SaleFixture> {
  const known = sharedSales.get(scenario) ?? new Map<string, Promise<SaleFixture>>();
  sharedSales.set(scenario, known);
  const name = JSON.stringify([state, who]);
  const sale = known.get(name) ?? newSale(scenario, state, who);
  known.set(name, sale);
  return sale;
}

/** A sale's state as 'payment/escrow/payout property'. */
export async function saleState(
  scenario: Scenario,
  { saleId }: Pick<SaleFixture, 'saleId'>,
): Promise<string> {
  const row = await scenario.db
    .q()
    .selectFrom('property_sales as s')
    .innerJoin('properties as p', 'p.id', 's.property_id')
    .select(['s.stripe_payment_status as payment', 's.escrow_status as escrow', 's.payout_status as payout'])
    .select('p.status')
    .where('s.id', '=', saleId)
    .executeTakeFirstOrThrow();
  return `${row.payment}/${row.escrow}/${row.payout ?? ''} ${row.status}`;
}

/** The history of a sale, oldest first: event, role, actor and note. */
export function historyOf(scenario: Scenario, { saleId }: Pick<SaleFixture, 'saleId'>) {
  return scenario.db
    .q()
    .selectFrom('sale_events')
    .select(['event', 'actor_role as role', 'actor_id as who', 'note'])
    .where('sale_id', '=', saleId)
    .orderBy('id')
    .execute();
}

/** A sale that no cell is about, with a snapshot taken when it was made. */
const unrelatedSales = new WeakMap<Scenario, Promise<{ sale: SaleFixture; snapshot: string }>>();

/** Adds a sale between buyer B and seller B that no cell may affect. */
export async function addUnrelatedSale(scenario: Scenario): Promise<void> {
  const made =
    unrelatedSales.get(scenario) ??
    newSale(scenario, 'in escrow', { buyer: 'buyerB', seller: 'sellerB' }).then(async (sale) => ({
      sale,
      snapshot: await snapshotOf(scenario, sale),
    }));
  unrelatedSales.set(scenario, made);
  await made;
}

/** Asserts that the unrelated sale has not changed. */
export async function expectUnrelatedSaleUnchanged(scenario: Scenario): Promise<void> {
  const unrelated = await unrelatedSales.get(scenario);
  if (!unrelated) throw new Error('Nobody stands by');
  expect(await snapshotOf(scenario, unrelated.sale)).toBe(unrelated.snapshot);
}

/** All rows stored about a sale. */
async function snapshotOf({ db }: Scenario, { saleId, propertyId }: SaleFixture): Promise<string> {
  const q = db.q();
  const parts = await Promise.all([
    q.selectFrom('property_sales').selectAll().where('id', '=', saleId).execute(),
    q.selectFrom('properties').selectAll().where('id', '=', propertyId).execute(),
    q.selectFrom('refunds').selectAll().where('sale_id', '=', saleId).orderBy('id').execute(),
    q.selectFrom('disputes').selectAll().where('sale_id', '=', saleId).orderBy('id').execute(),
    q.selectFrom('ledger_entries').selectAll().where('sale_id', '=', saleId).orderBy('id').execute(),
    q.selectFrom('sale_events').selectAll().where('sale_id', '=', saleId).orderBy('id').execute(),
  ]);
  return JSON.stringify(parts);
}
