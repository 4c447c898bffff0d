import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { lastPageOf } from '#platform/counts.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { detailsOf } from './details.ts';
import type { SaleDetails } from './details-model.ts';
import { fileName } from './file-formats.ts';
import { mostMatchesFor, transactionCount, transactionRows } from './list.ts';
import {
  type PreparedFile,
  TRANSACTIONS_PAGE_SIZE,
  type TransactionList,
  type TransactionQuery,
} from './model.ts';
import { mayOverseeSales } from './rules.ts';
import { withSeller } from './seller-filter.ts';

/**
 * A page of all sales, newest first unless sorted.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function transactionList(ctx: Ctx, query: TransactionQuery): Promise<TransactionList> {
  authorize(ctx, mayOverseeSales);
  const { sort, page: wanted, size, ...filters } = query;
  const { filter, seller } = await withSeller(ctx, filters);
  const total = await transactionCount(ctx, filter, mostMatchesFor(sort));
  const limit = size ?? TRANSACTIONS_PAGE_SIZE;
  const pages = lastPageOf(total, limit);
  const page = Math.min(Math.max(1, Math.trunc(wanted)), pages);
  const rows = await transactionRows(ctx, filter, {
    sort,
    limit,
    offset: (page - 1) * limit,
    few: !total.more,
  });
  return { rows, total, page, pages, seller, buyer: await buyerName(ctx, filters.buyer) };
}

async function buyerName(ctx: Ctx, id: string): Promise<string | null> {
  if (!isUuid(id)) return null;
  const row = await ctx.db.q().selectFrom('users').select('name').where('id', '=', id).executeTakeFirst();
  return row?.name ?? null;
}

/**
 * A sale with everything that is on record about it, and what the administrator who asks can do with it now.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function saleDetails(
  ctx: CtxWith<'payouts'>,
  { saleId }: { saleId: string },
): Promise<SaleDetails> {
  const viewer = authorizedUser(ctx, mayOverseeSales);
  if (!isUuid(saleId)) throw new NotFound('Sale not found');
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .selectAll()
    .where('id', '=', saleId)
    .executeTakeFirst();
  if (!sale) throw new NotFound('Sale not found');
  return detailsOf(ctx, viewer, sale);
}

/** The latest that are shown. */
const SHOWN_FILES = 5;

/**
 * The files that the administrator has asked for and that have not expired, the latest first.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function preparedFiles(ctx: Ctx): Promise<PreparedFile[]> {
  const { id: userId } = authorizedUser(ctx, mayOverseeSales);
  const rows = await ctx.db
    .q()
    .selectFrom('transaction_files')
    .select(['id', 'format', 'status', 'created_at', 'sales', 'bytes', 'expires_at'])
    .where('requested_by', '=', userId)
    .where('expires_at', '>', ctx.now())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(SHOWN_FILES)
    .execute();
  return rows.map(({ id, format, status, created_at, sales, bytes, expires_at }) => ({
    id,
    format,
    name: fileName(format, created_at),
    status,
    createdAt: created_at.toISOString(),
    sales,
    bytes,
    expiresAt: expires_at.toISOString(),
  }));
}
