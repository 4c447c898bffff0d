import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { lastPageOf } from '#platform/counts.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { detailsOf } from './details.ts';
import type { SaleDetails } from './details-model.ts';
import { transactionCount, transactionRows } from './list.ts';
import { TRANSACTIONS_PAGE_SIZE, type TransactionList, type TransactionQuery } from './model.ts';
import { mayOverseeSales } from './rules.ts';
import { withSeller } from './seller-filter.ts';

/**
 * A page of all sales, newest first unless sorted.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function transactionList(ctx: Ctx, query: TransactionQuery): Promise<TransactionList> {
  authorize(ctx, mayOverseeSales);
  const { sort, page: wanted, ...filters } = query;
  const { filter, seller } = await withSeller(ctx, filters);
  const total = await transactionCount(ctx, filter);
  const pages = lastPageOf(total, TRANSACTIONS_PAGE_SIZE);
  const page = Math.min(Math.max(1, Math.trunc(wanted)), pages);
  const rows = await transactionRows(ctx, filter, {
    sort,
    limit: TRANSACTIONS_PAGE_SIZE,
    offset: (page - 1) * TRANSACTIONS_PAGE_SIZE,
    few: !total.more,
  });
  return { rows, total, page, pages, seller };
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
