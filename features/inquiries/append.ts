import { audit } from '#platform/audit.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { type Conversation, sideOf } from './parties.ts';
import { tellOther } from './tell.ts';

export interface NewMessage {
  text: string;
  /** the same for every repetition of one sending */
  key: string;
}

/** A message that the person sent under this key before. */
export const sentBefore = (ctx: Ctx, inquiryId: string, userId: string, key: string) =>
  ctx.db
    .q()
    .selectFrom('inquiry_messages')
    .select(['id', 'created_at'])
    .where('inquiry_id', '=', inquiryId)
    .where('sender_id', '=', userId)
    .where('client_key', '=', key)
    .executeTakeFirst();

/**
 * Adds a message of the signed-in person to a conversation, once for each key, and tells the other party: live, and by
 * mail as B-053 says. The database keeps the label and the time of the newest text.
 */
export async function appendMessage(
  ctx: Ctx,
  user: UserActor,
  thread: Conversation,
  { text, key }: NewMessage,
): Promise<{ id: string; at: Date }> {
  return ctx.db.tx(async (q) => {
    // One after the other: whether an earlier one is still unread decides about the mail.
    await q.selectFrom('property_inquiries').select('id').where('id', '=', thread.id).forUpdate().execute();
    const before = await sentBefore(ctx, thread.id, user.id, key);
    if (before) return { id: before.id, at: before.created_at };
    const { id } = await q
      .insertInto('inquiry_messages')
      .values({
        inquiry_id: thread.id,
        sender_id: user.id,
        message: text,
        client_key: key,
        created_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, { action: 'inquiry.append', entity: 'property_inquiry', entityId: thread.id });
    await tellOther(ctx, thread, { id, text, from: sideOf(user, thread) ?? 'buyer', first: false });
    return { id, at: ctx.now() };
  });
}
