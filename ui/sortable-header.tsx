import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { tableRoles } from './table-roles.ts';

export interface Sort {
  column: string;
  direction: 'ascending' | 'descending';
}

interface HeaderColumn {
  id: string;
  header: ReactNode;
  right?: boolean;
  sortable?: boolean;
  lead?: boolean;
  className?: string;
}

interface SortableHeaderProps {
  column: HeaderColumn;
  sort: Sort | null;
  onSort?: (next: Sort | null) => void;
}

/** Cycles through ascending, descending and unsorted. */
export function nextSort(column: string, sort: Sort | null): Sort | null {
  if (sort?.column !== column) return { column, direction: 'ascending' };
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : null;
}

/** The class of a column's cells. */
export const cellClass = ({ right, lead, className }: HeaderColumn): string | undefined =>
  classNames(right && 'r', lead && 'tbl-lead', className);

/** A column header. A sortable one contains a button, and its cell has `aria-sort`. */
export function SortableHeader({ column, sort, onSort }: SortableHeaderProps) {
  const order = sort?.column === column.id ? sort.direction : undefined;
  const sortable = column.sortable && onSort;
  return (
    <th
      scope="col"
      {...tableRoles.header}
      className={cellClass(column)}
      aria-sort={sortable ? (order ?? 'none') : undefined}
    >
      {sortable ? (
        <button type="button" className="tbl-sort" onClick={() => onSort(nextSort(column.id, sort))}>
          {column.header}
          <Icon
            of={order === undefined ? ChevronsUpDown : order === 'ascending' ? ArrowUp : ArrowDown}
            size={14}
          />
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}
