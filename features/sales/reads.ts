import { sql } from 'kysely';
import { isPubliclyVisible } from '#features/listings/sql.ts';
import { brandName, documentsDueDays } from '#features/settings/reads.ts';
import { signFileLink, verifyFileLink } from '#gateways/files/signed-link.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { anyone, authorize, authorizedSeller, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { pageKey, readPageKey } from '#platform/db/page-key.ts';
import { MINUTE, SECOND } from '#platform/durations.ts';
import { NotFound } from '#platform/errors.ts';
import { qrCode } from '#platform/qr-code.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { hasDocuments } from './delivered-documents.ts';
import { incomeOf } from './income.ts';
import { saleLimits } from './limits.ts';
import { loadBooks } from './load-books.ts';
import { loadReceipt } from './load-receipt.ts';
import type { OwnSalesPage, Receipt, SaleRecord, SaleView } from './model.ts';
import { comingSteps, nextStepOf } from './next-steps.ts';
import { printReceipt } from './print-receipt.ts';
import { registeredReceipt } from './registered-receipt.ts';
import {
  canAddDocuments,
  isTestMode,
  maySeeRecords,
  maySeeSales,
  maySeeSalesOfSellers,
  maySeeSellerSales,
  receiptNumber,
} from './rules.ts';
import { paidBack, paidOf } from './sale-books.ts';
import {
  addressOfPurchase,
  feeLines,
  historyOf,
  partiesOf,
  partsReceived,
  refundsOf,
  surroundingsOf,
} from './sale-details.ts';
import { saleOfParty } from './sale-of-party.ts';
import { amountsOf, factsOf, type SaleRow, stateOf } from './sale-row.ts';
import { salesFile } from './sales-file.ts';
import {
  COMMISSION_HISTORY_PAGE_SIZE,
  propertiesMatching,
  SELLER_SALES_PAGE_SIZE,
  type SellerSales,
  type SellerSalesQuery,
  type SellerTotals,
  sellerSaleCount,
  sellerSaleRows,
  totalsByPayoutStatus,
} from './seller-sales.ts';
import { eventLabel } from './timeline.ts';
import { possibleEvents } from './transitions.ts';

/** A sale, whoever asks. */
async function anySale(ctx: Ctx, saleId: string): Promise<SaleRow> {
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .selectAll()
    .where('id', '=', saleId)
    .executeTakeFirst();
  if (!sale) throw new NotFound();
  return sale;
}

/**
 * A sale for its page: what happened, what comes, by when and by whom, who takes part, and the actions open to the caller.
 * @throws Unauthenticated; NotFound for a sale that the caller has no part in
 */
export async function saleView(ctx: Ctx, saleId: string): Promise<SaleView> {
  const { sale, party } = await saleOfParty(ctx, saleId);
  const [parties, { look, inquiryId }, lines, sellerFees, history, facts, documentsDue] = await Promise.all([
    partiesOf(ctx, sale),
    surroundingsOf(ctx, sale),
    feeLines(ctx, sale.id),
    feeLines(ctx, sale.id, 'seller'),
    historyOf(ctx, sale.id, { withPayoutNotes: party !== 'buyer' }),
    factsOf(ctx, sale),
    documentsDueDays(ctx),
  ]);
  const state = stateOf(sale);
  // A suspended seller may only look; the purchases of a suspended buyer go on.
  const mayAct = !(party === 'seller' && ctx.actor.kind === 'user' && ctx.actor.suspended);
  const received = await partsReceived(ctx, sale);
  const books = await loadBooks(ctx, sale.id);
  const returnedCents = sale.returned_base_cents + sale.returned_fees_cents;
  const paid = paidOf(books, { totalCents: sale.total_cents, returnedCents });
  const steps = { state, facts, lockedUntil: sale.locked_until, parts: received, viewer: party };
  return {
    id: sale.id,
    party,
    property: { ...parties.property, ...look },
    seller: parties.seller,
    // The receipt names both sides; before the payment the seller knows nothing of who may buy.
    buyer: party === 'seller' && sale.receipt_number === null ? null : parties.buyer,
    inquiryId,
    state,
    method: sale.payment_method,
    sandbox: sale.provider.startsWith('sandbox'),
    testMode: isTestMode(ctx.config, sale),
    basePriceCents: sale.sale_price_cents,
    lines,
    totalCents: sale.total_cents,
    income: party === 'buyer' ? null : incomeOf(sale, sellerFees),
    paidCents: paid.paidCents,
    // What was never accepted was no part of the price.
    refundedCents: paid.isAccepted ? paid.refundedCents : 0,
    ...paidBack(books),
    failureReason: party === 'buyer' ? sale.failure_reason : null,
    // While a payment is being checked, nobody is to pay again.
    checkoutUrl:
      party === 'buyer' && !facts.frozen && (state.payment === 'pending' || received)
        ? sale.checkout_url
        : null,
    receivedCents: received?.receivedCents ?? null,
    receiptNumber: sale.receipt_number,
    frozen: facts.frozen,
    problemOpen: facts.problemOpen,
    cancellationAskedBy: facts.cancellationAskedBy,
    documentsDeliveredAt: sale.documents_delivered_at?.toISOString() ?? null,
    documentsReady: await hasDocuments(ctx, sale, { downloadable: true }),
    canAddDocuments: canAddDocuments(state) && mayAct,
    actions: mayAct ? possibleEvents(state, party, facts) : [],
    next: nextStepOf(steps),
    coming: comingSteps(steps, { documentsDueDays: documentsDue }),
    history,
  };
}

/**
 * The printable receipt of a paid sale.
 * @throws Unauthenticated; NotFound for a sale that was never paid or that the caller has no part in
 */
export async function receipt(ctx: Ctx, saleId: string): Promise<Receipt> {
  const { sale, party } = await saleOfParty(ctx, saleId);
  const facts = await loadReceipt(ctx, sale);
  return { ...facts, party, checkCode: qrCode(facts.checkUrl) };
}

/** How long the address of a receipt's file can be used. */
const RECEIPT_LINK_MS = 10 * MINUTE;
const receiptKey = (saleId: string): string => `receipts/${saleId}.pdf`;

/**
 * The address of the receipt as a PDF, for ten minutes, for whoever has it: who may see the receipt is decided here, once. After the
 * closing it is the very file that was registered, as long as that says everything.
 * @throws Unauthenticated; NotFound for a sale that was never paid or that the caller has no part in; FileStoreError
 */
export async function receiptLink(ctx: CtxWith<'files'>, saleId: string): Promise<string> {
  const shown = await receipt(ctx, saleId);
  const downloadName = `receipt-${shown.number}.pdf`;
  const registered = await registeredReceipt(ctx, shown);
  if (registered && (await ctx.files.head(registered)))
    return ctx.files.readUrl(registered, { ttlSeconds: RECEIPT_LINK_MS / SECOND, downloadName });
  return signFileLink(ctx.config.secret, {
    key: receiptKey(saleId),
    expiresAt: new Date(ctx.now().getTime() + RECEIPT_LINK_MS),
    downloadName,
  });
}

/**
 * The receipt as a PDF, for whoever has its address. The same facts are the same bytes.
 * @param query of that address, with its signature
 * @throws NotFound for an address that `receiptLink` did not make, or that is too old; TooManyRequests
 */
export async function receiptFile(
  ctx: Ctx,
  { saleId, query }: { saleId: string; query: URLSearchParams },
): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  authorize(ctx, anyone);
  const link = verifyFileLink(ctx.config.secret, { key: receiptKey(saleId), query, now: ctx.now() });
  if (!link.ok) throw new NotFound('This link is not valid or has expired.');
  await takeTokens(ctx, saleLimits.receipt, saleId);
  const { bytes, number } = await printReceipt(ctx, await anySale(ctx, saleId));
  return { name: link.downloadName ?? `receipt-${number}.pdf`, bytes };
}

/**
 * The receipt as a PDF, for the system alone; null for a sale that was never paid.
 * @throws Unauthenticated, Forbidden for every user; NotFound
 */
export async function receiptRecord(ctx: Ctx, saleId: string): Promise<Uint8Array<ArrayBuffer> | null> {
  authorize(ctx, maySeeRecords);
  const sale = await anySale(ctx, saleId);
  return sale.receipt_number === null ? null : (await printReceipt(ctx, sale)).bytes;
}

/**
 * Everything on record about a sale, for the system alone.
 * @throws Unauthenticated, Forbidden for every user; NotFound
 */
export async function saleRecord(ctx: Ctx, saleId: string): Promise<SaleRecord> {
  authorize(ctx, maySeeRecords);
  const sale = await anySale(ctx, saleId);
  const [parties, fees, history, refunds, ip] = await Promise.all([
    partiesOf(ctx, sale),
    feeLines(ctx, saleId),
    historyOf(ctx, saleId, { withPayoutNotes: false }),
    refundsOf(ctx, saleId),
    addressOfPurchase(ctx, saleId),
  ]);
  const { basePriceCents, buyerFeesCents } = amountsOf(sale);
  return {
    buyer: { ...parties.buyer, ip },
    property: parties.property,
    seller: parties.seller,
    paidAt: sale.sale_date,
    documentsDeliveredAt: sale.documents_delivered_at,
    releasedAt: sale.released_at,
    receiptNumber: sale.receipt_number === null ? null : receiptNumber(sale.receipt_number),
    paymentRef: sale.provider_payment_id ?? sale.provider_session_id,
    basePriceCents,
    fees,
    totalCents: basePriceCents + buyerFeesCents,
    refunds: refunds.map(({ cents, at }) => ({ cents, at: new Date(at) })),
    brand: await brandName(ctx),
    history: history.map(({ at, event, who, note }) => ({
      at: new Date(at),
      label: eventLabel(event),
      by: who,
      note,
    })),
  };
}

const OWN_SALES_PAGE_SIZE = 50;

/**
 * The user's own purchases for 'Transactions', newest first by the displayed date, 50 per page.
 * @throws Unauthenticated; BadRequest for an invalid cursor
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
    .select(isPubliclyVisible('p').as('seen'))
    .where('s.buyer_id', '=', user.id)
    .$if(key !== null, (q) =>
      q.where(sql<boolean>`(${date}, s.id) < (${key?.at}::timestamptz, ${key?.id}::uuid)`),
    )
    .orderBy(date, 'desc')
    .orderBy('s.id', 'desc')
    .limit(OWN_SALES_PAGE_SIZE + 1)
    .execute();
  const page = rows.slice(0, OWN_SALES_PAGE_SIZE);
  return {
    rows: page.map((row) => ({
      id: row.id,
      date: row.date.toISOString(),
      paid: row.sale_date !== null,
      property: { id: row.property_id, address: row.address, canOpen: row.seen },
      amountCents: row.total_cents,
      state: stateOf(row),
      method: row.payment_method,
      testMode: isTestMode(ctx.config, row),
      receiptReady: row.sale_date !== null && row.receipt_number !== null,
      failureReason: row.failure_reason,
    })),
    before: rows.length > OWN_SALES_PAGE_SIZE ? (page.at(-1)?.key ?? null) : null,
  };
}

/**
 * How many of the user's own purchases are still open: money is under way, held, disputed or being refunded. A frozen one is, too:
 * also when it had ended before, since money may have arrived for it that nobody has decided about.
 * @throws Unauthenticated
 */
export async function countOpenPurchases(ctx: Ctx): Promise<number> {
  return openPurchasesOf(ctx, authorizedUser(ctx, maySeeSales).id);
}

/**
 * The same of any buyer.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function countOpenPurchasesOf(ctx: Ctx, buyerId: string): Promise<number> {
  authorize(ctx, maySeeSalesOfSellers);
  return openPurchasesOf(ctx, buyerId);
}

async function openPurchasesOf(ctx: Ctx, buyerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from property_sales s where s.buyer_id = ${buyerId} and (
      s.stripe_payment_status = 'processing' or s.escrow_status = 'in_escrow' or s.frozen_at is not null
      or (s.stripe_payment_status = 'pending' and s.escrow_status = 'pending')
      or exists (select from refunds r where r.sale_id = s.id and r.status = 'pending')
      or exists (select from disputes d where d.sale_id = s.id and d.status = 'open'))`.execute(ctx.db.q());
  return rows[0]?.count ?? 0;
}

/**
 * How many of a seller's sales are still open: not closed or ended, being refunded, disputed, frozen, or not paid out.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function countOpenSalesOf(ctx: Ctx, sellerId: string): Promise<number> {
  authorize(ctx, maySeeSalesOfSellers);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from property_sales s where s.agent_id = ${sellerId} and (
      s.stripe_payment_status in ('pending', 'processing') and s.escrow_status = 'pending'
      or s.escrow_status = 'in_escrow' or s.payout_status in ('pending', 'processing', 'failed') or s.frozen_at is not null
      or exists (select from refunds r where r.sale_id = s.id and r.status = 'pending')
      or exists (select from disputes d where d.sale_id = s.id and d.status = 'open'))`.execute(ctx.db.q());
  return rows[0]?.count ?? 0;
}

/**
 * A page of a seller's sales for administrators, newest first.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function commissionHistory(
  ctx: Ctx,
  { sellerId, page: wanted }: { sellerId: string; page: number },
): Promise<SellerSales> {
  authorize(ctx, maySeeSalesOfSellers);
  if (!isUuid(sellerId)) throw new NotFound('Seller not found');
  const filter = { agentId: sellerId, propertyIds: null };
  const total = await sellerSaleCount(ctx, filter);
  const pages = Math.max(1, Math.ceil(total / COMMISSION_HISTORY_PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.trunc(wanted)), pages);
  const rows = await sellerSaleRows(ctx, filter, {
    sort: null,
    limit: COMMISSION_HISTORY_PAGE_SIZE,
    offset: (page - 1) * COMMISSION_HISTORY_PAGE_SIZE,
  });
  return { rows, total, page, pages };
}

/** The caller's own seller id. */
const ownSellerId = (ctx: Ctx): string => authorizedSeller(ctx, maySeeSellerSales).agentId;

const searchTextOf = (q: string | null | undefined): string =>
  (q ?? '').replaceAll('\0', ' ').trim().slice(0, 200);

/**
 * The seller's own sales for 'Transaction History', 25 per page, newest first unless sorted.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function sellerSales(ctx: Ctx, query: SellerSalesQuery = {}): Promise<SellerSales> {
  const agentId = ownSellerId(ctx);
  const filter = { agentId, propertyIds: await propertiesMatching(ctx, agentId, searchTextOf(query.q)) };
  const total = await sellerSaleCount(ctx, filter);
  const pages = Math.max(1, Math.ceil(total / SELLER_SALES_PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.trunc(query.page ?? 1)), pages);
  const offset = (page - 1) * SELLER_SALES_PAGE_SIZE;
  const rows = await sellerSaleRows(ctx, filter, { sort: query.sort, limit: SELLER_SALES_PAGE_SIZE, offset });
  return { rows, total, page, pages };
}

/**
 * What the seller has earned, for the cards of the dashboard and the transactions page.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function sellerTotals(ctx: Ctx): Promise<SellerTotals> {
  return totalsByPayoutStatus(ctx, ownSellerId(ctx));
}

/**
 * The seller's sales whose property matches `q`, streamed as a CSV file (R14).
 * @throws Unauthenticated, Forbidden for everyone but sellers; right away, not with the first chunk
 */
export function sellerSalesFile(ctx: Ctx, { q }: { q?: string | null } = {}): AsyncIterable<string> {
  return salesFile(ctx, ownSellerId(ctx), searchTextOf(q));
}
