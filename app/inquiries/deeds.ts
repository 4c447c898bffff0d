import { typedText } from '#app/sign-in/answer.ts';
import { blockUser, unblockUser } from '#features/inquiries/commands/block-user.ts';
import { markThreadRead } from '#features/inquiries/commands/mark-thread-read.ts';
import { replyInquiry } from '#features/inquiries/commands/reply-inquiry.ts';
import { reportInquiry } from '#features/inquiries/commands/report-inquiry.ts';
import { type InboxDeed, inboxDeeds } from '#features/inquiries/model.ts';
import { refusalText, reportText } from '#features/inquiries/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { BadRequest, TooManyRequests } from '#platform/errors.ts';

/** What a conversation was asked to do, and what came of it. */
export interface Done {
  deed: InboxDeed;
  /** what was typed, to show it again */
  typed: string;
  result: { ok: true; messageId?: string; at?: string } | { ok: false; text: string; status: number };
}

/**
 * Does in a conversation what a form of its page asks. A refusal and a reached limit come back in words, with what was
 * typed.
 * @throws BadRequest for an unknown deed; whatever the commands throw beside
 */
export async function actInInquiry(ctx: Ctx, inquiryId: string, form: FormData): Promise<Done> {
  const wish = typedText(form, 'do');
  const deed = inboxDeeds.find((known) => known === wish);
  if (!deed) throw new BadRequest('There is no such deed');
  const typed = typedText(form, deed === 'report' ? 'reason' : 'message');
  try {
    const result = await act(ctx, inquiryId, { deed, typed, key: typedText(form, 'key') });
    return { deed, typed, result };
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    return { deed, typed, result: { ok: false, text: error.message, status: error.status } };
  }
}

async function act(
  ctx: Ctx,
  inquiryId: string,
  { deed, typed, key }: { deed: InboxDeed; typed: string; key: string },
): Promise<Done['result']> {
  if (deed === 'reply') {
    if (!key || key.length > 100) throw new BadRequest('This message has no key');
    const sent = await replyInquiry(ctx, { inquiryId, message: typed, key });
    return sent.ok ? sent : { ok: false, text: refusalText[sent.reason], status: 422 };
  }
  if (deed === 'report') {
    const told = await reportInquiry(ctx, { inquiryId, reason: typed });
    return told.ok ? told : { ok: false, text: reportText[told.reason], status: 422 };
  }
  if (deed === 'read') await markThreadRead(ctx, inquiryId);
  else if (deed === 'block') await blockUser(ctx, inquiryId);
  else await unblockUser(ctx, inquiryId);
  return { ok: true };
}
