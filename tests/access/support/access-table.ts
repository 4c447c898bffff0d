/** The seven actors of the access matrix, in column order (R8). */
export const actors = ['anonymous', 'buyerA', 'buyerB', 'sellerA', 'sellerB', 'suspended', 'admin'] as const;
/** An administrator who signed in too long ago: the column that only tables of operations have that ask for a fresh proof. */
export const UNPROVEN = 'unproven';
export type ActorName = (typeof actors)[number] | typeof UNPROVEN;
export type Row = Record<(typeof actors)[number], string> & { [UNPROVEN]?: string };

/** Who acts in a row, and with what outcome. */
export const outcomesOf = (row: Row) => Object.entries(row) as [ActorName, string][];

/**
 * Parses a table written as text: a header line, then one line per row with its name and one word per column. Columns are
 * separated by two or more spaces, so that names may contain single ones.
 * @throws Error for a table without rows, with other columns, or with a missing or surplus cell
 */
export function readTable(text: string): Map<string, Row> {
  const [head = [], ...lines] = text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => line.trim().split(/\s{2,}/));
  const columns: readonly string[] = head.length > actors.length ? [...actors, UNPROVEN] : actors;
  if (head.join() !== columns.join()) throw new Error(`The columns must be ${columns.join(', ')}: ${head}`);
  if (lines.length === 0) throw new Error('A table needs rows');
  const rows = new Map<string, Row>();
  for (const [name = '', ...outcomes] of lines) {
    if (outcomes.length !== columns.length)
      throw new Error(`The row '${name}' has ${outcomes.length} cells instead of ${columns.length}`);
    if (rows.has(name)) throw new Error(`The row '${name}' stands twice`);
    rows.set(name, Object.fromEntries(columns.map((actor, at) => [actor, outcomes[at]])) as Row);
  }
  return rows;
}
