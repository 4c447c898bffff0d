/** The seven people of the access matrix, in the order of its columns (R8). */
export const actors = ['anonymous', 'buyerA', 'buyerB', 'sellerA', 'sellerB', 'suspended', 'admin'] as const;
export type ActorName = (typeof actors)[number];
export type Row = Record<ActorName, string>;

/**
 * Reads a table written as text: a line of column names, then one line for each row: its name and one word for each
 * column. Two spaces or more part the columns, so that names may hold single ones.
 * @throws Error for a table without rows, with other columns, or with a cell that is missing or one too many
 */
export function readTable(text: string): Map<string, Row> {
  const [head = [], ...lines] = text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => line.trim().split(/\s{2,}/));
  if (head.join() !== actors.join()) throw new Error(`The columns must be ${actors.join(', ')}: ${head}`);
  if (lines.length === 0) throw new Error('A table needs rows');
  const rows = new Map<string, Row>();
  for (const [name = '', ...words] of lines) {
    if (words.length !== actors.length)
      throw new Error(`The row '${name}' has ${words.length} cells instead of ${actors.length}`);
    if (rows.has(name)) throw new Error(`The row '${name}' stands twice`);
    rows.set(name, Object.fromEntries(actors.map((actor, at) => [actor, words[at]])) as Row);
  }
  return rows;
}
