import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import { measuredRoutes } from '#tests/support/server/metrics.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

describe('requests', () => {
  let app: TestApp;
  let metricsPort: number;
  beforeAll(async () => {
    metricsPort = await freePort();
    app = await startTestApp({ METRICS_PORT: String(metricsPort) }, await mainDatabase());
  });
  afterAll(() => app.close());

  it('are measured by routes, of which there are as many whatever the paths', async () => {
    const paths = (n: string) =>
      [
        ['GET', `/property/${n}/watch`],
        ['POST', `/property/${n}/view`],
        ['GET', `/property/${n}`],
        ['GET', `/property/${n}.data`],
        ['GET', `/agent/sales/${n}`],
        ['GET', `/admin/documents/${n}/file`],
        ['GET', `/nothing/${n}`],
        ['PUT', `/buyer/${n}`],
      ] as const;
    const { origin } = new URL(app.server.url);
    const ask = async (n: string) => {
      for (const [method, path] of paths(n))
        await (await fetch(origin + path, { method, headers: { origin }, redirect: 'manual' })).text();
    };
    await ask('one');
    const routes = await measuredRoutes(metricsPort);
    for (const n of ['another', '41', 'a%20b', 'x'.repeat(500)]) await ask(n);
    expect(await measuredRoutes(metricsPort)).toEqual(routes);
    expect(routes).toEqual(expect.arrayContaining(['/agent/sales/:id', '/property/:id/view', 'other']));
  });
});
