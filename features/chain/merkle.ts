import { createHash } from 'node:crypto';

const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);
const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** Leaves and inner nodes begin with different bytes, so that no inner node can pass as a document's hash. */
const leafOf = (hash: string): Buffer => sha256(LEAF, bytes(hash));
/** Two nodes are joined in the order of their bytes, so a proof needs no sides. */
const join = (a: Buffer, b: Buffer): Buffer => sha256(NODE, ...(a.compare(b) <= 0 ? [a, b] : [b, a]));

interface MerkleTree {
  /** 64 hexadecimal digits */
  root: string;
  /** for each hash, in the order given, its siblings from the leaf up */
  proofs: string[][];
}

/**
 * What to anchor for some hashes (SHA-256, 64 hexadecimal digits): one alone is its own root, without a proof; several are the leaves of
 * a tree. A node without a sibling moves up as it is.
 * @throws RangeError for none
 */
export function merkleTree(hashes: readonly string[]): MerkleTree {
  const [only] = hashes;
  if (only === undefined) throw new RangeError('A tree has one hash at least');
  if (hashes.length === 1) return { root: only, proofs: [[]] };
  let level = hashes.map((hash, index) => ({ node: leafOf(hash), below: [index] }));
  const proofs: string[][] = hashes.map(() => []);
  while (level.length > 1) {
    const above: typeof level = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = level.slice(at, at + 2);
      if (!left) break;
      if (!right) {
        above.push(left);
        continue;
      }
      for (const leaf of left.below) proofs[leaf]?.push(right.node.toString('hex'));
      for (const leaf of right.below) proofs[leaf]?.push(left.node.toString('hex'));
      above.push({ node: join(left.node, right.node), below: [...left.below, ...right.below] });
    }
    level = above;
  }
  return { root: level[0]?.node.toString('hex') ?? only, proofs };
}

/** The root that a hash and its proof lead to: what has to be anchored for the proof to hold. */
export const rootOf = (hash: string, proof: readonly string[]): string =>
  proof.length === 0
    ? hash
    : proof.reduce((node, sibling) => join(node, bytes(sibling)), leafOf(hash)).toString('hex');
