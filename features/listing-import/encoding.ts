import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { asUnusableFile, UnusableFile } from './unusable-file.ts';

/** How the text of a file is stored. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const HEAD_BYTES = 4096;
const PIECE_BYTES = 1024 * 1024;

/**
 * Finds out how a file's text is stored, by its byte order mark, its zeros, or, reading all of it, by whether it is UTF-8.
 * @throws UnusableFile for a folder, an empty file, a workbook, an archive and whatever else is not text
 */
export async function detectEncoding(path: string): Promise<Encoding> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new UnusableFile(`${path} is a folder, not a file.`);
    if (!found.isFile()) throw new UnusableFile(`${path} is not a regular file.`);
    const byHead = encodingOfHead(await readHead(path));
    return byHead ?? (await encodingOfBytes(path));
  } catch (error) {
    throw asUnusableFile(error, path);
  }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Beginnings of files that are met instead of a text, with what helps. */
const signatures: readonly [bytes: readonly number[], reason: string][] = [
  [
    [0x50, 0x4b, 3, 4],
    'The file is a workbook or an archive, not a CSV file: save it as "CSV UTF-8", or unpack it.',
  ],
  [[0xd0, 0xcf, 0x11, 0xe0], 'The file is a workbook or an archive, not a CSV file: save it as "CSV UTF-8".'],
  [[0x1f, 0x8b], 'The file is compressed (gzip): unpack it.'],
  [[0x25, 0x50, 0x44, 0x46], 'The file is a PDF document, not a list of listings.'],
];

function encodingOfHead(bytes: Buffer): Encoding | null {
  const starts = (wanted: readonly number[]) => wanted.every((byte, index) => bytes[index] === byte);
  const hasMark = starts([0xef, 0xbb, 0xbf]);
  if (bytes.length === 0 || (hasMark && bytes.length === 3)) throw new UnusableFile('The file is empty.');
  const known = signatures.find(([signature]) => starts(signature));
  if (known) throw new UnusableFile(known[1]);
  if (starts([0xff, 0xfe])) return 'utf-16le';
  if (starts([0xfe, 0xff])) return 'utf-16be';
  const byZeros = encodingOfZeros(bytes);
  if (byZeros) return byZeros;
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(bytes.toString('latin1', hasMark ? 3 : 0, 200)))
    throw new UnusableFile('The file is a web page or XML, not a CSV or JSON file.');
  return null;
}

/** UTF-16 without a byte order mark: every second byte of its first line is zero. */
function encodingOfZeros(bytes: Buffer): Encoding | null {
  const end = bytes.findIndex((byte) => byte === 10 || byte === 13);
  const line = end === -1 ? bytes : bytes.subarray(0, end + 2);
  let [even, odd] = [0, 0];
  line.forEach((byte, index) => {
    if (byte !== 0) return;
    if (index % 2 === 0) even++;
    else odd++;
  });
  if (even + odd === 0) return null;
  const [many, few] = [line.length * 0.4, line.length * 0.1];
  if (odd >= many && even <= few && line.length >= 4) return 'utf-16le';
  if (even >= many && odd <= few && line.length >= 4) return 'utf-16be';
  throw new UnusableFile('The file is not text: its first line contains NUL bytes.');
}

/** UTF-8 when the bytes are, or mostly are; otherwise Windows-1252, the encoding of older spreadsheets. */
async function encodingOfBytes(path: string): Promise<Encoding> {
  let carried: Buffer = Buffer.alloc(0);
  let [valid, invalid] = [0, 0];
  let isJson: boolean | null = null;
  const pieces = createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>;
  for await (const piece of pieces) {
    isJson ??= /^[\ufeff\s]*[[{]/.test(piece.toString('utf8', 0, 100));
    // No line of a table is so long: reading it says where.
    if (!isJson && piece.length === PIECE_BYTES && !piece.includes(10) && !piece.includes(13)) break;
    const bytes = carried.length ? Buffer.concat([carried, piece]) : piece;
    const end = wholeCharacters(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) {
      const counts = countCharacters(whole);
      valid += counts.valid;
      invalid += counts.invalid;
    } else if (invalid > 0 || valid === 0) {
      valid += countCharacters(whole).valid;
    }
    carried = Buffer.from(bytes.subarray(end));
  }
  if (carried.length > 0) invalid++;
  return invalid > valid ? 'windows-1252' : 'utf-8';
}

/** Length of the bytes without a character that may go on in the next piece. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return bytes.length - back;
  }
  return bytes.length;
}

/** Counts the characters of several bytes, and the bytes that are none. */
function countCharacters(bytes: Buffer): { valid: number; invalid: number } {
  let [valid, invalid] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    const more = byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0;
    let following = 0;
    while (following < more && ((bytes[at + following + 1] ?? 0) & 0xc0) === 0x80) following++;
    if (more > 0 && byte < 0xf5 && following === more) {
      valid++;
      at += more;
    } else invalid++;
  }
  return { valid, invalid };
}

/**
 * Streams a file's bytes as UTF-8 without a byte order mark; bytes that are no character become U+FFFD where they are decoded.
 * @throws UnusableFile when the file cannot be read
 */
export async function* readUtf8(path: string, encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = encoding === 'utf-8' ? null : new TextDecoder(encoding);
  let isFirst = true;
  try {
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      const bytes = decoder ? Buffer.from(decoder.decode(piece, { stream: true })) : piece;
      const hasMark = isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
      yield hasMark ? bytes.subarray(3) : bytes;
      isFirst = false;
    }
    const rest = decoder?.decode();
    if (rest) yield Buffer.from(rest);
  } catch (error) {
    throw asUnusableFile(error, path);
  }
}
