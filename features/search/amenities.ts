/**
 * What buyers look for in a property, in the order of the bits that stand for them in the database (`search_amenities`). A property has
 * one when its seller ticked it or its title or description names it: only the database knows the words, so new keys come at the end.
 */
export const amenityLabels = {
  pool: 'Pool',
  garage: 'Garage',
  parking: 'Parking',
  waterfront: 'Waterfront',
  'water-view': 'Water view',
  'mountain-view': 'Mountain view',
  dock: 'Boat dock',
  fireplace: 'Fireplace',
  basement: 'Basement',
  'air-conditioning': 'Air conditioning',
  solar: 'Solar power',
  'ev-charger': 'EV charger',
  garden: 'Garden',
  'fenced-yard': 'Fenced yard',
  patio: 'Patio or deck',
  balcony: 'Balcony',
  porch: 'Porch',
  'hot-tub': 'Hot tub or sauna',
  laundry: 'Laundry',
  workshop: 'Workshop',
  'guest-house': 'Guest house or suite',
  horses: 'Barn or stables',
  accessible: 'Wheelchair access',
  gated: 'Gated community',
  elevator: 'Elevator',
  furnished: 'Furnished',
  'new-construction': 'New construction',
  'fixer-upper': 'Fixer-upper',
} as const;

export type AmenityKey = keyof typeof amenityLabels;
export const amenityKeys = Object.keys(amenityLabels) as AmenityKey[];

/** The number whose bits stand for the amenities. */
export const amenityBits = (keys: readonly AmenityKey[]): number =>
  keys.reduce((bits, key) => bits | (1 << amenityKeys.indexOf(key)), 0);

/** The amenities whose bits are set. */
export const amenitiesOfBits = (bits: number): AmenityKey[] =>
  amenityKeys.filter((_, bit) => (bits & (1 << bit)) !== 0);
