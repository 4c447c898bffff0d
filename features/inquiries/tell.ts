import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mailMessage } from './mails.ts';
import type { Side } from './model.ts';
import type { Conversation } from './parties.ts';

export interface Told {
  /** the message, or the inquiry for its first text */
  id: string;
  text: string;
  from: Side;
  first: boolean;
}

/** Tells both parties' open pages, and the other one by mail, of a new text; in the running transaction (B-053, B-060). */
export async function tellOther(ctx: Ctx, thread: Conversation, told: Told): Promise<void> {
  const { buyer, seller } = thread;
  const [own, other] = told.from === 'buyer' ? [buyer.id, seller.userId] : [seller.userId, buyer.id];
  const payload = { inquiry: thread.id, message: told.id, first: told.first };
  if (own) await publishTo(ctx, own, 'inquiry.message', { ...payload, mine: true });
  if (!other) return;
  await publishTo(ctx, other, 'inquiry.message', { ...payload, mine: false });
  const { wanted, behind } = await readerOf(ctx, thread, other, told);
  if (!wanted) return;
  if (!behind) await mailMessage(ctx, thread, told, other);
  else
    await ctx.db
      .q()
      .updateTable('inquiry_messages')
      .set({ awaits_digest: true })
      .where('id', '=', told.id)
      .execute();
}

export const publishTo = (ctx: Ctx, userId: string, type: string, payload: Record<string, unknown>) =>
  publish(ctx, { audience: `user:${userId}`, type, payload });

/** Whether somebody wants mails about messages, and has an earlier text of this conversation still to read. */
async function readerOf(ctx: Ctx, thread: Conversation, userId: string, told: Told) {
  const { rows } = await sql<{ wanted: boolean; behind: boolean }>`select
    coalesce((select mail_messages from notification_preferences where user_id = ${userId}), true) as wanted,
    ${!told.first} and (exists (select from inquiry_messages m where m.inquiry_id = ${thread.id} and not m.is_read
      and m.sender_id <> ${userId} and m.id <> ${told.id})
      or ${told.from === 'buyer'} and exists (select from property_inquiries i
        where i.id = ${thread.id} and i.opened_at is null)) as behind`.execute(ctx.db.q());
  return rows[0] ?? { wanted: false, behind: false };
}
