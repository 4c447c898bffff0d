import { audit } from '#platform/audit.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { notifyParties } from './notify-parties.ts';
import { type Conversation, sideOf } from './parties.ts';

interface NewMessage {
  text: string;
  /** idempotency key: the same for every attempt to send this message */
  key: string;
}

/** The message that this user already sent with this key, if any. */
export const findSentMessage = (ctx: Ctx, inquiryId: string, userId: string, key: string) =>
  ctx.db
    .q()
    .selectFrom('inquiry_messages')
    .select(['id', 'created_at'])
    .where('inquiry_id', '=', inquiryId)
    .where('sender_id', '=', userId)
    .where('client_key', '=', key)
    .executeTakeFirst();

/**
 * Adds a message to a conversation, once for each key, and notifies the other party: live, and by mail at once or with
 * the next digest. The database maintains the label and the time of the newest message.
 */
export async function appendMessage(
  ctx: Ctx,
  user: UserActor,
  thread: Conversation,
  { text, key }: NewMessage,
): Promise<{ id: string; at: Date }> {
  return ctx.db.tx(async () => {
    // Serialised: whether an earlier message is still unread decides between mail and digest.
    await ctx.db
      .q()
      .selectFrom('property_inquiries')
      .select('id')
      .where('id', '=', thread.id)
      .forUpdate()
      .execute();
    const before = await findSentMessage(ctx, thread.id, user.id, key);
    if (before) return { id: before.id, at: before.created_at };
    const { id } = await ctx.db
      .q()
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
    await notifyParties(ctx, thread, { id, text, from: sideOf(user, thread) ?? 'buyer', first: false });
    return { id, at: ctx.now() };
  });
}
