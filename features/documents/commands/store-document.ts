import { createHash, randomUUID } from 'node:crypto';
import { MalwareScanError } from '#gateways/malware/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { contentTypes, documentName, formatOf } from '../document-format.ts';
import { documentLimits } from '../limits.ts';
import { MAX_DOCUMENT_BYTES, type StoreDocumentResult, type StoredDocument } from '../model.ts';
import { documentRefusals, mayManageDocuments } from '../rules.ts';

/**
 * Checks an uploaded document by its contents, has it scanned, and writes it to the private store. Nothing names it yet: see
 * `registerDocument`, and `discardDocument` when that does not happen. Must run outside of a transaction.
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests; FileStoreError
 */
export async function storeDocument(
  ctx: CtxWith<'files' | 'malware'>,
  { bytes, name }: { bytes: Uint8Array; name: string },
): Promise<StoreDocumentResult> {
  const user = authorizedUser(ctx, mayManageDocuments);
  await takeTokens(ctx, documentLimits.upload, user.id);
  if (bytes.length === 0) return refused('empty');
  if (bytes.length > MAX_DOCUMENT_BYTES) return refused('too_large');
  const format = formatOf(bytes);
  if (!format) return refused('format');
  const scan = await scanned(ctx, bytes);
  if (scan === 'infected') return refused('infected');
  const document: StoredDocument = {
    key: `documents/${randomUUID()}.${format}`,
    name: documentName(name, format),
    contentType: contentTypes[format],
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    scan,
  };
  await ctx.files.put({
    key: document.key,
    body: bytes,
    contentType: document.contentType,
    sha256: document.sha256,
    ifAbsent: true,
  });
  return { ok: true, document };
}

/** A scanner that does not answer keeps nobody from saving; the document is held until one has. */
async function scanned(
  ctx: CtxWith<'malware'>,
  bytes: Uint8Array,
): Promise<StoredDocument['scan'] | 'infected'> {
  try {
    const found = await ctx.malware.scan(bytes);
    if (found.verdict === 'infected') ctx.log.warn({ threat: found.threat }, 'an upload contains malware');
    return found.verdict;
  } catch (error) {
    if (!(error instanceof MalwareScanError)) throw error;
    ctx.log.error({ err: error }, 'a document could not be scanned and is held');
    return 'held';
  }
}

const refused = (reason: keyof typeof documentRefusals): StoreDocumentResult => ({
  ok: false,
  reason,
  text: documentRefusals[reason],
});

/**
 * Deletes a stored document that was not registered.
 * @throws Unauthenticated, Forbidden for everyone but administrators; FileStoreError
 */
export async function discardDocument(ctx: CtxWith<'files'>, document: StoredDocument): Promise<void> {
  authorizedUser(ctx, mayManageDocuments);
  await ctx.files.delete(document.key);
}
