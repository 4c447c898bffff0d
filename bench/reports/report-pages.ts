import { randomBytes } from 'node:crypto';
import type { ReportQuery } from '#features/reports/model.ts';
import { reportTabs } from '#features/reports/range.ts';
import type { Database } from '#platform/db/database.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { createUser, giveAuthenticator } from '#tests/support/fixtures/users.ts';
import { startServer } from '#tests/support/server/server.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';
import { ensureBuilt } from '../support/app-server.ts';
import { openClient } from '../support/http-client.ts';
import { type Timings, timings } from '../support/timings.ts';

interface MeasuredPage {
  tab: string;
  range: string;
  times: Timings;
}

/**
 * How long the built server takes for the page of each tab, in milliseconds from the request to the last byte: of an administrator who
 * is signed in, one page after the other.
 * @param ranges for each a name and how the range of a request is chosen
 * @throws Error for an answer that is no page with its report
 */
export async function timeReportPages(
  db: Database,
  databaseUrl: string,
  {
    ranges,
    warmUp,
    rounds,
  }: { ranges: readonly [string, () => ReportQuery][]; warmUp: number; rounds: number },
): Promise<MeasuredPage[]> {
  await ensureBuilt();
  const secret = randomBytes(32).toString('hex');
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    APP_SECRET: secret,
    DEMO: 'off',
  });
  const client = await openClient(server.url, 1);
  try {
    const { id } = await createUser(db, 'admin');
    await giveAuthenticator(db, id);
    const cookie = await startSession(db, { publicUrl: server.url, secret }, id);
    const open = async (query: ReportQuery, tab: string): Promise<number> => {
      const path = adminPaths.reports({ ...query, tab });
      const { status, text, took } = await client.send({
        method: 'GET',
        path,
        headers: { cookie, accept: 'text/html' },
      });
      if (status !== 200 || !text.includes('class="reports"')) throw new Error(`${path}: ${status}`);
      return took;
    };
    const measured: MeasuredPage[] = [];
    for (const tab of reportTabs)
      for (const [range, query] of ranges) {
        for (let n = 0; n < warmUp; n += 1) await open(query(), tab);
        const durations: number[] = [];
        for (let n = 0; n < rounds; n += 1) durations.push(await open(query(), tab));
        measured.push({ tab, range, times: timings(durations) });
      }
    return measured;
  } finally {
    client.close();
    await server.stop();
  }
}
