import type { BuildingStyle } from '#illustrator/building-styles.ts';
import type { PropertyKind } from '#illustrator/illustration-key.ts';
import type { Town } from '../towns.ts';

/** The facts of a listing, from which its text is written. */
export interface ListingSpec {
  id: string;
  kind: PropertyKind;
  /** the style its picture shows */
  style: BuildingStyle;
  town: Town;
  street: string;
  address: string;
  bedrooms: number;
  bathrooms: number;
  halfBaths: number;
  /** null for vacant lots */
  squareFeet: number | null;
  lotSquareFeet: number;
  /** null for vacant lots */
  yearBuilt: number | null;
  /** homes in the building; 1 for houses, 0 for the rest */
  units: number;
  /** vacant lots only: the size, also in words */
  acres: { count: number; words: string } | null;
  priceCents: number;
}

export const SQUARE_FEET_PER_ACRE = 43_560;
