import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants } from 'node:zlib';
import { ZipFile } from 'yazl';

/** A file in a ZIP archive, with its content as it comes. */
export interface ZipEntry {
  /** path in the archive */
  name: string;
  content: AsyncIterable<string> | Iterable<string>;
}

/** The markup of a sheet is so repetitive that higher levels hardly make it smaller, and take twice the time. */
const LEVEL = constants.Z_BEST_SPEED;

/**
 * A ZIP archive, streamed as its files are: little is read ahead of what is taken, and whoever stops reading stops the source.
 * @param entries the next file is asked for when the one before has been read to its end
 * @param at the time that the files bear
 */
export async function* zipFile(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  at: Date,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  // Its type says less of it than its documentation.
  const output = zip.outputStream as PassThrough;
  let source: Readable | undefined;
  const fail = (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  const filled = (async () => {
    for await (const { name, content } of entries) {
      source = Readable.from(content);
      zip.addReadStream(source, name, { mtime: at, compressionLevel: LEVEL });
      await finished(source);
    }
    zip.end();
  })().catch(fail);
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    source?.destroy();
    await filled;
  }
}
