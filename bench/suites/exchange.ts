import { seededRandom } from '#tests/access/fuzz/hostile-input.ts';
import { addKey } from '#tests/access/support/api-keys.ts';
import { startTestApp, type TestApp } from '#tests/access/support/test-app.ts';
import { hostileRequest } from '#tests/support/reso/hostile-odata.ts';
import { ensureBuilt } from '../support/app-server.ts';
import { type HttpClient, openClient } from '../support/http-client.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { table, timingRow, timings } from '../support/timings.ts';
import { measureResoPages } from './reso-pages.ts';

const COUNT = Number(process.env.BENCH_ODATA ?? 100_000);
const SEED = Number(process.env.BENCH_ODATA_SEED ?? 20_261_123);
const CONNECTIONS = 4;
const SHOWN = 10;

interface Sent {
  statuses: Map<number, number>;
  took: number[];
  failures: string[];
}

/**
 * Pages of the RESO Web API at a million listings, and 100,000 seeded requests to the RESO Web API of the demo market, right and wrong ones. Promised: each is answered or refused, none with
 * a 5xx, and the server does not end.
 */
export async function exchangeSuite(serverUrl: string): Promise<SuiteReport> {
  const pages = await measureResoPages(serverUrl);
  await ensureBuilt();
  process.env.TEST_DATABASE_URL = serverUrl;
  const app = await startTestApp({ DEMO: 'on', LIMITS: 'relaxed', ACRE_UNDECLARED: 'on' }, 'server');
  try {
    return report(pages, await sendAll(app));
  } finally {
    await app.close();
  }
}

async function sendAll(app: TestApp): Promise<Sent> {
  const { secret } = await addKey(app.scenario, 'admin');
  const client = await openClient(`http://127.0.0.1:${new URL(app.server.url).port}`, CONNECTIONS);
  const headers = { host: new URL(app.server.url).host, authorization: `Bearer ${secret}` };
  const sent: Sent = { statuses: new Map(), took: [], failures: [] };
  let next = 0;
  const work = async () => {
    for (let n = next++; n < COUNT; n = next++) await sendOne(client, headers, n, sent);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  client.close();
  return sent;
}

async function sendOne(
  client: HttpClient,
  headers: Record<string, string>,
  n: number,
  { statuses, took, failures }: Sent,
): Promise<void> {
  const { resource, params, prefer } = hostileRequest(seededRandom(SEED, n));
  const path = `/reso/odata/${resource}?${params}`;
  const answer = await client.send({
    method: 'GET',
    path,
    headers: { ...headers, ...(prefer && { prefer }) },
  });
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  took.push(answer.took);
  if (answer.status >= 500)
    failures.push(`request ${n} of seed ${SEED}: ${answer.status} ${answer.text.slice(0, 120)}`);
}

function report(
  pages: Awaited<ReturnType<typeof measureResoPages>>,
  { statuses, took, failures }: Sent,
): SuiteReport {
  const counts = [...statuses].sort(([one], [other]) => one - other);
  return {
    title: 'RESO Web API',
    text: [
      pages.text,
      `${COUNT.toLocaleString('en-US')} hostile requests of seed ${SEED}: ${counts.map(([status, count]) => `${count.toLocaleString('en-US')} × ${status}`).join(', ')}.`,
      table(
        ['milliseconds', 'requests', 'p50', 'p95', 'p99', 'max'],
        [timingRow('a request', timings(took))],
      ),
    ].join('\n\n'),
    missed: [...pages.missed, ...failures.slice(0, SHOWN)],
  };
}
