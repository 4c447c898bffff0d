/**
 * A column of a table that is written to a file: what it is called, and what it has of a row; null is an empty cell. Amounts are
 * integer cents, written as dollars with cents; times are written in UTC.
 */
export type FileColumn<Row> = { header: string } & (
  | { text: (row: Row) => string | null }
  | { cents: (row: Row) => number | null }
  | { time: (row: Row) => Date | null }
);

/** Text that a spreadsheet could take for a formula, also with the wide characters that some of them read alike. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Whether a spreadsheet could take a text for a formula (R14). */
export const isFormula = (text: string): boolean => FORMULA.test(text) && !NUMBER.test(text);
