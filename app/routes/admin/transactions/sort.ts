import type { TransactionQuery } from '#features/transactions/model.ts';
import type { Sort } from '#ui/sortable-header.tsx';

/** The order for the headers of the table, and what turns another one into the text that the URL has of it. */
export function sortOf({ sort }: TransactionQuery, go: (order: string | undefined) => void) {
  const current: Sort | null = sort && {
    column: sort.by,
    direction: sort.descending ? 'descending' : 'ascending',
  };
  return {
    sort: current,
    onSort: (next: Sort | null) =>
      go(next ? `${next.direction === 'descending' ? '-' : ''}${next.column}` : undefined),
  };
}
