import type { IllustrationAddress, PropertyKind } from './address.ts';

/** The fronts that are drawn for each kind, in the order of their builders. */
export const FRONTS = {
  'Single Family': ['farmhouse', 'cottage', 'ranch', 'modern', 'a-frame', 'barn house'],
  'Multi-Family': ['row houses', 'walk-up', 'courtyard'],
  Commercial: ['storefront', 'trading post', 'workshop'],
  'Vacant Lot': ['open ground'],
} as const satisfies Record<PropertyKind, readonly string[]>;

export type Front = (typeof FRONTS)[PropertyKind][number];

/** Keeps the four kinds apart when their hashes are equal; also part of every id in a picture. */
export const SALT: Record<PropertyKind, number> = {
  'Single Family': 11,
  'Multi-Family': 23,
  Commercial: 37,
  'Vacant Lot': 53,
};

/** Neighbouring hashes get different fronts: a golden-ratio walk through the list. */
const GOLDEN_SHARE = 0.618034;

/** Which of the fronts of its kind a listing's pictures show. */
export function frontIndex({ kind, hash }: IllustrationAddress): number {
  const turn = (hash % 9973) + SALT[kind] / 3;
  return Math.floor(((turn * GOLDEN_SHARE) % 1) * FRONTS[kind].length);
}

/** The same by name, for words that must agree with the picture. */
export function frontOf(address: IllustrationAddress): Front | undefined {
  return FRONTS[address.kind][frontIndex(address)];
}
