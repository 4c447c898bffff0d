import type { Database } from '#platform/db/database.ts';
import { databaseWithInterceptor } from './query-interception.ts';

/** Runs `work`, and returns its result with the plans, as JSON, of its statements that contain a text. */
export async function explained<Result>(
  db: Database,
  text: string,
  work: (explaining: Database) => Promise<Result>,
): Promise<{ result: Result; plans: string[] }> {
  const plans: string[] = [];
  const explaining = databaseWithInterceptor(db, (run) => async (statement, values) => {
    if (statement.includes(text)) {
      const { rows } = await run(`explain (format json) ${statement}`, values);
      plans.push(JSON.stringify(rows[0]['QUERY PLAN']));
    }
    return run(statement, values);
  });
  return { result: await work(explaining), plans };
}
