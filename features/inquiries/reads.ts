import { sql } from 'kysely';
import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';

/**
 * The count on the bell: a buyer's unread messages, a seller's inquiries that wait for an answer (S0 §7, B-017, B-018).
 * Only ever one's own (B-059); nothing, and no query, for everybody else.
 */
export async function unreadCount(ctx: Ctx): Promise<number> {
  authorize(ctx, anyone);
  const { actor } = ctx;
  if (actor.kind !== 'user' || actor.role === 'admin') return 0;
  if (actor.role === 'agent') {
    const row = await ctx.db
      .q()
      .selectFrom('property_inquiries as i')
      .innerJoin('properties as p', 'p.id', 'i.property_id')
      .select((count) => count.fn.countAll<number>().as('waiting'))
      .where('p.agent_id', '=', actor.agentId)
      .where('i.status', '=', 'pending')
      .executeTakeFirst();
    return row?.waiting ?? 0;
  }
  const { rows } = await sql<{ unread: number }>`
    select get_buyer_unread_messages_count(${actor.id}) as unread`.execute(ctx.db.q());
  return rows[0]?.unread ?? 0;
}
