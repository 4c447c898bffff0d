import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mulberry32 } from '#illustrator/random.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { fillReportEvents } from '#platform/db/migrations/0060_reports.ts';
import { fillPaymentEvents } from '#platform/db/migrations/0139_payment_counts.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createInterest, doSomething } from '#tests/support/reports/random-interest.ts';
import { rawSums } from '#tests/support/reports/raw-sums.ts';
import { bucketsOf } from './buckets.ts';
import { foldReportEvents } from './commands/fold-events.ts';
import { type Metric, metrics } from './metrics.ts';
import { groupings } from './model.ts';
import { sumsBetween } from './sums.ts';
import { addDays, startsOfDays } from './zone-days.ts';

/** From a Friday in March to a Monday in April, with changes of clocks on both sides of the world. */
const RANGE = { from: '2026-03-06', to: '2026-04-13' };
const ZONES = ['UTC', 'Pacific/Honolulu', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'];

await describeOnEachDatabase('sums of the reports', (open) => {
  let db: Database;
  let ctx: Ctx;
  const random = mulberry32(20_261_123);
  const instants = [new Date('2026-03-05T00:00:00Z'), new Date('2026-04-15T00:00:00Z')] as [Date, Date];
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db, { actor: { kind: 'system', name: 'test' } });
  });
  afterAll(() => db.close());

  const boundsOf = (grouping: (typeof groupings)[number], zone: string) => {
    const buckets = bucketsOf({ ...RANGE, grouping, zone });
    return startsOfDays([...buckets.map(({ from }) => from), addDays(RANGE.to, 1)], zone);
  };

  /** Compares every metric in a zone, grouped one way, with the rows that it counts. */
  async function expectTrue(zone: string, grouping: (typeof groupings)[number]): Promise<void> {
    const daily: readonly Metric[] = ['viewers'];
    for (const [wanted, bounds] of [
      [metrics.filter((metric) => !daily.includes(metric)), boundsOf(grouping, zone)],
      [daily, boundsOf(grouping, 'UTC')],
    ] as const) {
      const [sums, raw] = [
        await sumsBetween(ctx, { metrics: wanted, bounds }),
        await rawSums(ctx, { metrics: wanted, bounds }),
      ];
      for (const metric of wanted)
        expect({ zone, grouping, metric, sums: sums.of(metric) }).toEqual({
          zone,
          grouping,
          metric,
          sums: raw.of(metric),
        });
    }
  }

  /** Compares what is kept for each listing and day with the rows that it counts. */
  async function expectListingDays(): Promise<void> {
    const { rows } = await sql`
      select property_id, day, sum(views) as views, sum(watches) as watches, sum(inquiries) as inquiries from (
        select property_id, (viewed_at at time zone 'UTC')::date as day, 1 as views, 0 as watches, 0 as inquiries from property_view_events
        union all select property_id, (created_at at time zone 'UTC')::date, 0, 1, 0 from property_watches
        union all select property_id, (created_at at time zone 'UTC')::date, 0, 0, 1 from property_inquiries
        union all select property_id, day, -views, -watches, -inquiries from listing_days) both_sides
      group by 1, 2 having sum(views) <> 0 or sum(watches) <> 0 or sum(inquiries) <> 0`.execute(db.q());
    expect(rows).toEqual([]);
  }

  it('are those of the rows, whatever happens late and whenever events are folded', async () => {
    const interest = await createInterest(db, random, instants);
    for (let round = 0; round < 12; round += 1) {
      for (let n = 0; n < 25; n += 1) {
        await doSomething(interest);
        if (random() < 0.08) await foldReportEvents(ctx, { batch: 1 + Math.floor(random() * 20) });
      }
      const zone = ZONES[round % ZONES.length] ?? 'UTC';
      await expectTrue(zone, groupings[round % groupings.length] ?? 'daily');
    }
    await foldReportEvents(ctx);
    expect(await waiting()).toBe(0);
    for (const zone of ZONES) await expectTrue(zone, 'daily');
    await expectListingDays();
  });

  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from report_events`.execute(
      db.q(),
    );
    return rows[0]?.count ?? 0;
  };

  it('are the same when they are made anew from everything that has happened', async () => {
    for (const table of ['report_events', 'report_days', 'report_viewers', 'report_terms', 'listing_days'])
      await sql`delete from ${sql.table(table)}`.execute(db.q());
    await fillReportEvents(db.q());
    await fillPaymentEvents(db.q());
    await expectTrue('Asia/Kathmandu', 'weekly');
    await foldReportEvents(ctx);
    for (const grouping of groupings) await expectTrue('America/New_York', grouping);
    await expectListingDays();
  });

  it('count nothing twice when several processes fold at once', async () => {
    const interest = await createInterest(db, random, instants);
    for (let n = 0; n < 60; n += 1) await doSomething(interest);
    const fold = async (batch: number) => {
      for (let n = 0; n < 8; n += 1) await foldReportEvents(ctx, { batch });
    };
    const writing = (async () => {
      for (let n = 0; n < 40; n += 1) await doSomething(interest);
    })();
    await Promise.all([fold(7), fold(11), fold(1_000), writing]);
    await foldReportEvents(ctx);
    expect(await waiting()).toBe(0);
    await expectTrue('UTC', 'daily');
    await expectListingDays();
  });

  it('lose nothing when folding ends half-way', async () => {
    const interest = await createInterest(db, random, instants);
    for (let n = 0; n < 30; n += 1) await doSomething(interest);
    const before = await waiting();
    await expect(
      db.tx(async () => {
        await foldReportEvents(ctx, { batch: 5 });
        throw new Error('The process dies');
      }),
    ).rejects.toThrow('The process dies');
    expect(await waiting()).toBe(before);
    await expectTrue('UTC', 'weekly');
    await foldReportEvents(ctx);
    await expectTrue('UTC', 'weekly');
  });

  it('keep the price that a property had when it was viewed', async () => {
    const interest = await createInterest(db, random, instants);
    const [property_id = ''] = interest.properties;
    const bounds = [new Date('2026-05-01T00:00:00Z'), new Date('2026-05-02T00:00:00Z')];
    const view = (viewed_at: string) =>
      db
        .q()
        .insertInto('property_view_events')
        .values({ property_id, viewer: 'someone', viewed_at })
        .execute();
    await view('2026-05-01T10:00:00Z');
    await foldReportEvents(ctx);
    await db
      .q()
      .updateTable('properties')
      .set({ price_cents: 450_000_00 })
      .where('id', '=', property_id)
      .execute();
    await view('2026-05-01T11:00:00Z');
    const sums = await sumsBetween(ctx, { metrics: ['views_band_0', 'views_band_4'], bounds });
    expect([sums.total('views_band_0'), sums.total('views_band_4')]).toEqual([1, 1]);
  });
});
