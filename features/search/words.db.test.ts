import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { anything } from './model.ts';
import { filterOf, filterTerms } from './terms.ts';
import { queryWords, searchText } from './words.ts';

const random = (() => {
  let state = 42;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
})();

it.each([
  ["O'Brien’s Cañon, ÉCOLE!", ['obriens', 'canon', 'ecole']],
  ['12-34 St. (2.5 baths)', ['12', '34', 'st', '2', '5', 'baths']],
  ['a A á', ['a']],
  [' \t\n% _ * ', []],
  ['x'.repeat(50), ['x'.repeat(40)]],
  ['東京 שלום', ['東京', 'שלום']],
])('splits %j into words', (text, words) => {
  expect(queryWords(text)).toEqual(words);
});

await describeOnEachDatabase('words in the application and in the database', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('are the same for any text', async () => {
    const ranges = [
      [0x20, 0x7e],
      [0xa0, 0x24f],
      [0x300, 0x36f],
      [0x2000, 0x206f],
      [0x3040, 0x30ff],
      [0xac00, 0xac80],
      [0x1f300, 0x1f600],
      [0x5d0, 0x5ea],
    ] as const;
    const texts = Array.from({ length: 500 }, () => {
      const length = random(30);
      return Array.from({ length }, () => {
        const [low, high] = ranges[random(2) ? 0 : random(ranges.length)] ?? ranges[0];
        return String.fromCodePoint(low + random(high - low));
      }).join('');
    });
    const { rows } = await sql<{ value: string }>`
      select search_text(given.value) as value from unnest(${texts}::text[]) with ordinality given (value, n) order by n`.execute(
      db.q(),
    );
    expect(rows.map((row) => row.value)).toEqual(texts.map(searchText));
  });

  it('every listing that passes a filter has a lexeme of each of its terms', async () => {
    const seller = await createUser(db, 'agent');
    for (let i = 0; i < 150; i++) {
      const price = random(3) ? 1 + random(99_999_999) : [1, 9, 10, 99, 100, 99_999_999_999][random(6)];
      const facts = {
        type_id: 1 + random(4),
        price_cents: price ?? 1,
        bedrooms: random(13),
        bathrooms: random(13),
        latitude: [-90, 90, 30.25, random(180_000) / 1_000 - 90][random(4)] ?? 0,
        longitude: [-180, 180, -97.5, random(360_000) / 1_000 - 180][random(4)] ?? 0,
        square_feet: [1, 99.5, 100, 1 + random(20_000), 9_999_999][random(5)] ?? 1,
        lot_square_feet: [0, 99, 100.5, random(2_000_000), 99_999_999, 100_000_000][random(6)] ?? 0,
        year_built: 1_600 + random(601),
        description: ['A pool and a garage', 'No pool, waterfront', ''][random(3)] ?? '',
      };
      const id = await createListing(db, seller.agentId, facts);
      const around = [0, 0.001, 0.3, 9][random(4)] ?? 0;
      const filter = filterOf({
        ...anything,
        typeId: random(2) ? facts.type_id : null,
        minCents: Math.max(0, facts.price_cents - random(3) * random(1_000)),
        maxCents: facts.price_cents + random(3) * random(facts.price_cents),
        minBeds: random(facts.bedrooms + 1),
        minBaths: random(facts.bathrooms + 1),
        minSqft: Math.floor(facts.square_feet - random(2) * random(facts.square_feet + 1)),
        maxSqft: random(2) ? Math.ceil(facts.square_feet) + random(5_000) : null,
        minLotSqft: random(2) ? Math.floor(facts.lot_square_feet) : null,
        maxLotSqft: Math.ceil(facts.lot_square_feet) + random(5_000),
        minYear: random(2) ? facts.year_built - random(40) : null,
        maxYear: random(2) ? facts.year_built + random(40) : null,
        amenities: facts.description.includes('waterfront')
          ? ['waterfront']
          : facts.description
            ? ['pool', 'garage']
            : [],
        bbox: {
          south: Math.max(-90, facts.latitude - around),
          west: Math.max(-180, facts.longitude - around),
          north: Math.min(90, facts.latitude + around),
          east: Math.min(180, facts.longitude + around),
        },
      });
      const { rows } = await sql<{ lexemes: string[] }>`
        select tsvector_to_array(words) as lexemes from search_entries where property_id = ${id}`.execute(
        db.q(),
      );
      for (const term of filterTerms(filter)) {
        expect(
          term.lexemes.some((lexeme) => rows[0]?.lexemes.includes(lexeme)),
          JSON.stringify({ i, facts, lexemes: term.lexemes, has: rows[0]?.lexemes }),
        ).toBe(true);
      }
    }
  });
});
