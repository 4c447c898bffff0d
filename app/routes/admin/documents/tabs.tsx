import type { ReactNode } from 'react';
import { toTableQuery, useSlowTable, useTableSort } from '#app/table-query.ts';
import { TableSearch } from '#app/table-search.tsx';
import { DocumentsTable } from '#features/documents/components/documents-table.tsx';
import { PropertyNfts } from '#features/documents/components/property-nfts.tsx';
import { PropertyPicker } from '#features/documents/components/property-picker.tsx';
import { TokensTable } from '#features/documents/components/tokens-table.tsx';
import type { DocumentWithVersions } from '#features/documents/registry-model.ts';
import { documentMessages } from '#features/documents/rules.ts';
import { type BoundedCount, countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import type { LoadedTab } from './load-tab.ts';
import { listHref } from './query.ts';

type DocumentsLoaded = Extract<LoadedTab, { tab: 'documents' }>;
type CompletionLoaded = Extract<LoadedTab, { tab: 'completion' }>;
type PropertyLoaded = Extract<LoadedTab, { tab: 'property' }>;

/** All documents, with search, type and order in the URL. */
export function DocumentsTab({ loaded: { query, list, types, links } }: { loaded: DocumentsLoaded }) {
  const slow = useSlowTable(adminPaths.documents());
  const order = useTableSort(query, (table) => listHref(query, { q: undefined, sort: undefined, ...table }));
  const { sort } = toTableQuery(query);
  // A type that no document has has now is still shown, so that it can be cleared.
  const shown = query.type && !types.includes(query.type) ? [...types, query.type].sort() : types;
  return (
    <>
      <Panel
        title="Documents"
        actions={
          <TableSearch
            label="Search documents"
            action={adminPaths.documents()}
            q={query.q}
            sort={sort}
            clearHref={adminPaths.documents({ sort })}
            narrowed={query.type !== null}
            live
          >
            <SelectControl
              key={query.type}
              name="type"
              aria-label="Document type"
              className="table-search-more"
              placeholder="All types"
              options={shown.map((type) => ({ value: type, label: type }))}
              defaultValue={query.type ?? ''}
            />
          </TableSearch>
        }
      >
        <DocumentsTable
          rows={slow ? undefined : (list?.rows ?? null)}
          links={links}
          narrowed={query.q !== '' || query.type !== null}
          {...order}
        />
      </Panel>
      {list && (
        <Below list={list} href={(page) => listHref(query, { page })} one="document" many="documents" />
      )}
    </>
  );
}

/** The tokens that closings made. */
export function CompletionTab({ loaded: { query, list } }: { loaded: CompletionLoaded }) {
  const slow = useSlowTable(adminPaths.documents());
  const order = useTableSort(query, (table) => listHref(query, { q: undefined, sort: undefined, ...table }));
  const { sort } = toTableQuery(query);
  return (
    <>
      <Panel
        title="Completion NFTs"
        actions={
          <TableSearch
            label="Search NFTs"
            action={adminPaths.documents()}
            q={query.q}
            sort={sort}
            keep={{ tab: 'completion' }}
            clearHref={adminPaths.documents({ tab: 'completion', sort })}
            live
          />
        }
      >
        <TokensTable
          label="Completion NFTs"
          of="all"
          rows={slow ? undefined : (list?.rows ?? null)}
          emptyText={query.q === '' ? 'One is made for each sale when it closes.' : undefined}
          {...order}
        />
      </Panel>
      {list && <Below list={list} href={(page) => listHref(query, { page })} one="NFT" many="NFTs" />}
    </>
  );
}

interface BelowProps {
  list: { page: number; pages: number; total: BoundedCount };
  href: (page: number | undefined) => string;
  one: string;
  many: string;
}

/** The pages of a list, and for screen readers how much it holds. */
const Below = ({ list: { page, pages, total }, href, one, many }: BelowProps) => (
  <>
    <Pagination
      page={page}
      pages={pages}
      href={(to) => href(to > 1 ? to : undefined)}
      keepsScroll
      rows={total.count}
    />
    <p className="vh" role="status">
      {countText(total)} {total.count === 1 ? one : many}
    </p>
  </>
);

interface PropertyTabProps {
  loaded: PropertyLoaded;
  /** the form that makes a token of a document */
  create: (document: DocumentWithVersions | null) => ReactNode;
}

/** The tokens of one property, which is chosen first. */
export function PropertyTab({ loaded: { query, found, chosen }, create }: PropertyTabProps) {
  const tab = 'property';
  const property = query.property ?? undefined;
  const documents = chosen?.documents ?? null;
  if (chosen && documents === null) return <FailedPanel title={documentMessages.failedDocuments} />;
  if (chosen && documents && documents !== 'unknown') {
    const selected =
      documents.documents.find(
        ({ id, erased, status }) => id === query.document && !erased && status !== 'revoked',
      ) ?? null;
    return (
      <PropertyNfts
        property={documents}
        type={query.type}
        selected={selected}
        tokens={chosen.tokens}
        href={(changes) => adminPaths.documents({ tab, property, ...changes })}
        create={create(selected)}
      />
    );
  }
  return (
    <>
      <Panel title="Property NFTs" inset className="property-picker-panel">
        <PropertyPicker
          find={query.find}
          found={found}
          chosenHref={(id) => adminPaths.documents({ tab, property: id })}
        />
      </Panel>
      <div className="mt-6">
        <EmptyState
          title={documentMessages.chooseProperty}
          text={documents === 'unknown' ? 'The property of this link does not exist.' : undefined}
        />
      </div>
    </>
  );
}
