import type { KyselyPlugin } from 'kysely';
import type { Database } from '#platform/db/database.ts';

/** Counts the statements that `work` sends to the database passed to it. */
export async function countQueries(
  db: Database,
  work: (counted: Database) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const counting = () => db.q().withPlugin(plugin);
  await work({ ...db, q: counting, replica: counting });
  return count;
}
