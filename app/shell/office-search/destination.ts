import type { FoundRecord } from '#features/office-search/model.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';

/** The URL of a page, or undefined while there is no such page. */
export type LinkTo = (href: string) => string | undefined;

/** Where a record is shown; undefined while no page shows it. */
export function destination(
  { kind, id, label, propertyId, hasReceipt }: FoundRecord,
  linkTo: LinkTo,
): string | undefined {
  if (kind === 'seller') return linkTo(adminPaths.sellers()) && adminPaths.sellers({ details: id });
  if (kind === 'buyer') return linkTo(adminPaths.buyers()) && adminPaths.buyers({ details: id });
  if (kind === 'inquiry') return linkTo(adminPaths.inquiries()) && adminPaths.inquiries({ messages: id });
  if (kind === 'sale' && linkTo(adminPaths.transactions())) return adminPaths.transactions({ sale: id });
  if (kind === 'document')
    return propertyId
      ? adminPaths.propertyDocuments(propertyId)
      : linkTo(adminPaths.documents()) && adminPaths.documents({ q: label });
  if (kind === 'sale' && hasReceipt) return purchasePaths.receipt(id);
  const property = propertyId ?? id;
  return linkTo(adminPaths.properties())
    ? adminPaths.properties({ details: property })
    : paths.property(property);
}
