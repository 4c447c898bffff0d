import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { importedCid } from '#tests/support/content/imported-cid.ts';
import { type CidProfile, cidProfiles, FileCid, layoutOf } from './cid.ts';

const PIECE = 262_144;
/** More would be a file of a gigabyte, in blocks of a megabyte. */
const MOST_BLOCKS = 174;

/** A file of so many bytes, no two pieces of which are alike. */
function* fileOf(bytes: number): Generator<Uint8Array> {
  for (let at = 0, piece = 0; at < bytes; at += PIECE, piece += 1) {
    const seed = createHash('sha256').update(`piece ${piece}`).digest();
    yield Buffer.alloc(Math.min(PIECE, bytes - at), seed);
  }
}

function ourCid(bytes: number, profile: CidProfile): string {
  const cid = new FileCid(profile);
  for (const piece of fileOf(bytes)) cid.update(piece);
  return cid.digest();
}

const cases = cidProfiles.flatMap((profile) => {
  const { chunk } = layoutOf(profile);
  return [
    { profile, size: 'no byte', bytes: 0 },
    { profile, size: 'one byte', bytes: 1 },
    { profile, size: 'a block less one byte', bytes: chunk - 1 },
    { profile, size: 'exactly a block', bytes: chunk },
    { profile, size: 'a block and one byte', bytes: chunk + 1 },
    { profile, size: 'several blocks', bytes: 3 * chunk + 12_345 },
    { profile, size: '174 blocks', bytes: MOST_BLOCKS * chunk },
    { profile, size: '174 blocks and one byte', bytes: MOST_BLOCKS * chunk + 1 },
  ];
});

it.each(cases)(
  'gives a file of $size the address that IPFS’s own importer gives it ($profile)',
  async ({ profile, bytes }) => {
    expect(ourCid(bytes, profile)).toBe(await importedCid(fileOf(bytes), profile));
  },
  30_000,
);
