import type { Refusal, Submission } from '#app/actions/run-action.ts';
import { blockUser, unblockUser } from '#features/inquiries/commands/block-user.ts';
import { markThreadRead } from '#features/inquiries/commands/mark-thread-read.ts';
import { replyInquiry } from '#features/inquiries/commands/reply-inquiry.ts';
import { reportInquiry } from '#features/inquiries/commands/report-inquiry.ts';
import { type InboxAction, inboxActions } from '#features/inquiries/model.ts';
import { refusalText, reportText } from '#features/inquiries/rules.ts';
import { BadRequest } from '#platform/errors.ts';

/** What an action in a conversation has done. */
type Done = { ok: true; messageId?: string; at?: string };

/**
 * The intents of the forms of a conversation, for the inbox and for its scripts.
 * @param done how an action that was carried out is answered
 */
export const inquiryIntents = (
  inquiryId: string,
  done: (action: InboxAction, result: Done) => Response,
): Record<InboxAction, (submission: Submission) => Promise<Response | Refusal>> => {
  const intent = (action: InboxAction) => async (submission: Submission) => {
    const result = await perform[action](submission, inquiryId);
    return result.ok ? done(action, result) : result;
  };
  return Object.fromEntries(inboxActions.map((action) => [action, intent(action)])) as ReturnType<
    typeof inquiryIntents
  >;
};

type Perform = (submission: Submission, inquiryId: string) => Promise<Done | Refusal>;

const perform: Record<InboxAction, Perform> = {
  async reply({ ctx, text }, inquiryId) {
    const key = text('key');
    if (!key || key.length > 100) throw new BadRequest('This message has no key');
    const sent = await replyInquiry(ctx, { inquiryId, message: text('message'), key });
    return sent.ok ? sent : { ok: false, toast: refusalText[sent.reason] };
  },
  async report({ ctx, text }, inquiryId) {
    const reported = await reportInquiry(ctx, { inquiryId, reason: text('reason') });
    return reported.ok ? reported : { ok: false, toast: reportText[reported.reason] };
  },
  async read({ ctx }, inquiryId) {
    await markThreadRead(ctx, { inquiryId });
    return { ok: true };
  },
  async block({ ctx }, inquiryId) {
    await blockUser(ctx, { inquiryId });
    return { ok: true };
  },
  async unblock({ ctx }, inquiryId) {
    await unblockUser(ctx, { inquiryId });
    return { ok: true };
  },
};
