import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '#platform/durations.ts';
import { type Pooler, pgbouncer, startPgbouncer } from '#tests/support/database/pgbouncer.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import { type Balancer, haproxy, startHaproxy } from '#tests/support/server/haproxy.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { demoDatabase, ensureBuilt, processorTime } from '../support/app-server.ts';
import { openClient } from '../support/http-client.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { milliseconds, table, timings } from '../support/timings.ts';

/** Processor time a request with two processes, as a share of that with one. */
const PROMISED_SHARE = 1.1;
/** Requests to each process before, so that both run the code that the engine has optimised. */
const WARM_UP = 1_500;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const EACH = 200;
const REST_MS = 15 * SECOND;

/**
 * Processor time of all processes of the server for a request, with the demo data on PostgreSQL: rounds of requests to one process,
 * while the other rests, take turns with rounds spread over both. What a process takes at rest, for its jobs and signs of life, is no
 * request's: it is measured beside it and taken off, since on a busy machine a round lasts many times as long as its work. Promised: with
 * two at most 110 % of one. HAProxy and PgBouncer, where they are installed, are measured beside it.
 */
export async function twoSuite(serverUrl: string): Promise<SuiteReport> {
  await ensureBuilt();
  const database = await demoDatabase(serverUrl);
  const environment = {
    DATABASE_URL: database.url,
    APP_SECRET: randomBytes(32).toString('hex'),
    DEMO: 'on',
    LIMITS: 'relaxed',
  };
  try {
    const direct = await withTwo(environment, (servers) => measureBoth(servers));
    const balanced = haproxy && pgbouncer ? await measureBalanced(environment, direct.atRest / SECOND) : null;
    const share = timings(direct.rounds.map(({ one, two }) => two / one)).p50;
    const median = (of: 'one' | 'two') => timings(direct.rounds.map((round) => round[of])).p50;
    const rows = [
      ['one process', milliseconds(median('one')), '–', '–', '100 %'],
      ['two processes', milliseconds(median('two')), '–', '–', percent(share)],
      ...(balanced
        ? [
            [
              'two behind HAProxy and PgBouncer',
              milliseconds(balanced.node),
              milliseconds(balanced.haproxy),
              milliseconds(balanced.pgbouncer),
              percent((balanced.node + balanced.haproxy + balanced.pgbouncer) / median('one')),
            ],
          ]
        : []),
    ];
    const head = ['ms of processor a request', 'node', 'HAProxy', 'PgBouncer', 'of one process'];
    return {
      title: 'Two processes',
      text: `${table(head, rows)}\n\nThe median of ${ROUNDS} rounds of ${EACH} requests to /properties, / and a listing, without the ${milliseconds(direct.atRest)} ms a second that a process takes at rest. Promised: two processes at most ${percent(PROMISED_SHARE)} of one.`,
      missed:
        share <= PROMISED_SHARE
          ? []
          : [`Two processes take ${percent(share)} of one, promised ${percent(PROMISED_SHARE)}`],
    };
  } finally {
    await database.drop();
  }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

type Two = readonly [TestServer, TestServer];

async function withTwo<T>(
  environment: Record<string, string>,
  work: (servers: Two) => Promise<T>,
  ports?: readonly [number, number],
): Promise<T> {
  const started: TestServer[] = [];
  const start = async (port?: number) => {
    const server = await startServer({ ...environment, ...(port && { PORT: String(port) }) });
    started.push(server);
    return server;
  };
  try {
    return await work([await start(ports?.[0]), await start(ports?.[1])]);
  } finally {
    await Promise.all(started.map((server) => server.stop()));
  }
}

interface Direct {
  /** milliseconds of processor time a request, of each round */
  rounds: { one: number; two: number }[];
  /** milliseconds of processor time that a process takes in a second without requests */
  atRest: number;
}

async function measureBoth([first, second]: Two): Promise<Direct> {
  const origins = [first, second].map(addressOf);
  const pids = [first.pid, second.pid];
  const paths = await pathsOf(origins[0] ?? '');
  await Promise.all(origins.map((origin) => request([origin], paths, WARM_UP)));
  const rest = await timeOf(pids, () => wait(REST_MS));
  const atRest = rest.used / pids.length / rest.passed;
  const rounds: Direct['rounds'] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Each of them is the one by turns, so that both stay as warm.
    const alone = origins.slice(round % 2).slice(0, 1);
    const one = await timeOf(pids, () => request(alone, paths, EACH));
    const two = await timeOf(pids, () => request(origins, paths, EACH));
    const ofRequests = ({ used, passed }: typeof one) => (used - pids.length * atRest * passed) / EACH;
    rounds.push({ one: ofRequests(one), two: ofRequests(two) });
  }
  return { rounds, atRest: atRest * SECOND };
}

async function measureBalanced(environment: Record<string, string>, atRest: number) {
  const url = environment.DATABASE_URL ?? '';
  const ports = [await freePort(), await freePort()] as const;
  let [pooler, balancer]: [Pooler | undefined, Balancer | undefined] = [undefined, undefined];
  try {
    pooler = await startPgbouncer([url]);
    balancer = await startHaproxy(ports);
    const [{ pid: poolerId, urlOf }, { pid: balancerId, url: origin }] = [pooler, balancer];
    const pooled = {
      DATABASE_URL: urlOf(url),
      DATABASE_LISTEN_URL: url,
      TRUST_PROXY: 'on',
      PUBLIC_URL: origin,
    };
    return await withTwo(
      { ...environment, ...pooled },
      async (servers) => {
        while ((await fetch(`${origin}/healthz`)).status !== 200);
        const paths = await pathsOf(origin);
        await request([origin], paths, 2 * WARM_UP);
        const pids = { node: servers.map(({ pid }) => pid), haproxy: [balancerId], pgbouncer: [poolerId] };
        const rounds: Record<keyof typeof pids, number>[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const [before, began] = [usedBy(pids), performance.now()];
          await request([origin], paths, EACH);
          const after = usedBy(pids);
          const rest = atRest * servers.length * (performance.now() - began);
          rounds.push({
            node: (after.node - before.node - rest) / EACH,
            haproxy: (after.haproxy - before.haproxy) / EACH,
            pgbouncer: (after.pgbouncer - before.pgbouncer) / EACH,
          });
        }
        const median = (of: keyof typeof pids) => timings(rounds.map((round) => round[of])).p50;
        return { node: median('node'), haproxy: median('haproxy'), pgbouncer: median('pgbouncer') };
      },
      ports,
    );
  } finally {
    await balancer?.stop();
    await pooler?.stop();
  }
}

const addressOf = ({ url }: TestServer): string => url.replace('localhost', '127.0.0.1');

const used = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + processorTime(pid).all, 0);

const usedBy = (pids: Readonly<Record<'node' | 'haproxy' | 'pgbouncer', readonly number[]>>) => ({
  node: used(pids.node),
  haproxy: used(pids.haproxy),
  pgbouncer: used(pids.pgbouncer),
});

/** Milliseconds of processor time that the processes took for some work, and how long it lasted. */
async function timeOf(
  pids: readonly number[],
  work: () => Promise<unknown>,
): Promise<{ used: number; passed: number }> {
  const [before, began] = [used(pids), performance.now()];
  await work();
  return { used: used(pids) - before, passed: performance.now() - began };
}

async function pathsOf(origin: string): Promise<readonly string[]> {
  const list = await (await fetch(`${origin}/properties`)).text();
  const property = /\/property\/[0-9a-f-]{36}/.exec(list)?.[0];
  if (!property) throw new Error('The list of properties is empty');
  return ['/properties', '/', property];
}

/** Requests the pages in turn, over four connections in all. @throws Error for any answer but 200 */
async function request(origins: readonly string[], paths: readonly string[], count: number): Promise<void> {
  const clients = await Promise.all(origins.map((origin) => openClient(origin, 4 / origins.length)));
  let next = 0;
  const worker = async (at: number) => {
    while (next < count) {
      const path = paths[next++ % paths.length] ?? '/';
      const answer = await clients[at % clients.length]?.send({ method: 'GET', path });
      if (answer?.status !== 200) throw new Error(`${path} was answered with ${answer?.status}`);
    }
  };
  await Promise.all([0, 1, 2, 3].map(worker));
  for (const client of clients) client.close();
}
