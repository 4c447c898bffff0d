import type { Insertable } from 'kysely';
import type { Fee } from '#features/fees/model.ts';
import { totalCents } from '#features/fees/rules.ts';
import { randomBetween, seededRandom } from '#illustrator/random.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { wholeDollars } from '#platform/money.ts';
import type { Calendar } from '../calendar.ts';
import { idGenerator, seedOf } from '../ids.ts';
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
  /** as shown to users */
  shown: readonly [before: string, after: string];
  message: string;
}

const STATUS_LABELS = { Active: 'Active', escrow: 'In Escrow', Sold: 'Sold' } as const;
/** One in this many watched listings had a price change. */
const PRICE_CHANGE_INTERVAL = 3;

/**
 * Price and status changes of watched listings, above all those of the first demo buyer, and the notifications to their
 * watchers.
 */
export function changes(
  listings: readonly Listing[],
  watches: Interest['watches'],
  firstBuyer: string,
  fees: readonly Fee[],
  calendar: Calendar,
): Changes {
  const random = seededRandom(seedOf('acre changes'));
  const watched = new Set(watches.map(({ property_id }) => property_id));
  const watchedByFirstBuyer = new Set(
    watches.flatMap((watch) => (watch.user_id === firstBuyer ? watch.property_id : [])),
  );
  const events: Change[] = [];
  let turn = 0;
  for (const listing of listings.filter(({ id }) => watched.has(id))) {
    const { timeline } = listing;
    if (
      timeline.status === 'Active' &&
      timeline.created > 6 &&
      (turn++ % PRICE_CHANGE_INTERVAL === 0 || watchedByFirstBuyer.has(listing.id))
    ) {
      const share = turn % 2 ? randomBetween(random, 1.02, 1.07) : randomBetween(random, 0.96, 0.985);
      events.push(
        priceChange(listing, fees, share, randomBetween(random, 0.2, Math.min(timeline.created * 0.6, 40))),
      );
    }
    if (timeline.paid !== null) events.push(statusChange(listing, 'Active', 'escrow', timeline.paid));
    if (timeline.status === 'Sold' && timeline.closed !== null)
      events.push(statusChange(listing, 'escrow', 'Sold', timeline.closed));
  }
  events.sort((one, other) => other.daysAgo - one.daysAgo);
  return {
    history: events.map((change) => historyRow(change, calendar)),
    notifications: notificationsFor(events, watches, calendar),
  };
}

/** `share` is the old price relative to the current one. */
function priceChange(listing: Listing, fees: readonly Fee[], share: number, daysAgo: number): Change {
  const now = Number(listing.row.price_cents);
  const before = Math.round((now * share) / 500_00) * 500_00;
  const { address } = listing.row;
  return {
    listing,
    daysAgo,
    type: 'price_change',
    field: 'price_cents',
    stored: [String(before), String(now)],
    shown: [wholeDollars(totalCents(before, fees)), wholeDollars(totalCents(now, fees))],
    message: before > now ? `The price of ${address} went down.` : `The price of ${address} went up.`,
  };
}

function statusChange(
  listing: Listing,
  before: keyof typeof STATUS_LABELS,
  after: keyof typeof STATUS_LABELS,
  daysAgo: number,
): Change {
  return {
    listing,
    daysAgo,
    type: 'status_change',
    field: 'status',
    stored: [before, after],
    shown: [STATUS_LABELS[before], STATUS_LABELS[after]],
    message: `${listing.row.address} is now ${STATUS_LABELS[after]}.`,
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

function notificationsFor(events: readonly Change[], watches: Interest['watches'], calendar: Calendar) {
  const ids = idGenerator('notification');
  const UNREAD_DAYS = 12;
  return events.flatMap(({ listing, daysAgo, type, shown, message }) => {
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
        price_with_fees: type === 'price_change',
        is_read: daysAgo > UNREAD_DAYS,
        created_at: at,
      }));
  });
}
