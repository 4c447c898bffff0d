import { EscrowTable } from '#features/listing-review/components/escrow-table.tsx';
import type { EscrowListings } from '#features/listing-review/reads.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { PageSize } from '#ui/page-sizes.ts';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';

/** The properties whose buyers' money is held; null when they could not be read. */
export function EscrowTab({ listings, size }: { listings: EscrowListings | null; size: PageSize | null }) {
  const page = listings && listings.page > 1 ? listings.page : undefined;
  const here = { tab: 'escrow', size: size ?? undefined };
  return (
    <>
      <Panel title="In Escrow">
        <EscrowTable
          rows={listings?.rows ?? null}
          detailsHref={(details) => adminPaths.properties({ ...here, page, details })}
          saleHref={(sale) => adminPaths.transactions({ sale })}
        />
      </Panel>
      {listings && (
        <Pagination
          page={listings.page}
          pages={listings.pages}
          href={(to) => adminPaths.properties({ ...here, page: to > 1 ? to : undefined })}
          keepsScroll
          rows={listings.total.count}
        />
      )}
    </>
  );
}
