/** JSON of a map marker: one listing with the buyer's price in cents, or the number of listings around a point. */
export interface MapMarkerJson {
  latitude: number;
  longitude: number;
  count: number;
  approximate: boolean;
  listing: { id: string; address: string; totalCents: number } | null;
}
