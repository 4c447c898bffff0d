import { describe, expect, it } from 'vitest';
import {
  illustrationKey,
  illustrationPath,
  illustrationVariants,
  PICTURES_PER_KIND,
  PROPERTY_KINDS,
  parseIllustrationPath,
  VARIANTS,
} from './illustration-key.ts';

const ID = '6f1d3c1e-0b7a-4a43-9d6e-5f1c2b3a4d5e';

describe('illustrationAddress', () => {
  it('depends only on the property id, ignoring its case', () => {
    expect(illustrationKey(ID, 'Commercial')).toEqual(illustrationKey(ID.toUpperCase(), 'Commercial'));
  });

  it('falls back to a Single Family house for unknown types', () => {
    expect(illustrationKey(ID, 'Houseboat').kind).toBe('Single Family');
    expect(illustrationKey(ID, null).kind).toBe('Single Family');
    expect(illustrationKey(ID, 'Vacant Lot').kind).toBe('Vacant Lot');
  });

  it('spreads ids evenly over its pictures', () => {
    const counts = new Map<number, number>();
    for (let index = 0; index < 20_000; index += 1) {
      const { hash } = illustrationKey(crypto.randomUUID(), 'Single Family');
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
    expect(counts.size).toBe(PICTURES_PER_KIND);
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

  it('survives a round trip', () => {
    for (const kind of PROPERTY_KINDS) {
      for (const variant of VARIANTS) {
        for (const hash of [0, 7, 10, 996]) {
          const [, , ...parts] = illustrationPath({ kind, hash }, variant).split('/');
          const [slug = '', number = '', file = ''] = parts;
          expect(parseIllustrationPath(slug, number, file)).toEqual({ kind, hash, variant });
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
