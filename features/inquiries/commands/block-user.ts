import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { type OwnConversation, ownConversation } from '../parties.ts';
import { publishTo } from '../tell.ts';

/**
 * Blocks the other party of a conversation: neither writes to the other any more, in none of their conversations.
 * @throws Unauthenticated; NotFound for a conversation of others, or when the other party has no account
 */
export async function blockUser(ctx: Ctx, inquiryId: string): Promise<void> {
  const thread = await ownConversation(ctx, inquiryId);
  const { user, otherId } = thread;
  if (otherId === null) throw new NotFound();
  await ctx.db.tx(async (q) => {
    const added = await q
      .insertInto('user_blocks')
      .values({ user_id: user.id, blocked_id: otherId, created_at: ctx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (added) await told(ctx, thread, otherId, 'user.block');
  });
}

/**
 * Takes the person's own block of the other party back.
 * @throws Unauthenticated; NotFound for a conversation of others, or when the other party has no account
 */
export async function unblockUser(ctx: Ctx, inquiryId: string): Promise<void> {
  const thread = await ownConversation(ctx, inquiryId);
  const { user, otherId } = thread;
  if (otherId === null) throw new NotFound();
  await ctx.db.tx(async (q) => {
    const removed = await q
      .deleteFrom('user_blocks')
      .where('user_id', '=', user.id)
      .where('blocked_id', '=', otherId)
      .returning('user_id')
      .executeTakeFirst();
    if (removed) await told(ctx, thread, otherId, 'user.unblock');
  });
}

async function told(ctx: Ctx, { id, user }: OwnConversation, otherId: string, action: string): Promise<void> {
  await audit(ctx, { action, entity: 'user', entityId: otherId });
  for (const person of [user.id, otherId]) await publishTo(ctx, person, 'inquiry.changed', { inquiry: id });
}
