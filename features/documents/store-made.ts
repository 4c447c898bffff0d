import { createHash } from 'node:crypto';
import type { CtxWith } from '#gateways/ports.ts';
import { uuidOf } from '#platform/uuid-of.ts';
import { contentTypes } from './document-format.ts';
import type { StoredDocument } from './model.ts';

/**
 * Writes a document that we made to the private store. The key follows from what it is about and from its bytes: whoever makes it
 * again after a crash writes the same file. Nothing of it came from outside, so there is nothing to scan. See `insertDocument`.
 * @param input.subject what it is about, such as the kind and the sale
 * @throws FileStoreError
 */
export async function storeMade(
  ctx: CtxWith<'files'>,
  { subject, name, bytes }: { subject: string; name: string; bytes: Uint8Array },
): Promise<StoredDocument> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const document: StoredDocument = {
    key: `documents/${uuidOf(`${subject} ${sha256}`)}.pdf`,
    name,
    contentType: contentTypes.pdf,
    bytes: bytes.length,
    sha256,
    scan: 'clean',
  };
  await ctx.files.put({ key: document.key, body: bytes, contentType: document.contentType, sha256 });
  return document;
}
