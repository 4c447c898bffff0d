/** A marker as the map receives it: one listing with the buyer's price in cents, or how many lie around a point. */
export interface MarkerLink {
  latitude: number;
  longitude: number;
  count: number;
  approximate: boolean;
  listing: { id: string; address: string; totalCents: number } | null;
}
