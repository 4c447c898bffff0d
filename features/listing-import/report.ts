import { cutText } from '#platform/cut-text.ts';
import { formatCount, plural } from '#platform/format-count.ts';
import type { Mapping } from './mapping.ts';
import type { ImportReport, Note, ReasonCount, Refusal } from './model.ts';
import { quoteCell } from './quote.ts';

export type { ImportReport, ReasonCount };

export const emptyReport = (): ImportReport => ({
  rows: 0,
  accepted: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  sold: 0,
  merged: 0,
  reasons: new Map(),
  notes: new Map(),
  activatedTypes: [],
});

const MAX_VALUES = 200;
const MAX_VALUE_LENGTH = 200;

export function countRefusal(report: ImportReport, { column, reason, detail }: Refusal): void {
  report.refused++;
  const key = column ? `${column}: ${reason}` : reason;
  const found = report.reasons.get(key) ?? { count: 0, values: new Map<string, number>() };
  report.reasons.set(key, found);
  found.count++;
  const value = cutText(detail ?? '', MAX_VALUE_LENGTH);
  if (detail !== null && (found.values.has(value) || found.values.size < MAX_VALUES))
    found.values.set(value, (found.values.get(value) ?? 0) + 1);
}

export function countNotes(counts: Map<string, number>, notes: readonly Note[]): void {
  for (const { column, reason } of notes) {
    const key = `${column}: ${reason}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

/** '3,766 rows: 3,512 accepted, 0 updated, 0 unchanged, 254 refused' */
export function summaryLine(report: ImportReport): string {
  const line =
    `${plural(report.rows, 'row', 'rows')}: ${formatCount(report.accepted)} accepted, ${formatCount(report.updated)} updated, ` +
    `${formatCount(report.unchanged)} unchanged, ${formatCount(report.refused)} refused`;
  const more = [
    report.sold > 0 ? `${formatCount(report.sold)} of them sold` : '',
    report.merged > 0 ? `${formatCount(report.merged)} merged` : '',
  ].filter(Boolean);
  return more.length > 0 ? `${line} (${more.join(', ')})` : line;
}

/** 'line 17: price: Price is not a number. ("abc")' */
export function refusalLine(
  line: number,
  { column, reason, detail }: Refusal,
  format: 'csv' | 'json' = 'csv',
): string {
  const place = `${format === 'json' ? 'entry' : 'line'} ${line}`;
  const where = column ? `${place}: ${column}` : place;
  return `${where}: ${reason}${detail === null ? '' : ` (${quoteCell(detail, 60)})`}`;
}

const SHOWN_VALUES = 5;

/** '  12 × price: Price is not a number. "abc" 8 ×, "tba" 4 ×', one line per reason, most frequent first */
export const reasonLines = (reasons: ReadonlyMap<string, ReasonCount>): string[] =>
  [...reasons]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([reason, { count, values }]) => {
      const often = [...values].sort(([, a], [, b]) => b - a);
      // Values that are all different say nothing as a group.
      const shown = often
        .slice(0, SHOWN_VALUES)
        .map(([value, times]) => `${quoteCell(value, 40)} ${formatCount(times)} ×`);
      const more = often.length > SHOWN_VALUES ? ', …' : '';
      return `  ${formatCount(count)} × ${reason}${shown.length > 0 ? ` ${shown.join(', ')}${more}` : ''}`;
    });

/** '  12 × zip: got its leading zeros back', one line per note, most frequent first */
export const noteLines = (notes: ReadonlyMap<string, number>): string[] =>
  [...notes].sort(([, a], [, b]) => b - a).map(([note, count]) => `  ${formatCount(count)} × ${note}`);

/** How a file's columns are read: one line for those that are, one for those that are not, and one for each suggestion. */
export function columnLines(mapping: Mapping): string[] {
  const read = [...mapping.columns].map(([field, { header }]) =>
    header.toLowerCase() === field ? field : `${quoteCell(header, 60)} → ${field}`,
  );
  const constants = [...mapping.constants].map(([field, value]) => `${field} is ${quoteCell(value, 60)}`);
  const ignored = mapping.ignored.map((header) => quoteCell(header, 60));
  return [
    `Read columns: ${[...read, ...constants].join(', ')}.`,
    `Ignored columns: ${ignored.length > 0 ? ignored.join(', ') : 'none'}.`,
    ...mapping.suggestions.map(
      ({ field, header }) =>
        `${quoteCell(header, 60)} → ${field}? Choose it with --map ${shellWord(`${field}=${header}`)}`,
    ),
  ];
}

const shellWord = (text: string) =>
  /^[\w=.,/-]+$/.test(text) ? text : `"${text.replace(/["$`\\]/g, '\\$&')}"`;

const REFUSED_HEADER = ['line', 'column', 'reason', 'value'];

/** The first line of a list of refused rows as CSV. */
export const refusedCsvHeader = (): string => csvLine(REFUSED_HEADER);

/** A refused row as a line of CSV; values that a spreadsheet would run as a formula begin with an apostrophe. */
export const refusedCsvLine = (line: number, { column, reason, detail }: Refusal): string =>
  csvLine([String(line), column ?? '', reason, detail ?? '']);

const csvLine = (cells: readonly string[]): string =>
  `${cells
    .map((cell) => {
      const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(',')}\r\n`;
