import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { inquiryLimits } from '../limits.ts';
import type { MessageNotice, NotificationKind } from '../model.ts';
import { mailOrHold } from '../notify-parties.ts';
import { type OwnConversation, ownConversation } from '../parties.ts';

interface InquiryNotificationInput {
  inquiryId: string;
  /** the message that the caller has sent; for an inquiry itself its own id */
  messageId: string;
  type: NotificationKind;
}

/**
 * Mails a message of the caller to the other party, unless that has been done: every message is mailed, or held for the
 * digest, when it is sent, so a repetition changes nothing. Makes up for a mail that was not wanted, or had no recipient,
 * at that time.
 * @throws Unauthenticated; NotFound for a conversation or message of others; TooManyRequests (30 a minute)
 */
export async function sendInquiryNotification(ctx: Ctx, input: InquiryNotificationInput): Promise<void> {
  const thread = await ownConversation(ctx, input.inquiryId);
  await takeTokens(ctx, inquiryLimits.notification, thread.user.id);
  await ctx.db.tx(async () => {
    // Serialised with new messages and with other calls about the same one.
    await ctx.db
      .q()
      .selectFrom('property_inquiries')
      .select('id')
      .where('id', '=', thread.id)
      .forUpdate()
      .execute();
    const sent = await (input.type === 'new_inquiry'
      ? findInquiry(thread, input.messageId)
      : findReply(ctx, thread, input.messageId));
    if (!sent) throw new NotFound();
    if (!sent.done) await mailOrHold(ctx, thread, sent.notice);
  });
}

/** A message of the caller; `done` when its recipient has read it or is told of it by the next digest. */
interface Sent {
  notice: MessageNotice;
  done: boolean;
}

function findInquiry({ id, side, firstText, openedAt }: OwnConversation, messageId: string): Sent | null {
  if (side !== 'buyer' || messageId !== id) return null;
  return { notice: { id, text: firstText, from: 'buyer', first: true }, done: openedAt !== null };
}

async function findReply(ctx: Ctx, thread: OwnConversation, messageId: string): Promise<Sent | null> {
  if (!isUuid(messageId)) return null;
  const row = await ctx.db
    .q()
    .selectFrom('inquiry_messages')
    .select(['id', 'message', 'is_read', 'awaits_digest'])
    .where('id', '=', messageId)
    .where('inquiry_id', '=', thread.id)
    .where('sender_id', '=', thread.user.id)
    .executeTakeFirst();
  if (!row) return null;
  return {
    notice: { id: row.id, text: row.message, from: thread.side, first: false },
    done: row.is_read || row.awaits_digest,
  };
}
