import { paths } from '#app/paths.ts';
import { type DeedResult, type InboxDeed, type ReplyResult, SEND_FAILED, type Thread } from '../model.ts';

const LONGEST_WAIT_MS = 15_000;

/** What the server made of a message that scripts sent. */
export type SendResult = Extract<ReplyResult, { ok: true }> | { ok: false; text: string };

/**
 * A page of a conversation: the newest one, or the one before a cursor.
 * @throws Error when no good answer comes
 */
export async function askThread(inquiryId: string, before?: string): Promise<Thread> {
  const answer = await fetch(paths.inquiry(inquiryId, { before }), {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  });
  if (!answer.ok) throw new Error(`The conversation answered ${answer.status}`);
  return (await answer.json()) as Thread;
}

/** Sends a message. Whatever goes wrong on the way is told in the product's words, never thrown (S0 §8). */
export const sendReply = (inquiryId: string, message: string, key: string): Promise<SendResult> =>
  post<SendResult>(inquiryId, 'reply', { message, key });

/** Does something else in a conversation. */
export const actInThread = (
  inquiryId: string,
  deed: Exclude<InboxDeed, 'reply'>,
  fields: Record<string, string> = {},
): Promise<DeedResult> => post<DeedResult>(inquiryId, deed, fields);

async function post<Result>(
  inquiryId: string,
  deed: InboxDeed,
  fields: Record<string, string>,
): Promise<Result | { ok: false; text: string }> {
  try {
    const answer = await fetch(paths.inquiry(inquiryId), {
      method: 'POST',
      body: new URLSearchParams({ do: deed, ...fields }),
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(LONGEST_WAIT_MS),
    });
    const result = (await answer.json()) as Result | { error: string };
    if (typeof result === 'object' && result !== null && 'ok' in result) return result as Result;
    return { ok: false, text: SEND_FAILED };
  } catch {
    // No connection, no time left, or something between here and the server answered in its place.
    return { ok: false, text: SEND_FAILED };
  }
}
