import type { IllustrationKey, PropertyKind } from './illustration-key.ts';

/** The styles drawn for each kind, in the order of their builders. */
export const BUILDING_STYLES = {
  'Single Family': ['farmhouse', 'cottage', 'ranch', 'modern', 'a-frame', 'barn house'],
  'Multi-Family': ['row houses', 'walk-up', 'courtyard'],
  Commercial: ['storefront', 'trading post', 'workshop'],
  'Vacant Lot': ['open ground'],
} as const satisfies Record<PropertyKind, readonly string[]>;

export type BuildingStyle = (typeof BUILDING_STYLES)[PropertyKind][number];

/** Makes the four kinds look different for the same hash; also part of every id in a picture. */
export const SALT: Record<PropertyKind, number> = {
  'Single Family': 11,
  'Multi-Family': 23,
  Commercial: 37,
  'Vacant Lot': 53,
};

/** Steps through the list by the golden ratio, so that neighbouring hashes get different styles. */
const GOLDEN_SHARE = 0.618034;

/** Index of the style that a listing's pictures show. */
export function buildingStyleIndex({ kind, hash }: IllustrationKey): number {
  const turn = (hash % 9973) + SALT[kind] / 3;
  return Math.floor(((turn * GOLDEN_SHARE) % 1) * BUILDING_STYLES[kind].length);
}

/** The style by name, for text that must match the picture. */
export function buildingStyleOf(key: IllustrationKey): BuildingStyle | undefined {
  return BUILDING_STYLES[key.kind][buildingStyleIndex(key)];
}
