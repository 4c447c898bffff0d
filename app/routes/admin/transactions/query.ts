import { listParams, transactionQueryFrom } from '#features/transactions/filters.ts';
import { adminPaths } from '#routing/admin-paths.ts';

/** The URL of the drawer of a sale above the list that another URL shows; `change` opens one of its dialogs or a page of its history. */
export function drawerHref(
  params: URLSearchParams,
  saleId: string | undefined,
  change: { do?: string; dispute?: string; before?: string } = {},
): string {
  const query = transactionQueryFrom(params);
  return adminPaths.transactions({
    ...listParams(query),
    page: query.page > 1 ? query.page : undefined,
    sale: saleId,
    ...change,
  });
}
