/** A property's coordinates in degrees, with their precision: 'pin' when placed by the seller. */
export interface GeoLocation {
  latitude: number;
  longitude: number;
  precision: 'pin' | 'rooftop' | 'street' | 'zip' | 'zip3' | 'city';
}

const PLACE_PATTERN =
  /^(-?\d{1,2}(?:\.\d{1,6})?),(-?\d{1,3}(?:\.\d{1,6})?) (pin|rooftop|street|zip|zip3|city)$/;

/** '45.70000,-121.50000 zip', accurate to about a metre. */
export const formatPlace = ({ latitude, longitude, precision }: GeoLocation): string =>
  `${latitude.toFixed(5)},${longitude.toFixed(5)} ${precision}`;

/** Inverse of `formatPlace`; null for anything else. */
export function parsePlace(text: string): GeoLocation | null {
  const [, north, east, precision] = PLACE_PATTERN.exec(text) ?? [];
  if (north === undefined || east === undefined) return null;
  const [latitude, longitude] = [Number(north), Number(east)];
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return { latitude, longitude, precision: precision as GeoLocation['precision'] };
}

export const isPlace = (text: string): boolean => parsePlace(text) !== null;

/** Descriptions of each precision, shown below the map. */
export const precisionMessages: Record<GeoLocation['precision'], string> = {
  pin: 'The pin is where you placed it.',
  rooftop: 'The pin is on the building.',
  street: 'The pin is at the address on the street.',
  zip: 'The pin is at the center of the ZIP code. Move it to the property.',
  zip3: 'The pin is at the center of the region. Move it to the property.',
  city: 'The pin is at the center of the town. Move it to the property.',
};
