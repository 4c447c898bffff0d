import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

/** A file that somebody sent: on disk, so that many at once take no memory. */
export interface IncomingFile {
  readonly path: string;
  /** Quiet when it is gone already. */
  remove(): Promise<void>;
}

/** More was sent than allowed. */
export class IncomingTooLarge extends Error {
  override readonly name = 'IncomingTooLarge';
}

/** The sender stopped in the middle. */
export class IncomingBrokenOff extends Error {
  override readonly name = 'IncomingBrokenOff';
}

/**
 * Writes what is sent into a file of its own in `folder`.
 * @param body null for nothing at all: an empty file
 * @throws IncomingTooLarge beyond `maxBytes`, IncomingBrokenOff; then nothing stays
 */
export async function receiveFile(
  folder: string,
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<IncomingFile> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const remove = () => rm(path, { force: true });
  let size = 0;
  const count = new Transform({
    transform(piece: Buffer, _, done) {
      size += piece.length;
      done(size > maxBytes ? new IncomingTooLarge(`More than ${maxBytes} bytes were sent`) : null, piece);
    },
  });
  const source = body ? Readable.fromWeb(body as NodeReadableStream) : Readable.from([]);
  let broken: unknown;
  source.once('error', (error) => {
    broken = error;
  });
  try {
    await pipeline(source, count, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error === broken && broken !== undefined && !(error instanceof IncomingTooLarge)
      ? new IncomingBrokenOff('The sender stopped in the middle', { cause: error })
      : error;
  }
  return { path, remove };
}

/** Removes what a process left behind that ended in the middle: files older than `before`. */
export async function sweepIncoming(folder: string, before: Date): Promise<number> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  let swept = 0;
  for (const name of names) {
    const facts = await stat(join(folder, name)).catch(() => null);
    if (!facts?.isFile() || facts.mtime >= before) continue;
    await rm(join(folder, name), { force: true });
    swept += 1;
  }
  return swept;
}
