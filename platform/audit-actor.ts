import { sql } from 'kysely';
import type { Ctx } from './context.ts';

/**
 * Sets the acting user and the time (`ctx.now()`) for the triggers of the current transaction. Without it they use no user
 * and the database's clock.
 * @throws Error outside a transaction
 */
export async function setAuditActor(ctx: Ctx): Promise<void> {
  const q = ctx.db.q();
  if (!q.isTransaction) throw new Error('A writer was named outside a transaction');
  const id = ctx.actor.kind === 'user' ? ctx.actor.id : '';
  await sql`select set_config('acre.actor', ${id}, true), set_config('acre.now', ${ctx.now().toISOString()}, true)`.execute(
    q,
  );
}
