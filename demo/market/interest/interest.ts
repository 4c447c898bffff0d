import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import { below, between, type Chance, pick, seededChance } from '../../illustrator/chance.ts';
import type { Calendar } from '../calendar.ts';
import { seedOf, shuffled } from '../ids.ts';
import type { Listing } from '../listings/listings.ts';
import type { Person } from '../people.ts';

export interface Interest {
  watches: Insertable<DB['property_watches']>[];
  /** the latest opening of each property by each person */
  views: Insertable<DB['property_views']>[];
  /** every opening */
  openings: Insertable<DB['property_view_events']>[];
}

/** Reports show at most this many days of openings. */
const HISTORY = 90;
const VISITORS = 700;
/** Shown under 'Previously Viewed' to the first demo buyer, as in the pictures of the design. */
const SEEN_BY_FIRST_BUYER = ['9 Juniper Bend', '410 Canal Street'];
const WATCHED_BY_FIRST_BUYER = ['27 Heron Way', '9 Juniper Bend', '22–30 Mercer Row'];

/** Who watched and who opened what. Nobody opens a listing before it is public or after it is gone. */
export function interest(
  listings: readonly Listing[],
  buyers: readonly Person[],
  calendar: Calendar,
): Interest {
  const chance = seededChance(seedOf('acre interest'));
  const seen = listings.filter(({ life, seller }) => life.listed !== null && seller.row.status === 'active');
  const rows: Interest = { watches: [], views: [], openings: [] };
  for (const listing of seen) rows.openings.push(...passersBy(chance, listing, calendar));
  buyers.forEach((buyer, index) => {
    const own = index === 0 ? firstBuyersViews(chance, seen) : someOf(chance, seen, 6 + below(chance, 14));
    for (const listing of own) {
      const from = Math.min(listing.life.listed ?? 0, buyer.joinedDaysAgo - 0.1, HISTORY);
      const until = listing.life.paid ?? listing.life.closed ?? 0;
      if (from <= until) continue;
      const at = calendar.ago(between(chance, until, from));
      rows.openings.push({ property_id: listing.id, user_id: buyer.id, viewer: buyer.id, viewed_at: at });
      rows.views.push({ property_id: listing.id, user_id: buyer.id, viewed_at: at });
    }
    const watched =
      index === 0 ? firstBuyersWatches(chance, seen) : someOf(chance, seen, 2 + below(chance, 9));
    for (const listing of watched) {
      const from = Math.min(listing.life.listed ?? 0, buyer.joinedDaysAgo - 0.1);
      if (from <= (listing.life.paid ?? 0)) continue;
      rows.watches.push({
        user_id: buyer.id,
        property_id: listing.id,
        created_at: calendar.ago(between(chance, listing.life.paid ?? 0, from)),
      });
    }
  });
  return rows;
}

const someOf = (chance: Chance, listings: readonly Listing[], count: number) =>
  shuffled(chance, listings).slice(0, count);
const named = (listings: readonly Listing[], addresses: readonly string[]) =>
  listings.filter(({ row }) => addresses.includes(row.address));

/** Nothing of the first page but the two of the pictures, so that both sections of the list are well filled. */
function firstBuyersViews(chance: Chance, listings: readonly Listing[]): Listing[] {
  const older = listings.filter(({ life }) => life.created > 25);
  return [...named(listings, SEEN_BY_FIRST_BUYER), ...someOf(chance, older, 12)];
}

function firstBuyersWatches(chance: Chance, listings: readonly Listing[]): Listing[] {
  const others = listings.filter(({ row }) => !WATCHED_BY_FIRST_BUYER.includes(row.address));
  const leaving = others.filter(({ life }) => life.paid !== null && life.paid < 60);
  const staying = others.filter(({ life }) => life.status === 'Active');
  return [
    ...named(listings, WATCHED_BY_FIRST_BUYER),
    ...someOf(chance, staying, 7),
    ...someOf(chance, leaving, 3),
  ];
}

/** Openings by people who are not signed in: most in the first days, more for what is cheap or featured. */
function passersBy(chance: Chance, { id, life, row }: Listing, calendar: Calendar): Interest['openings'] {
  const from = Math.min(life.listed ?? 0, HISTORY);
  const until = life.paid ?? life.closed ?? 0;
  const span = Math.max(0, from - until);
  const appeal =
    between(chance, 0.4, 1.6) *
    (row.featured_slot ? 3 : 1) *
    (Number(row.price_cents) < 500_000_00 ? 1.3 : 1);
  const count = Math.round((3 + Math.sqrt(span) * 1.4) * appeal);
  return Array.from({ length: count }, () => ({
    property_id: id,
    user_id: null,
    viewer: `demo-visitor-${below(chance, VISITORS)}`,
    viewed_at: calendar.ago(from - span * chance() ** 1.6),
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

/** What people typed into the search box in the last ninety days, with the number of listings that had it then. */
export function searches(
  listings: readonly Listing[],
  buyers: readonly Person[],
  calendar: Calendar,
): Insertable<DB['search_events']>[] {
  const chance = seededChance(seedOf('acre searches'));
  const shelf = listings
    .filter(({ life }) => life.status === 'Active')
    .map(({ kind, row }) => ({
      kind,
      text: [row.title, row.address, row.city, row.zip, row.description, kind].join(' ').toLowerCase(),
    }));
  return Array.from({ length: 320 }, () => {
    const query = pick(chance, SEARCHES);
    const type = pick(chance, TYPES);
    const words = query.toLowerCase().split(' ');
    const found = shelf.filter(
      ({ kind, text }) => (type === null || kind === type) && words.every((word) => text.includes(word)),
    );
    const when = between(chance, 0.05, HISTORY);
    const person = chance() < 0.3 ? pick(chance, buyers) : null;
    return {
      user_id: person && person.joinedDaysAgo > when ? person.id : null,
      query,
      filters: JSON.stringify(type === null ? {} : { type }),
      results: found.length,
      created_at: calendar.ago(when),
    };
  });
}
