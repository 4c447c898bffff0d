import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mailMessage, mailUnregisteredSeller } from './mails.ts';
import type { MessageNotice } from './model.ts';
import type { Conversation } from './parties.ts';

/** Sends both parties a live event about a new message, and mails the other party; within the current transaction. */
export async function notifyParties(ctx: Ctx, thread: Conversation, notice: MessageNotice): Promise<void> {
  const { buyer, seller } = thread;
  const [own, other] = notice.from === 'buyer' ? [buyer.id, seller.userId] : [seller.userId, buyer.id];
  const payload = { inquiry: thread.id, message: notice.id, first: notice.first };
  if (own) await publishToUser(ctx, own, 'inquiry.message', { ...payload, mine: true });
  if (other) await publishToUser(ctx, other, 'inquiry.message', { ...payload, mine: false });
  const held = await mailOrHold(ctx, thread, notice);
  if (held)
    await ctx.db
      .q()
      .updateTable('inquiry_messages')
      .set({ awaits_digest: true })
      .where('id', '=', notice.id)
      .execute();
}

export const publishToUser = (ctx: Ctx, userId: string, type: string, payload: Record<string, unknown>) =>
  publish(ctx, { audience: `user:${userId}`, type, payload });

/**
 * Mails a message to the other party, at most once for each message, if they want such mails. A seller who has not registered
 * is mailed the first message of a conversation, with a link to register.
 * @returns true for a message that is left to the digest, because an earlier one is still unread
 */
export async function mailOrHold(ctx: Ctx, thread: Conversation, notice: MessageNotice): Promise<boolean> {
  const other = notice.from === 'buyer' ? thread.seller.userId : thread.buyer.id;
  if (other === null) {
    if (notice.first) await mailUnregisteredSeller(ctx, thread, notice);
    return !notice.first;
  }
  const { wanted, behind } = await recipientState(ctx, thread, other, notice);
  if (wanted && !behind) await mailMessage(ctx, thread, notice, other);
  return wanted && behind;
}

/** Whether a user wants mails about messages, and whether an earlier message of this conversation is still unread. */
async function recipientState(ctx: Ctx, thread: Conversation, userId: string, notice: MessageNotice) {
  const { rows } = await sql<{ wanted: boolean; behind: boolean }>`select
    coalesce((select mail_messages from notification_preferences where user_id = ${userId}), true) as wanted,
    ${!notice.first} and (exists (select from inquiry_messages m where m.inquiry_id = ${thread.id} and not m.is_read
      and m.sender_id ${sql.raw(notice.from === 'buyer' ? '=' : '<>')} ${thread.buyer.id} and m.id <> ${notice.id})
      or ${notice.from === 'buyer'} and exists (select from property_inquiries i
        where i.id = ${thread.id} and i.opened_at is null)) as behind`.execute(ctx.db.q());
  return rows[0] ?? { wanted: false, behind: false };
}
