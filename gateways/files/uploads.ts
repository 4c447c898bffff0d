import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, type Stream, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Config } from '#platform/config.ts';

/** An uploaded file, kept on disk so that many uploads at once need no memory. */
export interface UploadedFile {
  readonly path: string;
  /** Does nothing when the file is already gone. */
  remove(): Promise<void>;
}

/** The upload exceeds the size limit. */
export class UploadTooLarge extends Error {
  override readonly name = 'UploadTooLarge';
}

/** The client aborted the upload. */
export class UploadAborted extends Error {
  override readonly name = 'UploadAborted';
}

/** Where uploads are stored until they are processed. */
export const incomingFolder = (config: Pick<Config, 'dataDir'>): string => join(config.dataDir, 'incoming');

/**
 * Writes an upload to a new file in `folder`.
 * @param body null for an empty file
 * @throws UploadTooLarge beyond `maxBytes`, UploadAborted; whatever keeps the file from being written. Nothing is left on disk
 */
export async function receiveUpload(
  folder: string,
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<UploadedFile> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const remove = () => rm(path, { force: true });
  let size = 0;
  const count = new Transform({
    transform(piece: Buffer, _, done) {
      size += piece.length;
      done(size > maxBytes ? new UploadTooLarge(`More than ${maxBytes} bytes were sent`) : null, piece);
    },
  });
  const source = body ? Readable.fromWeb(body as NodeReadableStream) : Readable.from([]);
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  // The one that fails first ends the others with its own error.
  let failed: Stream | undefined;
  for (const stage of [source, count, target])
    stage.once('error', () => {
      failed ??= stage;
    });
  try {
    await pipeline(source, count, target);
  } catch (error) {
    await remove();
    throw failed === source ? new UploadAborted('The sender stopped in the middle', { cause: error }) : error;
  }
  return { path, remove };
}

/** Removes uploads left behind by a process that died: files older than `before`. Returns how many. */
export async function removeStaleUploads(folder: string, before: Date): Promise<number> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  let removed = 0;
  for (const name of names) {
    const stats = await stat(join(folder, name)).catch(() => null);
    if (!stats?.isFile() || stats.mtime >= before) continue;
    await rm(join(folder, name), { force: true });
    removed += 1;
  }
  return removed;
}
