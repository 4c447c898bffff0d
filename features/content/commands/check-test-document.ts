import { createHash } from 'node:crypto';
import { ContentStoreError } from '#gateways/content/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { contentLimits } from '../limits.ts';
import type { CheckTestDocumentResult } from '../model.ts';
import { contentMessages, mayManageContent } from '../rules.ts';

/**
 * Fetches a test document back from the store and compares it with what was uploaded. Changes nothing.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound for anything but a test document; TooManyRequests
 */
export async function checkTestDocument(
  ctx: CtxWith<'content'>,
  documentId: string,
): Promise<CheckTestDocumentResult> {
  const user = authorizedUser(ctx, mayManageContent);
  if (!isUuid(documentId)) throw new NotFound('Document not found');
  const document = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select(['cid', 'sha256'])
    .where('id', '=', documentId)
    .where('is_test', '=', true)
    .executeTakeFirst();
  if (!document?.cid) throw new NotFound('Document not found');
  if (!ctx.content) return { ok: false, reason: 'not_configured', text: contentMessages.notConfigured };
  await takeTokens(ctx, contentLimits.trial, user.id);
  const start = performance.now();
  try {
    const bytes = await ctx.content.get(document.cid);
    if (!bytes) return failed('The store does not have this document.');
    if (createHash('sha256').update(bytes).digest('hex') !== document.sha256)
      return failed('The store gave back other bytes.');
    return { ok: true, bytes: bytes.length, milliseconds: Math.round(performance.now() - start) };
  } catch (error) {
    if (!(error instanceof ContentStoreError)) throw error;
    ctx.log.warn({ err: error }, 'a test document could not be fetched');
    return failed(error.message);
  }
}

const failed = (text: string): CheckTestDocumentResult => ({ ok: false, reason: 'failed', text });
