import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { merkleTree, rootOf } from './merkle.ts';

const hashOf = (text: string | number) => createHash('sha256').update(String(text)).digest('hex');
const hashes = (count: number) => Array.from({ length: count }, (_, index) => hashOf(index));

it('anchors one hash as it is', () => {
  expect(merkleTree([hashOf('a')])).toEqual({ root: hashOf('a'), proofs: [[]] });
  expect(() => merkleTree([])).toThrow(RangeError);
});

it('joins two as written down', () => {
  const [a = '', b = ''] = [hashOf('a'), hashOf('b')];
  const leaf = (hash: string) =>
    createHash('sha256')
      .update(Buffer.from(`00${hash}`, 'hex'))
      .digest('hex');
  const sorted = [leaf(a), leaf(b)].sort().join('');
  const root = createHash('sha256')
    .update(Buffer.from(`01${sorted}`, 'hex'))
    .digest('hex');
  expect(merkleTree([a, b])).toEqual({ root, proofs: [[leaf(b)], [leaf(a)]] });
});

it('proves every leaf of a tree of any size, and nothing else', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 0, max: 1_000_000 }), (count, other) => {
      const leaves = hashes(count);
      const { root, proofs } = merkleTree(leaves);
      for (const [index, leaf] of leaves.entries()) expect(rootOf(leaf, proofs[index] ?? [])).toBe(root);
      const stranger = hashOf(`other ${other}`);
      expect(rootOf(stranger, proofs[other % count] ?? [])).not.toBe(root);
    }),
    { numRuns: 60 },
  );
});

it('takes no inner node for a leaf', () => {
  const { root, proofs } = merkleTree(hashes(4));
  const inner = proofs[0]?.[1] ?? '';
  const sibling = proofs[2]?.[1] ?? '';
  expect(rootOf(inner, [sibling])).not.toBe(root);
});

it('has proofs of at most the tree’s height', () => {
  expect(Math.max(...merkleTree(hashes(1024)).proofs.map(({ length }) => length))).toBe(10);
});
