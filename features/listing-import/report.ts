import { quoteCell } from './columns.ts';
import type { Note, Refusal } from './rows.ts';

/** Result of an import, in rows of the file. */
export interface ImportReport {
  rows: number;
  accepted: number;
  updated: number;
  unchanged: number;
  refused: number;
  /** refusals by column and reason, in order of first occurrence */
  reasons: Map<string, number>;
  /** cells ignored or changed in accepted rows, by column and reason */
  notes: Map<string, number>;
}

export const emptyReport = (): ImportReport => ({
  rows: 0,
  accepted: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  reasons: new Map(),
  notes: new Map(),
});

export function countRefusal(report: ImportReport, { column, reason }: Refusal): void {
  report.refused++;
  increment(report.reasons, column ? `${column}: ${reason}` : reason);
}

export function countNotes(report: ImportReport, notes: readonly Note[]): void {
  for (const { column, reason } of notes) increment(report.notes, `${column}: ${reason}`);
}

const increment = (counts: Map<string, number>, key: string) =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

const grouped = (count: number) => count.toLocaleString('en-US');

/** '3,766 rows: 3,512 accepted, 0 updated, 0 unchanged, 254 refused' */
export const summaryLine = (report: ImportReport): string =>
  `${grouped(report.rows)} ${report.rows === 1 ? 'row' : 'rows'}: ${grouped(report.accepted)} accepted, ${grouped(report.updated)} updated, ` +
  `${grouped(report.unchanged)} unchanged, ${grouped(report.refused)} refused`;

/** 'line 17: price: Price must be a number greater than 0. ("abc")' */
export function refusalLine(line: number, { column, reason, detail }: Refusal): string {
  const where = column ? `line ${line}: ${column}` : `line ${line}`;
  return `${where}: ${reason}${detail === null ? '' : ` (${quoteCell(detail, 60)})`}`;
}

/** '  12 × price: Price is required.', one line per reason, most frequent first */
export const countLines = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `  ${grouped(count)} × ${reason}`);
