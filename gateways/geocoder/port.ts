/** How close a result is to the building itself. */
type Precision = 'rooftop' | 'street' | 'zip' | 'zip3';

/** Signed degrees (WGS 84). */
export interface Place {
  latitude: number;
  longitude: number;
  precision: Precision;
}

/** Finds the location of an address. */
export interface Geocoder {
  /**
   * The place of an address in one line ('27 Heron Way, Cedar Hollow, OR 97031'), or null when it is unknown.
   * Responds within a few seconds; a slow or broken provider counts as one that does not know the building.
   */
  locate(address: string): Promise<Place | null>;
}
