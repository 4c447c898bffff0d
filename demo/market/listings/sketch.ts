import type { PropertyKind } from '../../illustrator/address.ts';
import type { Front } from '../../illustrator/fronts.ts';
import type { Town } from '../towns.ts';

/** What is decided about a listing before it is put into words. */
export interface Sketch {
  id: string;
  kind: PropertyKind;
  /** the front its picture shows */
  front: Front;
  town: Town;
  street: string;
  address: string;
  bedrooms: number;
  bathrooms: number;
  halfBaths: number;
  /** null for open ground */
  squareFeet: number | null;
  lotSquareFeet: number;
  /** null for open ground */
  yearBuilt: number | null;
  /** homes in the building; 1 for houses, 0 for the rest */
  units: number;
  /** open ground: its size in words */
  acres: { count: number; words: string } | null;
  priceCents: number;
}

export const SQUARE_FEET_PER_ACRE = 43_560;
