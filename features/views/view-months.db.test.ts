import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { foldReportEvents } from '#features/reports/commands/fold-events.ts';
import { sumsBetween } from '#features/reports/sums.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { keepViewMonths } from './commands/keep-view-months.ts';

await describeOnEachDatabase('months of views', (open) => {
  let db: Database;
  let property_id: string;
  const clock = testClock('2031-01-31T23:30:00Z');
  const ctx = () => testContext(db, { actor: { kind: 'system', name: 'test' }, now: clock.now });
  beforeAll(async () => {
    db = await open();
    const seller = await createUser(db, 'agent');
    property_id = await createListing(db, seller.agentId);
  });
  afterAll(() => db.close());

  const view = (viewed_at: string, user_id: string | null = null) =>
    db
      .q()
      .insertInto('property_view_events')
      .values({ property_id, user_id, viewer: viewed_at, viewed_at })
      .execute();
  const properties = () => db.q().selectFrom('properties').select('views').where('id', '=', property_id);
  const months = async () =>
    (
      await sql<{
        part: string;
        views: number;
      }>`select v.tableoid::regclass::text as part, count(*)::int as views
        from property_view_events v group by 1 order by 1`.execute(db.q())
    ).rows.map(({ part, views }) => [part.replace('property_view_events_', ''), views]);

  it('take what came before they were made, and are made before they begin', async () => {
    await view('2031-01-31T23:59:59Z');
    await view('2031-02-01T00:00:00Z');
    await view('2031-06-01T00:00:00Z');
    expect(await months()).toEqual([['rest', 3]]);
    await keepViewMonths(ctx());
    await view('2031-02-28T23:59:59Z');
    expect(await months()).toEqual([
      ['2031_01', 1],
      ['2031_02', 2],
      ['rest', 1],
    ]);
    await keepViewMonths(ctx());
    expect(await properties().executeTakeFirst()).toEqual({ views: 4 });
  });

  it('are dropped after 400 days, without changing the sums of the reports or the number of views', async () => {
    const bounds = [
      new Date('2031-01-01T00:00:00Z'),
      new Date('2031-03-01T00:00:00Z'),
      new Date('2031-07-01T00:00:00Z'),
    ];
    const sums = async () => {
      const found = await sumsBetween(ctx(), { metrics: ['views', 'viewers', 'views_band_7'], bounds });
      return (['views', 'viewers', 'views_band_7'] as const).map(found.of);
    };
    const before = await sums();
    expect(before).toEqual([
      [3, 1],
      [3, 1],
      [3, 1],
    ]);
    clock.advance(Date.parse('2032-03-07T00:00:00Z') - clock.now().getTime());
    await keepViewMonths(ctx());
    expect(await months()).toEqual([
      ['2031_02', 2],
      ['rest', 1],
    ]);
    // Nothing was folded yet; what waits outlives the views.
    expect(await sums()).toEqual(before);
    await foldReportEvents(ctx());
    await keepViewMonths(ctx());
    expect(await sums()).toEqual(before);
    clock.advance(Date.parse('2033-01-01T00:00:00Z') - clock.now().getTime());
    await keepViewMonths(ctx());
    expect(await months()).toEqual([]);
    expect(await sums()).toEqual(before);
    const { rows: viewers } =
      await sql`select from property_view_days where property_id = ${property_id}`.execute(db.q());
    expect(viewers).toEqual([]);
    expect(await properties().executeTakeFirst()).toEqual({ views: 4 });
  });

  it('let views of people be made anonymous, and go with their property', async () => {
    const { id } = await createUser(db, 'buyer');
    await keepViewMonths(ctx());
    await view('2033-01-05T00:00:00Z', id);
    await view('2033-09-05T00:00:00Z', id);
    await db
      .q()
      .updateTable('property_view_events')
      .set({ user_id: null })
      .where('user_id', '=', id)
      .execute();
    const { rows } = await sql`select from property_view_events where user_id is not null`.execute(db.q());
    expect(rows).toEqual([]);
    await db.q().deleteFrom('properties').where('id', '=', property_id).execute();
    expect(await months()).toEqual([]);
    await foldReportEvents(ctx());
  });
});
