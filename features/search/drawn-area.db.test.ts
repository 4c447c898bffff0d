import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { areaLiteral, type DrawnArea, isInArea, readArea } from './drawn-area.ts';
import { mapMarkers, searchListings } from './reads.ts';
import { parseCriteria } from './rules.ts';

await describeOnDatabase('a search in a drawn area', (open) => {
  let db: Database;
  let ctx: Ctx;
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    const seller = await createUser(db, 'agent');
    for (const [address, latitude, longitude] of [
      ['1 Inside Way', 40.1, -74.9],
      ['2 Inside Way', 40.4, -74.5],
      ['3 Corner Way', 40.9, -74.1],
      ['4 Outside Way', 42, -74.9],
      ['5 Nowhere Way', null, null],
    ] as const)
      await createListing(db, seller.agentId, { address, latitude, longitude });
  });
  afterAll(() => db.close());

  const found = async (query: string) => {
    const { rows } = await searchListings(ctx, parseCriteria(new URLSearchParams(query), []));
    return rows.map(({ address }) => address).sort();
  };
  /** Half of the square from 40 to 41 north: its other half has the third listing. */
  const triangle = '40_-75_41_-75_40_-74';

  it('finds what is inside, not what is only in the rectangle around it', async () => {
    expect(await found(`area=${triangle}`)).toEqual(['1 Inside Way', '2 Inside Way']);
    expect(await found(`area=${triangle}&q=corner`)).toEqual([]);
    expect(await found(`area=${triangle}&bbox=40,-75,40.2,-74`)).toEqual(['1 Inside Way']);
    expect(await found(`area=${triangle}&bbox=42,-75,43,-74`)).toEqual([]);
    expect(await found('area=40_-75_41')).toHaveLength(5);
    const markers = await mapMarkers(ctx, parseCriteria(new URLSearchParams({ area: triangle }), []), 9);
    expect(markers.map(({ listing }) => listing?.address).sort()).toEqual(['1 Inside Way', '2 Inside Way']);
  });

  it('has the same inside in the database as in the rules', async () => {
    let state = 7;
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    for (let round = 0; round < 60; round++) {
      const corners = Array.from({ length: 3 + Math.floor(next() * 12) }, () => [next() * 4, next() * 4]);
      const reading = readArea(
        corners
          .flat()
          .map((one) => one.toFixed(4))
          .join('_'),
      );
      expect(reading.ok).toBe(true);
      const area = (reading.ok ? reading.area : []) as DrawnArea;
      const places = Array.from({ length: 40 }, () => ({ latitude: next() * 4, longitude: next() * 4 }));
      const { rows } = await sql<{
        inside: boolean;
      }>`select ${areaLiteral(area)}::polygon @> point(x, y) as inside
        from unnest(${places.map(({ longitude }) => longitude)}::float8[], ${places.map(({ latitude }) => latitude)}::float8[])
        with ordinality place (x, y, n) order by n`.execute(db.q());
      expect(rows.map(({ inside }) => inside)).toEqual(places.map((place) => isInArea(area, place)));
    }
  });
});
