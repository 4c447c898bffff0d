import type { FileColumn } from '#platform/table-file/columns.ts';
import { csvText } from '#platform/table-file/csv.ts';
import type { BalancedLine, Statement } from './model.ts';

/** A line of the file; those of the opening and the closing balance have little to say. */
type Line = Pick<BalancedLine, 'at' | 'text' | 'balanceCents'> & Partial<BalancedLine>;

const columns: readonly FileColumn<Line>[] = [
  { header: 'Date (UTC)', text: ({ at }) => at.slice(0, 10) },
  { header: 'Description', text: ({ text }) => text },
  { header: 'Sale', text: ({ saleId }) => saleId ?? null },
  { header: 'Property', text: ({ address }) => address ?? null },
  { header: 'Town', text: ({ town }) => town ?? null },
  { header: 'Reference', text: ({ reference }) => reference ?? null },
  { header: 'Expected (UTC)', text: ({ expectedAt }) => expectedAt?.slice(0, 10) ?? null },
  { header: 'Paid (UTC)', text: ({ paidAt }) => paidAt?.slice(0, 10) ?? null },
  { header: 'Amount (USD)', cents: ({ cents }) => cents ?? null },
  { header: 'Balance (USD)', cents: ({ balanceCents }) => balanceCents },
];

/** A statement as a CSV file, with the balances it begins and ends with. */
export const statementCsv = ({ month, openingCents, closingCents, lines }: Statement): string =>
  csvText(columns, [
    { at: month, text: 'Opening balance', balanceCents: openingCents },
    ...lines,
    { at: month, text: 'Closing balance', balanceCents: closingCents },
  ]);
