import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { visibleText } from '#platform/typed-text.ts';
import { appendMessage, findSentMessage } from '../append-message.ts';
import { inquiryLimits } from '../limits.ts';
import { MESSAGE_LIMIT, type ReplyResult } from '../model.ts';
import { ownConversation } from '../parties.ts';
import { replyRefusal } from '../rules.ts';

interface ReplyInput {
  inquiryId: string;
  message: string;
  /** idempotency key: the same when the same message is sent again */
  key: string;
  /** what is stored with the message, in its transaction; not called for one that was sent before */
  attach?: (messageId: string) => Promise<void>;
}

/**
 * Adds a message of the signed-in user to a conversation: trimmed, at most 4,000 characters. Repeated with the same
 * key it is the first message, and nothing changes; another text is another message, whatever its key.
 * @throws Unauthenticated; NotFound for a conversation of others; TooManyRequests (30 a minute, 500 a day)
 */
export async function replyInquiry(ctx: Ctx, input: ReplyInput): Promise<ReplyResult> {
  const thread = await ownConversation(ctx, input.inquiryId);
  const { user } = thread;
  const text = visibleText(input.message).trim();
  if (!text) return { ok: false, reason: 'empty' };
  if (text.length > MESSAGE_LIMIT) return { ok: false, reason: 'too_long' };
  const before = await findSentMessage(ctx, thread.id, user.id, { text, key: input.key });
  if (before) return { ok: true, messageId: before.id, at: before.created_at.toISOString() };
  const reason = replyRefusal(user, thread);
  if (reason) return { ok: false, reason };
  await takeTokens(ctx, inquiryLimits.reply, user.id);
  const { id, at } = await appendMessage(ctx, user, thread, { text, key: input.key, attach: input.attach });
  return { ok: true, messageId: id, at: at.toISOString() };
}
