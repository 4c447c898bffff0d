import { describe, expect, it } from 'vitest';
import {
  DIFFERENT_PICTURES,
  illustrationAddress,
  illustrationPath,
  illustrationVariants,
  PROPERTY_KINDS,
  readIllustrationPath,
  VARIANTS,
} from './address.ts';

const ID = '6f1d3c1e-0b7a-4a43-9d6e-5f1c2b3a4d5e';

describe('illustrationAddress', () => {
  it('depends on the property alone, whatever the case of its id', () => {
    expect(illustrationAddress(ID, 'Commercial')).toEqual(
      illustrationAddress(ID.toUpperCase(), 'Commercial'),
    );
  });

  it('draws a Single Family house for types it has no drawings for', () => {
    expect(illustrationAddress(ID, 'Houseboat').kind).toBe('Single Family');
    expect(illustrationAddress(ID, null).kind).toBe('Single Family');
    expect(illustrationAddress(ID, 'Vacant Lot').kind).toBe('Vacant Lot');
  });

  it('spreads ids evenly over its pictures', () => {
    const counts = new Map<number, number>();
    for (let index = 0; index < 20_000; index += 1) {
      const { hash } = illustrationAddress(crypto.randomUUID(), 'Single Family');
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
    expect(counts.size).toBe(DIFFERENT_PICTURES);
    expect(Math.min(...counts.keys())).toBe(0);
    expect(Math.max(...counts.values())).toBeLessThan(60);
  });
});

describe('illustrationPath', () => {
  it('is a plain path', () => {
    expect(illustrationPath({ kind: 'Multi-Family', hash: 412 }, 'living')).toBe(
      '/illustrations/multi-family/412/living.svg',
    );
  });

  it('is read back to what was written', () => {
    for (const kind of PROPERTY_KINDS) {
      for (const variant of VARIANTS) {
        for (const hash of [0, 7, 10, 996]) {
          const [, , ...parts] = illustrationPath({ kind, hash }, variant).split('/');
          const [slug = '', number = '', file = ''] = parts;
          expect(readIllustrationPath(slug, number, file)).toEqual({ kind, hash, variant });
        }
      }
    }
  });
});

describe('illustrationVariants', () => {
  it('shows houses inside and lots from three sides, the exterior first', () => {
    expect(illustrationVariants('Single Family')).toEqual(['exterior', 'living', 'kitchen', 'plan']);
    expect(illustrationVariants('Vacant Lot')).toEqual(['exterior', 'living', 'kitchen']);
  });
});
