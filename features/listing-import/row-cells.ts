import { type Cell, oneLine } from '#platform/typed-text.ts';
import { isFormula } from './cells.ts';
import type { FieldName } from './fields.ts';
import type { Mapping } from './mapping.ts';
import type { Note } from './model.ts';

/**
 * A row's cell for a field as the file has it, or the value that it has in every row; '' when it is not read. Halves of characters, which
 * entries of a JSON file can have, become U+FFFD, since no database stores them.
 */
export function rawCell(
  cells: readonly string[],
  { columns, constants }: Pick<Mapping, 'columns' | 'constants'>,
  name: FieldName,
): string {
  const column = columns.get(name);
  return (column ? (cells[column.index] ?? '') : (constants.get(name) ?? '')).toWellFormed();
}

/** The text of a row's field, '' when it is blank. */
export type ReadCell = (name: FieldName) => string;

/** The value of a cell; an unusable one becomes null with a note. */
export function valueOrNull<T>(column: FieldName, cell: Cell<T>, notes: Note[]): T | null {
  if ('value' in cell) return cell.value;
  if ('wrong' in cell) notes.push({ column, reason: `${cell.wrong}, left blank` });
  return null;
}

/** A text on one line; an unusable one becomes null with a note. */
export function readLine(
  cell: ReadCell,
  column: FieldName,
  min: number,
  max: number,
  notes: Note[],
): string | null {
  const text = oneLine(cell(column));
  const leftBlank = (wrong: string) => valueOrNull<string>(column, { wrong }, notes);
  if (text === '') return null;
  if (isFormula(text)) return leftBlank('begins like a spreadsheet formula');
  if (text.length < min) return leftBlank(`shorter than ${min} characters`);
  return text.length > max ? leftBlank(`longer than ${max} characters`) : text;
}
