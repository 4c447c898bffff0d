/** How near a found place is to the building itself. */
export type Precision = 'rooftop' | 'street' | 'zip' | 'zip3';

/** Degrees (WGS 84) with a sign. */
export interface Place {
  latitude: number;
  longitude: number;
  precision: Precision;
}

/** Finds where an address lies. */
export interface Geocoder {
  /**
   * The place of an address in one line ('27 Heron Way, Cedar Hollow, OR 97031'), or null when nothing is known of it.
   * Answers within a few seconds; a provider that is slow or broken counts as one that knows nothing of the building.
   */
  locate(address: string): Promise<Place | null>;
}
