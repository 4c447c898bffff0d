import type { Grant } from '#features/api-keys/model.ts';
import { resoPage } from '#features/reso/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { openListingDatabase } from '../data/listing-database.ts';
import { clockFor } from '../support/clock.ts';
import { table, timingRow, timings } from '../support/timings.ts';

const SIZE = Number(process.env.BENCH_SIZES ?? 1_000_000);
const EACH = Number(process.env.BENCH_EACH ?? 30);
const WARM_UP = 3;
/** Of a page of 200 records at its p95. */
const MAX_MS = 50;

const market: Grant = {
  keyId: '00000000-0000-4000-8000-000000000001',
  scopes: ['listings', 'media', 'members'],
  agentId: null,
};

/** What other systems ask for; `{city}` and `{price}` are those of a listing. */
const requests: readonly [name: string, query: string][] = [
  ['replication by last change', '$orderby=ModificationTimestamp,ListingKey'],
  ['changes since', '$filter=ModificationTimestamp gt 2026-01-01T00:00:00Z&$orderby=ModificationTimestamp'],
  ['a city', "$filter=City eq '{city}'"],
  ['a city, dearest first', "$filter=City eq '{city}'&$orderby=ListPrice desc"],
  ['a price range', '$filter=ListPrice ge {price} and ListPrice le {price}5'],
  ['active with three bedrooms', "$filter=StandardStatus eq 'Active' and BedroomsTotal ge 3&$top=200"],
  ['names and prices alone', '$select=ListingKey,ListPrice&$top=200'],
  ['with photos', '$expand=Media&$top=200'],
];

/**
 * Pages of the RESO Web API over a large market: the first one and, by its link, the next one. Promised: p95 under 50 ms each.
 * @param serverUrl any database of the server, with the right to create others
 */
export async function measureResoPages(serverUrl: string): Promise<{ text: string; missed: string[] }> {
  const database = await openListingDatabase(serverUrl, SIZE);
  try {
    const ctx = testContext(database);
    const timed = await clockFor(database);
    const { rows: listings } = await database.pool.query<{ city: string; price: string }>(
      `select city, (price_cents / 100)::text as price from properties where id > gen_random_uuid() order by id limit ${EACH}`,
    );
    const missed: string[] = [];
    const rows: string[][] = [];
    for (const [name, query] of requests) {
      const [first, next]: [number[], number[]] = [[], []];
      for (let n = -WARM_UP; n < EACH; n += 1) {
        const { city = '', price = '' } = listings[Math.abs(n) % listings.length] ?? {};
        const asked = query.replace('{city}', city.replaceAll("'", "''")).replaceAll('{price}', price);
        const [one, two] = await pageAndNext(ctx, asked, timed);
        if (n < 0) continue;
        first.push(one);
        if (two !== null) next.push(two);
      }
      for (const [page, durations] of [
        [name, first],
        [`${name}, next page`, next],
      ] as const) {
        if (durations.length === 0) continue;
        rows.push(timingRow(page, timings(durations)));
        if (timings(durations).p95 >= MAX_MS) missed.push(`RESO, ${page}: p95 is not under ${MAX_MS} ms`);
      }
    }
    const head = ['milliseconds', 'n', 'p50', 'p95', 'p99', 'max'];
    return { text: `${SIZE.toLocaleString('en-US')} listings:\n\n${table(head, rows)}`, missed };
  } finally {
    await database.close();
  }
}

async function pageAndNext(
  ctx: Ctx,
  query: string,
  timed: (work: () => Promise<unknown>) => Promise<number>,
): Promise<[number, number | null]> {
  let next: string | null = null;
  const read = async (params: string) => {
    const request = { resource: 'Property', params: new URLSearchParams(params), prefer: null };
    next = (await resoPage(ctx, market, request)).next;
  };
  const first = await timed(() => read(query));
  return [first, next === null ? null : await timed(() => read(String(next)))];
}
