import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import type { TableQuery } from '#routing/paths.ts';
import { type PageSize, pageSizeFrom } from '#ui/page-sizes.ts';
import type { Sort } from '#ui/sortable-header.tsx';

/**
 * The search, sort order, page and rows on a page of a table, parsed from its URL; unknown columns, pages and sizes are ignored.
 * `size` is null where none was chosen.
 */
export function parseTableQuery<By extends string>(params: URLSearchParams, columns: readonly By[]) {
  // A database cannot compare with NUL.
  const q = (params.get('q') ?? '').replaceAll('\0', ' ').trim().slice(0, 200);
  const raw = params.get('sort') ?? '';
  const by = columns.find((column) => column === raw.replace(/^-/, ''));
  const page = Number(params.get('page') ?? 1);
  return {
    q,
    sort: by ? { by, descending: raw.startsWith('-') } : null,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    size: pageSizeFrom(params.get('size')),
  };
}

type ParsedTableQuery = ReturnType<typeof parseTableQuery>;

/** The same as URL parameters, without the page: a new order or search starts at the first page. */
export const toTableQuery = ({
  q,
  sort,
  size,
}: Pick<ParsedTableQuery, 'q' | 'sort'> & { size?: PageSize | null }): TableQuery => ({
  q: q || undefined,
  sort: sort ? `${sort.descending ? '-' : ''}${sort.by}` : undefined,
  size: size ?? undefined,
});

/** The current sort for the table's headers, and a handler that puts a new one into the URL. */
export function useTableSort(current: ParsedTableQuery, href: (query: TableQuery) => string) {
  const navigate = useNavigate();
  const sort: Sort | null = current.sort && {
    column: current.sort.by,
    direction: current.sort.descending ? 'descending' : 'ascending',
  };
  const onSort = (next: Sort | null) => {
    const order = next && { by: next.column, descending: next.direction === 'descending' };
    void navigate(href(toTableQuery({ ...current, sort: order })), { preventScrollReset: true });
  };
  return { sort, onSort };
}

/** How long a table keeps its old rows while new ones are loading, in milliseconds. */
const SLOW_MS = 400;

/** A URL's query without what only concerns the drawer: opening it keeps the rows, and the focus in them. */
function listPart(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of ['details', 'before', 'sale', 'do', 'dispute']) params.delete(name);
  params.sort();
  return params.toString();
}

/** True while loading another page of the same table takes noticeably long; its rows then give way to a loading text. */
export function useSlowTable(path: string): boolean {
  const { state, location, formMethod } = useNavigation();
  const { search } = useLocation();
  const loading =
    state === 'loading' &&
    location.pathname === path &&
    formMethod === undefined &&
    listPart(location.search) !== listPart(search);
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!loading) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [loading]);
  return loading && slow;
}
