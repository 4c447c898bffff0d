import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mulberry32 } from '#illustrator/random.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';

const LISTINGS = 300;
const random = mulberry32(94);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const number = (from: number, to: number) => Math.floor(from + random() * (to - from));

const ADDRESSES = [
  '12 N Elm St',
  '9400-9408 Forty-Second Street NE #4',
  '9400 – 08 Ft. Hill Blvd',
  '1 Saint Mary’s Ave., Unit 3',
  '5-1 Oak Street',
  '####-###',
  '77 Twenty Second St Apt 12',
  "O'Brien Crk Rd 3",
  'Évêque Straße 12',
  'Lot 4, County Rd 7',
  '100 Twenty',
  `${'a'.repeat(60)} Way`,
  '12 北京路 5',
];
const CITIES = [
  '',
  'St. Paul',
  'Fort Worth',
  'Mount St Helens',
  ' New York ',
  'Öland',
  'Austin',
  "Coeur d'Alene",
];
const STATES = ['', 'MN', 'tx', 'New York', 'Washington', 'XYZ', ' wa '];
const ZIPS = ['', '55101', '98101-1234', ' 787 04 '];
const NEIGHBORHOODS = [null, 'Old Town', 'St Johns', 'Fort Hill / Mt. Baker', '…'];
const NUMBERS = [null, '2334567', ' A 12/b ', '  '];
const TITLES = [null, 'No pool', 'Waterfront home, mountain views', 'Ends with no'];
const TEXTS = [
  '',
  'pool table in the basement; two-car garage. Needs TLC!',
  'Garage without a workshop. Élégant — fenced yard, hot tub; ocean views.',
  'A quiet lot\nin two lines, deck of cards on the deck.',
];

/** A listing of every shape that the search has to deal with, as columns of `properties`. */
const listing = (agentId: string, n: number) => ({
  id: randomUUID(),
  agent_id: agentId,
  source_id: `row ${n}`,
  status: random() < 0.9 ? 'Active' : 'Sold',
  address: pick(ADDRESSES),
  city: pick(CITIES),
  state: pick(STATES),
  zip: pick(ZIPS),
  neighborhood: pick(NEIGHBORHOODS),
  mls_number: pick(NUMBERS),
  title: pick(TITLES),
  description: pick(TEXTS),
  price_cents: number(1, 10) * 10 ** number(0, 11),
  bedrooms: pick([null, 0, 1, 4, 9, 12]),
  bathrooms: pick([null, 0, 2, 11]),
  square_feet: pick([null, 0, 55.5, 480, 12_345.6, 9_999_999]),
  lot_square_feet: pick([null, 0, 99, 4_321, 999_999_999]),
  year_built: pick([null, 1899, 2024]),
  ...pick([
    { latitude: null, longitude: null },
    { latitude: 47.61, longitude: -122.33 },
    { latitude: -33.9, longitude: 151.2 },
    { latitude: 90, longitude: 180 },
  ]),
  created_at: new Date(Date.UTC(number(1999, 2027), number(0, 12), 1)).toISOString(),
});

describe('the search entries of listings that are added together', () => {
  let db: Database;
  let close = async () => {};
  const agentId = randomUUID();
  const listings = Array.from({ length: LISTINGS }, (_, n) => listing(agentId, n));

  const add = (rows: readonly object[]) => {
    const names = Object.keys(rows[0] ?? {});
    const columns = sql.join(names.map((name) => sql.ref(name)));
    return sql`insert into properties (${columns}) select ${columns}
      from jsonb_populate_recordset(null::properties, ${JSON.stringify(rows)}::jsonb)`.execute(db.q());
  };
  const tick = () =>
    sql`insert into property_amenities (property_id, amenity_id)
      select p.id, a.id from properties p, (select id from amenities order by id limit 2) a
      where p.source_id like '%7'`.execute(db.q());
  const everything = async () => ({
    entries: (await sql`select * from search_entries order by property_id`.execute(db.q())).rows,
    // Sums of coordinates differ in their last digits by the order of their parts.
    cells: (
      await sql`select level, y, x, type_id, sum(entries)::integer as entries, round(sum(latitude_sum)::numeric, 6) as latitude,
        round(sum(longitude_sum)::numeric, 6) as longitude from search_cells group by 1, 2, 3, 4 having sum(entries) <> 0
        order by 1, 2, 3, 4`.execute(db.q())
    ).rows,
    places: (
      await sql`select place, sum(entries)::integer as entries from search_places group by 1 having sum(entries) <> 0
        order by 1`.execute(db.q())
    ).rows,
    words: (await sql`select distinct word from search_words order by 1`.execute(db.q())).rows,
  });

  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0088_listing_reports');
    await sql`insert into agents (id, name, email) values (${agentId}, 'Ada Seller', 'ada@acre.test')`.execute(
      db.q(),
    );
    await sql`insert into amenities (name) values ('Swimming pool'), ('Dock') on conflict do nothing`.execute(
      db.q(),
    );
  });
  afterAll(() => close());

  it('are those that each listing had by itself, before and after the migration', async () => {
    for (const one of listings) await add([one]);
    await tick();
    const rowByRow = await everything();
    expect(rowByRow.entries.length).toBeGreaterThan(LISTINGS / 2);
    await migrate(db);

    const { rows: other } = await sql`select p.address, e.words::text as was, (p.entry).words::text as now
      from search_entries e join (select p.id, p.address, search_entry(p) as entry from properties p offset 0) p
        on p.id = e.property_id where e <> p.entry`.execute(db.q());
    expect(other).toEqual([]);

    await sql`delete from properties`.execute(db.q());
    expect(await everything()).toMatchObject({ entries: [], cells: [], places: [] });
    await sql`truncate search_words, search_cells, search_places`.execute(db.q());
    for (let start = 0; start < LISTINGS; start += 120) await add(listings.slice(start, start + 120));
    await tick();
    expect(await everything()).toEqual(rowByRow);

    // What changes later is counted like what was added by itself.
    await sql`update properties set status = 'Sold' where status = 'Active'`.execute(db.q());
    expect(await everything()).toMatchObject({ entries: [], cells: [], places: [] });
  });
});
