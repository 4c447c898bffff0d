import { shown } from './columns.ts';
import type { Note, Refusal } from './rows.ts';

/** What an import did, in rows of the file. */
export interface ImportReport {
  rows: number;
  accepted: number;
  updated: number;
  unchanged: number;
  refused: number;
  /** refusals by column and reason, in the order in which they first came */
  reasons: Map<string, number>;
  /** cells left blank or changed in rows that were taken, by column and reason */
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
  add(report.reasons, column ? `${column}: ${reason}` : reason);
}

export function countNotes(report: ImportReport, notes: readonly Note[]): void {
  for (const { column, reason } of notes) add(report.notes, `${column}: ${reason}`);
}

const add = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);

const grouped = (count: number) => count.toLocaleString('en-US');

/** '3,766 rows: 3,512 accepted, 0 updated, 0 unchanged, 254 refused' */
export const summaryLine = (report: ImportReport): string =>
  `${grouped(report.rows)} ${report.rows === 1 ? 'row' : 'rows'}: ${grouped(report.accepted)} accepted, ${grouped(report.updated)} updated, ` +
  `${grouped(report.unchanged)} unchanged, ${grouped(report.refused)} refused`;

/** 'line 17: price: Price must be a number greater than 0. ("abc")' */
export function refusalLine(line: number, { column, reason, detail }: Refusal): string {
  const where = column ? `line ${line}: ${column}` : `line ${line}`;
  return `${where}: ${reason}${detail === null ? '' : ` (${shown(detail, 60)})`}`;
}

/** '  12 × price: Price is required.', one line a reason, most frequent first */
export const countLines = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `  ${grouped(count)} × ${reason}`);
