import { csvLine } from '#platform/csv-line.ts';
import { decimalAmount } from '#platform/money.ts';
import type { Statement } from './model.ts';

/** Byte order mark: tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const HEADER = [
  'Date (UTC)',
  'Description',
  'Sale',
  'Property',
  'Town',
  'Reference',
  'Expected (UTC)',
  'Paid (UTC)',
  'Amount (USD)',
  'Balance (USD)',
];

/** A statement as a CSV file, with the balances it begins and ends with. */
export function statementCsv({ month, openingCents, closingCents, lines }: Statement): string {
  const balance = (text: string, cents: number) =>
    csvLine([month, text, ...Array.from(HEADER.slice(3), () => null), decimalAmount(cents)]);
  const rows = lines.map((line) =>
    csvLine([
      line.at.slice(0, 10),
      line.text,
      line.saleId,
      line.address,
      line.town,
      line.reference,
      line.expectedAt?.slice(0, 10) ?? null,
      line.paidAt?.slice(0, 10) ?? null,
      decimalAmount(line.cents),
      decimalAmount(line.balanceCents),
    ]),
  );
  return [
    BYTE_ORDER_MARK,
    csvLine(HEADER),
    balance('Opening balance', openingCents),
    ...rows,
    balance('Closing balance', closingCents),
  ].join('');
}
