import type { PropertyKind } from '../../illustrator/address.ts';
import { between, type Chance } from '../../illustrator/chance.ts';
import { shuffled } from '../ids.ts';

export type Status =
  | 'pending'
  | 'Active'
  | 'escrow'
  | 'Sold'
  | 'rejected'
  | 'changes_requested'
  | 'withdrawn';

/** Where a listing is in its life; all figures are days ago, null where it has not got that far. */
export interface Life {
  status: Status;
  created: number;
  listed: number | null;
  /** payment completed */
  paid: number | null;
  /** escrow released, or withdrawn */
  closed: number | null;
}

type Mix = Record<PropertyKind, number>;
const mix = (single: number, multi: number, commercial: number, lots: number): Mix => ({
  'Single Family': single,
  'Multi-Family': multi,
  Commercial: commercial,
  'Vacant Lot': lots,
});

/** How many of each kind stand at each status, besides the ten written by hand; two of the Active are hidden. */
const COUNTS: Record<Status, Mix> = {
  Active: mix(147, 32, 26, 27),
  pending: mix(7, 2, 2, 3),
  changes_requested: mix(2, 0, 1, 0),
  rejected: mix(1, 1, 0, 1),
  withdrawn: mix(4, 1, 1, 1),
  escrow: mix(5, 1, 1, 2),
  Sold: mix(17, 4, 3, 4),
};

/** Every listing of the market in mixed order, with its kind and its life. */
export function schedule(chance: Chance): { kind: PropertyKind; life: Life }[] {
  const planned = Object.entries(COUNTS).flatMap(([status, kinds]) =>
    Object.entries(kinds).flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, index) => ({
        kind: kind as PropertyKind,
        life: life(chance, status as Status, index / count),
      })),
    ),
  );
  return shuffled(chance, planned);
}

/** `share` (0 … 1) spreads the sold ones over the year, so that every report has something to show. */
function life(chance: Chance, status: Status, share: number): Life {
  const nothing = { status, listed: null, paid: null, closed: null };
  const review = between(chance, 0.2, 1.9);
  switch (status) {
    case 'pending':
      return { ...nothing, created: between(chance, 0.1, 6) };
    case 'changes_requested':
    case 'rejected':
      return { ...nothing, created: between(chance, 4, 24) };
    case 'withdrawn': {
      const created = between(chance, 40, 130);
      return { ...nothing, created, listed: created - review, closed: between(chance, 3, 30) };
    }
    case 'escrow': {
      const paid = between(chance, 1, 16);
      const created = paid + between(chance, 12, 70);
      return { ...nothing, created, listed: created - review, paid };
    }
    case 'Sold': {
      const closed = 3 + share * 250 + between(chance, 0, 12);
      const paid = closed + between(chance, 5, 16);
      const created = paid + between(chance, 9, 45);
      return { ...nothing, created, listed: created - review, paid, closed };
    }
    case 'Active': {
      // Many are new, a few have waited long.
      const created = 6 + between(chance, 0, 1) ** 1.7 * 150;
      return { ...nothing, created, listed: created - review };
    }
  }
}
