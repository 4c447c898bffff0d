import { createHash } from 'node:crypto';
import type { FileStore } from '#gateways/files/port.ts';
import { XLSX_TYPE } from '#platform/table-file/xlsx.ts';
import type { FileFormat } from './model.ts';

/** The file store takes a file as a whole, so a long one lies there in pieces of this many bytes. */
const PART_BYTES = 8 * 1024 * 1024;

const folderOf = (fileId: string) => `transactions/${fileId}/`;
const keyOf = (fileId: string, part: number, format: FileFormat) =>
  `${folderOf(fileId)}${String(part).padStart(6, '0')}.${format}`;
const contentTypes: Record<FileFormat, string> = {
  csv: 'text/csv',
  xlsx: XLSX_TYPE,
};

interface Stored {
  id: string;
  format: FileFormat;
}

/**
 * Writes a file in pieces, of which one at a time is in memory. Written again it replaces what was there.
 * @throws FileStoreError; what `signal` was aborted with
 */
export async function storeParts(
  files: FileStore,
  { id, format }: Stored,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ parts: number; bytes: number }> {
  let [parts, bytes, held] = [0, 0, 0];
  let pieces: Uint8Array[] = [];
  const store = async () => {
    signal.throwIfAborted();
    const body = Buffer.concat(pieces);
    await files.put({
      key: keyOf(id, parts, format),
      body,
      contentType: contentTypes[format],
      sha256: createHash('sha256').update(body).digest('hex'),
    });
    parts += 1;
    bytes += body.length;
    [pieces, held] = [[], 0];
  };
  for await (const piece of content) {
    pieces.push(piece);
    held += piece.length;
    if (held >= PART_BYTES) await store();
  }
  if (held > 0) await store();
  return { parts, bytes };
}

/**
 * The pieces of a file, one after the other.
 * @throws Error when one is missing; FileStoreError
 */
export async function* readParts(
  files: FileStore,
  { id, format, parts }: Stored & { parts: number },
): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < parts; part++) {
    const file = await files.get(keyOf(id, part, format));
    if (!file) throw new Error(`Piece ${part} of the file ${id} is missing`);
    yield* file.body;
  }
}

/** Deletes whatever there is of a file. */
export async function deleteParts(files: FileStore, fileId: string): Promise<void> {
  for (;;) {
    const { keys, next } = await files.list(folderOf(fileId));
    for (const key of keys) await files.delete(key);
    if (next === undefined) return;
  }
}
