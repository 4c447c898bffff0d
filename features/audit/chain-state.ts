import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import type { ChainState } from './model.ts';
import { mayReadHistory } from './rules.ts';

/**
 * How far the audit log is chained, and whether its daily check found something that is still open.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function chainState(ctx: Ctx): Promise<ChainState> {
  authorize(ctx, mayReadHistory);
  const q = ctx.db.q();
  const [head, broken] = await Promise.all([
    q
      .selectFrom('audit_chain')
      .select(['position', 'audit_id', 'hash', 'chained_at'])
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst(),
    q
      .selectFrom('admin_tasks')
      .select('id')
      .where('kind', '=', 'audit_broken')
      .where('closed_at', 'is', null)
      .executeTakeFirst(),
  ]);
  // Rows are chained in the order of their ids, but for those that were committed late.
  const waiting = await boundedCount(ctx, sql`from audit_log where id > ${head?.audit_id ?? 0}`);
  return {
    head: head
      ? { position: head.position, hash: head.hash.toString('hex'), at: head.chained_at.toISOString() }
      : null,
    waiting,
    isBroken: broken !== undefined,
  };
}
