import type { Insertable } from 'kysely';
import { BUILDING_STYLES, buildingStyleOf } from '#illustrator/building-styles.ts';
import { illustrationKey, type PropertyKind } from '#illustrator/illustration-key.ts';
import { cycle, pick, type Random, randomBetween, randomInt, seededRandom } from '#illustrator/random.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import { pickWeighted, seedOf, shuffled, uuid } from '../ids.ts';
import type { Seller } from '../people.ts';
import { TOWNS, type Town } from '../towns.ts';
import { RARITIES, type Rarity } from '../words/rarities.ts';
import { amenitiesIn } from './amenities.ts';
import { descriptionWriter, type ListingText } from './describe.ts';
import { HANDWRITTEN_LISTINGS, type HandwrittenListing } from './handwritten-listings.ts';
import type { ListingSpec } from './listing-spec.ts';
import { measure } from './measure.ts';
import { type ListingTimeline, schedule } from './schedule.ts';
import { sentenceFits } from './sentence-rules.ts';

/** One property of the demo market. `row` lacks only `type_id`, which the database assigns. */
export interface Listing {
  id: string;
  kind: PropertyKind;
  timeline: ListingTimeline;
  seller: Seller;
  amenities: readonly string[];
  row: Omit<Insertable<DB['properties']>, 'type_id'>;
}

/** Active listings of the suspended seller, which are not public. */
const HIDDEN_LISTINGS = 2;

/** All listings, on and off the market, in a fixed order. */
export function listings(calendar: Calendar, sellers: readonly Seller[]): Listing[] {
  const random = seededRandom(seedOf('acre listings'));
  const handwrittenListings = HANDWRITTEN_LISTINGS.map((handwritten) =>
    fromHandwritten(random, handwritten, calendar, sellers),
  );
  const taken = new Set(handwrittenListings.map(({ row }) => `${row.address}, ${row.city}`));
  const planned = schedule(random).map(({ kind, timeline }) => ({
    timeline,
    spec: spec(random, kind, taken),
  }));
  const rarities = assignRarities(
    random,
    planned.flatMap(({ timeline, spec }) => (timeline.status === 'Active' ? spec : [])),
  );
  const write = descriptionWriter(random);
  const suspended = sellers.find((seller) => seller.row.status === 'suspended');
  const hidden = planned
    .filter(({ timeline, spec }) => timeline.status === 'Active' && suspended?.towns.includes(spec.town.name))
    .slice(0, HIDDEN_LISTINGS);
  const generated = planned.map((one) => {
    const { timeline, spec } = one;
    const wording = write(spec, rarities.get(spec.id));
    const local = sellerFor(random, spec.town, timeline.created, sellers);
    // One listing in nine has just its address as the title, unless it has a special feature.
    const plain = random() < 1 / 9 && !rarities.has(spec.id);
    const text = plain ? { ...wording, title: spec.address } : wording;
    return complete(random, spec, timeline, text, (hidden.includes(one) && suspended) || local, calendar);
  });
  return [...handwrittenListings, ...generated];
}

/** A seller in that town who had joined by then, otherwise any seller who had. */
function sellerFor(random: Random, town: Town, createdDaysAgo: number, sellers: readonly Seller[]): Seller {
  const present = sellers.filter(
    ({ person, row }) => person && row.status === 'active' && person.joinedDaysAgo > createdDaysAgo + 4,
  );
  const local = present.filter((seller) => seller.towns.includes(town.name));
  return pick(random, local.length ? local : present);
}

/** Generates ids until one has a picture that `fits`, so that text and picture agree. */
function idWithMatchingPicture(random: Random, kind: PropertyKind, fits: (id: string) => boolean): string {
  for (let attempt = 0; attempt < 100_000; attempt += 1) {
    const id = uuid(random);
    if (fits(id)) return id;
  }
  throw new Error(`No id found for a picture of ${kind}`);
}

function spec(random: Random, kind: PropertyKind, taken: Set<string>): ListingSpec {
  const style = pick(random, BUILDING_STYLES[kind]);
  const id = idWithMatchingPicture(
    random,
    kind,
    (candidate) => buildingStyleOf(illustrationKey(candidate, kind)) === style,
  );
  const town = pickWeighted(random, TOWNS);
  const place = freeAddress(random, kind, style === 'row houses', town, taken);
  return { id, kind, style, town, ...place, ...measure(random, kind, style, town) };
}

function freeAddress(random: Random, kind: PropertyKind, isRow: boolean, town: Town, taken: Set<string>) {
  for (;;) {
    const street = pick(random, town.streets);
    const number = randomInt(random, random() < 0.6 ? 180 : 1900) + 2;
    const lot = kind === 'Vacant Lot';
    const numbered = isRow ? `${number}–${number + 8} ${street}` : `${number} ${street}`;
    const address = lot ? `Lot ${1 + randomInt(random, 40)}, ${street}` : numbered;
    const key = `${address}, ${town.name}`;
    if (taken.has(key)) continue;
    taken.add(key);
    return { street, address };
  }
}

/** Assigns each special feature to one matching listing, starting with those limited to the fewest towns. */
function assignRarities(random: Random, sketches: readonly ListingSpec[]): Map<string, Rarity> {
  const free = shuffled(random, sketches);
  const assigned = new Map<string, Rarity>();
  const choosyFirst = [...RARITIES].sort(
    (one, other) => (one.towns?.length ?? 99) - (other.towns?.length ?? 99),
  );
  for (const rarity of choosyFirst) {
    const suits = (spec: ListingSpec) =>
      spec.kind === rarity.kind &&
      (rarity.towns?.includes(spec.town.name) ?? true) &&
      (rarity.styles?.includes(spec.style) ?? true) &&
      sentenceFits(spec, rarity.sentence);
    const [lucky] = free.splice(free.findIndex(suits), 1);
    if (!lucky || !suits(lucky)) throw new Error(`No listing for ${rarity.title}`);
    assigned.set(lucky.id, rarity);
  }
  return assigned;
}

function complete(
  random: Random,
  spec: ListingSpec,
  timeline: ListingTimeline,
  { title, description }: ListingText,
  seller: Seller,
  calendar: Calendar,
): Listing {
  const date = (days: number | null) => (days === null ? null : calendar.ago(days));
  const row: Listing['row'] = {
    id: spec.id,
    agent_id: seller.id,
    title,
    address: spec.address,
    city: spec.town.name,
    state: spec.town.state,
    zip: spec.town.zip,
    description,
    price_cents: spec.priceCents,
    bedrooms: spec.bedrooms,
    bathrooms: spec.bathrooms,
    half_baths: spec.halfBaths,
    square_feet: spec.squareFeet,
    lot_square_feet: spec.lotSquareFeet,
    year_built: spec.yearBuilt,
    neighborhood: neighborhoodOf(spec),
    ...mlsOf(spec),
    ...coordinates(random, spec.town),
    location_precision: 'rooftop',
    status: timeline.status,
    review_note: reviewNote(timeline),
    featured_slot: null,
    featured_at: null,
    listed_at: date(timeline.listed),
    paused_at: date(timeline.paid),
    off_market_at: date(timeline.closed === null ? null : (timeline.paid ?? timeline.closed)),
    created_at: calendar.ago(timeline.created),
    updated_at: calendar.ago(timeline.closed ?? timeline.paid ?? timeline.listed ?? timeline.created),
  };
  return { id: spec.id, kind: spec.kind, timeline, seller, amenities: amenitiesIn(description), row };
}

/** The neighborhood of its street; null outside of them. */
function neighborhoodOf({ town: { streets, neighborhoods }, street }: ListingSpec): string | null {
  const at = streets.indexOf(street);
  return at < 0 ? null : (neighborhoods[Math.floor((at * neighborhoods.length) / streets.length)] ?? null);
}

/** Three of four are known to a multiple listing service, too; from the id, so that the rest of the market stays as it was. */
function mlsOf({ id, kind }: ListingSpec): { mls_name: string | null; mls_number: string | null } {
  const number = Number.parseInt(id.slice(0, 8), 16);
  return number % 4 === 0 || kind === 'Vacant Lot'
    ? { mls_name: null, mls_number: null }
    : { mls_name: 'Cascade MLS', mls_number: String(20_000_000 + (number % 10_000_000)) };
}

/** A random point within the radius of the town, shifted away from its water. */
function coordinates(random: Random, { latitude, longitude, spread }: Town) {
  const angle = randomBetween(random, 0, 2 * Math.PI);
  const distance = spread.radius * Math.sqrt(random());
  const narrowing = Math.cos((latitude * Math.PI) / 180);
  const round = (degrees: number) => Math.round(degrees * 100_000) / 100_000;
  return {
    latitude: round(latitude + spread.northward + distance * Math.sin(angle)),
    longitude: round(longitude + spread.eastward + (distance * Math.cos(angle)) / narrowing),
  };
}

const CHANGES_WANTED = [
  'The price in the description differs from the price above it. Please correct one of them.',
  'Please add the year the rear wing was built and say whether it was permitted.',
  'The square footage includes the garage. Please give the living area.',
];
const REFUSALS = [
  'The same property is already listed by another seller, who has shown the deed.',
  'We could not confirm that this parcel may be sold separately.',
  'The address does not exist in the county records.',
];

function reviewNote({ status, created }: ListingTimeline): string | null {
  if (status === 'changes_requested') return cycle(CHANGES_WANTED, Math.floor(created));
  return status === 'rejected' ? cycle(REFUSALS, Math.floor(created)) : null;
}

function fromHandwritten(
  random: Random,
  handwritten: HandwrittenListing,
  calendar: Calendar,
  sellers: readonly Seller[],
): Listing {
  const town = TOWNS.find(({ name }) => name === handwritten.town);
  if (!town) throw new Error(`No town ${handwritten.town}`);
  const { kind, picture } = handwritten;
  const id = idWithMatchingPicture(
    random,
    kind,
    (candidate) => illustrationKey(candidate, kind).hash === picture,
  );
  const style = buildingStyleOf({ kind, hash: picture });
  const created = handwritten.createdDaysAgo;
  const timeline: ListingTimeline = {
    status: 'Active',
    created,
    listed: created - 0.4,
    paid: null,
    closed: null,
  };
  const spec: ListingSpec = {
    ...handwritten,
    id,
    style: style ?? 'open ground',
    town,
    halfBaths: 0,
    units: 1,
    acres: null,
    priceCents: handwritten.price * 100,
  };
  const seller = sellerFor(random, town, created, sellers);
  const listing = complete(random, spec, timeline, handwritten, seller, calendar);
  const slot = handwritten.featuredSlot;
  const featured = slot ? { featured_slot: slot, featured_at: calendar.ago(slot / 24) } : {};
  return { ...listing, row: { ...listing.row, ...featured } };
}
