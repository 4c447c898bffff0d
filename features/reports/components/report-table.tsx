import { Link } from 'react-router';
import { type Column, Table } from '#ui/table.tsx';
import { type ReportTable, shownTable } from '../report-tables.ts';

interface Row {
  at: number;
  cells: string[];
}

/**
 * A table of a report.
 * @param hrefOf where the first cell of a row leads, by the number of the row
 */
export function ReportTableView({
  table,
  empty,
  hrefOf,
}: {
  table: ReportTable;
  empty: string;
  hrefOf?: ((row: number) => string) | undefined;
}) {
  const { columns, rows } = shownTable(table);
  return (
    <Table<Row>
      label={table.title}
      dense
      columns={columns.map(
        ({ header, kind }, column): Column<Row> => ({
          id: header,
          header,
          right: kind !== 'text',
          cell: ({ at, cells }) =>
            column === 0 && hrefOf ? (
              <Link className="link" to={hrefOf(at)}>
                {cells[column]}
              </Link>
            ) : (
              cells[column]
            ),
        }),
      )}
      rows={rows.map((cells, at) => ({ at, cells }))}
      rowKey={({ at }) => String(at)}
      loading="Loading report..."
      empty={empty}
      error={null}
    />
  );
}

/** The same for screen readers alone, beside a chart: nothing in it takes the focus. */
export function HiddenTable({ table }: { table: ReportTable }) {
  const { columns, rows } = shownTable(table);
  const numbered = rows.map((cells, at) => ({ at, cells }));
  return (
    <div className="vh">
      <table>
        <caption>{table.title}</caption>
        <thead>
          <tr>
            {columns.map(({ header }) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {numbered.map(({ at, cells }) => (
            <tr key={at}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th key={columns[column]?.header} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={columns[column]?.header}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
