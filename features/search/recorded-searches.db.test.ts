import { afterAll, beforeAll, expect, it } from 'vitest';
import { foldReportEvents } from '#features/reports/commands/fold-events.ts';
import { sumsBetween } from '#features/reports/sums.ts';
import { type Actor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { forgetSearches } from './commands/forget-searches.ts';
import { recordSearch } from './commands/record-search.ts';
import { searchLimits } from './limits.ts';
import { parseCriteria } from './rules.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

await describeOnDatabase('recorded searches', (open) => {
  let db: Database;
  const clock = testClock('2026-03-03T10:00:00Z');
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  interface Searcher {
    actor?: Actor;
    ip?: string;
    userAgent?: string;
  }
  const search = (url: string, { actor = visitor, ip = '192.0.2.1', userAgent = BROWSER }: Searcher = {}) =>
    recordSearch(testContext(db, { actor, ip, now: clock.now }), {
      criteria: parseCriteria(new URLSearchParams(url), []),
      results: 3,
      userAgent,
    });
  /** How many searches for some words are on record. */
  const countOf = async (words: string) => {
    const rows = await db
      .q()
      .selectFrom('search_events')
      .select('id')
      .where('query', 'ilike', words)
      .execute();
    return rows.length;
  };

  it('are not those of bots and administrators', async () => {
    await search('q=quarry', { userAgent: BOT });
    await search('q=quarry', { actor: await createUser(db, 'admin') });
    expect(await countOf('quarry')).toBe(0);
    await search('q=quarry', { actor: await createUser(db, 'buyer'), userAgent: BOT });
    expect(await countOf('quarry')).toBe(1);
  });

  it('are one for as long as a person repeats one in the same half hour', async () => {
    const buyer = { actor: await createUser(db, 'buyer') };
    await search('q=orchard&min=100000', buyer);
    clock.advance(MINUTE);
    for (const same of ['sort=price-asc', 'bbox=44,-124,46,-121', 'page=2', 'map=1'])
      await search(`q=ORCHARD&min=100000&${same}`, buyer);
    await Promise.all([search('q=orchard&min=100000', buyer), search('q=orchard&min=100000', buyer)]);
    expect(await countOf('orchard')).toBe(1);
    await search('q=orchard&min=200000', buyer);
    expect(await countOf('orchard')).toBe(2);
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.2']) await search('q=orchard&min=100000', { ip });
    expect(await countOf('orchard')).toBe(4);
    clock.advance(30 * MINUTE);
    await search('q=orchard&min=100000', buyer);
    expect(await countOf('orchard')).toBe(5);
  });

  it('of visitors are limited by network', async () => {
    const most = searchLimits.record[0].limit;
    clock.advance(MINUTE);
    for (let n = 0; n <= most + 5; n += 1) await search(`q=glade+${n}`, { ip: '192.0.2.9' });
    expect(await countOf('glade %')).toBe(most);
    await search('q=glade+0', { ip: '192.0.2.10' });
    expect(await countOf('glade %')).toBe(most + 1);
  });

  it('are forgotten after 400 days, without changing the sums of the reports', async () => {
    const system = () => testContext(db, { actor: { kind: 'system', name: 'test' }, now: clock.now });
    const bounds = [new Date('2026-03-01T00:00:00Z'), new Date('2026-04-01T00:00:00Z')];
    const searches = async () =>
      (await sumsBetween(system(), { metrics: ['searches'], bounds })).total('searches');
    await foldReportEvents(system());
    const before = await searches();
    expect(before).toBe(await countOf('%'));
    clock.advance(401 * DAY);
    await search('q=brook');
    await forgetSearches(system(), { atOnce: 10 });
    expect([await countOf('%'), await countOf('brook')]).toEqual([1, 1]);
    expect(await searches()).toBe(before);
  });
});
