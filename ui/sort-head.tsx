import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

export interface Sort {
  column: string;
  direction: 'ascending' | 'descending';
}

interface SortHeadProps {
  column: { id: string; head: ReactNode; right?: boolean; sortable?: boolean; className?: string };
  sort: Sort | null;
  onSort?: (next: Sort | null) => void;
}

/** Ascending, descending, none, and again (look §6). */
export function nextSort(column: string, sort: Sort | null): Sort | null {
  if (sort?.column !== column) return { column, direction: 'ascending' };
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : null;
}

/** A head of a column; a sortable one is a button, its cell tells the order. */
export function SortHead({ column, sort, onSort }: SortHeadProps) {
  const order = sort?.column === column.id ? sort.direction : undefined;
  const sortable = column.sortable && onSort;
  return (
    <th
      scope="col"
      className={classNames(column.right && 'r', column.className)}
      aria-sort={sortable ? (order ?? 'none') : undefined}
    >
      {sortable ? (
        <button type="button" className="tbl-sort" onClick={() => onSort(nextSort(column.id, sort))}>
          {column.head}
          <Icon
            of={order === undefined ? ChevronsUpDown : order === 'ascending' ? ArrowUp : ArrowDown}
            size={14}
          />
        </button>
      ) : (
        column.head
      )}
    </th>
  );
}
