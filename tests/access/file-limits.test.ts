import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActorName } from './support/access-table.ts';
import { withLimitsReached } from './support/limits-reached.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const NOTHING = '00000000-0000-4000-8000-000000000000';

// R18: whoever asks for files more often than anyone needs them is told to wait.
describe('a file that takes long to write', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  }, 120_000);
  afterAll(() => app.close());

  it.each<[path: string, as: ActorName, otherwise: number]>([
    ['/agent/listings.csv', 'sellerA', 200],
    ['/agent/listings.json', 'sellerA', 200],
    ['/closing-dates.ics', 'buyerA', 200],
    [`/tours/${NOTHING}.ics`, 'buyerA', 404],
    [`/feeds/searches/${NOTHING}.${'0'.repeat(32)}.xml`, 'anonymous', 404],
  ])('%s is given so many times and no more', async (path, as, otherwise) => {
    expect((await app.call(path, { as })).status).toBe(otherwise);
    const refused = await withLimitsReached(app.db, () => app.call(path, { as }));
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  });

  it('is not found, and not counted, at an address that cannot have one', async () => {
    const path = `/feeds/searches/${NOTHING}.xml`;
    expect((await withLimitsReached(app.db, () => app.call(path))).status).toBe(404);
    const { agentId } = app.scenario.cast.sellerA;
    for (const file of ['2026-1.pdf', '2026-01.xls'])
      expect((await app.call(`/statements/${agentId}/${file}`, { as: 'sellerA' })).status).toBe(404);
  });
});
