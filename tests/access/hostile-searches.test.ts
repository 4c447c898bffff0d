import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_MARKERS, MAX_SUGGESTIONS } from '#features/search/model.ts';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import { hostileQuery } from '#tests/support/search/hostile-queries.ts';
import { seededRandom } from './fuzz/hostile-input.ts';
import { problemWith } from './fuzz/problem-with.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

// `QUERIES=10000 npm test -- unit tests/access/hostile-searches.test.ts` is the full run; QUERIES_SEED tries other queries.
const COUNT = Number(process.env.QUERIES ?? 120);
const SEED = Number(process.env.QUERIES_SEED ?? 20_261_126);
const CONCURRENCY = 4;
/** What reads a text as the list does, and how many entries its answer has at most. */
const ADDRESSES = {
  '/properties': null,
  '/api/map': MAX_MARKERS,
  '/api/suggestions': MAX_SUGGESTIONS,
  '/api/count': null,
} as const;
/** Found, an empty search box, a drawn area or bytes that are none, too long for us, too long for Node. */
const EXPECTED = [200, 302, 400, 414, 431];

const listings = [
  { city: 'Land O’ Lakes', state: 'FL', address: '1 Elm St' },
  { city: 'Commercial Point', state: 'OH', address: '2 Elm St' },
  { city: 'Boise', state: 'ID', address: '1208 N Smith St Unit 12' },
  { city: 'St. Louis', state: 'MO', address: '4 Maple Pkwy' },
  { city: 'Springfield', state: 'IL', address: '5 Maple St' },
];

describe('searches over HTTP', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({}, await mainDatabase());
    for (const [at, facts] of listings.entries())
      await app.scenario.listing('A’s Active', {
        ...facts,
        zip: '',
        latitude: 40 + at,
        longitude: -90,
        description: 'A quiet lane with an observatory, a pool and a garage.',
      });
  });
  afterAll(() => app.close());

  const ask = async (path: string, params: URLSearchParams) => {
    const { status, headers, text } = await app.call(`${path}?${params}`);
    const plain = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    return { status, headers: Object.fromEntries(plain) as Record<string, string>, body: text };
  };

  it(
    `are answered however hostile, ${COUNT} of seed ${SEED}`,
    async () => {
      const problems: string[] = [];
      const found = new Map<string, number>();
      const numbers = Array.from({ length: COUNT }, (_, n) => n);
      const problemAt = async (path: keyof typeof ADDRESSES, params: URLSearchParams) => {
        const answer = await ask(path, params);
        if (!EXPECTED.includes(answer.status)) return `status ${answer.status}`;
        if (answer.status === 200) {
          found.set(path, (found.get(path) ?? 0) + 1);
          const most = ADDRESSES[path];
          if (most !== null && JSON.parse(answer.body).length > most) return `more than ${most} entries`;
        }
        return problemWith(answer, { origin: app.server.url });
      };
      const worker = async () => {
        for (let n = numbers.shift(); n !== undefined && problems.length < 10; n = numbers.shift()) {
          const params = hostileQuery(seededRandom(SEED, n));
          for (const path of Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[]) {
            const problem = await problemAt(path, params);
            if (problem) problems.push(`${SEED}, ${n}: ${path}: ${problem}: ${String(params).slice(0, 400)}`);
          }
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
      expect(problems).toEqual([]);
      // Most must get past the outermost checks.
      for (const path of Object.keys(ADDRESSES))
        expect(found.get(path), `answered at ${path}`).toBeGreaterThan(COUNT * 0.6);
      expect(app.server.output()).not.toMatch(
        /the property list failed|uncaughtException|unhandledRejection/,
      );
    },
    60_000 + COUNT * 500,
  );

  it.each([
    ['Land O Lakes FL', [], '1 Elm St'],
    ['Commercial Point OH', [], '2 Elm St'],
    ['Commercial Point OH under $900m', ['Up to $900,000,000'], '2 Elm St'],
    ['new homes in Boise', ['Newest first'], '1208 N Smith St Unit 12'],
    ['4 maple pky', [], '4 Maple Pkwy'],
  ])('%s: the chips and the list of the page', async (q, chips, address) => {
    const { body } = await ask('/properties', new URLSearchParams({ q }));
    expect([...body.matchAll(/aria-label="Remove ([^"]+)"/g)].map(([, label]) => label)).toEqual(chips);
    const shown = listings.filter((one) => body.includes(`${one.address}<`)).map((one) => one.address);
    expect(shown).toEqual([address]);
    const { body: counted } = await ask('/api/count', new URLSearchParams({ q }));
    expect(JSON.parse(counted)).toEqual({ total: 1, capped: false });
    const { body: markers } = await ask('/api/map', new URLSearchParams({ q }));
    expect(JSON.parse(markers)).toMatchObject([{ listing: { address } }]);
  });
});
