import { type AuditAction, audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { publishToUser } from '../notify-parties.ts';
import { type OwnConversation, ownConversation } from '../parties.ts';

/**
 * Blocks the other party of a conversation: neither can write to the other in any of their conversations.
 * @throws Unauthenticated; NotFound for a conversation of others, or when the other party has no account
 */
export async function blockUser(ctx: Ctx, input: { inquiryId: string }): Promise<void> {
  const thread = await ownConversation(ctx, input.inquiryId);
  const { user, otherId } = thread;
  if (otherId === null) throw new NotFound();
  await ctx.db.tx(async () => {
    const added = await ctx.db
      .q()
      .insertInto('user_blocks')
      .values({ user_id: user.id, blocked_id: otherId, created_at: ctx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (added) await recordChange(ctx, thread, otherId, 'user.block');
  });
}

/**
 * Removes the user's own block of the other party.
 * @throws Unauthenticated; NotFound for a conversation of others, or when the other party has no account
 */
export async function unblockUser(ctx: Ctx, input: { inquiryId: string }): Promise<void> {
  const thread = await ownConversation(ctx, input.inquiryId);
  const { user, otherId } = thread;
  if (otherId === null) throw new NotFound();
  await ctx.db.tx(async () => {
    const removed = await ctx.db
      .q()
      .deleteFrom('user_blocks')
      .where('user_id', '=', user.id)
      .where('blocked_id', '=', otherId)
      .returning('user_id')
      .executeTakeFirst();
    if (removed) await recordChange(ctx, thread, otherId, 'user.unblock');
  });
}

async function recordChange(
  ctx: Ctx,
  { id, user }: OwnConversation,
  otherId: string,
  action: AuditAction,
): Promise<void> {
  await audit(ctx, { action, entity: 'user', entityId: otherId });
  for (const person of [user.id, otherId])
    await publishToUser(ctx, person, 'inquiry.changed', { inquiry: id });
}
