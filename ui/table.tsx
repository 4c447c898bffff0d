import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { cellClass, type Sort, SortableHeader } from './sortable-header.tsx';
import { TableError, type TableErrorProps, TableMessage } from './table-message.tsx';
import { tableRoles } from './table-roles.ts';

export interface Column<Row> {
  id: string;
  /** The content of the column header. */
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Right-aligned with tabular figures: money, counts and dates. */
  right?: boolean;
  sortable?: boolean;
  /** Names the row: heads its card on telephones, and stays in view of a table that scrolls. The first column by default. */
  lead?: boolean;
  className?: string;
}

interface TableProps<Row> {
  /** The accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  /** `undefined` while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** Required, so that no table forgets its loading, empty and error states. */
  loading: string;
  empty: ReactNode;
  error: TableErrorProps | null;
  sort?: Sort | null;
  onSort?: (next: Sort | null) => void;
  selected?: (row: Row) => boolean;
  /** Rows of 44 instead of 52 px. */
  dense?: boolean;
}

/**
 * A table that keeps its header while loading, empty or failed, and scrolls sideways when it is too wide. Below 768 px its rows
 * become cards with the header's buttons above them.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, dense, sort = null, onSort } = props;
  const columns = withLead(props.columns);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a group, but not a fieldset
    <div className="tbl-scroll" role="group" aria-label={label} tabIndex={0}>
      <table
        {...tableRoles.table}
        aria-label={label}
        className={classNames('tbl', dense && 'tbl-dense')}
        aria-busy={props.rows === undefined && !props.error}
      >
        <thead {...tableRoles.group}>
          <tr {...tableRoles.row}>
            {columns.map((column) => (
              <SortableHeader key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody {...tableRoles.group}>
          <TableRows {...props} columns={columns} />
        </tbody>
      </table>
    </div>
  );
}

function TableRows<Row>({ columns, rows, rowKey, loading, empty, error, selected }: TableProps<Row>) {
  if (error) return <TableError span={columns.length} {...error} />;
  if (!rows) return <TableMessage span={columns.length}>{loading}</TableMessage>;
  if (rows.length === 0) {
    return (
      <TableMessage span={columns.length} tall>
        {empty}
      </TableMessage>
    );
  }
  return rows.map((row) => (
    <tr key={rowKey(row)} {...tableRoles.row} className={selected?.(row) ? 'sel' : undefined}>
      {columns.map((column) => (
        <td
          key={column.id}
          {...tableRoles.cell}
          className={cellClass(column)}
          data-label={typeof column.header === 'string' ? column.header : undefined}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  ));
}

const withLead = <Row,>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.some(({ lead }) => lead) ? columns : columns.map((column, at) => ({ ...column, lead: at === 0 }));
