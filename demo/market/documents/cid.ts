const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** CIDv1, raw block, sha2-256 of 32 bytes. */
const PREFIX = [0x01, 0x55, 0x12, 0x20];

/** The content identifier of a file small enough for one block, from its hexadecimal SHA-256. */
export function rawCid(sha256: string): string {
  const bytes = [...PREFIX, ...Buffer.from(sha256, 'hex')];
  let text = 'b';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((held >>> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return bits ? text + ALPHABET.charAt((held << (5 - bits)) & 31) : text;
}
