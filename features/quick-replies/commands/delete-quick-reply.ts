import { authorizedSeller } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayHaveQuickReplies } from '../rules.ts';

/**
 * Deletes one of the seller's quick replies. Nothing changes if it is gone, or never was theirs.
 * @throws Unauthenticated, Forbidden for everyone but sellers and for suspended ones
 */
export async function deleteQuickReply(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const seller = authorizedSeller(ctx, mayHaveQuickReplies);
  if (seller.suspended) throw new Forbidden();
  if (!isUuid(id)) return;
  await ctx.db.tx(async () => {
    const deleted = await ctx.db
      .q()
      .deleteFrom('quick_replies')
      .where('id', '=', id)
      .where('agent_id', '=', seller.agentId)
      .returning(['id', 'name', 'text'])
      .executeTakeFirst();
    if (deleted)
      await audit(ctx, {
        action: 'quick_reply.delete',
        entity: 'quick_reply',
        entityId: deleted.id,
        before: { name: deleted.name, text: deleted.text },
      });
  });
}
