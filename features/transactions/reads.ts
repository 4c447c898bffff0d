import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { lastPageOf } from '#platform/counts.ts';
import { transactionCount, transactionRows } from './list.ts';
import type { TransactionList, TransactionQuery } from './model.ts';
import { mayOverseeSales } from './rules.ts';
import { withSeller } from './seller-filter.ts';

/** Sales on one page of the list. */
export const TRANSACTIONS_PAGE_SIZE = 25;

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
