import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { sandboxSecret } from '#gateways/payments/sandbox/rules.ts';
import type { Database } from '#platform/db/database.ts';
import { serverIsReachable } from '#tests/support/database.ts';
import { type RawAnswer, rawRequest } from '#tests/support/raw-request.ts';
import { freePort } from '#tests/support/server.ts';
import { patterns } from './all-addresses.ts';
import { hostileRequest, type Targets } from './fuzz-request.ts';
import { chanceOf, INJECTED, MARKUP } from './hostile.ts';
import { type House, openHouse, SECRET } from './house.ts';
import { newSale, type StagedSale, systemOf } from './sales.ts';
import { listingKinds } from './stage.ts';

// `FUZZ=20000 npm test -- unit tests/access/fuzz.test.ts` runs all; FUZZ_SEED repeats a run, FUZZ_ONLY one request of it.
const COUNT = Number(process.env.FUZZ ?? 3_000);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_007);
const ONLY = process.env.FUZZ_ONLY === undefined ? null : Number(process.env.FUZZ_ONLY);
const PATIENCE_MS = 5_000;
const LANES = 6;
const MOST_GROWTH_MB = 120;

/** What an answer must never tell: stacks, files of ours, the words of the database. */
const INNARDS =
  /\n\s+at (?:async )?\S+ \(|node_modules|file:\/\/\/(?!etc)|\/build\/server\/|\.tsx?:\d+:\d+|syntax error at|invalid input syntax|violates|duplicate key|relation "|column "|invalid byte sequence|unsupported Unicode|out of range for type|PostgresError|kysely/i;

/** What houses on sale were made of by the time of the storm: one of each kind, and of each state of a sale. */
const STORIES = ['begun', 'open', 'submitted', 'given up', 'in escrow', 'with a problem', 'seller wants out'];
/** What purchases and visits change about a listing. */
const CHANGING = ['views', 'updated_at', 'status', 'is_public', 'listed_at', 'off_market_at', 'paused_at'];

const there = await serverIsReachable();
const share = there ? Math.ceil(COUNT / 2) : COUNT;
const kinds = there ? (['embedded', 'server'] as const) : (['embedded'] as const);
const wanted = kinds.filter((kind) => (process.env.FUZZ_DATABASE ?? kind) === kind);

describe.each(wanted)('hostile requests (%s)', (kind) => {
  let house: House;
  let metricsPort: number;
  beforeAll(async () => {
    metricsPort = await freePort();
    house = await openHouse({ METRICS_PORT: String(metricsPort), ACRE_UNDECLARED: 'on' }, kind);
  });
  afterAll(() => house.close());

  it(
    `break nothing: ${share} of seed ${SEED}`,
    async () => {
      const { stage, db, server } = house;
      const listings: string[] = [];
      for (const listing of listingKinds) listings.push(await stage.listing(listing));
      const sales: StagedSale[] = [];
      for (const story of STORIES) sales.push(await newSale(stage, story));
      // Nobody of those who ask has to do with this one, and its id cannot be guessed.
      const others = await newSale(stage, 'in escrow', { buyer: 'buyerB', seller: 'sellerB' });
      const people = [stage.cast.buyerA, stage.cast.sellerA, stage.cast.suspendedSeller, stage.cast.admin];
      const targets: Targets = {
        patterns,
        ids: [
          ...listings,
          ...people.map((person) => person.id),
          stage.cast.sellerA.agentId ?? '',
          ...sales.flatMap(({ saleId, propertyId, ref }) => [saleId, saleId, propertyId, ref ?? saleId]),
        ],
        host: new URL(server.url).host,
        origin: server.url,
        cookies: await Promise.all(people.map((person) => house.cookieOf(person))),
        secrets: { card: sandboxSecret(SECRET, 'card'), crypto: sandboxSecret(SECRET, 'crypto') },
      };
      const before = await whatStays(db, others, stage.cast.buyerA.id);
      const failures: string[] = [];
      const statuses = new Map<number, number>();
      const memory: number[] = [];
      const numbers = ONLY === null ? Array.from({ length: share }, (_, n) => n) : [ONLY];
      const lane = async () => {
        for (let n = numbers.shift(); n !== undefined && failures.length < 10; n = numbers.shift()) {
          if (n % Math.ceil(share / 8) === 0) memory.push(await residentMegabytes(metricsPort));
          const bytes = hostileRequest(chanceOf(SEED, n), targets);
          const wrong = await rawRequest(Number(new URL(server.url).port), bytes, PATIENCE_MS).then(
            (answer) => {
              statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
              return whatIsWrong(answer, targets);
            },
            (error: Error) => error.message,
          );
          if (wrong) failures.push(`FUZZ_SEED=${SEED} FUZZ_ONLY=${n}: ${wrong}\n${shown(bytes)}`);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      const told = failures.length ? `${failures.join('\n\n')}\n\n${server.output().slice(-6_000)}` : '';
      expect(told).toBe('');
      // Hostile as they are, many must get past the first door, or the run would show little.
      if (ONLY === null)
        for (const [status, least] of [
          [200, 10],
          [302, 2],
          [404, 5],
          [422, 0.5],
        ] as const)
          expect(
            ((statuses.get(status) ?? 0) / share) * 100,
            `% of ${status} in ${shownCounts(statuses)}`,
          ).toBeGreaterThan(least);
      expect(await whatStays(db, others, stage.cast.buyerA.id)).toEqual(before);
      expect(await checkLedger(systemOf(stage))).toEqual([]);
      // The first half of a run warms up: code is compiled, caches fill, the heap finds its size.
      const warm = memory[Math.floor(memory.length / 2)] ?? 0;
      expect((memory.at(-1) ?? 0) - warm, `MB resident over time: ${memory.join(', ')}`).toBeLessThan(
        MOST_GROWTH_MB,
      );
      expect(server.output()).not.toMatch(/uncaughtException|unhandledRejection/);
    },
    60_000 + COUNT * 60,
  );
});

/** Why an answer is not one that a stranger may get; null when it is. */
function whatIsWrong({ status, headers, body }: RawAnswer, { origin }: Targets): string | null {
  if (status >= 500) return `status ${status}: ${body.slice(0, 300)}`;
  if (INNARDS.test(body)) return `tells of its innards: ${INNARDS.exec(body)?.[0]}`;
  if (INJECTED in headers) return 'a header was injected';
  // What Node's parser refuses never becomes a request: it gets a bare answer without a word.
  const reached = headers['x-request-id'] !== undefined;
  if (!reached)
    return [0, 400, 408, 413, 417, 431].includes(status) && body === ''
      ? null
      : `bare ${status}: ${body.slice(0, 200)}`;
  for (const name of [
    'content-security-policy',
    'x-content-type-options',
    'x-frame-options',
    'referrer-policy',
  ])
    if (headers[name] === undefined) return `${status} without ${name}`;
  if (/text\/html/.test(headers['content-type'] ?? '') && body.includes(MARKUP))
    return 'markup came back as markup';
  const { location } = headers;
  const host = location && URL.canParse(location, origin) ? new URL(location, origin).host : null;
  if (host !== null && host !== new URL(origin).host) return `leads to ${location}`;
  return null;
}

const shownCounts = (counts: Map<number, number>) =>
  [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
const shown = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1').slice(0, 700));

async function residentMegabytes(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Math.round(Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1_048_576);
}

/**
 * What no request of a stranger, and none of these people, may have changed. Buyer A buys, and what is A's to buy or to
 * settle may change its status; the sale of others, its money and everybody's facts stay.
 */
async function whatStays(db: Database, { saleId }: StagedSale, buyerA: string): Promise<unknown> {
  const { rows } = await sql`select
    (select count(*) from properties) as listings,
    (select md5(string_agg((to_jsonb(p) - ${CHANGING}::text[])::text, '' order by id)) from properties p) as listing_facts,
    (select md5(string_agg(u::text, '' order by id)) from users u where email like '%@example.test' and email_verified) as users,
    (select count(*) from profiles where role <> 'buyer') as roles,
    (select md5(string_agg(a::text, '' order by id)) from agents a) as sellers,
    (select md5(string_agg(f::text, '' order by id)) from service_fees f) as fees,
    (select md5(string_agg(s::text, '' order by setting_name)) from platform_settings s) as settings,
    (select count(*) from property_sales where buyer_id <> ${buyerA}) as sales,
    (select md5((to_jsonb(s) - ${['asked_at', 'updated_at', 'provider_fee_cents']}::text[])::text) from property_sales s where id = ${saleId}) as sale,
    (select count(*) from ledger_entries where sale_id = ${saleId} and kind <> 'L1') as ledger`.execute(
    db.q(),
  );
  return rows;
}
