import { parseTableQuery, toTableQuery } from '#app/table-query.ts';
import type { CardTab, SellersHref } from '#features/sellers/components/seller-card.tsx';
import {
  type SellerAction,
  type SellerFilter,
  type SellerSort,
  sellerActions,
  sellerFilters,
  sellerSorts,
} from '#features/sellers/management.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { PageSize } from '#ui/page-sizes.ts';

/** What the URL of the page says. */
export interface SellersQuery {
  view: 'full' | 'list';
  q: string;
  sort: { by: SellerSort; descending: boolean } | null;
  status: SellerFilter | null;
  page: number;
  /** sellers on a page, where it was chosen */
  size: PageSize | null;
  /** the open dialog, and the id of the seller that it is about */
  dialog: SellerAction | null;
  id: string;
  /** the card of which another tab than the first is open, and the page of its commission history */
  card: { id: string; tab: CardTab; page: number } | null;
  /** the id of the seller whose details are open, and where their history goes on */
  details: string | null;
  before: string | null;
  /** the open dialog about personal data of whose details are open, and the link of an export that was prepared */
  request: 'export' | null;
  exported: string | null;
}

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | null =>
  values.find((value) => value === text) ?? null;

export function parseSellersQuery(params: URLSearchParams): SellersQuery {
  const tab = oneOf(['payment', 'history'], params.get('tab'));
  const seller = params.get('seller');
  const page = Number(params.get('sales') ?? 1);
  return {
    ...parseTableQuery(params, sellerSorts),
    view: params.get('view') === 'list' ? 'list' : 'full',
    status: oneOf(sellerFilters, params.get('status')),
    dialog: oneOf(sellerActions, params.get('do')),
    id: params.get('id') ?? '',
    card: tab && seller ? { id: seller, tab, page: Number.isSafeInteger(page) && page > 0 ? page : 1 } : null,
    details: params.get('details'),
    before: params.get('before'),
    request: oneOf(['export'], params.get('do')),
    exported: params.get('export'),
  };
}

/**
 * Builds the page's URLs from the one that is open: the same list, page and card, without a dialog or the details, but for
 * what is changed.
 */
export const hrefFrom =
  ({ view, q, sort, size, status, page, card }: SellersQuery): SellersHref =>
  (change) =>
    adminPaths.sellers({
      view: view === 'list' ? 'list' : undefined,
      status: status ?? undefined,
      ...toTableQuery({ q, sort, size }),
      page: page > 1 ? page : undefined,
      seller: card?.id,
      tab: card?.tab,
      ...(change as Record<string, string>),
    });
