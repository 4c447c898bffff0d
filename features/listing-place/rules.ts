/** How exactly a position is known; null for one that came with an import. */
export type Precision = 'pin' | 'rooftop' | 'street' | 'zip' | 'zip3' | 'city' | null;

/** Where a property is, in degrees. */
export interface ListingPlace {
  latitude: number;
  longitude: number;
  precision: Precision;
}

/** Within how many meters of its position a property is; null where the position is its own. */
export function radiusMeters(precision: Precision): number | null {
  switch (precision) {
    case 'street':
      return 250;
    case 'zip':
      return 4_000;
    case 'city':
      return 6_000;
    case 'zip3':
      return 35_000;
    default:
      return null;
  }
}

/** What the map says about its pin or circle. */
export function precisionText(precision: Precision): string {
  switch (precision) {
    case 'street':
      return 'The location is approximate: somewhere in the circle, at this address on the street.';
    case 'zip':
      return 'The location is approximate: the circle is around the center of the ZIP code.';
    case 'city':
      return 'The location is approximate: the circle is around the center of the town.';
    case 'zip3':
      return 'The location is approximate: the circle is around the center of the region.';
    default:
      return 'The pin is at the property.';
  }
}

/** How far north and south the surroundings of a place reach, in degrees: about 15 miles. */
const AROUND = 0.22;

/** The surroundings of a place as the `bbox` of a search, 'west,south,east,north'. */
export function surroundings({ latitude, longitude }: Pick<ListingPlace, 'latitude' | 'longitude'>) {
  const across = AROUND / Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
  return {
    south: Math.max(-90, latitude - AROUND),
    north: Math.min(90, latitude + AROUND),
    west: Math.max(-180, longitude - across),
    east: Math.min(180, longitude + across),
  };
}
