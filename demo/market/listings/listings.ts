import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import { illustrationAddress, type PropertyKind } from '../../illustrator/address.ts';
import { below, between, type Chance, cycle, pick, seededChance } from '../../illustrator/chance.ts';
import { FRONTS, frontOf } from '../../illustrator/fronts.ts';
import type { Calendar } from '../calendar.ts';
import { seedOf, shuffled, uuid, weighted } from '../ids.ts';
import type { Seller } from '../people.ts';
import { TOWNS, type Town } from '../towns.ts';
import { RARITIES, type Rarity } from '../words/rarities.ts';
import { amenitiesIn } from './amenities.ts';
import { type Wording, writer } from './describe.ts';
import { isTrueOf } from './fitting.ts';
import { measure } from './measure.ts';
import { type Life, schedule } from './schedule.ts';
import type { Sketch } from './sketch.ts';
import { WRITTEN, type Written } from './written.ts';

/** One property of the demo market. `row` lacks only the number of its type, which the database gives out. */
export interface Listing {
  id: string;
  kind: PropertyKind;
  life: Life;
  seller: Seller;
  amenities: readonly string[];
  row: Omit<Insertable<DB['properties']>, 'type_id'>;
}

/** Of the suspended seller; nobody sees them in the list. */
const HIDDEN_LISTINGS = 2;

/** Everything on the market and what has left it, in a fixed order. */
export function listings(calendar: Calendar, sellers: readonly Seller[]): Listing[] {
  const chance = seededChance(seedOf('acre listings'));
  const byHand = WRITTEN.map((written) => fromWritten(chance, written, calendar, sellers));
  const taken = new Set(byHand.map(({ row }) => `${row.address}, ${row.city}`));
  const sketched = schedule(chance).map(({ kind, life }) => ({ life, sketch: sketch(chance, kind, taken) }));
  const rarities = shareRarities(
    chance,
    sketched.flatMap(({ life, sketch }) => (life.status === 'Active' ? sketch : [])),
  );
  const write = writer(chance);
  const suspended = sellers.find((seller) => seller.row.status === 'suspended');
  const hidden = sketched
    .filter(({ life, sketch }) => life.status === 'Active' && suspended?.towns.includes(sketch.town.name))
    .slice(0, HIDDEN_LISTINGS);
  const generated = sketched.map((one) => {
    const { life, sketch } = one;
    const wording = write(sketch, rarities.get(sketch.id));
    const local = sellerFor(chance, sketch.town, life.created, sellers);
    // One seller in nine leaves the title to the address, but not with something rare to show.
    const plain = chance() < 1 / 9 && !rarities.has(sketch.id);
    const worded = plain ? { ...wording, title: sketch.address } : wording;
    return complete(chance, sketch, life, worded, (hidden.includes(one) && suspended) || local, calendar);
  });
  return [...byHand, ...generated];
}

/** A seller of the town who had joined by then, else whoever had. */
function sellerFor(chance: Chance, town: Town, createdDaysAgo: number, sellers: readonly Seller[]): Seller {
  const present = sellers.filter(
    ({ person, row }) => person && row.status === 'active' && person.joinedDaysAgo > createdDaysAgo + 4,
  );
  const local = present.filter((seller) => seller.towns.includes(town.name));
  return pick(chance, local.length ? local : present);
}

/** Draws ids until one has a picture that `fits`, so that words and picture agree. */
function idWithPicture(chance: Chance, kind: PropertyKind, fits: (id: string) => boolean): string {
  for (let attempt = 0; attempt < 100_000; attempt += 1) {
    const id = uuid(chance);
    if (fits(id)) return id;
  }
  throw new Error(`No id found for a picture of ${kind}`);
}

function sketch(chance: Chance, kind: PropertyKind, taken: Set<string>): Sketch {
  const front = pick(chance, FRONTS[kind]);
  const id = idWithPicture(
    chance,
    kind,
    (candidate) => frontOf(illustrationAddress(candidate, kind)) === front,
  );
  const town = weighted(chance, TOWNS);
  const place = freeAddress(chance, kind, front === 'row houses', town, taken);
  return { id, kind, front, town, ...place, ...measure(chance, kind, front, town) };
}

function freeAddress(chance: Chance, kind: PropertyKind, isRow: boolean, town: Town, taken: Set<string>) {
  for (;;) {
    const street = pick(chance, town.streets);
    const number = below(chance, chance() < 0.6 ? 180 : 1900) + 2;
    const lot = kind === 'Vacant Lot';
    const numbered = isRow ? `${number}–${number + 8} ${street}` : `${number} ${street}`;
    const address = lot ? `Lot ${1 + below(chance, 40)}, ${street}` : numbered;
    const key = `${address}, ${town.name}`;
    if (taken.has(key)) continue;
    taken.add(key);
    return { street, address };
  }
}

/** Gives each rarity to one listing of its kind and town, those that are choosy about towns first. */
function shareRarities(chance: Chance, sketches: readonly Sketch[]): Map<string, Rarity> {
  const free = shuffled(chance, sketches);
  const shared = new Map<string, Rarity>();
  const choosyFirst = [...RARITIES].sort(
    (one, other) => (one.towns?.length ?? 99) - (other.towns?.length ?? 99),
  );
  for (const rarity of choosyFirst) {
    const suits = (sketch: Sketch) =>
      sketch.kind === rarity.kind &&
      (rarity.towns?.includes(sketch.town.name) ?? true) &&
      (rarity.fronts?.includes(sketch.front) ?? true) &&
      isTrueOf(sketch, rarity.sentence);
    const [lucky] = free.splice(free.findIndex(suits), 1);
    if (!lucky || !suits(lucky)) throw new Error(`No listing for ${rarity.title}`);
    shared.set(lucky.id, rarity);
  }
  return shared;
}

function complete(
  chance: Chance,
  sketch: Sketch,
  life: Life,
  { title, description }: Wording,
  seller: Seller,
  calendar: Calendar,
): Listing {
  const date = (days: number | null) => (days === null ? null : calendar.ago(days));
  const row: Listing['row'] = {
    id: sketch.id,
    agent_id: seller.id,
    title,
    address: sketch.address,
    city: sketch.town.name,
    state: sketch.town.state,
    zip: sketch.town.zip,
    description,
    price_cents: sketch.priceCents,
    bedrooms: sketch.bedrooms,
    bathrooms: sketch.bathrooms,
    half_baths: sketch.halfBaths,
    square_feet: sketch.squareFeet,
    lot_square_feet: sketch.lotSquareFeet,
    year_built: sketch.yearBuilt,
    ...coordinates(chance, sketch.town),
    location_precision: 'rooftop',
    status: life.status,
    review_note: reviewNote(life),
    featured_slot: null,
    featured_at: null,
    listed_at: date(life.listed),
    paused_at: date(life.paid),
    off_market_at: date(life.closed === null ? null : (life.paid ?? life.closed)),
    created_at: calendar.ago(life.created),
    updated_at: calendar.ago(life.closed ?? life.paid ?? life.listed ?? life.created),
  };
  return { id: sketch.id, kind: sketch.kind, life, seller, amenities: amenitiesIn(description), row };
}

/** Somewhere in the round of the town, off its water. */
function coordinates(chance: Chance, { latitude, longitude, spread }: Town) {
  const angle = between(chance, 0, 2 * Math.PI);
  const distance = spread.radius * Math.sqrt(chance());
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

function reviewNote({ status, created }: Life): string | null {
  if (status === 'changes_requested') return cycle(CHANGES_WANTED, Math.floor(created));
  return status === 'rejected' ? cycle(REFUSALS, Math.floor(created)) : null;
}

function fromWritten(
  chance: Chance,
  written: Written,
  calendar: Calendar,
  sellers: readonly Seller[],
): Listing {
  const town = TOWNS.find(({ name }) => name === written.town);
  if (!town) throw new Error(`No town ${written.town}`);
  const { kind, picture } = written;
  const id = idWithPicture(
    chance,
    kind,
    (candidate) => illustrationAddress(candidate, kind).hash === picture,
  );
  const front = frontOf({ kind, hash: picture });
  const created = written.createdDaysAgo;
  const life: Life = { status: 'Active', created, listed: created - 0.4, paid: null, closed: null };
  const sketch: Sketch = {
    ...written,
    id,
    front: front ?? 'open ground',
    town,
    halfBaths: 0,
    units: 1,
    acres: null,
    priceCents: written.price * 100,
  };
  const seller = sellerFor(chance, town, created, sellers);
  const listing = complete(chance, sketch, life, written, seller, calendar);
  const slot = written.featuredSlot;
  const featured = slot ? { featured_slot: slot, featured_at: calendar.ago(slot / 24) } : {};
  return { ...listing, row: { ...listing.row, ...featured } };
}
