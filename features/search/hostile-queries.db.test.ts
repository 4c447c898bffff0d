import { threadCpuUsage } from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { seededRandom } from '#tests/access/fuzz/hostile-input.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { hostileQuery } from '#tests/support/search/hostile-queries.ts';
import { PAGE_SIZE } from './model.ts';
import { mapMarkers, meaningOf, relaxedListings, searchListings, suggest } from './reads.ts';
import { inOrder, parseCriteria, readingOf } from './rules.ts';

// `QUERIES=100000 npm test -- unit features/search/hostile-queries.db.test.ts` is the full run; QUERIES_SEED tries other queries.
const COUNT = Number(process.env.QUERIES ?? 400);
const SEED = Number(process.env.QUERIES_SEED ?? 20_261_124);
/** Reading a query may keep other requests waiting for no longer, in milliseconds of processor time. */
const MAX_READING_MS = 50;

const places = ['Boise ID', 'Springfield IL', 'St. Louis MO', 'Fort Worth TX'];

await describeOnDatabase('hostile queries', (open) => {
  let db: Database;
  let ctx: Ctx;
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    const seller = await createUser(db, 'agent');
    for (let n = 0; n < 60; n += 1) {
      const place = places[n % places.length] ?? '';
      await createListing(db, seller.agentId, {
        address: `${1_200 + n} N Maple St Unit ${n}`,
        city: place.slice(0, -3),
        state: place.slice(-2),
        zip: String(83_700 + n),
        bedrooms: n % 6,
        price_cents: 10_000_000 * (1 + (n % 9)),
        description: 'A quiet lane with an observatory, a pool and a garage.',
      });
    }
  });
  afterAll(() => db.close());

  const reading = (params: URLSearchParams): number => {
    const before = threadCpuUsage();
    inOrder(params);
    readingOf(params, []);
    parseCriteria(params, []);
    const { user, system } = threadCpuUsage(before);
    return (user + system) / 1_000;
  };

  it(
    `are answered, ${COUNT} of seed ${SEED}`,
    async () => {
      const problems: string[] = [];
      let found = 0;
      for (let n = 0; n < COUNT && problems.length < 10; n += 1) {
        const random = seededRandom(SEED, n);
        const params = hostileQuery(random);
        const report = (problem: string) =>
          problems.push(`${SEED}, ${n}: ${problem}: ${String(params).slice(0, 400)}`);
        // What is compiled at its first use takes longer once.
        const took = Math.min(reading(params), reading(params));
        if (took > MAX_READING_MS) report(`was read for ${took} ms`);
        try {
          const criteria = parseCriteria(params, []);
          const { rows, total } = await searchListings(ctx, criteria);
          if (rows.length > PAGE_SIZE) report(`${rows.length} rows`);
          if (total > 0) found += 1;
          else await relaxedListings(ctx, params, []);
          if (random.percent(20)) await mapMarkers(ctx, criteria, random.below(20));
          if (random.percent(20)) await meaningOf(ctx, criteria);
          if (random.percent(50)) await suggest(ctx, params.get('q') ?? '');
        } catch (error) {
          report(String(error));
        }
      }
      expect(problems).toEqual([]);
      // Enough of them must ask for something that exists.
      expect(found).toBeGreaterThan(COUNT * 0.05);
    },
    120_000 + COUNT * 60,
  );
});
