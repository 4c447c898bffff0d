import type { Insertable } from 'kysely';
import { wholeDollars } from '#features/listings/rules.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { between, seededChance } from '../../illustrator/chance.ts';
import type { Calendar } from '../calendar.ts';
import { idFor, seedOf } from '../ids.ts';
import type { Listing } from '../listings/listings.ts';
import type { Interest } from './interest.ts';

export interface Changes {
  history: Insertable<DB['property_changes']>[];
  notifications: Insertable<DB['property_notifications']>[];
}

interface Change {
  listing: Listing;
  daysAgo: number;
  type: 'price_change' | 'status_change';
  field: 'price_cents' | 'status';
  /** as stored in the history */
  stored: readonly [before: string, after: string];
  /** as people read it */
  shown: readonly [before: string, after: string];
  message: string;
}

const STATUS_WORDS = { Active: 'Active', escrow: 'In Escrow', Sold: 'Sold' } as const;
/** Every so many watched listings had a new price. */
const EVERY = 3;

/** What has changed about watched listings, most of all the first demo buyer's, and who was told (S0 §4, B-219). */
export function changes(
  listings: readonly Listing[],
  watches: Interest['watches'],
  firstBuyer: string,
  calendar: Calendar,
): Changes {
  const chance = seededChance(seedOf('acre changes'));
  const watched = new Set(watches.map(({ property_id }) => property_id));
  const ofFirstBuyer = new Set(
    watches.flatMap((watch) => (watch.user_id === firstBuyer ? watch.property_id : [])),
  );
  const happened: Change[] = [];
  let turn = 0;
  for (const listing of listings.filter(({ id }) => watched.has(id))) {
    const { life } = listing;
    if (
      life.status === 'Active' &&
      life.created > 6 &&
      (turn++ % EVERY === 0 || ofFirstBuyer.has(listing.id))
    ) {
      const share = turn % 2 ? between(chance, 1.02, 1.07) : between(chance, 0.96, 0.985);
      happened.push(priceChange(listing, share, between(chance, 0.2, Math.min(life.created * 0.6, 40))));
    }
    if (life.paid !== null) happened.push(statusChange(listing, 'Active', 'escrow', life.paid));
    if (life.status === 'Sold' && life.closed !== null)
      happened.push(statusChange(listing, 'escrow', 'Sold', life.closed));
  }
  happened.sort((one, other) => other.daysAgo - one.daysAgo);
  return {
    history: happened.map((change) => historyRow(change, calendar)),
    notifications: told(happened, watches, calendar),
  };
}

/** `share` is the old price against the present one. */
function priceChange(listing: Listing, share: number, daysAgo: number): Change {
  const now = Number(listing.row.price_cents);
  const before = Math.round((now * share) / 500_00) * 500_00;
  const { address } = listing.row;
  return {
    listing,
    daysAgo,
    type: 'price_change',
    field: 'price_cents',
    stored: [String(before), String(now)],
    shown: [wholeDollars(before), wholeDollars(now)],
    message: before > now ? `The price of ${address} went down.` : `The price of ${address} went up.`,
  };
}

function statusChange(
  listing: Listing,
  before: keyof typeof STATUS_WORDS,
  after: keyof typeof STATUS_WORDS,
  daysAgo: number,
): Change {
  return {
    listing,
    daysAgo,
    type: 'status_change',
    field: 'status',
    stored: [before, after],
    shown: [STATUS_WORDS[before], STATUS_WORDS[after]],
    message: `${listing.row.address} is now ${STATUS_WORDS[after]}.`,
  };
}

const historyRow = ({ listing, field, stored, daysAgo }: Change, calendar: Calendar) => ({
  property_id: listing.id,
  changed_by: field === 'status' ? null : (listing.seller.person?.id ?? null),
  field,
  previous_value: stored[0],
  new_value: stored[1],
  reason: null,
  created_at: calendar.ago(daysAgo),
});

function told(happened: readonly Change[], watches: Interest['watches'], calendar: Calendar) {
  const ids = idFor('notification');
  const UNREAD_DAYS = 12;
  return happened.flatMap(({ listing, daysAgo, type, shown, message }) => {
    const at = calendar.ago(daysAgo);
    return watches
      .filter(
        ({ property_id, created_at }) =>
          property_id === listing.id && created_at && new Date(created_at) < at,
      )
      .map(({ user_id }) => ({
        id: ids(),
        user_id,
        property_id: listing.id,
        notification_type: type,
        message,
        previous_value: shown[0],
        new_value: shown[1],
        is_read: daysAgo > UNREAD_DAYS,
        created_at: at,
      }));
  });
}
