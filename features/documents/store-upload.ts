import { createHash, randomUUID } from 'node:crypto';
import { fileCid } from '#gateways/content/cid.ts';
import { MalwareScanError } from '#gateways/malware/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { contentTypes, documentName, formatOf } from './document-format.ts';
import { documentLimits } from './limits.ts';
import { MAX_DOCUMENT_BYTES, type StoreDocumentResult, type StoredDocument } from './model.ts';
import { documentRefusals } from './rules.ts';

/** A file as it was uploaded. */
export interface UploadedFile {
  name: string;
  bytes: Uint8Array;
}

/**
 * Checks an uploaded document by its contents, has it scanned, and writes it to the private store. Nothing names it yet: see
 * `insertDocument`, and `discardUnnamed` when that does not happen. Must run outside of a transaction. Whoever calls this has decided
 * that the user may upload it.
 * @throws TooManyRequests; FileStoreError
 */
export async function storeUpload(
  ctx: CtxWith<'files' | 'malware'>,
  { bytes, name }: UploadedFile,
  userId: string,
): Promise<StoreDocumentResult> {
  await takeTokens(ctx, documentLimits.upload, userId);
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
    cid: fileCid(bytes, ctx.config.content.profile),
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
