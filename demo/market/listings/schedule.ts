import type { PropertyKind } from '#illustrator/illustration-key.ts';
import { type Random, randomBetween } from '#illustrator/random.ts';
import { entriesOf } from '#platform/typed-keys.ts';
import { shuffled } from '../ids.ts';

export type Status =
  | 'pending'
  | 'Active'
  | 'escrow'
  | 'Sold'
  | 'rejected'
  | 'changes_requested'
  | 'withdrawn';

/** The status history of a listing. All figures are days ago; null where it has not got that far. */
export interface ListingTimeline {
  status: Status;
  created: number;
  listed: number | null;
  /** payment completed */
  paid: number | null;
  /** escrow released, or withdrawn */
  closed: number | null;
}

type KindCounts = Record<PropertyKind, number>;
const kindCounts = (single: number, multi: number, commercial: number, lots: number): KindCounts => ({
  'Single Family': single,
  'Multi-Family': multi,
  Commercial: commercial,
  'Vacant Lot': lots,
});

/** The number of listings by status and kind, besides the ten written by hand. Two of the Active ones are hidden. */
const COUNTS: Record<Status, KindCounts> = {
  Active: kindCounts(147, 32, 26, 27),
  pending: kindCounts(7, 2, 2, 3),
  changes_requested: kindCounts(2, 0, 1, 0),
  rejected: kindCounts(1, 1, 0, 1),
  withdrawn: kindCounts(4, 1, 1, 1),
  escrow: kindCounts(5, 1, 1, 2),
  Sold: kindCounts(17, 4, 3, 4),
};

/** Kind and timeline of every generated listing, in random order. */
export function schedule(random: Random): { kind: PropertyKind; timeline: ListingTimeline }[] {
  const planned = entriesOf(COUNTS).flatMap(([status, kinds]) =>
    entriesOf(kinds).flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, index) => ({
        kind,
        timeline: timeline(random, status, index / count),
      })),
    ),
  );
  return shuffled(random, planned);
}

/** `share` (0 … 1) spreads sold listings over the year, so that every report has something to show. */
function timeline(random: Random, status: Status, share: number): ListingTimeline {
  const nothing = { status, listed: null, paid: null, closed: null };
  const review = randomBetween(random, 0.2, 1.9);
  switch (status) {
    case 'pending':
      return { ...nothing, created: randomBetween(random, 0.1, 6) };
    case 'changes_requested':
    case 'rejected':
      return { ...nothing, created: randomBetween(random, 4, 24) };
    case 'withdrawn': {
      const created = randomBetween(random, 40, 130);
      return { ...nothing, created, listed: created - review, closed: randomBetween(random, 3, 30) };
    }
    case 'escrow': {
      const paid = randomBetween(random, 1, 16);
      const created = paid + randomBetween(random, 12, 70);
      return { ...nothing, created, listed: created - review, paid };
    }
    case 'Sold': {
      const closed = 3 + share * 250 + randomBetween(random, 0, 12);
      const paid = closed + randomBetween(random, 5, 16);
      const created = paid + randomBetween(random, 9, 45);
      return { ...nothing, created, listed: created - review, paid, closed };
    }
    case 'Active': {
      // Many are new, a few have been listed for a long time.
      const created = 6 + randomBetween(random, 0, 1) ** 1.7 * 150;
      return { ...nothing, created, listed: created - review };
    }
  }
}
