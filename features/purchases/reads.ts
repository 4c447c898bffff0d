import { sql } from 'kysely';
import { isUuid } from '#features/accounts/rules.ts';
import type { ListingDetail } from '#features/listings/model.ts';
import { townLine } from '#features/listings/rules.ts';
import type { Payments, Rail } from '#gateways/payments/port.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { pageKey, readPageKey } from '#platform/db/page-key.ts';
import { Forbidden, NotFound } from '#platform/errors.ts';
import type { OwnPurchase, OwnSalesPage, PurchasePanel, Receipt, SaleEvent, SaleView } from './model.ts';
import { limitsOf, openRails } from './rails.ts';
import {
  listingRefusal,
  maySeePanel,
  maySeeSales,
  maySeeSellerSales,
  NO_RECEIPT_YET,
  panelText,
  partyOf,
  planRails,
  purchaseRefusal,
} from './rules.ts';
import { amountsOf, factsOf, type SaleRow, stateOf } from './sale-row.ts';
import { salesFile } from './sales-file.ts';
import {
  housesNamed,
  SELLER_SALES_PAGE,
  type SellerSales,
  type SellerSalesQuery,
  type SellerTotals,
  sellerSaleCount,
  sellerSaleRows,
  sumsOf,
} from './seller-sales.ts';
import { nextUp } from './timeline.ts';
import { possibleEvents } from './transitions.ts';

/** What the purchase panel of a property shows to this person (S0 §2 'Purchase actions', B-073, B-081, B-084). */
export async function purchasePanel(
  ctx: Ctx,
  listing: Pick<ListingDetail, 'id' | 'status' | 'seller'>,
  totalCents: number,
  payments: Payments,
): Promise<PurchasePanel> {
  authorize(ctx, maySeePanel);
  const rails = openRails(payments);
  const plan = planRails(totalCents, limitsOf(rails));
  const live = await liveSale(ctx, listing.id);
  const user = ctx.actor.kind === 'user' ? ctx.actor : null;
  const own: OwnPurchase | null =
    live && live.buyer_id === user?.id
      ? {
          saleId: live.id,
          payment: stateOf(live).payment,
          escrow: stateOf(live).escrow,
          method: live.payment_method as Rail,
          url: live.checkout_url,
          until: live.locked_until?.toISOString() ?? null,
        }
      : null;
  // Whoever is not signed in is told what holds for everybody; signing in comes with the press.
  const refusal = user ? purchaseRefusal(ctx.actor, listing) : listingRefusal(listing);
  const held = live && !own && listing.status === 'Active' ? live : null;
  return {
    rails: plan.map(({ rail, reason }) => ({
      rail,
      reason,
      sandbox: rails[rail]?.provider.startsWith('sandbox') ?? false,
    })),
    own,
    heldUntil: held?.locked_until?.toISOString() ?? null,
    refused: refusal && !own ? panelText[refusal] : null,
    signedIn: user !== null,
  };
}

const liveSale = (ctx: Ctx, propertyId: string): Promise<SaleRow | undefined> =>
  ctx.db
    .q()
    .selectFrom('property_sales')
    .selectAll()
    .where('property_id', '=', propertyId)
    .where(sql<boolean>`escrow_status <> 'cancelled' and stripe_payment_status not in ('failed', 'refunded')`)
    .executeTakeFirst();

/** A sale as its buyer, its seller or an administrator sees it; for all others there is none (R8). */
async function visibleSale(ctx: Ctx, saleId: string) {
  authorizedUser(ctx, maySeeSales);
  if (!isUuid(saleId)) throw new NotFound();
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .selectAll()
    .where('id', '=', saleId)
    .executeTakeFirst();
  const party = sale && partyOf(ctx.actor, { buyerId: sale.buyer_id, agentId: sale.agent_id });
  if (!sale || !party) throw new NotFound();
  return { sale, party };
}

/**
 * The timeline of a sale: what happened, what comes next, by when, and who must act, with the buttons of whoever asks.
 * @throws Unauthenticated; NotFound for a sale that is none of the caller's business
 */
export async function saleView(ctx: Ctx, saleId: string): Promise<SaleView> {
  const { sale, party } = await visibleSale(ctx, saleId);
  const [people, lines, history, facts] = await Promise.all([
    peopleOf(ctx, sale),
    feeLines(ctx, sale.id),
    historyOf(ctx, sale.id),
    factsOf(ctx, sale),
  ]);
  const state = stateOf(sale);
  return {
    id: sale.id,
    party,
    property: people.property,
    buyerName: people.buyer.name,
    seller: { name: people.seller.name, email: people.seller.email },
    state,
    method: sale.payment_method as Rail,
    sandbox: sale.provider.startsWith('sandbox'),
    basePriceCents: sale.sale_price_cents,
    lines,
    totalCents: sale.total_cents,
    sellerShareCents: party === 'buyer' ? null : sale.agent_commission_cents - sale.seller_fees_cents,
    failureReason: party === 'buyer' ? sale.failure_reason : null,
    checkoutUrl: party === 'buyer' && state.payment === 'pending' ? sale.checkout_url : null,
    receiptNumber: sale.receipt_number,
    frozen: facts.frozen,
    problemOpen: facts.problemOpen,
    cancellationAskedBy: facts.cancellationAskedBy,
    actions: possibleEvents(state, party, facts),
    next: nextUp(state, facts, { lockedUntil: sale.locked_until, paid: sale.sale_date !== null }),
    history,
    begunAt: sale.created_at.toISOString(),
  };
}

async function peopleOf(ctx: Ctx, sale: SaleRow) {
  const row = await ctx.db
    .q()
    .selectFrom('properties as p')
    .innerJoin('agents as a', (join) => join.on('a.id', '=', sale.agent_id))
    .innerJoin('users as b', (join) => join.on('b.id', '=', sale.buyer_id))
    .select(['p.id', 'p.address', 'p.city', 'p.state', 'p.zip', 'p.status'])
    .select([
      'a.name as seller_name',
      'a.email as seller_email',
      'b.name as buyer_name',
      'b.email as buyer_email',
    ])
    .where('p.id', '=', sale.property_id)
    .executeTakeFirstOrThrow();
  return {
    property: { id: row.id, address: row.address, town: townLine(row), status: row.status },
    seller: { name: row.seller_name, email: row.seller_email },
    buyer: { name: row.buyer_name, email: row.buyer_email },
  };
}

async function feeLines(ctx: Ctx, saleId: string) {
  const rows = await ctx.db
    .q()
    .selectFrom('transaction_fees as f')
    .leftJoin('service_fees as s', 's.id', 'f.service_fee_id')
    .select(['f.name', 'f.percent', 'f.amount_applied_cents as cents'])
    .where('f.sale_id', '=', saleId)
    .where('f.applies_to', '=', 'buyer')
    .orderBy('s.position')
    .orderBy('f.name')
    .execute();
  return rows.map(({ name, percent, cents }) => ({
    label: percent === null ? name : `${name} (${percent}%)`,
    cents,
  }));
}

async function historyOf(ctx: Ctx, saleId: string) {
  const rows = await ctx.db
    .q()
    .selectFrom('sale_events')
    .select(['id', 'event', 'actor_role', 'note', 'created_at'])
    .where('sale_id', '=', saleId)
    .orderBy('id')
    .execute();
  return rows.map(({ id, event, actor_role, note, created_at }) => ({
    id,
    event: event as SaleEvent,
    by: actor_role as SaleView['party'],
    // What a machine noted is for operators; what a person wrote is for the parties.
    note: actor_role === 'system' ? null : note,
    at: created_at.toISOString(),
  }));
}

/**
 * The receipt of a paid sale, for print, of both rails (B-085).
 * @throws Unauthenticated; NotFound for a sale that is none of the caller's business or was never paid
 */
export async function receipt(ctx: Ctx, saleId: string): Promise<Receipt> {
  const { sale, party } = await visibleSale(ctx, saleId);
  if (!sale.sale_date || sale.receipt_number === null) throw new NotFound(NO_RECEIPT_YET);
  const [people, lines] = await Promise.all([peopleOf(ctx, sale), feeLines(ctx, sale.id)]);
  const { buyerFeesCents, basePriceCents } = amountsOf(sale);
  return {
    saleId,
    party,
    number: receiptNumber(sale.receipt_number),
    paidAt: sale.sale_date.toISOString(),
    property: people.property,
    buyer: people.buyer,
    seller: people.seller,
    basePriceCents,
    lines,
    totalCents: basePriceCents + buyerFeesCents,
    state: stateOf(sale),
    method: sale.payment_method as Rail,
    sandbox: sale.provider.startsWith('sandbox'),
    paymentRef: sale.provider_payment_id ?? sale.provider_session_id,
    network: sale.network,
    txHash: sale.tx_hash,
    providerReceiptUrl: sale.provider_receipt_url,
  };
}

/** 'ATP-000042'. */
const receiptNumber = (value: number): string => `ATP-${String(value).padStart(6, '0')}`;

const SALES_PAGE = 50;

/**
 * The person's own purchases for 'Transactions', newest first by the shown date, 50 a page (S0 §2, B-067, B-088).
 * @throws Unauthenticated; BadRequest for a cursor that is none
 */
export async function ownSales(
  ctx: Ctx,
  { before }: { before?: string | null | undefined } = {},
): Promise<OwnSalesPage> {
  const user = authorizedUser(ctx, maySeeSales);
  const key = readPageKey(before);
  const date = sql<Date>`coalesce(s.sale_date, s.created_at)`;
  const rows = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .innerJoin('properties as p', 'p.id', 's.property_id')
    .selectAll('s')
    .select(['p.address', date.as('date'), pageKey(date, sql`s.id`).as('key')])
    .select(sql<boolean>`p.deleted_at is null and (p.is_public or p.status in ('escrow', 'Sold'))`.as('seen'))
    .where('s.buyer_id', '=', user.id)
    .$if(key !== null, (q) =>
      q.where(sql<boolean>`(${date}, s.id) < (${key?.at}::timestamptz, ${key?.id}::uuid)`),
    )
    .orderBy(date, 'desc')
    .orderBy('s.id', 'desc')
    .limit(SALES_PAGE + 1)
    .execute();
  const page = rows.slice(0, SALES_PAGE);
  return {
    rows: page.map((row) => ({
      id: row.id,
      date: row.date.toISOString(),
      paid: row.sale_date !== null,
      property: { id: row.property_id, address: row.address, canOpen: row.seen },
      amountCents: row.total_cents,
      state: stateOf(row),
      method: row.payment_method as Rail,
      receiptReady: row.sale_date !== null && row.receipt_number !== null,
      failureReason: row.failure_reason,
    })),
    before: rows.length > SALES_PAGE ? (page.at(-1)?.key ?? null) : null,
  };
}

/**
 * How many of the person's own purchases have not come to their end: money is on its way, held, disputed or going back.
 * @throws Unauthenticated
 */
export async function openPurchases(ctx: Ctx): Promise<number> {
  const user = authorizedUser(ctx, maySeeSales);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from property_sales s where s.buyer_id = ${user.id} and (
      s.stripe_payment_status = 'processing' or s.escrow_status = 'in_escrow'
      or (s.stripe_payment_status = 'pending' and s.escrow_status = 'pending')
      or exists (select from refunds r where r.sale_id = s.id and r.status = 'pending')
      or exists (select from disputes d where d.sale_id = s.id and d.status = 'open'))`.execute(ctx.db.q());
  return rows[0]?.count ?? 0;
}

/** The seller's record of whoever asks. */
function ownRecord(ctx: Ctx): string {
  const { agentId } = authorizedUser(ctx, maySeeSellerSales);
  if (agentId === null) throw new Forbidden();
  return agentId;
}
const wordsOf = (q: string | null | undefined): string => (q ?? '').trim().slice(0, 200);

/**
 * The seller's own sales for 'Transaction History', 25 a page, newest first unless sorted (S0 §2, B-088).
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function sellerSales(ctx: Ctx, query: SellerSalesQuery = {}): Promise<SellerSales> {
  const agentId = ownRecord(ctx);
  const wanted = { agentId, houses: await housesNamed(ctx, agentId, wordsOf(query.q)) };
  const total = await sellerSaleCount(ctx, wanted);
  const pages = Math.max(1, Math.ceil(total / SELLER_SALES_PAGE));
  const page = Math.min(Math.max(1, Math.trunc(query.page ?? 1)), pages);
  const offset = (page - 1) * SELLER_SALES_PAGE;
  const rows = await sellerSaleRows(ctx, wanted, { sort: query.sort, limit: SELLER_SALES_PAGE, offset });
  return { rows, total, page, pages };
}

/**
 * What the seller has earned, for the cards of dashboard and transactions (S0 §7, B-111, B-112).
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function sellerTotals(ctx: Ctx): Promise<SellerTotals> {
  return sumsOf(ctx, ownRecord(ctx));
}

/**
 * The seller's sales that the words find as a CSV file in pieces (R14).
 * @throws Unauthenticated, Forbidden for everyone but sellers; at once and not with the first piece
 */
export function sellerSalesFile(ctx: Ctx, { q }: { q?: string | null } = {}): AsyncIterable<string> {
  return salesFile(ctx, ownRecord(ctx), wordsOf(q));
}
