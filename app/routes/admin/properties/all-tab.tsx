import { Link } from 'react-router';
import { type parseTableQuery, toTableQuery, useSlowTable, useTableSort } from '#app/table-query.ts';
import { TableSearch } from '#app/table-search.tsx';
import type { AllListingsSort } from '#features/listing-review/all-listings.ts';
import { AllListingsTable } from '#features/listing-review/components/all-listings-table.tsx';
import type { AllListings } from '#features/listing-review/reads.ts';
import { STATUS_FILTERS } from '#features/listing-review/rules.ts';
import { statusLabel } from '#features/listings/display.ts';
import type { PropertyStatus } from '#features/listings/model.ts';
import { countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';

type AllListingsUrl = ReturnType<typeof parseTableQuery<AllListingsSort>> & {
  status: PropertyStatus | null;
  featured: boolean;
};

interface Props {
  query: AllListingsUrl;
  /** null when they could not be read */
  listings: AllListings | null;
}

/** Every listing, with search, order and pages in the URL. */
export function AllTab({ query, listings }: Props) {
  const slow = useSlowTable(adminPaths.properties());
  const filters = { status: query.status ?? undefined, featured: query.featured ? '1' : undefined };
  const order = useTableSort(query, (table) => adminPaths.properties({ ...table, ...filters }));
  const here = { ...toTableQuery(query), ...filters, page: query.page > 1 ? query.page : undefined };
  return (
    <>
      <Panel
        title="All Properties"
        actions={
          <TableSearch
            label="Search properties"
            action={adminPaths.properties()}
            q={query.q}
            sort={here.sort}
            keep={filters}
            clearHref={adminPaths.properties({ ...here, page: undefined, q: undefined })}
            live
          />
        }
      >
        <nav className="status-filter" aria-label="Status">
          {[null, ...STATUS_FILTERS].map((one) => (
            <Link
              key={one}
              to={adminPaths.properties({
                ...here,
                page: undefined,
                status: one ?? undefined,
                featured: undefined,
              })}
              aria-current={one === query.status && !query.featured ? 'true' : undefined}
              preventScrollReset
            >
              {one ? statusLabel[one] : 'All'}
            </Link>
          ))}
          <Link
            to={adminPaths.properties({ ...here, page: undefined, status: undefined, featured: 1 })}
            aria-current={query.featured ? 'true' : undefined}
            preventScrollReset
          >
            Featured
          </Link>
        </nav>
        <AllListingsTable
          rows={slow ? undefined : (listings?.rows ?? null)}
          detailsHref={(id) => adminPaths.properties({ ...here, details: id })}
          {...order}
        />
      </Panel>
      {listings && (
        <>
          <Pagination
            page={listings.page}
            pages={listings.pages}
            href={(page) => adminPaths.properties({ ...here, page: page > 1 ? page : undefined })}
            keepsScroll
            rows={listings.total.count}
          />
          <p className="vh" role="status">
            {countText(listings.total)} {listings.total.count === 1 ? 'property' : 'properties'}
          </p>
        </>
      )}
    </>
  );
}
