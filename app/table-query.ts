import { useEffect, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import type { Sort } from '#ui/sort-head.tsx';
import type { TableQuery } from './paths.ts';

/** What a table's address asks of a read: unknown columns and pages ask for nothing. */
export function tableQueryOf<By extends string>(params: URLSearchParams, columns: readonly By[]) {
  const q = (params.get('q') ?? '').trim().slice(0, 200);
  const raw = params.get('sort') ?? '';
  const by = columns.find((column) => column === raw.replace(/^-/, ''));
  const page = Number(params.get('page') ?? 1);
  return {
    q,
    sort: by ? { by, descending: raw.startsWith('-') } : null,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

type Asked = ReturnType<typeof tableQueryOf>;

/** The same as parts of an address, the page left out: another order or other words begin at the first one. */
export const addressOf = ({ q, sort }: Pick<Asked, 'q' | 'sort'>): TableQuery => ({
  q: q || undefined,
  sort: sort ? `${sort.descending ? '-' : ''}${sort.by}` : undefined,
});

/** The order as a table's heads show it, and what a press on one does: the order stands in the address. */
export function useTableSort(asked: Asked, href: (query: TableQuery) => string) {
  const navigate = useNavigate();
  const sort: Sort | null = asked.sort && {
    column: asked.sort.by,
    direction: asked.sort.descending ? 'descending' : 'ascending',
  };
  const onSort = (next: Sort | null) => {
    const order = next && { by: next.column, descending: next.direction === 'descending' };
    void navigate(href(addressOf({ q: asked.q, sort: order })), { preventScrollReset: true });
  };
  return { sort, onSort };
}

/** Longer than a table may keep its rows while others are on their way. */
const LATE_MS = 400;

/** True while another page of the same table takes noticeably long: then its loading text stands in place of the rows. */
export function useLateTable(path: string): boolean {
  const { state, location, formMethod } = useNavigation();
  const coming = state === 'loading' && location.pathname === path && formMethod === undefined;
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!coming) return setLate(false);
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [coming]);
  return coming && late;
}
