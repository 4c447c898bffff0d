/** Where a property lies, in degrees, and how that is known: 'pin' when its seller has put the pin there. */
export interface LocatedAt {
  latitude: number;
  longitude: number;
  precision: 'pin' | 'rooftop' | 'street' | 'zip' | 'zip3' | 'city';
}

const FORM = /^(-?\d{1,2}(?:\.\d{1,6})?),(-?\d{1,3}(?:\.\d{1,6})?) (pin|rooftop|street|zip|zip3|city)$/;

/** '45.70000,-121.50000 zip', to a metre. */
export const placeText = ({ latitude, longitude, precision }: LocatedAt): string =>
  `${latitude.toFixed(5)},${longitude.toFixed(5)} ${precision}`;

/** Reads it back; null for anything else. */
export function placeOf(text: string): LocatedAt | null {
  const [, north, east, precision] = FORM.exec(text) ?? [];
  if (north === undefined || east === undefined) return null;
  const [latitude, longitude] = [Number(north), Number(east)];
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return { latitude, longitude, precision: precision as LocatedAt['precision'] };
}

export const isLocated = (text: string): boolean => placeOf(text) !== null;

/** How well the place is known, in words. */
export const precisionWords: Record<LocatedAt['precision'], string> = {
  pin: 'The pin stands where you put it.',
  rooftop: 'The pin stands on the building.',
  street: 'The pin stands at the address on its street.',
  zip: 'The pin stands in the middle of the ZIP code. Move it to the property.',
  zip3: 'The pin stands in the middle of the region. Move it to the property.',
  city: 'The pin stands in the middle of the town. Move it to the property.',
};
