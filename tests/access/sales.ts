import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { actOnSale } from '#features/purchases/commands/act-on-sale.ts';
import { beginPurchase } from '#features/purchases/commands/begin-purchase.ts';
import { cancelCheckout } from '#features/purchases/commands/cancel-checkout.ts';
import { openCheckout } from '#features/purchases/commands/open-checkout.ts';
import { syncPayment } from '#features/purchases/commands/sync-payment.ts';
import type { PartyEvent } from '#features/purchases/model.ts';
import type { Payments, Rail } from '#gateways/payments/port.ts';
import { actOnSandbox, type SandboxAction } from '#gateways/payments/sandbox/page.ts';
import { createSandbox } from '#gateways/payments/sandbox/sandbox.ts';
import type { Ctx } from '#platform/context.ts';
import { testConfig, testContext } from '#tests/support/context.ts';
import { createListing } from '#tests/support/listings.ts';
import { paymentsOf, target } from '#tests/support/sale-bench.ts';
import type { Stage } from './stage.ts';
import type { ActorName } from './table.ts';

/** Buyer A's purchase of a house of seller A, or of the sellers and buyers that are named. */
export interface StagedSale {
  saleId: string;
  propertyId: string;
  buyer: ActorName;
  seller: ActorName;
  /** of its checkout; null before one was opened */
  ref: string | null;
}

/** What happened to a sale in escrow, by the words of the tables. */
const STORIES: Record<string, [by: 'buyer' | 'seller' | 'admin', event: PartyEvent][]> = {
  'in escrow': [],
  'with documents': [['seller', 'deliver_documents']],
  'with a problem': [['buyer', 'report_problem']],
  'buyer wants out': [['buyer', 'request_cancellation']],
  'seller wants out': [['seller', 'request_cancellation']],
  frozen: [],
  released: [['buyer', 'confirm_closing']],
  cancelled: [['admin', 'cancel_sale']],
};

/** What a payer does who does not pay at once, or not at all. */
const UNPAID: Record<string, SandboxAction> = { submitted: 'pay_later', expired: 'expire' };

const payments = new WeakMap<Stage, Payments>();
const stays = new WeakMap<Stage, Map<string, Promise<StagedSale>>>();

/** The sandbox of both rails on the stage's own clock. */
export function paymentsOn(stage: Stage): Payments {
  const common = {
    db: stage.db,
    now: () => new Date(),
    secret: testConfig.secret,
    publicUrl: testConfig.publicUrl,
  };
  const made =
    payments.get(stage) ??
    paymentsOf(createSandbox({ ...common, rail: 'card' }), createSandbox({ ...common, rail: 'crypto' }));
  payments.set(stage, made);
  return made;
}

/** Limits are not what a cell is about, unless it says so. */
export const unhurried = (ctx: Ctx): Ctx => ({ ...ctx, config: { ...ctx.config, relaxedLimits: true } });

/** The context of a job. */
export const systemOf = (stage: Stage): Ctx =>
  testContext(stage.db, { actor: { kind: 'system', name: 'stage' }, now: () => new Date() });

interface Who {
  buyer?: ActorName;
  seller?: 'sellerA' | 'sellerB' | 'suspended';
  rail?: Rail;
  /** where it is not a new house */
  house?: string;
}

/**
 * A new sale: 'begun' has no checkout yet, 'open' has one, 'submitted' is paid by bank transfer, 'given up' was cancelled
 * by its buyer, 'expired' by time; all others were paid, and then what STORIES tells. The suspended seller was not suspended at the time.
 */
export async function newSale(
  stage: Stage,
  story: string,
  { buyer = 'buyerA', seller = 'sellerA', rail = 'card', house }: Who = {},
): Promise<StagedSale> {
  const providers = paymentsOn(stage);
  const ctx = (actor: ActorName) => unhurried(stage.ctx(actor));
  const suspend = (status: 'active' | 'suspended') =>
    stage.db
      .q()
      .updateTable('agents')
      .set({ status })
      .where('id', '=', stage.person(seller).agentId)
      .execute();
  if (seller === 'suspended') await suspend('active');
  const propertyId = house ?? (await createListing(stage.db, stage.person(seller).agentId));
  const begun = await beginPurchase(
    ctx(buyer),
    { propertyId, method: rail, expectedCents: null, key: randomUUID() },
    providers,
  );
  if (!begun.ok) throw new Error(`${story}: no purchase, ${begun.reason}`);
  const { saleId } = begun;
  const sale: StagedSale = { saleId, propertyId, buyer, seller, ref: null };
  if (story !== 'begun') {
    const opened = await openCheckout(ctx(buyer), target(saleId), providers);
    if (!opened.ok) throw new Error(`${story}: no checkout, ${opened.reason}`);
    sale.ref = opened.url.split('/').at(-1) ?? '';
    await goOn(stage, sale, story);
  }
  if (seller === 'suspended') await suspend('suspended');
  return sale;
}

async function goOn(stage: Stage, { saleId, buyer, seller, ref }: StagedSale, story: string): Promise<void> {
  const providers = paymentsOn(stage);
  if (story === 'open') return;
  if (story === 'given up') {
    await cancelCheckout(unhurried(stage.ctx(buyer)), saleId, providers);
    return;
  }
  const steps = STORIES[story];
  const unpaid = UNPAID[story];
  if (!steps && !unpaid) throw new Error(`No story of a sale: ${story}`);
  const done = await actOnSandbox(stage.db, ref ?? '', unpaid ?? 'pay', new Date());
  if (!done.ok) throw new Error(done.reason);
  await syncPayment(systemOf(stage), saleId, providers);
  for (const [by, event] of steps ?? []) {
    const actor = by === 'buyer' ? buyer : by === 'seller' ? seller : 'admin';
    const moved = await actOnSale(
      {
        ...unhurried(stage.ctx(actor)),
        actor: { ...stage.person(actor), suspended: false },
      },
      { saleId, event, note: 'said to the other side' },
    );
    if (!moved.ok) throw new Error(`${story}: ${event} by the ${by} is refused, ${moved.reason}`);
  }
  if (story === 'frozen')
    await stage.db
      .q()
      .updateTable('property_sales')
      .set({ frozen_at: new Date() })
      .where('id', '=', saleId)
      .execute();
}

/** One sale for all cells that leave it as it is. */
export function lastingSale(stage: Stage, story: string, who: Who = {}): Promise<StagedSale> {
  const known = stays.get(stage) ?? new Map<string, Promise<StagedSale>>();
  stays.set(stage, known);
  const name = JSON.stringify([story, who]);
  const sale = known.get(name) ?? newSale(stage, story, who);
  known.set(name, sale);
  return sale;
}

/** 'payment/escrow/payout property' */
export async function standing(stage: Stage, { saleId }: Pick<StagedSale, 'saleId'>): Promise<string> {
  const row = await stage.db
    .q()
    .selectFrom('property_sales as s')
    .innerJoin('properties as p', 'p.id', 's.property_id')
    .select(['s.stripe_payment_status as payment', 's.escrow_status as escrow', 's.payout_status as payout'])
    .select('p.status')
    .where('s.id', '=', saleId)
    .executeTakeFirstOrThrow();
  return `${row.payment}/${row.escrow}/${row.payout ?? ''} ${row.status}`;
}

/** The history of a sale, oldest first: event, role, and who it was. */
export function historyOf(stage: Stage, { saleId }: Pick<StagedSale, 'saleId'>) {
  return stage.db
    .q()
    .selectFrom('sale_events')
    .select(['event', 'actor_role as role', 'actor_id as who', 'note'])
    .where('sale_id', '=', saleId)
    .orderBy('id')
    .execute();
}

/** A sale that nobody of the cells has to do with, as it was when it was made. */
const bystanders = new WeakMap<Stage, Promise<{ sale: StagedSale; wrote: string }>>();

/** Puts a sale of buyer B and seller B beside those of the cells. */
export async function putBystander(stage: Stage): Promise<void> {
  const made =
    bystanders.get(stage) ??
    newSale(stage, 'in escrow', { buyer: 'buyerB', seller: 'sellerB' }).then(async (sale) => ({
      sale,
      wrote: await everythingOf(stage, sale),
    }));
  bystanders.set(stage, made);
  await made;
}

/** The sale of others stands as it stood. */
export async function expectUnmoved(stage: Stage): Promise<void> {
  const put = await bystanders.get(stage);
  if (!put) throw new Error('Nobody stands by');
  expect(await everythingOf(stage, put.sale)).toBe(put.wrote);
}

/** Everything that is written about a sale. */
async function everythingOf({ db }: Stage, { saleId, propertyId }: StagedSale): Promise<string> {
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
