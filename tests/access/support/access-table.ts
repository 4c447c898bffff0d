/** The seven actors of the access matrix, in column order (R8). */
export const actors = ['anonymous', 'buyerA', 'buyerB', 'sellerA', 'sellerB', 'suspended', 'admin'] as const;
export type ActorName = (typeof actors)[number];
export type Row = Record<ActorName, string>;

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
  if (head.join() !== actors.join()) throw new Error(`The columns must be ${actors.join(', ')}: ${head}`);
  if (lines.length === 0) throw new Error('A table needs rows');
  const rows = new Map<string, Row>();
  for (const [name = '', ...outcomes] of lines) {
    if (outcomes.length !== actors.length)
      throw new Error(`The row '${name}' has ${outcomes.length} cells instead of ${actors.length}`);
    if (rows.has(name)) throw new Error(`The row '${name}' stands twice`);
    rows.set(name, Object.fromEntries(actors.map((actor, at) => [actor, outcomes[at]])) as Row);
  }
  return rows;
}
