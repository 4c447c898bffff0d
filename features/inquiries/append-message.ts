import { audit } from '#platform/audit.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { uuidOf } from '#platform/uuid-of.ts';
import { notifyParties } from './notify-parties.ts';
import { type Conversation, sideOf } from './parties.ts';

interface NewMessage {
  text: string;
  /** idempotency key: the same for every attempt to send this message */
  key: string;
  /** what is stored with the message, in its transaction; not called for one that was sent before */
  attach?: ((messageId: string) => Promise<void>) | undefined;
}

/**
 * The keys under which a message may be stored: its own, or where another text was sent with that before, as from a page that
 * was gone back to, one made of both.
 */
const keysOf = ({ text, key }: Pick<NewMessage, 'text' | 'key'>) => [key, uuidOf(`${key} ${text}`)] as const;

/** The message that this user already sent with this key and text, if any. */
export const findSentMessage = (ctx: Ctx, inquiryId: string, userId: string, message: NewMessage) =>
  ctx.db
    .q()
    .selectFrom('inquiry_messages')
    .select(['id', 'created_at'])
    .where('inquiry_id', '=', inquiryId)
    .where('sender_id', '=', userId)
    .where('client_key', 'in', keysOf(message))
    .where('message', '=', message.text)
    .executeTakeFirst();

/**
 * Adds a message to a conversation, once for each key and text, and notifies the other party: live, and by mail at once or with
 * the next digest. The database maintains the label and the time of the newest message.
 */
export async function appendMessage(
  ctx: Ctx,
  user: UserActor,
  thread: Conversation,
  message: NewMessage,
): Promise<{ id: string; at: Date }> {
  const { text } = message;
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    // The writer's account, to which the message refers, before the conversation, as a change of their address takes the two.
    await q.selectFrom('users').select('id').where('id', '=', user.id).forKeyShare().execute();
    // Serialised: whether an earlier message is still unread decides between mail and digest.
    await q.selectFrom('property_inquiries').select('id').where('id', '=', thread.id).forUpdate().execute();
    const before = await findSentMessage(ctx, thread.id, user.id, message);
    if (before) return { id: before.id, at: before.created_at };
    const insert = (client_key: string) =>
      q
        .insertInto('inquiry_messages')
        .values({
          inquiry_id: thread.id,
          sender_id: user.id,
          message: text,
          client_key,
          created_at: ctx.now(),
        })
        .onConflict((conflict) => conflict.columns(['inquiry_id', 'sender_id', 'client_key']).doNothing())
        .returning('id')
        .executeTakeFirst();
    const [own, withText] = keysOf(message);
    const created = (await insert(own)) ?? (await insert(withText));
    if (!created) throw new Error('The message is neither new nor stored');
    const { id } = created;
    await message.attach?.(id);
    await audit(ctx, { action: 'inquiry.append', entity: 'property_inquiry', entityId: thread.id });
    await notifyParties(ctx, thread, { id, text, from: sideOf(user, thread) ?? 'buyer', first: false });
    return { id, at: ctx.now() };
  });
}
