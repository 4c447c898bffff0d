import { createHash } from 'node:crypto';
import { discardUnnamed } from '#features/documents/discard-unnamed.ts';
import { replyInquiry } from '#features/inquiries/commands/reply-inquiry.ts';
import { thread } from '#features/inquiries/reads.ts';
import { refusalText } from '#features/inquiries/rules.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { visibleText } from '#platform/typed-text.ts';
import { uuidOf } from '#platform/uuid-of.ts';
import { messageFileLimits } from '../limits.ts';
import type { SendFileResult, SentFile } from '../model.ts';
import { fileRefusals, mayUseFiles } from '../rules.ts';
import { type StoredFile, storeFile } from '../store-file.ts';

interface SendFileInput {
  inquiryId: string;
  /** the name of the file where empty */
  message: string;
  /** null when none was chosen */
  file: SentFile | null;
  /** idempotency key of the form, so that sending it twice is one message; another file is another one */
  key: string;
}

/**
 * Sends the other side of a conversation a photo or a PDF file with a message, in one transaction with it. Must run outside of a
 * transaction.
 * @throws Unauthenticated; NotFound for a conversation of others; TooManyRequests; FileStoreError
 */
export async function sendFile(
  ctx: CtxWith<'files' | 'malware'>,
  { inquiryId, message, file: sent, key }: SendFileInput,
): Promise<SendFileResult> {
  const user = authorizedUser(ctx, mayUseFiles);
  if (!sent) return { ok: false, field: 'file', text: fileRefusals.none };
  const { reply } = await thread(ctx, inquiryId);
  if (!reply.allowed) return { ok: false, field: null, text: reply.text };
  await takeTokens(ctx, messageFileLimits.send, user.id);
  const stored = await storeFile(ctx, sent);
  if (!stored.ok) return { ok: false, field: 'file', text: fileRefusals[stored.reason] };
  const { file } = stored;
  let named = false;
  try {
    const result = await replyInquiry(ctx, {
      inquiryId,
      message: visibleText(message).trim() || file.name,
      key: uuidOf(`${key} ${createHash('sha256').update(sent.bytes).digest('hex')}`),
      attach: async (messageId) => {
        await insertFile(ctx, messageId, file);
        named = true;
      },
    });
    if (result.ok) return { ok: true, messageId: result.messageId };
    const field = result.reason === 'too_long' ? 'message' : null;
    return { ok: false, field, text: refusalText[result.reason] };
  } catch (error) {
    named = false;
    throw error;
  } finally {
    if (!named) await discardUnnamed(ctx, file);
  }
}

async function insertFile(ctx: CtxWith<'files'>, messageId: string, file: StoredFile): Promise<void> {
  await ctx.db
    .q()
    .insertInto('message_files')
    .values({
      message_id: messageId,
      file_key: file.key,
      name: file.name,
      kind: file.kind,
      byte_size: file.bytes,
      sha256: file.sha256,
      scan: file.scan,
      created_at: ctx.now(),
    })
    .execute();
}
