import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordView } from '#features/views/commands/record-view.ts';
import type { UserActor } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { DAY } from '#platform/durations.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { describeOnDatabase, serverIsReachable } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { eraseAccount } from './commands/erase-account.ts';

const TODAY = new Date('2026-01-10T12:00:00Z');

await describeOnDatabase('views of an account that is erased since', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('stay counted, and nothing says who it was', async () => {
    const propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
    const [stays, goes] = [await createUser(db, 'buyer'), await createUser(db, 'buyer')];
    const view = (actor: UserActor, at: Date) =>
      recordView(testContext(db, { actor, now: () => at }), { propertyId, userAgent: null });
    await view(stays, TODAY);
    for (const at of [TODAY, TODAY, new Date(TODAY.getTime() + DAY)]) await view(goes, at);
    const system = testContext(db, { actor: { kind: 'system', name: 'jobs' } });
    await db.tx(() => eraseAccount(system, { id: goes.id, email: 'somebody@acre.test' }));
    const viewersIn = async (table: 'property_view_events' | 'property_view_days') =>
      (await db.q().selectFrom(table).select('viewer').where('property_id', '=', propertyId).execute()).map(
        ({ viewer }) => viewer,
      );
    const [events, days] = [await viewersIn('property_view_events'), await viewersIn('property_view_days')];
    expect([events.length, days.length]).toEqual([4, 3]);
    for (const viewers of [events, days]) {
      expect(viewers.filter((viewer) => viewer === stays.id)).toHaveLength(1);
      expect(viewers).not.toContain(goes.id);
    }
    const { views } = await db
      .q()
      .selectFrom('properties')
      .select('views')
      .where('id', '=', propertyId)
      .executeTakeFirstOrThrow();
    expect(views).toBe(3);
  });
});

describe('views of accounts that were erased before', () => {
  let db: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0145_schedule_set_by');
  });
  afterAll(() => close());

  it('say no longer who it was', async () => {
    const q = db.q();
    const [agentId, propertyId, open, closed] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await sql`insert into agents (id, name, email) values (${agentId}, 'Ada Seller', 'ada@acre.test')`.execute(
      q,
    );
    await sql`insert into properties (id, agent_id, address, price_cents, status)
      values (${propertyId}, ${agentId}, '1 Seen Street', 100, 'Active')`.execute(q);
    await sql`insert into users (id, name, email, closed_at) values (${open}, 'Bo Buyer', 'bo@acre.test', null),
      (${closed}, 'Former buyer', 'closed@acre.test', now())`.execute(q);
    await sql`insert into property_view_events (property_id, user_id, viewer)
      values (${propertyId}, ${open}, ${open}), (${propertyId}, null, ${closed}), (${propertyId}, null, 'a visitor')`.execute(
      q,
    );
    await migrate(db);
    for (const table of ['property_view_events', 'property_view_days']) {
      const { rows } = await sql<{ viewer: string }>`select viewer from ${sql.table(table)}`.execute(q);
      const viewers = rows.map(({ viewer }) => viewer);
      expect(viewers).toHaveLength(3);
      expect(viewers).toEqual(expect.arrayContaining([open, 'a visitor']));
      expect(viewers).not.toContain(closed);
    }
  });
});
