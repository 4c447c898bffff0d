import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { FileStoreError } from './port.ts';

/** A key of 32 bytes; files name by its id which one they need. */
export interface SealingKey {
  id: string;
  bytes: Buffer;
}

/*
 * A sealed file: a header, a segment that says what the plain file is, then the file in segments of 64 KiB, so that a range can be read
 * without the rest. Each segment is sealed by AES-256-GCM on its own: its number is its nonce, under a key of this file alone, which is
 * derived from the configured key, a random salt and the file's key in the store. So a segment cannot be moved, nor a file put in
 * another's place; the size is sealed with the digest, so that nothing can be cut off unnoticed.
 */
const MAGIC = Buffer.from('ACRESEAL1\n');
const KEY_ID_BYTES = 4;
const SALT_BYTES = 32;
const TAG_BYTES = 16;
/** The plain file's digest and size. */
const ABOUT_BYTES = 32 + 8;
export const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + SALT_BYTES + ABOUT_BYTES + TAG_BYTES;
const SEGMENT_BYTES = 64 * 1024;
const SEALED_SEGMENT_BYTES = SEGMENT_BYTES + TAG_BYTES;

/** Whether a file begins as a sealed one does. */
export const isSealed = (start: Uint8Array): boolean =>
  start.length >= MAGIC.length && MAGIC.equals(start.subarray(0, MAGIC.length));

/** A plain file as it is stored. */
export function seal(
  plain: Uint8Array,
  { key, fileKey, sha256 }: { key: SealingKey; fileKey: string; sha256: string },
): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const secret = secretOf(key, salt, fileKey);
  const about = Buffer.alloc(ABOUT_BYTES);
  about.write(sha256, 'hex');
  about.writeBigUInt64BE(BigInt(plain.length), 32);
  const segments = [sealSegment(secret, 0, about)];
  for (let at = 0, index = 1; at < plain.length; at += SEGMENT_BYTES, index += 1)
    segments.push(sealSegment(secret, index, plain.subarray(at, at + SEGMENT_BYTES)));
  return Buffer.concat([MAGIC, Buffer.from(key.id, 'hex'), salt, ...segments]);
}

/** What the header of a sealed file says, and how its segments are opened. */
export class SealedFile {
  /** of the plain file, in bytes */
  readonly size: number;
  readonly sha256: string;
  readonly #secret: Buffer;
  readonly #fileKey: string;

  /**
   * @param header the first `HEADER_BYTES`
   * @throws FileStoreError `refused` when its key is not among those given, or it was changed
   */
  constructor(header: Uint8Array, { keys, fileKey }: { keys: readonly SealingKey[]; fileKey: string }) {
    const bytes = Buffer.from(header);
    const id = bytes.subarray(MAGIC.length, MAGIC.length + KEY_ID_BYTES).toString('hex');
    const key = keys.find((one) => one.id === id);
    if (!key) throw missingKey(fileKey, keys.length > 0);
    const salt = bytes.subarray(MAGIC.length + KEY_ID_BYTES, MAGIC.length + KEY_ID_BYTES + SALT_BYTES);
    this.#fileKey = fileKey;
    this.#secret = secretOf(key, salt, fileKey);
    const about = this.#open(0, bytes.subarray(MAGIC.length + KEY_ID_BYTES + SALT_BYTES));
    this.sha256 = about.subarray(0, 32).toString('hex');
    this.size = Number(about.readBigUInt64BE(32));
  }

  /** Which bytes of the stored file hold those from `start` to `end` of the plain one, both inclusive. */
  storedRange(start: number, end: number): { start: number; end: number } {
    const [first, last] = [Math.floor(start / SEGMENT_BYTES), Math.floor(end / SEGMENT_BYTES)];
    const size = HEADER_BYTES + this.size + Math.ceil(this.size / SEGMENT_BYTES) * TAG_BYTES;
    return {
      start: HEADER_BYTES + first * SEALED_SEGMENT_BYTES,
      end: Math.min(HEADER_BYTES + (last + 1) * SEALED_SEGMENT_BYTES, size) - 1,
    };
  }

  /**
   * Opens what `storedRange` named, segment by segment: the plain bytes from `start` to `end`. A stream that ends too early, or was
   * changed, fails with FileStoreError `refused`.
   */
  opened(start: number, end: number): TransformStream<Uint8Array, Uint8Array> {
    const first = Math.floor(start / SEGMENT_BYTES);
    const last = Math.floor(end / SEGMENT_BYTES);
    let index = first;
    let waiting = Buffer.alloc(0);
    const next = (controller: TransformStreamDefaultController<Uint8Array>, sealed: Buffer) => {
      const plain = this.#open(index + 1, sealed);
      const from = index === first ? start - first * SEGMENT_BYTES : 0;
      const to = index === last ? end - last * SEGMENT_BYTES + 1 : plain.length;
      controller.enqueue(plain.subarray(from, to));
      index += 1;
    };
    return new TransformStream({
      transform(piece, controller) {
        waiting = Buffer.concat([waiting, piece]);
        for (; waiting.length >= SEALED_SEGMENT_BYTES; waiting = waiting.subarray(SEALED_SEGMENT_BYTES))
          next(controller, waiting.subarray(0, SEALED_SEGMENT_BYTES));
      },
      flush: (controller) => {
        if (waiting.length > 0) next(controller, waiting);
        if (index !== last + 1) throw damaged(this.#fileKey);
      },
    });
  }

  #open(index: number, sealed: Buffer): Buffer {
    try {
      const end =
        index === 0 ? ABOUT_BYTES : Math.min(SEGMENT_BYTES, this.size - (index - 1) * SEGMENT_BYTES);
      if (sealed.length !== end + TAG_BYTES) throw new Error('cut off');
      const decipher = createDecipheriv('aes-256-gcm', this.#secret, nonceOf(index));
      decipher.setAuthTag(sealed.subarray(end));
      return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
    } catch (error) {
      throw damaged(this.#fileKey, error);
    }
  }
}

const damaged = (fileKey: string, cause?: unknown) =>
  new FileStoreError('refused', `The encrypted file ${fileKey} was changed or cut off`, cause);

/** What is thrown for a sealed file whose key is not configured. */
export const missingKey = (fileKey: string, hasKeys: boolean): FileStoreError =>
  new FileStoreError(
    'refused',
    hasKeys
      ? `The file ${fileKey} is encrypted with another key: set FILES_KEY_PREVIOUS to the former FILES_KEY`
      : `The file ${fileKey} is encrypted: set FILES_KEY`,
  );

function sealSegment(secret: Buffer, index: number, plain: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', secret, nonceOf(index));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** No nonce comes twice under one key, since each file has a key of its own. */
function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 8);
  return nonce;
}

const secretOf = (key: SealingKey, salt: Uint8Array, fileKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key.bytes, salt, `acre file ${fileKey}`, 32));
