import type { Insertable } from 'kysely';
import { adminPercentage } from '#features/commission/reads.ts';
import { chargedFees } from '#features/fees/reads.ts';
import { visibleListing } from '#features/listings/reads.ts';
import { isSellerGone } from '#features/listings/seller-fact.ts';
import { adminPercentageFor, type SaleTerms, saleTerms } from '#features/sales/amounts.ts';
import { HOLD_MS } from '#features/sales/model.ts';
import { isTestMode } from '#features/sales/rules.ts';
import { isTestBuyer } from '#features/settings/reads.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { DAY } from '#platform/durations.ts';
import { RELAXED_FACTOR, takeTokens } from '#platform/rate-limits.ts';
import { uuidOf } from '#platform/uuid-of.ts';
import { checkoutLimits } from '../limits.ts';
import { isLive, liveSale } from '../live-sale.ts';
import { type BeginPurchaseResult, UNPAID_ATTEMPTS } from '../model.ts';
import { limitsOf, providersByMethod } from '../payment-methods.ts';
import { mayPurchase, planPaymentMethods, purchaseRefusal } from '../rules.ts';
import { PAYMENT_NOT_STARTED } from './open-checkout.ts';

interface BeginPurchaseInput {
  propertyId: string;
  method: PaymentMethod;
  /** the total shown to the buyer, in integer cents; null when the caller gives none */
  expectedCents: number | null;
  /** idempotency key: the same for every repetition of one click; with another property it is another purchase */
  key: string;
}

/** The commission could not be read, so no amount can be computed. The message is shown to users. */
export class CommissionUnknown extends Error {
  override readonly name = 'CommissionUnknown';
  constructor(cause: unknown) {
    super('Failed to fetch commission settings', { cause });
  }
}

interface LockedProperty {
  priceCents: number;
  agentId: string;
  sellerShare: number | null;
}

/**
 * Starts a purchase: records the sale as pending with all amounts computed on the server, and holds the property for the
 * buyer. Repeated with the same key, or while the buyer's own purchase of the property is open, it returns that one. The
 * unique constraint on live sales backs up the lock (R1).
 * @throws Unauthenticated; NotFound for a property the caller cannot see; TooManyRequests (R18)
 */
export async function beginPurchase(
  ctx: CtxWith<'payments'>,
  input: BeginPurchaseInput,
): Promise<BeginPurchaseResult> {
  const user = authorizedUser(ctx, mayPurchase);
  const refusal = purchaseRefusal(ctx.actor, await visibleListing(ctx, input.propertyId));
  if (refusal && (refusal !== 'in_escrow' || !(await hasLiveSale(ctx, input.propertyId, user.id))))
    return { ok: false, reason: refusal };
  await takeTokens(ctx, checkoutLimits.begin, user.id);
  const port = providersByMethod(ctx.payments)[input.method];
  // No real money moves in test mode, so nobody but those who try it out may take a house off the market with it.
  if (port && isTestMode(ctx.config, port) && !(await isTestBuyer(ctx)))
    return { ok: false, reason: 'test_mode' };

  const decide = async (property: LockedProperty | undefined): Promise<BeginPurchaseResult> => {
    const known = await resultOnRecord(ctx, input, user.id);
    if (known) return known;
    if (!property) return { ok: false, reason: 'unavailable' };
    if (await triedTooOften(ctx, user.id)) return { ok: false, reason: 'too_many_attempts' };
    const terms = await termsOf(ctx, property);
    if (input.expectedCents !== null && input.expectedCents !== terms.totalCents)
      return { ok: false, reason: 'price_changed' };
    const providers = providersByMethod(ctx.payments, terms.totalCents);
    const port = providers[input.method];
    const plan = planPaymentMethods(terms.totalCents, limitsOf(providers)).find(
      ({ method }) => method === input.method,
    );
    if (!port || plan?.reason) return { ok: false, reason: 'rail_limit' };
    const now = ctx.now();
    const saleId = await recordSale(ctx, {
      property_id: input.propertyId,
      buyer_id: user.id,
      agent_id: property.agentId,
      sale_price_cents: terms.basePriceCents,
      buyer_fees_cents: terms.buyerFeesCents,
      seller_fees_cents: terms.sellerFeesCents,
      admin_percentage: terms.adminPercentage,
      agent_commission_cents: terms.agentCommissionCents,
      payment_method: input.method,
      provider: port.provider,
      livemode: port.livemode,
      locked_until: new Date(now.getTime() + HOLD_MS),
      idempotency_key: storedKey(input),
      next_ask_at: now,
      created_at: now,
    });
    await recordFees(ctx, saleId, terms);
    return { ok: true, saleId, totalCents: terms.totalCents };
  };
  const known = await resultOnRecord(ctx, input, user.id);
  if (known) return known;
  // When many buyers press at once, one locks the property. The others wait together for that transaction and read its
  // result; only if that settles nothing does each of them queue for the lock.
  const contendedResult = await ctx.db.tx(async () => {
    const property = await lockProperty(ctx, input.propertyId, 'now');
    if (property) return decide(property);
    await waitForLockHolder(ctx, input.propertyId);
    return resultOnRecord(ctx, input, user.id);
  });
  return (
    contendedResult ?? ctx.db.tx(async () => decide(await lockProperty(ctx, input.propertyId, 'in turn')))
  );
}

/**
 * The property as it is now, locked until the transaction ends; undefined when it is not for sale, and with `now` also
 * while another transaction has it locked.
 */
async function lockProperty(
  ctx: Ctx,
  propertyId: string,
  when: 'now' | 'in turn',
): Promise<LockedProperty | undefined> {
  const query = ctx.db
    .q()
    .selectFrom('properties')
    .innerJoin('agents', 'agents.id', 'properties.agent_id')
    .select(['properties.price_cents', 'properties.agent_id', 'agents.commission_rate'])
    .where('properties.id', '=', propertyId)
    .where('properties.is_public', '=', true)
    .forUpdate('properties');
  const row = await (when === 'now' ? query.skipLocked() : query).executeTakeFirst();
  // Asked once the listing is held: who archives a seller takes the listings first.
  if (!row || (await isSellerGone(ctx, propertyId))) return undefined;
  return { priceCents: row.price_cents, agentId: row.agent_id, sellerShare: row.commission_rate };
}

/** Waits for the transaction that has the property locked, without blocking others who wait. */
const waitForLockHolder = (ctx: Ctx, propertyId: string) =>
  ctx.db
    .q()
    .selectFrom('properties')
    .select('id')
    .where('id', '=', propertyId)
    .forKeyShare()
    .executeTakeFirst();

/** A page that was gone back to may send its key with another property. */
const storedKey = ({ key, propertyId }: BeginPurchaseInput): string =>
  uuidOf(JSON.stringify([key, propertyId]));

/**
 * The result if it is on record already: the live sale of the property, or the purchase of this click, also when that has ended: a page
 * that was gone back to sends its key again.
 */
async function resultOnRecord(
  ctx: Ctx,
  input: BeginPurchaseInput,
  buyerId: string,
): Promise<BeginPurchaseResult | null> {
  const { propertyId } = input;
  const key = storedKey(input);
  const found = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'buyer_id', 'total_cents', 'locked_until', isLive.as('live')])
    .where((where) =>
      where.or([
        where.and([where('property_id', '=', propertyId), isLive]),
        where.and([where('buyer_id', '=', buyerId), where('idempotency_key', '=', key)]),
      ]),
    )
    .execute();
  const sale = found.find(({ live }) => live) ?? found[0];
  if (!sale) return null;
  if (sale.buyer_id === buyerId) return { ok: true, saleId: sale.id, totalCents: sale.total_cents };
  return { ok: false, reason: 'in_progress', ...(sale.locked_until && { until: sale.locked_until }) };
}

const hasLiveSale = async (ctx: Ctx, propertyId: string, buyerId: string) =>
  (await liveSale(ctx, propertyId))?.buyer_id === buyerId;

/**
 * Whether the buyer has too many unpaid holds in the last 24 hours, with or without a checkout; those for which the
 * provider could open none do not count (R18). Locks the buyer so that concurrent purchases are counted one by one.
 */
async function triedTooOften(ctx: Ctx, buyerId: string): Promise<boolean> {
  const q = ctx.db.q();
  await q.selectFrom('users').select('id').where('id', '=', buyerId).forNoKeyUpdate().execute();
  const { tries } = await q
    .selectFrom('property_sales')
    .select((count) => count.fn.countAll<number>().as('tries'))
    .where('buyer_id', '=', buyerId)
    .where('sale_date', 'is', null)
    .where('failure_reason', 'is distinct from', PAYMENT_NOT_STARTED)
    .where('stripe_payment_status', 'in', ['pending', 'processing', 'failed'])
    .where('created_at', '>', new Date(ctx.now().getTime() - DAY))
    .executeTakeFirstOrThrow();
  return tries >= UNPAID_ATTEMPTS * (ctx.config.relaxedLimits ? RELAXED_FACTOR : 1);
}

async function termsOf(ctx: Ctx, { priceCents, sellerShare }: LockedProperty): Promise<SaleTerms> {
  const defaultPercentage = await adminPercentage(ctx).catch((cause: unknown) => {
    throw new CommissionUnknown(cause);
  });
  return saleTerms(priceCents, await chargedFees(ctx), adminPercentageFor(sellerShare, defaultPercentage));
}

async function recordSale(ctx: Ctx, sale: Insertable<DB['property_sales']>): Promise<string> {
  const q = ctx.db.q();
  const { id } = await q.insertInto('property_sales').values(sale).returning('id').executeTakeFirstOrThrow();
  const after = { payment: 'pending', escrow: 'pending', payout: null };
  await q
    .insertInto('sale_events')
    .values({
      sale_id: id,
      event: 'begin',
      actor_id: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      actor_role: 'buyer',
      before: 'null',
      after: JSON.stringify(after),
      created_at: ctx.now(),
    })
    .execute();
  await audit(ctx, { action: 'sale.begin', entity: 'property_sale', entityId: id, after: sale });
  return id;
}

async function recordFees(ctx: Ctx, saleId: string, { fees }: SaleTerms): Promise<void> {
  if (fees.length === 0) return;
  await ctx.db
    .q()
    .insertInto('transaction_fees')
    .values(
      fees.map(({ feeId, name, percent, appliesTo, cents }, position) => ({
        sale_id: saleId,
        service_fee_id: feeId,
        name,
        fee_type: percent === null ? ('fixed' as const) : ('percentage' as const),
        percent,
        applies_to: appliesTo,
        amount_applied_cents: cents,
        position,
        created_at: ctx.now(),
      })),
    )
    .execute();
}
