import { paths } from '#routing/paths.ts';
import { INTENT } from '#ui/action-data.ts';
import { postAndRead } from '#ui/post-and-read.ts';
import {
  type InboxAction,
  type InboxActionResult,
  type ReplyResult,
  SEND_FAILED,
  type Thread,
} from '../model.ts';

const TIMEOUT_MS = 15_000;

/** The result of sending a message with JavaScript. */
type SendResult = Extract<ReplyResult, { ok: true }> | { ok: false; text: string };

/**
 * Fetches a page of a conversation: the newest one, or the one before a cursor.
 * @throws Error if the request fails
 */
export async function fetchThread(inquiryId: string, before?: string): Promise<Thread> {
  const answer = await fetch(paths.inquiry(inquiryId, { before }), {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`The conversation answered ${answer.status}`);
  return (await answer.json()) as Thread;
}

/** Sends a message. Network failures are returned with a user-facing text, never thrown. */
export const sendReply = (inquiryId: string, message: string, key: string): Promise<SendResult> =>
  act<SendResult>(inquiryId, 'reply', { message, key });

/** Performs any other action in a conversation. */
export const postThreadAction = (
  inquiryId: string,
  action: Exclude<InboxAction, 'reply'>,
  fields: Record<string, string> = {},
): Promise<InboxActionResult> => act<InboxActionResult>(inquiryId, action, fields);

async function act<Result>(
  inquiryId: string,
  action: InboxAction,
  fields: Record<string, string>,
): Promise<Result | { ok: false; text: string }> {
  const answer = await postAndRead<Result | { error: string }>(
    paths.inquiry(inquiryId),
    new URLSearchParams({ [INTENT]: action, ...fields }),
    { signal: AbortSignal.timeout(TIMEOUT_MS) },
  );
  // No connection, a timeout, an error, or a proxy that returned something other than JSON.
  const result = answer?.body;
  if (typeof result === 'object' && result !== null && 'ok' in result) return result as Result;
  return { ok: false, text: SEND_FAILED };
}
