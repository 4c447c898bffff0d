/** What the public has seen happen to a listing. */
export type PublicEventKind = 'listed' | 'relisted' | 'back' | 'price' | 'escrow' | 'sold' | 'removed';

/** One line of a listing's public history. Base prices in integer cents. */
export interface PublicEvent {
  kind: PublicEventKind;
  /** ISO, UTC */
  at: string;
  cents: number;
  /** the base price that the public saw before, where it was another one; else null */
  previousCents: number | null;
}

export interface PublicHistory {
  /** newest first */
  events: PublicEvent[];
  /** whole days on the market, without the times off it and in escrow; null before the first approval */
  days: number | null;
}
