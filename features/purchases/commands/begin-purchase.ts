import { sql } from 'kysely';
import { chargedFees } from '#features/fees/reads.ts';
import { listingDetail } from '#features/listings/reads.ts';
import type { Payments, Rail } from '#gateways/payments/port.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { Query } from '#platform/db/database.ts';
import { NotFound } from '#platform/errors.ts';
import { limits, RELAXED, takeTokens } from '#platform/limits.ts';
import { adminPercentageFor, type SaleTerms, saleTerms } from '../amounts.ts';
import { type BeginResult, DEFAULT_ADMIN_PERCENTAGE, HOLD_MS, UNPAID_ATTEMPTS } from '../model.ts';
import { limitsOf, openRails } from '../rails.ts';
import { mayPurchase, planRails, purchaseRefusal } from '../rules.ts';
import { NOT_STARTED } from './open-checkout.ts';

export interface BeginInput {
  propertyId: string;
  method: Rail;
  /** what the buyer was shown, in integer cents; null when the caller names none */
  expectedCents: number | null;
  /** the same for every repetition of one click */
  key: string;
}

/** The commission could not be read, so that no amount can be computed; its message is for people (S0 §8). */
export class CommissionUnknown extends Error {
  override readonly name = 'CommissionUnknown';
  constructor(cause: unknown) {
    super('Failed to fetch commission settings', { cause });
  }
}

interface Found {
  priceCents: number;
  agentId: string;
  sellerShare: number | null;
}

/**
 * Begins a purchase: records the sale as pending with every amount computed here, and holds the property for the buyer
 * (B-065, B-073). Repeated with the same key, or while the buyer's own purchase of the property is open, it answers with
 * that one. The constraint on live sales stands behind the lock (R1).
 * @throws Unauthenticated; NotFound for a property this person cannot see; TooManyRequests (R18)
 */
export async function beginPurchase(ctx: Ctx, input: BeginInput, payments: Payments): Promise<BeginResult> {
  const user = authorizedUser(ctx, mayPurchase);
  const found = await listingDetail(ctx, input.propertyId);
  if (!found.ok) throw new NotFound('Property not found');
  const refusal = purchaseRefusal(ctx.actor, found.listing);
  if (refusal && (refusal !== 'in_escrow' || !(await ownLiveSale(ctx.db.q(), input.propertyId, user.id))))
    return { ok: false, reason: refusal };
  await takeTokens(ctx, limits.beginPurchase, user.id);
  const rails = openRails(payments);
  const port = rails[input.method];

  const decide = async (q: Query, property: Found | undefined): Promise<BeginResult> => {
    const known = await answerOnRecord(q, input, user.id);
    if (known) return known;
    if (!property) return { ok: false, reason: 'unavailable' };
    if (await triedTooOften(ctx, q, user.id)) return { ok: false, reason: 'too_many_attempts' };
    const terms = await termsOf(ctx, q, property);
    if (input.expectedCents !== null && input.expectedCents !== terms.totalCents)
      return { ok: false, reason: 'price_changed' };
    const plan = planRails(terms.totalCents, limitsOf(rails)).find(({ rail }) => rail === input.method);
    if (!port || plan?.reason) return { ok: false, reason: 'rail_limit' };
    const saleId = await recordSale(ctx, q, {
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
      locked_until: new Date(ctx.now().getTime() + HOLD_MS),
      idempotency_key: input.key,
      created_at: ctx.now(),
    });
    await recordFees(ctx, q, saleId, terms);
    return { ok: true, saleId, totalCents: terms.totalCents };
  };
  const known = await answerOnRecord(ctx.db.q(), input, user.id);
  if (known) return known;
  // Of a crowd that presses at once, one holds the property; the others wait together until it is written who has it, and
  // only where that decides nothing does each wait for a turn.
  const crowded = await ctx.db.tx(async (q) => {
    const property = await holdProperty(q, input.propertyId, 'now');
    if (property) return decide(q, property);
    await outwaitHolder(q, input.propertyId);
    return answerOnRecord(q, input, user.id);
  });
  return crowded ?? ctx.db.tx(async (q) => decide(q, await holdProperty(q, input.propertyId, 'in turn')));
}

/**
 * The property as it is now, held until the transaction ends; undefined when it is not for sale, and `now` also while
 * another transaction holds it.
 */
async function holdProperty(
  q: Query,
  propertyId: string,
  when: 'now' | 'in turn',
): Promise<Found | undefined> {
  const query = q
    .selectFrom('properties')
    .innerJoin('agents', 'agents.id', 'properties.agent_id')
    .select(['properties.price_cents', 'properties.agent_id', 'agents.commission_rate'])
    .where('properties.id', '=', propertyId)
    .where('properties.is_public', '=', true)
    .forUpdate('properties');
  const row = await (when === 'now' ? query.skipLocked() : query).executeTakeFirst();
  return row && { priceCents: row.price_cents, agentId: row.agent_id, sellerShare: row.commission_rate };
}

/** Waits for the end of a transaction that holds the property, without holding it against anybody else who waits. */
const outwaitHolder = (q: Query, propertyId: string) =>
  q.selectFrom('properties').select('id').where('id', '=', propertyId).forKeyShare().executeTakeFirst();

const LIVE = sql<boolean>`escrow_status <> 'cancelled' and stripe_payment_status not in ('failed', 'refunded')`;

const liveSale = (q: Query, propertyId: string) =>
  q
    .selectFrom('property_sales')
    .select(['id', 'buyer_id', 'total_cents', 'locked_until'])
    .where('property_id', '=', propertyId)
    .where(LIVE)
    .executeTakeFirst();

/** What follows from what is written already: from this click's own purchase, or from the live one of the property. */
async function answerOnRecord(
  q: Query,
  { propertyId, key }: BeginInput,
  buyerId: string,
): Promise<BeginResult | null> {
  const found = await q
    .selectFrom('property_sales')
    .select(['id', 'buyer_id', 'total_cents', 'locked_until', 'idempotency_key'])
    .where((where) =>
      where.or([
        where.and([where('property_id', '=', propertyId), LIVE]),
        where.and([where('buyer_id', '=', buyerId), where('idempotency_key', '=', key)]),
      ]),
    )
    .execute();
  const own = found.filter((sale) => sale.buyer_id === buyerId);
  const [mine = own[0]] = own.filter((sale) => sale.idempotency_key === key);
  if (mine) return { ok: true, saleId: mine.id, totalCents: mine.total_cents };
  const [live] = found;
  return live
    ? { ok: false, reason: 'in_progress', ...(live.locked_until && { until: live.locked_until }) }
    : null;
}

const ownLiveSale = async (q: Query, propertyId: string, buyerId: string) =>
  (await liveSale(q, propertyId))?.buyer_id === buyerId;

/**
 * Holds of the last 24 hours that were not paid, whether a checkout was opened for them or not; what the provider itself
 * could not open does not count (R18). One purchase of a buyer is counted after the other.
 */
async function triedTooOften(ctx: Ctx, q: Query, buyerId: string): Promise<boolean> {
  await q.selectFrom('users').select('id').where('id', '=', buyerId).forNoKeyUpdate().execute();
  const { tries } = await q
    .selectFrom('property_sales')
    .select((count) => count.fn.countAll<number>().as('tries'))
    .where('buyer_id', '=', buyerId)
    .where('sale_date', 'is', null)
    .where('failure_reason', 'is distinct from', NOT_STARTED)
    .where('stripe_payment_status', 'in', ['pending', 'failed'])
    .where('created_at', '>', new Date(ctx.now().getTime() - 86_400_000))
    .executeTakeFirstOrThrow();
  return tries >= UNPAID_ATTEMPTS * (ctx.config.relaxedLimits ? RELAXED : 1);
}

async function termsOf(ctx: Ctx, q: Query, { priceCents, sellerShare }: Found): Promise<SaleTerms> {
  const setting = await q
    .selectFrom('commission_settings')
    .select('admin_percentage')
    .executeTakeFirst()
    .catch((cause: unknown) => {
      throw new CommissionUnknown(cause);
    });
  const general = setting?.admin_percentage ?? DEFAULT_ADMIN_PERCENTAGE;
  return saleTerms(priceCents, await chargedFees(ctx), adminPercentageFor(sellerShare, general));
}

type NewSale = Parameters<ReturnType<typeof insertSale>['values']>[0];
const insertSale = (q: Query) => q.insertInto('property_sales');

async function recordSale(ctx: Ctx, q: Query, sale: NewSale): Promise<string> {
  const { id } = await insertSale(q).values(sale).returning('id').executeTakeFirstOrThrow();
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

async function recordFees(ctx: Ctx, q: Query, saleId: string, { fees }: SaleTerms): Promise<void> {
  if (fees.length === 0) return;
  await q
    .insertInto('transaction_fees')
    .values(
      fees.map(({ feeId, name, percent, appliesTo, cents }) => ({
        sale_id: saleId,
        service_fee_id: feeId,
        name,
        fee_type: percent === null ? ('fixed' as const) : ('percentage' as const),
        percent,
        applies_to: appliesTo,
        amount_applied_cents: cents,
        created_at: ctx.now(),
      })),
    )
    .execute();
}
