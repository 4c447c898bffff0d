import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { rawSums } from '#tests/support/reports/raw-sums.ts';
import { foldReportEvents } from './commands/fold-events.ts';
import { metrics } from './metrics.ts';
import { sumsBetween } from './sums.ts';

describe('the migrations to reports', () => {
  let db: Database;
  let close = async () => {};
  let before: unknown[];
  const views = async () => (await sql`select * from property_view_events order by id`.execute(db.q())).rows;

  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0059_common_words');
    const q = db.q();
    const [agentId, buyerId, propertyId] = [randomUUID(), randomUUID(), randomUUID()];
    await sql`insert into agents (id, name, email) values (${agentId}, 'Ada Seller', 'ada@acre.test')`.execute(
      q,
    );
    await sql`insert into users (id, name, email) values (${buyerId}, 'Bo Buyer', 'bo@acre.test')`.execute(q);
    await sql`insert into profiles (id, role, created_at) values (${buyerId}, 'buyer', '2026-02-03T10:20:30Z')`.execute(
      q,
    );
    await sql`insert into properties (id, agent_id, address, price_cents, status)
      values (${propertyId}, ${agentId}, '1 Old Road', 35000000, 'Active')`.execute(q);
    await sql`insert into property_view_events (property_id, user_id, viewer, viewed_at)
      select ${propertyId}::uuid, case when n % 2 = 0 then ${buyerId}::uuid end, 'viewer ' || n % 3,
        timestamptz '2025-11-30 22:00Z' + n * interval '7 hours' from generate_series(1, 40) n`.execute(q);
    await sql`insert into property_watches values (${buyerId}, ${propertyId}, '2025-12-05T00:00:00Z')`.execute(
      q,
    );
    await sql`insert into property_inquiries (property_id, user_id, message, first_reply_at, created_at)
      values (${propertyId}, ${buyerId}, 'Is it quiet?', '2025-12-06T01:00:00Z', '2025-12-05T00:00:00Z')`.execute(
      q,
    );
    await sql`insert into search_events (query, results, created_at) values ('Lake', 0, '2025-12-05T00:00:00Z')`.execute(
      q,
    );
    before = await views();
    await migrate(db);
  });
  afterAll(() => close());

  it('keep every view, and number the next ones after them', async () => {
    expect(before).toHaveLength(40);
    expect(await views()).toEqual(before);
    const { rows } = await sql<{ rest: number; of: number }>`
      select (select count(*)::int from property_view_events_rest) as rest, (select views from properties) as of`.execute(
      db.q(),
    );
    expect(rows).toEqual([{ rest: 0, of: expect.toSatisfy((count) => count > 20) }]);
  });

  it('count what has happened before', async () => {
    const ctx = testContext(db, { actor: { kind: 'system', name: 'test' } });
    const bounds = ['2025-11-30', '2025-12-01', '2025-12-06', '2026-03-01'].map(
      (day) => new Date(`${day}T00:00:00Z`),
    );
    const sums = async () => {
      const [ours, raw] = [
        await sumsBetween(ctx, { metrics, bounds }),
        await rawSums(ctx, { metrics, bounds }),
      ];
      return metrics.map((metric) => ({ metric, ours: ours.of(metric), raw: raw.of(metric) }));
    };
    const waiting = await sums();
    expect(waiting.filter(({ ours, raw }) => ours.join() !== raw.join())).toEqual([]);
    expect(waiting.find(({ metric }) => metric === 'views_band_3')?.ours).toEqual([0, 17, 23]);
    await foldReportEvents(ctx);
    expect(await sums()).toEqual(waiting);
    await sql`insert into property_view_events (property_id, viewer, viewed_at) select id, 'new', '2025-12-01T00:00:00Z' from properties`.execute(
      db.q(),
    );
    expect(await sums()).not.toEqual(waiting);
    const { rows } = await sql<{ id: number }>`select max(id) as id from property_view_events`.execute(
      db.q(),
    );
    expect(rows[0]?.id).toBe(41);
  });
});
