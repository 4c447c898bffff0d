import type { Ctx } from '../context.ts';
import { HOUR } from '../durations.ts';
import { openDatabase } from './database.ts';

/**
 * What a statement may take that reads whole tables. Requests are given far less, which would end such a statement just where the
 * tables are large.
 */
export const UNHURRIED_MS = HOUR;

/**
 * Works with a database whose statements may take an hour each. On PostgreSQL that is a connection of its own, past a pooler, so
 * that the limit of all other work stays as it is; the embedded database knows no limit.
 * @param url the address of the server itself; undefined for the embedded database
 */
export async function unhurried<Context extends Ctx, Result>(
  ctx: Context,
  url: string | undefined,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  if (!url) return work(ctx);
  const db = await openDatabase({ url, dataDir: null, poolSize: 1, statementTimeout: UNHURRIED_MS });
  try {
    return await work({ ...ctx, db });
  } finally {
    await db.close();
  }
}
