import { createCipheriv, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CidProfile, cidProfiles, FileCid, fileCid, isCid, profileOf } from './cid.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The content of the published vectors: a ChaCha20 key stream, keyed by the digest of a seed. */
function* keyStream(seed: string, bytes: number, piece = 4 * MIB): Generator<Buffer> {
  const key = createHash('sha256').update(seed).digest();
  const cipher = createCipheriv('chacha20', key, Buffer.alloc(16));
  for (let left = bytes; left > 0; left -= piece) yield cipher.update(Buffer.alloc(Math.min(piece, left)));
}

function cidOf(pieces: Iterable<Uint8Array>, profile: CidProfile): string {
  const cid = new FileCid(profile);
  for (const piece of pieces) cid.update(piece);
  return cid.digest();
}

describe('the content address of a file', () => {
  // kubo test/cli/add_test.go and cid_profiles_test.go, IPIP-499.
  it.each<[CidProfile, string]>([
    ['unixfs-v1-2025', 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'],
    ['kubo-cid-v1', 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'],
    ['unixfs-v0-2015', 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'],
  ])('of one block is the published one: %s', (profile, cid) => {
    expect(fileCid(Buffer.from('hello world'), profile)).toBe(cid);
  });

  it.each<[CidProfile, string]>([
    ['unixfs-v1-2025', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
    ['unixfs-v0-2015', 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH'],
  ])('of nothing is the known one: %s', (profile, cid) => {
    expect(fileCid(new Uint8Array(), profile)).toBe(cid);
  });

  it.each<[CidProfile, string, number, string]>([
    ['unixfs-v0-2015', 'v0-seed', 44_544 * KIB, 'QmUbBALi174SnogsUzLpYbD4xPiBSFANF4iztWCsHbMKh2'],
    ['unixfs-v0-2015', 'v0-seed', 44_800 * KIB, 'QmepeWtdmS1hHXx1oZXsPUv6bMrfRRKfZcoPPU4eEfjnbf'],
    [
      'unixfs-v1-2025',
      'v1-2025-seed',
      1024 * MIB,
      'bafybeihmf37wcuvtx4hpu7he5zl5qaf2ineo2lqlfrapokkm5zzw7zyhvm',
    ],
    [
      'unixfs-v1-2025',
      'v1-2025-seed',
      1025 * MIB,
      'bafybeihmzokxxjqwxjcryerhp5ezpcog2wcawfryb2xm64xiakgm4a5jue',
    ],
  ])(
    'of many blocks is the published one: %s, %s, %i bytes',
    (profile, seed, bytes, cid) => {
      expect(cidOf(keyStream(seed, bytes), profile)).toBe(cid);
    },
    120_000,
  );

  it('does not depend on the pieces in which the file comes', () => {
    const bytes = Buffer.concat([...keyStream('pieces', 3 * MIB + 17)]);
    for (const profile of cidProfiles) {
      const whole = fileCid(bytes, profile);
      for (const piece of [1000, 65_536, 262_144, MIB, 2 * MIB + 1])
        expect(cidOf(keyStream('pieces', bytes.length, piece), profile)).toBe(whole);
    }
    expect(new Set(cidProfiles.map((profile) => fileCid(bytes, profile))).size).toBe(3);
  });

  it('is not changed by what happens to a piece after it was given', () => {
    const piece = Buffer.from('hello ');
    const cid = new FileCid().update(piece);
    piece.fill(0);
    expect(cid.update(Buffer.from('world')).digest()).toBe(fileCid(Buffer.from('hello world')));
  });
});

it('knows the profile of an address, and that of another file', () => {
  const bytes = Buffer.alloc(2 * MIB, 'acre');
  for (const profile of cidProfiles) expect(profileOf(bytes, fileCid(bytes, profile))).toBe(profile);
  expect(profileOf(bytes, fileCid(Buffer.from('another')))).toBeNull();
});

it.each([
  ['bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e', true],
  ['bafybeihmf37wcuvtx4hpu7he5zl5qaf2ineo2lqlfrapokkm5zzw7zyhvm', true],
  ['Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD', true],
  ['BAFKREIFZJUT3TE2NHYEKKLSS27NH3K72YSCO7Y32KOAO5EEI66WOF36N5E', false],
  ['bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e/..', false],
  ['bafkrei', false],
  ['', false],
])('takes %j for an address: %s', (text, valid) => {
  expect(isCid(text)).toBe(valid);
});
