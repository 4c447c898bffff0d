import { sql } from 'kysely';
import type { Ctx } from './context.ts';

/**
 * Tells the triggers of the running transaction who writes and when, by `ctx.now()`. Without it they take nobody and
 * the database's own clock.
 */
export async function nameWriter(ctx: Ctx): Promise<void> {
  const q = ctx.db.q();
  if (!q.isTransaction) throw new Error('A writer was named outside a transaction');
  const id = ctx.actor.kind === 'user' ? ctx.actor.id : '';
  await sql`select set_config('acre.actor', ${id}, true), set_config('acre.now', ${ctx.now().toISOString()}, true)`.execute(
    q,
  );
}
