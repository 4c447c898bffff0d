import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileStore } from '#gateways/files/port.ts';
import { incomingFolder, type UploadedFile } from '#gateways/files/uploads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { isUuid } from '#platform/uuid.ts';

/** The file store takes a file as a whole, so a long one is there in pieces of this many bytes. */
const PART_BYTES = 8 * 1024 * 1024;

const FOLDER = 'imports/';
const folderOf = (importId: string) => `${FOLDER}${importId}/`;
const keyOf = (importId: string, part: number) => `${folderOf(importId)}${String(part).padStart(4, '0')}.txt`;

/**
 * Writes an uploaded file of listings to the private file store, of which one piece at a time is in memory.
 * @returns the number of pieces
 * @throws FileStoreError
 */
export async function storeImportFile(files: FileStore, importId: string, path: string): Promise<number> {
  let parts = 0;
  for await (const piece of createReadStream(path, { highWaterMark: PART_BYTES })) {
    const body = piece as Buffer;
    await files.put({
      key: keyOf(importId, parts),
      body,
      contentType: 'text/plain',
      sha256: createHash('sha256').update(body).digest('hex'),
    });
    parts += 1;
  }
  return parts;
}

/** The file of an import is no longer there. */
export class ImportFileGone extends Error {
  override readonly name = 'ImportFileGone';
}

/**
 * Copies the file of an import to this machine, where it is read several times.
 * @throws ImportFileGone; FileStoreError
 */
export async function openImportFile(
  { files, config }: CtxWith<'files'>,
  { importId, parts, name }: { importId: string; parts: number; name: string },
): Promise<UploadedFile> {
  if (parts === 0) throw new ImportFileGone(`The import ${importId} has no file`);
  const folder = incomingFolder(config);
  await mkdir(folder, { recursive: true });
  // The audit log names it.
  const path = join(folder, `${randomUUID()}-${name.replace(/[^\w.-]+/g, '-').slice(-80)}`);
  const remove = () => rm(path, { force: true });
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let part = 0; part < parts; part += 1) {
      const file = await files.get(keyOf(importId, part));
      if (!file) throw new ImportFileGone(`Piece ${part} of the import ${importId} is missing`);
      yield* file.body;
    }
  }
  try {
    await pipeline(Readable.from(pieces()), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

/**
 * The imports that the file store has files of.
 * @throws FileStoreError
 */
export async function importsWithFiles(files: FileStore): Promise<string[]> {
  const imports = new Set<string>();
  let after: string | undefined;
  do {
    const { keys, next } = await files.list(FOLDER, after === undefined ? {} : { after });
    for (const key of keys) imports.add(key.slice(FOLDER.length).split('/')[0] ?? '');
    after = next;
  } while (after !== undefined);
  return [...imports].filter(isUuid);
}

/**
 * Deletes whatever there is of the file of an import.
 * @throws FileStoreError
 */
export async function deleteImportFile(files: FileStore, importId: string): Promise<void> {
  for (;;) {
    const { keys, next } = await files.list(folderOf(importId));
    for (const key of keys) await files.delete(key);
    if (next === undefined) return;
  }
}
