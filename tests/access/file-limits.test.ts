import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActorName } from './support/access-table.ts';
import { savedSearchOfA } from './support/any-search.ts';
import { withLimitsReached } from './support/limits-reached.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const NOTHING = '00000000-0000-4000-8000-000000000000';

// R18: whoever asks for files more often than anyone needs them is told to wait.
describe('a file that takes long to write', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it.each<[path: string, as: ActorName, otherwise: number]>([
    ['/agent/listings.csv', 'sellerA', 200],
    ['/agent/listings.json', 'sellerA', 200],
    ['/closing-dates.ics', 'buyerA', 200],
    [`/tours/${NOTHING}.ics`, 'buyerA', 404],
  ])('%s is given so many times and no more', async (path, as, otherwise) => {
    expect((await app.call(path, { as })).status).toBe(otherwise);
    const refused = await withLimitsReached(app.db, () => app.call(path, { as }));
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  });

  it('a feed is given so many times and no more to whoever knows its address, and to nobody else counted', async () => {
    const { id } = await savedSearchOfA(app.scenario, 'All');
    const { headers } = await app.call(`/saved-searches/${id}/feed`, { as: 'buyerA' });
    const path = String(headers.location);
    expect((await app.call(path)).status).toBe(200);
    const unknown = [`${NOTHING}.${'0'.repeat(32)}`, `${id}.${'0'.repeat(32)}`];
    const [refused, ...others] = await withLimitsReached(app.db, async () => [
      await app.call(path),
      ...(await Promise.all(unknown.map((file) => app.call(`/feeds/searches/${file}.xml`)))),
    ]);
    expect([refused?.status, ...others.map(({ status }) => status)]).toEqual([429, 404, 404]);
  });

  it('is not found, and not counted, at an address that cannot have one', async () => {
    const path = `/feeds/searches/${NOTHING}.xml`;
    expect((await withLimitsReached(app.db, () => app.call(path))).status).toBe(404);
    const { agentId } = app.scenario.cast.sellerA;
    for (const file of ['2026-1.pdf', '2026-01.xls'])
      expect((await app.call(`/statements/${agentId}/${file}`, { as: 'sellerA' })).status).toBe(404);
  });
});
