import { crc32, deflateSync } from 'node:zlib';

/** Signature and header of a PNG: what stands before its first optional chunk. */
const HEAD_BYTES = 33;

/** The PNG with this color profile (ICC), by which a reader converts its colors. */
export function pngWithProfile(png: Uint8Array, profile: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, HEAD_BYTES), length, body, check, png.subarray(HEAD_BYTES)]);
}
