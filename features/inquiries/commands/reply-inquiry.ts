import type { Ctx } from '#platform/context.ts';
import { limits, takeTokens } from '#platform/limits.ts';
import { appendMessage, sentBefore } from '../append.ts';
import { MESSAGE_LIMIT, type ReplyResult } from '../model.ts';
import { ownConversation } from '../parties.ts';
import { replyRefusal } from '../rules.ts';

export interface ReplyInput {
  inquiryId: string;
  message: string;
  /** made once for each text that is sent, and the same when it is tried again */
  key: string;
}

/**
 * Writes in a conversation, as whoever is signed in (B-052): trimmed, at most 4,000 characters. Trying again with the
 * same key finds the message of the first time and changes nothing.
 * @throws Unauthenticated; NotFound for a conversation of others; TooManyRequests (30 a minute, 500 a day)
 */
export async function replyInquiry(ctx: Ctx, input: ReplyInput): Promise<ReplyResult> {
  const thread = await ownConversation(ctx, input.inquiryId);
  const { user } = thread;
  const text = input.message.trim();
  if (!text) return { ok: false, reason: 'empty' };
  if (text.length > MESSAGE_LIMIT) return { ok: false, reason: 'too_long' };
  const before = await sentBefore(ctx, thread.id, user.id, input.key);
  if (before) return { ok: true, messageId: before.id, at: before.created_at.toISOString() };
  const reason = replyRefusal(user, thread);
  if (reason) return { ok: false, reason };
  await takeTokens(ctx, limits.reply, user.id);
  const { id, at } = await appendMessage(ctx, user, thread, { text, key: input.key });
  return { ok: true, messageId: id, at: at.toISOString() };
}
