import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { lastPageOf } from '#platform/counts.ts';
import { readBuyer } from './buyer-details.ts';
import { BUYERS_PAGE_SIZE, type BuyerListQuery, buyerCount, buyerRows } from './buyer-list.ts';
import type { BuyerDetails, BuyerList } from './model.ts';
import { mayManageBuyers } from './rules.ts';

/**
 * A page of buyers, 25 unless `size` says otherwise, newest first unless sorted; a page past the end is the last one.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function buyerList(
  ctx: Ctx,
  {
    q = '',
    sort = null,
    suspended = false,
    page = 1,
    size,
  }: Partial<BuyerListQuery> & { page?: number; size?: number | null },
): Promise<BuyerList> {
  authorize(ctx, mayManageBuyers);
  const query = { q, sort, suspended };
  const total = await buyerCount(ctx, query);
  const limit = size ?? BUYERS_PAGE_SIZE;
  const pages = lastPageOf(total, limit);
  const shown = Math.min(page, pages);
  const offset = (shown - 1) * limit;
  const rows = total.count > 0 ? await buyerRows(ctx, { ...query, limit, offset }) : [];
  return { rows, total, page: shown, pages };
}

/**
 * A buyer with their newest purchases, inquiries, mails and open sessions.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound for what is no buyer
 */
export async function buyerDetails(ctx: Ctx, { buyerId }: { buyerId: string }): Promise<BuyerDetails> {
  authorize(ctx, mayManageBuyers);
  return readBuyer(ctx, buyerId);
}
