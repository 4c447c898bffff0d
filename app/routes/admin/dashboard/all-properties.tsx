import { type parseTableQuery, toTableQuery, useSlowTable, useTableSort } from '#app/table-query.ts';
import { TableSearch } from '#app/table-search.tsx';
import type { AllListingsSort } from '#features/listing-review/all-listings.ts';
import { AllListingsTable } from '#features/listing-review/components/all-listings-table.tsx';
import type { AllListings } from '#features/listing-review/reads.ts';
import { countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';

interface Props {
  query: ReturnType<typeof parseTableQuery<AllListingsSort>>;
  /** null when they could not be read */
  listings: AllListings | null;
}

/** Every listing, with search, order and pages in the URL. */
export function AllProperties({ query, listings }: Props) {
  const slow = useSlowTable(adminPaths.dashboard());
  const order = useTableSort(query, adminPaths.dashboard);
  const { page = query.page, pages = 1 } = listings ?? {};
  const here = { ...toTableQuery(query), page: page > 1 ? page : undefined };
  return (
    <>
      <Panel
        title="All Properties"
        actions={
          <TableSearch
            label="Search properties"
            action={adminPaths.dashboard()}
            q={query.q}
            sort={here.sort}
            clearHref={adminPaths.dashboard({ ...here, page: undefined, q: undefined })}
            live
          />
        }
      >
        <AllListingsTable
          rows={slow ? undefined : (listings?.rows ?? null)}
          detailsHref={(id) => adminPaths.dashboard({ ...here, details: id })}
          {...order}
        />
      </Panel>
      <Pagination
        page={page}
        pages={pages}
        href={(to) => adminPaths.dashboard({ ...here, page: to > 1 ? to : undefined })}
        keepsScroll
        rows={listings?.total.count}
      />
      {listings && (
        <p className="vh" role="status">
          {countText(listings.total)} {listings.total.count === 1 ? 'property' : 'properties'}
        </p>
      )}
    </>
  );
}
