import { sql } from 'kysely';
import { authorizedSeller } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { QuickReply } from './model.ts';
import { mayHaveQuickReplies } from './rules.ts';

/**
 * The seller's quick replies, by name.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function quickReplies(ctx: Ctx): Promise<QuickReply[]> {
  const { agentId } = authorizedSeller(ctx, mayHaveQuickReplies);
  return ctx.db
    .q()
    .selectFrom('quick_replies')
    .select(['id', 'name', 'text', 'version'])
    .where('agent_id', '=', agentId)
    .orderBy(sql`lower(name)`)
    .execute();
}
