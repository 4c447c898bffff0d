import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mailMessage } from './mails.ts';
import type { MessageNotice } from './model.ts';
import type { Conversation } from './parties.ts';

/** Sends both parties a live event about a new message, and mails the other party; within the current transaction. */
export async function notifyParties(ctx: Ctx, thread: Conversation, notice: MessageNotice): Promise<void> {
  const { buyer, seller } = thread;
  const [own, other] = notice.from === 'buyer' ? [buyer.id, seller.userId] : [seller.userId, buyer.id];
  const payload = { inquiry: thread.id, message: notice.id, first: notice.first };
  if (own) await publishToUser(ctx, own, 'inquiry.message', { ...payload, mine: true });
  if (!other) return;
  await publishToUser(ctx, other, 'inquiry.message', { ...payload, mine: false });
  const { wanted, behind } = await recipientState(ctx, thread, other, notice);
  if (!wanted) return;
  if (!behind) await mailMessage(ctx, thread, notice, other);
  else
    await ctx.db
      .q()
      .updateTable('inquiry_messages')
      .set({ awaits_digest: true })
      .where('id', '=', notice.id)
      .execute();
}

export const publishToUser = (ctx: Ctx, userId: string, type: string, payload: Record<string, unknown>) =>
  publish(ctx, { audience: `user:${userId}`, type, payload });

/** Whether a user wants mails about messages, and whether an earlier message of this conversation is still unread. */
async function recipientState(ctx: Ctx, thread: Conversation, userId: string, notice: MessageNotice) {
  const { rows } = await sql<{ wanted: boolean; behind: boolean }>`select
    coalesce((select mail_messages from notification_preferences where user_id = ${userId}), true) as wanted,
    ${!notice.first} and (exists (select from inquiry_messages m where m.inquiry_id = ${thread.id} and not m.is_read
      and m.sender_id <> ${userId} and m.id <> ${notice.id})
      or ${notice.from === 'buyer'} and exists (select from property_inquiries i
        where i.id = ${thread.id} and i.opened_at is null)) as behind`.execute(ctx.db.q());
  return rows[0] ?? { wanted: false, behind: false };
}
