import type { Insertable } from 'kysely';
import { pick, type Random, randomBetween, randomInt, seededRandom } from '#illustrator/random.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import { seedOf, shuffled } from '../ids.ts';
import type { Listing } from '../listings/listings.ts';
import type { Person } from '../people.ts';

export interface Interest {
  watches: Insertable<DB['property_watches']>[];
  /** the latest view of each property by each user */
  views: Insertable<DB['property_views']>[];
  /** every view */
  viewEvents: Insertable<DB['property_view_events']>[];
}

/** Reports show at most this many days of views. */
const HISTORY_DAYS = 90;
const VISITORS = 700;
/** Shown under 'Previously Viewed' to the first demo buyer, as in the design mock-ups. */
const SEEN_BY_FIRST_BUYER = ['9 Juniper Bend', '410 Canal Street'];
const WATCHED_BY_FIRST_BUYER = ['27 Heron Way', '9 Juniper Bend', '22–30 Mercer Row'];

/** Watches and views. Nobody views a listing before it is public or after it is off the market. */
export function interest(
  listings: readonly Listing[],
  buyers: readonly Person[],
  calendar: Calendar,
): Interest {
  const random = seededRandom(seedOf('acre interest'));
  const seen = listings.filter(
    ({ timeline, seller }) => timeline.listed !== null && seller.row.status === 'active',
  );
  const rows: Interest = { watches: [], views: [], viewEvents: [] };
  for (const listing of seen) rows.viewEvents.push(...anonymousViews(random, listing, calendar));
  buyers.forEach((buyer, index) => {
    const own =
      index === 0 ? firstBuyersViews(random, seen) : sample(random, seen, 6 + randomInt(random, 14));
    for (const listing of own) {
      const from = Math.min(listing.timeline.listed ?? 0, buyer.joinedDaysAgo - 0.1, HISTORY_DAYS);
      const until = listing.timeline.paid ?? listing.timeline.closed ?? 0;
      if (from <= until) continue;
      const at = calendar.ago(randomBetween(random, until, from));
      rows.viewEvents.push({ property_id: listing.id, user_id: buyer.id, viewer: buyer.id, viewed_at: at });
      rows.views.push({ property_id: listing.id, user_id: buyer.id, viewed_at: at });
    }
    const watched =
      index === 0 ? firstBuyersWatches(random, seen) : sample(random, seen, 2 + randomInt(random, 9));
    for (const listing of watched) {
      const from = Math.min(listing.timeline.listed ?? 0, buyer.joinedDaysAgo - 0.1);
      if (from <= (listing.timeline.paid ?? 0)) continue;
      rows.watches.push({
        user_id: buyer.id,
        property_id: listing.id,
        created_at: calendar.ago(randomBetween(random, listing.timeline.paid ?? 0, from)),
      });
    }
  });
  return rows;
}

const sample = (random: Random, listings: readonly Listing[], count: number) =>
  shuffled(random, listings).slice(0, count);
const withAddresses = (listings: readonly Listing[], addresses: readonly string[]) =>
  listings.filter(({ row }) => addresses.includes(row.address));

/** Besides the two from the mock-ups only older listings, so that the first page still has unseen ones. */
function firstBuyersViews(random: Random, listings: readonly Listing[]): Listing[] {
  const older = listings.filter(({ timeline }) => timeline.created > 25);
  return [...withAddresses(listings, SEEN_BY_FIRST_BUYER), ...sample(random, older, 12)];
}

function firstBuyersWatches(random: Random, listings: readonly Listing[]): Listing[] {
  const others = listings.filter(({ row }) => !WATCHED_BY_FIRST_BUYER.includes(row.address));
  const leaving = others.filter(({ timeline }) => timeline.paid !== null && timeline.paid < 60);
  const staying = others.filter(({ timeline }) => timeline.status === 'Active');
  return [
    ...withAddresses(listings, WATCHED_BY_FIRST_BUYER),
    ...sample(random, staying, 7),
    ...sample(random, leaving, 3),
  ];
}

/** Views by visitors who are not signed in: most in the first days, and more for cheap or featured listings. */
function anonymousViews(
  random: Random,
  { id, timeline, row }: Listing,
  calendar: Calendar,
): Interest['viewEvents'] {
  const from = Math.min(timeline.listed ?? 0, HISTORY_DAYS);
  const until = timeline.paid ?? timeline.closed ?? 0;
  const span = Math.max(0, from - until);
  const appeal =
    randomBetween(random, 0.4, 1.6) *
    (row.featured_slot ? 3 : 1) *
    (Number(row.price_cents) < 500_000_00 ? 1.3 : 1);
  const count = Math.round((3 + Math.sqrt(span) * 1.4) * appeal);
  return Array.from({ length: count }, () => ({
    property_id: id,
    user_id: null,
    viewer: `demo-visitor-${randomInt(random, VISITORS)}`,
    viewed_at: calendar.ago(from - span * random() ** 1.6),
  }));
}

const SEARCHES = [
  'observatory',
  'koi pond',
  'casita',
  'yurt',
  'sauna',
  'porch',
  'farmhouse',
  'a-frame',
  'cottage',
  'barn',
  'greenhouse',
  'wood stove',
  'Fernridge',
  'Cedar Hollow',
  'Port Alder',
  'Stillwater',
  'Mercer Row',
  'Front Street',
  'orchard',
  'lake',
  'creek',
  'workshop',
  'storefront',
  'apartments',
  'acres',
  'solar',
  'garden',
  '97031',
  '98045',
  'main street',
  'houseboat',
  'observatry',
  'ski chalet',
  'tiny house',
] as const;
const TYPES = [
  'Single Family',
  'Single Family',
  'Vacant Lot',
  'Commercial',
  'Multi-Family',
  null,
  null,
  null,
] as const;

/** The prices that people look for, in cents; most do not say. */
const PRICES = [
  {},
  {},
  {},
  { maxCents: 400_000_00 },
  { minCents: 300_000_00, maxCents: 600_000_00 },
  { minCents: 500_000_00, maxCents: 900_000_00 },
  { minCents: 1_500_000_00 },
] as const satisfies readonly { minCents?: number; maxCents?: number }[];

interface DemoSearch {
  /** the name of the property type that was chosen */
  type: string | null;
  filters: { minCents?: number; maxCents?: number };
  /** without the filters */
  row: Insertable<DB['search_events']>;
}

/** Searches of the last ninety days, each with its number of results. */
export function searches(
  listings: readonly Listing[],
  buyers: readonly Person[],
  calendar: Calendar,
): DemoSearch[] {
  const random = seededRandom(seedOf('acre searches'));
  const searchable = listings
    .filter(({ timeline }) => timeline.status === 'Active')
    .map(({ kind, row }) => ({
      kind,
      price: row.price_cents,
      text: [row.title, row.address, row.city, row.zip, row.description, kind].join(' ').toLowerCase(),
    }));
  return Array.from({ length: 320 }, () => {
    const query = pick(random, SEARCHES);
    const type = pick(random, TYPES);
    const filters: DemoSearch['filters'] = pick(random, PRICES);
    const { minCents = 0, maxCents = Number.POSITIVE_INFINITY } = filters;
    const words = query.toLowerCase().split(' ');
    const found = searchable.filter(
      ({ kind, price, text }) =>
        (type === null || kind === type) &&
        price >= minCents &&
        price <= maxCents &&
        words.every((word) => text.includes(word)),
    );
    const when = randomBetween(random, 0.05, HISTORY_DAYS);
    const person = random() < 0.3 ? pick(random, buyers) : null;
    return {
      type,
      filters,
      row: {
        user_id: person && person.joinedDaysAgo > when ? person.id : null,
        query,
        results: found.length,
        created_at: calendar.ago(when),
      },
    };
  });
}
