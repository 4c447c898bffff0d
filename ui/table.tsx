import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { type Sort, SortHead } from './sort-head.tsx';
import { TableError, type TableErrorProps, TableNote } from './table-note.tsx';

export interface Column<Row> {
  id: string;
  /** What the head says; a head without words needs `headLabel`. */
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Money, counts and dates stand at the right with tabular figures. */
  right?: boolean;
  sortable?: boolean;
  className?: string;
}

interface TableProps<Row> {
  /** The accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  /** `undefined` while they are on their way. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** The three states that no table may forget (look §11). */
  loading: string;
  empty: ReactNode;
  error: TableErrorProps | null;
  sort?: Sort | null;
  onSort?: (next: Sort | null) => void;
  selected?: (row: Row) => boolean;
  /** 44 instead of 52 px a row. */
  dense?: boolean;
}

/** A table with its frame kept through loading, empty and failed; scrolls sideways by itself when it is too wide. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, dense, sort = null, onSort } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a group, and no form's
    <div className="tbl-scroll" role="group" aria-label={label} tabIndex={0}>
      <table
        aria-label={label}
        className={classNames('tbl', dense && 'tbl-dense')}
        aria-busy={props.rows === undefined && !props.error}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHead key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <TableRows {...props} />
        </tbody>
      </table>
    </div>
  );
}

function TableRows<Row>({ columns, rows, rowKey, loading, empty, error, selected }: TableProps<Row>) {
  if (error) return <TableError span={columns.length} {...error} />;
  if (!rows) return <TableNote span={columns.length}>{loading}</TableNote>;
  if (rows.length === 0) {
    return (
      <TableNote span={columns.length} tall>
        {empty}
      </TableNote>
    );
  }
  return rows.map((row) => (
    <tr key={rowKey(row)} className={selected?.(row) ? 'sel' : undefined}>
      {columns.map((column) => (
        <td key={column.id} className={classNames(column.right && 'r', column.className)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  ));
}
