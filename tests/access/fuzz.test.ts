import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import type { Database } from '#platform/db/database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import { inspected, readHeldResources } from '#tests/support/server/metrics.ts';
import { rawRequest } from '#tests/support/server/raw-request.ts';
import { type FuzzTargets, hostileRequest } from './fuzz/fuzz-request.ts';
import { seededRandom } from './fuzz/hostile-input.ts';
import type { PageNames } from './fuzz/page-names.ts';
import { problemWith } from './fuzz/problem-with.ts';
import { openSessions, prepareTargets } from './fuzz/targets.ts';
import { newSale, type SaleFixture, systemContext } from './support/sales.ts';
import type { Scenario } from './support/scenario.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

// `FUZZ=20000 npm test -- unit tests/access/fuzz.test.ts` is the full run; FUZZ_SEED repeats a run, FUZZ_ONLY a single request of it.
const COUNT = Number(process.env.FUZZ ?? 3_000);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_007);
const ONLY = process.env.FUZZ_ONLY === undefined ? null : Number(process.env.FUZZ_ONLY);
const TIMEOUT_MS = 20_000;
const CONCURRENCY = 6;
/** After how many requests the users sign in again. */
const SESSION_REQUESTS = 50;
/** Of what is left of the heap after a collection, in the second half of a run. */
const MAX_HEAP_GROWTH_MB = 15;

/** Forms by which their users rightly change what is protected here: only a buyer sends them, who may not. `abuse.test.ts` sends all as their users. */
const FORBIDDEN_TO_BUYERS = /^\/admin\/|^\/agent\/properties/;
/** Checkouts, which lead back to the address of their fixture; `abuse.test.ts` sends these. */
const LEFT_OUT = /^\/sandbox\//;

/** Columns of a listing that purchases and visits may change. */
const VOLATILE_COLUMNS = [
  'views',
  'updated_at',
  'status',
  'is_public',
  'listed_at',
  'off_market_at',
  'paused_at',
];
/** What the name of an account stands in. */
const NAME_COLUMNS = ['name', 'search_text', 'updated_at'];
/** What sellers set up themselves. */
const PAYOUT_COLUMNS = [
  'preferred_payout_method',
  'stripe_account_id',
  'stripe_requirement',
  'payout_hold_until',
  'updated_at',
];

const postgresAvailable = await serverIsReachable();
const requestsPerKind = postgresAvailable ? Math.ceil(COUNT / 2) : COUNT;
const kinds = postgresAvailable ? (['embedded', 'server'] as const) : (['embedded'] as const);
const databaseKinds = kinds.filter((kind) => (process.env.FUZZ_DATABASE ?? kind) === kind);

describe.each(databaseKinds)('hostile requests (%s)', (kind) => {
  let app: TestApp;
  let metricsPort: number;
  beforeAll(async () => {
    metricsPort = await freePort();
    app = await startTestApp(
      { METRICS_PORT: String(metricsPort), ACRE_UNDECLARED: 'on', ...inspected },
      kind,
    );
  });
  afterAll(() => app.close());

  it(
    `break nothing: ${requestsPerKind} of seed ${SEED}`,
    async () => {
      const { scenario, db, server } = app;
      const all = await prepareTargets(app);
      const isForbidden = ({ path }: PageNames) => FORBIDDEN_TO_BUYERS.test(path);
      let targets: FuzzTargets = {
        ...all,
        forms: all.forms.filter((form) => !isForbidden(form) && !LEFT_OUT.test(form.path)),
        forbiddenForms: all.forms.filter(isForbidden),
      };
      // None of the requesting users is a party to this sale, and its id cannot be guessed.
      const unrelatedSale = await newSale(scenario, 'in escrow', { buyer: 'buyerB', seller: 'sellerB' });
      const before = await protectedState(db, unrelatedSale, scenario.cast);
      const failures: string[] = [];
      const statuses = new Map<number, number>();
      const numbers = ONLY === null ? Array.from({ length: requestsPerKind }, (_, n) => n) : [ONLY];
      const half = Math.floor(numbers.length / 2);
      const workUntil = async (left: number) => {
        while (numbers.length > left && failures.length < 10) {
          const n = numbers.shift() ?? 0;
          if (n % SESSION_REQUESTS === 0) targets = { ...targets, cookies: await openSessions(app) };
          const bytes = hostileRequest(seededRandom(SEED, n), targets);
          const problem = await rawRequest(Number(new URL(server.url).port), bytes, TIMEOUT_MS).then(
            (answer) => {
              statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
              return problemWith(answer, targets);
            },
            (error: Error) => error.message,
          );
          if (problem) failures.push(`FUZZ_SEED=${SEED} FUZZ_ONLY=${n}: ${problem}\n${formatBytes(bytes)}`);
        }
      };
      const work = (left: number) => Promise.all(Array.from({ length: CONCURRENCY }, () => workUntil(left)));
      await work(half);
      const { heap: warmHeap } = await readHeldResources(metricsPort, server);
      await work(0);
      const { heap } = await readHeldResources(metricsPort, server);
      const report = failures.length ? `${failures.join('\n\n')}\n\n${server.output().slice(-6_000)}` : '';
      expect(report).toBe('');
      // Enough requests must get past the outermost checks, or the run would prove little.
      if (ONLY === null)
        for (const [status, least] of [
          [200, 10],
          [302, 2],
          [404, 5],
          [422, 0.5],
        ] as const)
          expect(
            ((statuses.get(status) ?? 0) / requestsPerKind) * 100,
            `% of ${status} in ${formatCounts(statuses)}`,
          ).toBeGreaterThan(least);
      expect(await protectedState(db, unrelatedSale, scenario.cast)).toEqual(before);
      expect(await checkLedger(systemContext(scenario))).toEqual([]);
      // The first half of a run is warm-up: code gets compiled, caches fill, the heap grows to its size.
      expect(heap - warmHeap, `MB of heap: ${warmHeap}, then ${heap}`).toBeLessThan(MAX_HEAP_GROWTH_MB);
      expect(server.output()).not.toMatch(/uncaughtException|unhandledRejection/);
    },
    60_000 + COUNT * 60,
  );
});

const formatCounts = (counts: Map<number, number>) =>
  [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
const formatBytes = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1').slice(0, 700));

/**
 * A digest of everything these requests must not change. Buyer A may buy, so statuses of A's listings and sales may change,
 * seller A may choose how to be paid, and both may change their names; the unrelated sale, its money and everybody's account data must not.
 */
async function protectedState(
  db: Database,
  { saleId }: SaleFixture,
  { buyerA, sellerA }: Scenario['cast'],
): Promise<unknown> {
  const own = sellerA.agentId ?? '';
  const { rows } = await sql`select
    (select count(*) from properties) as listings,
    (select md5(string_agg((to_jsonb(p) - ${VOLATILE_COLUMNS}::text[])::text, '' order by id)) from properties p) as listing_facts,
    (select md5(string_agg((to_jsonb(u) - case when id in (${buyerA.id}, ${sellerA.id}) then ${NAME_COLUMNS}::text[] else '{}' end)::text, ''
      order by id)) from users u where email like '%@example.test' and email_verified) as users,
    (select count(*) from profiles where role <> 'buyer') as roles,
    (select md5(string_agg((to_jsonb(a) - case when id = ${own} then ${PAYOUT_COLUMNS}::text[] else '{}' end)::text, ''
      order by id)) from agents a) as sellers,
    (select md5(string_agg(f::text, '' order by id)) from service_fees f) as fees,
    (select md5(string_agg(s::text, '' order by setting_name)) from platform_settings s) as settings,
    (select count(*) from property_sales where buyer_id <> ${buyerA.id}) as sales,
    (select md5((to_jsonb(s) - ${['asked_at', 'next_ask_at', 'ask_failures', 'updated_at', 'provider_fee_cents']}::text[])::text) from property_sales s where id = ${saleId}) as sale,
    (select count(*) from ledger_entries where sale_id = ${saleId} and kind <> 'L1') as ledger`.execute(
    db.q(),
  );
  return rows;
}
