import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createDeflateRaw } from 'node:zlib';

/** A file in a ZIP archive, with its content as it comes. */
export interface ZipEntry {
  /** path in the archive, ASCII */
  name: string;
  content: AsyncIterable<string> | Iterable<string>;
}

/** What the archive's list of contents says of a file, in bytes. */
interface Written {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

const LOCAL_FILE = 0x04034b50;
const DATA_DESCRIPTOR = 0x08074b50;
const LISTED_FILE = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Sizes follow the content, since they are not known before it. */
const SIZES_FOLLOW = 0x0008;
const DEFLATED = 8;
const MOST_BYTES = 0xffff_ffff;
/** Repetitive text is as good as not larger than at higher levels, which take twice the time. */
const LEVEL = constants.Z_BEST_SPEED;

/**
 * A ZIP archive, streamed as its files are: nothing is read ahead of what is taken, and whoever stops reading stops the source.
 * @param at the time that the files bear, UTC
 * @throws RangeError beyond 4 GiB, which this format cannot hold
 */
export async function* zipFile(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  at: Date,
): AsyncGenerator<Uint8Array> {
  const files: Written[] = [];
  const time = dosTime(at);
  let offset = 0;
  for await (const { name, content } of entries) {
    const file: Written = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset };
    yield localHeader(file, time);
    for await (const piece of packed(content, file)) {
      file.packed += piece.length;
      yield piece;
    }
    yield numbers([DATA_DESCRIPTOR, 4], [file.crc, 4], [file.packed, 4], [file.size, 4]);
    offset += 30 + file.name.length + file.packed + 16;
    if (Math.max(file.size, offset) > MOST_BYTES) throw new RangeError(`${name} is too large for the archive`);
    files.push(file);
  }
  const list = Buffer.concat(files.map((file) => listed(file, time)));
  yield list;
  const count = files.length;
  yield numbers([END, 4], [0, 2], [0, 2], [count, 2], [count, 2], [list.length, 4], [offset, 4], [0, 2]);
}

/** The content compressed; its size and checksum are added up in `file`. */
async function* packed(content: ZipEntry['content'], file: Written): AsyncGenerator<Uint8Array> {
  async function* bytes() {
    for await (const text of content) {
      const piece = Buffer.from(text);
      file.crc = crc32(piece, file.crc);
      file.size += piece.length;
      yield piece;
    }
  }
  const deflate = createDeflateRaw({ level: LEVEL });
  const done = pipeline(Readable.from(bytes()), deflate);
  // A failure ends the loop below, too, and whoever leaves the loop early knows.
  done.catch(() => undefined);
  for await (const piece of deflate) yield piece;
  await done;
}

const localHeader = ({ name }: Written, time: readonly [number, number]): Buffer =>
  Buffer.concat([
    numbers([LOCAL_FILE, 4], [VERSION, 2], [SIZES_FOLLOW, 2], [DEFLATED, 2], [time[0], 2], [time[1], 2]),
    numbers([0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]),
    name,
  ]);

const listed = ({ name, crc, packed, size, offset }: Written, time: readonly [number, number]): Buffer =>
  Buffer.concat([
    numbers([LISTED_FILE, 4], [VERSION, 2], [VERSION, 2], [SIZES_FOLLOW, 2], [DEFLATED, 2]),
    numbers([time[0], 2], [time[1], 2], [crc, 4], [packed, 4], [size, 4], [name.length, 2]),
    numbers([0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
    name,
  ]);

/** Time and date as ZIP has them, to two seconds; the format begins with 1980. */
function dosTime(at: Date): [time: number, date: number] {
  const year = Math.max(0, at.getUTCFullYear() - 1980);
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return [time, (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()];
}

/** Unsigned little-endian numbers of two or four bytes. */
function numbers(...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}
