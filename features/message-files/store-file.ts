import { createHash, randomUUID } from 'node:crypto';
import { documentName, formatOf } from '#features/documents/document-format.ts';
import { receiveImage } from '#features/photos/store-upload.ts';
import { incomingFolder, receiveUpload } from '#gateways/files/uploads.ts';
import { HEAD_BYTES, isPicture } from '#gateways/images/limits.ts';
import { ImageRefused } from '#gateways/images/port.ts';
import { MalwareScanError } from '#gateways/malware/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { type FileKind, MAX_FILE_BYTES, type SendFileRefusal, type SentFile } from './model.ts';

/** A file in the private store that no row names yet. */
export interface StoredFile {
  key: string;
  name: string;
  kind: FileKind;
  bytes: number;
  sha256: string;
  scan: 'clean' | 'unchecked';
}

type Stored = { ok: true; file: StoredFile } | { ok: false; reason: SendFileRefusal };

/**
 * Checks a file by its contents, has it scanned and writes it to the private store, a photo encoded anew, so that nothing of where and
 * with what it was taken is left. A file that could not be scanned is refused, since it would be given to someone else right away.
 * @throws FileStoreError
 */
export async function storeFile(ctx: CtxWith<'files' | 'malware'>, sent: SentFile): Promise<Stored> {
  const { bytes } = sent;
  if (bytes.length === 0) return { ok: false, reason: 'none' };
  if (bytes.length > MAX_FILE_BYTES) return { ok: false, reason: 'too_large' };
  const kind = kindOf(bytes);
  if (!kind) return { ok: false, reason: 'format' };
  const scan = await scanned(ctx, bytes);
  if (scan === 'infected' || scan === 'unscanned') return { ok: false, reason: scan };
  const body = kind === 'photo' ? await encodedAnew(ctx, bytes) : bytes;
  if (!body) return { ok: false, reason: 'damaged' };
  const ending = kind === 'photo' ? 'webp' : 'pdf';
  const file: StoredFile = {
    key: `messages/${randomUUID()}.${ending}`,
    name: documentName(sent.name || kind, 'pdf').replace(/pdf$/, ending),
    kind,
    bytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
    scan,
  };
  await ctx.files.put({
    key: file.key,
    body,
    contentType: kind === 'photo' ? 'image/webp' : 'application/pdf',
    sha256: file.sha256,
    ifAbsent: true,
  });
  return { ok: true, file };
}

function kindOf(bytes: Uint8Array): FileKind | null {
  if (isPicture(bytes.subarray(0, HEAD_BYTES))) return 'photo';
  return formatOf(bytes) === 'pdf' ? 'pdf' : null;
}

async function scanned(
  ctx: CtxWith<'malware'>,
  bytes: Uint8Array,
): Promise<StoredFile['scan'] | 'infected' | 'unscanned'> {
  try {
    const found = await ctx.malware.scan(bytes);
    if (found.verdict === 'infected')
      ctx.log.warn({ threat: found.threat }, 'a file in a conversation contains malware');
    return found.verdict;
  } catch (error) {
    if (!(error instanceof MalwareScanError)) throw error;
    ctx.log.error({ err: error }, 'a file in a conversation could not be scanned');
    return 'unscanned';
  }
}

/** The largest rendition of a photo as WebP; null for one that cannot be read. */
async function encodedAnew(ctx: CtxWith<'files'>, bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    const body = new Blob([new Uint8Array(bytes)]).stream();
    const { image } = await receiveImage(() =>
      receiveUpload(incomingFolder(ctx.config), body, MAX_FILE_BYTES),
    );
    const webp = image.variants.filter(({ format }) => format === 'webp');
    return webp.reduce((best, one) => (one.width > best.width ? one : best)).bytes;
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    return null;
  }
}
