import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';

// What was stored before notifications told prices with fees, and hours by the reader's clock.
describe('notifications and preferences from before', () => {
  let db: Database;
  let close = async () => {};
  const reader = randomUUID();
  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0030_sandbox_payment_method');
    const [agent, listing] = [randomUUID(), randomUUID()];
    await sql`insert into users (id, name, email) values (${reader}, 'Reader', 'reader@example.test')`.execute(
      db.q(),
    );
    await sql`insert into profiles (id, role) values (${reader}, 'buyer')`.execute(db.q());
    await sql`insert into notification_preferences (user_id, digest_hour) values (${reader}, 13)`.execute(
      db.q(),
    );
    await sql`insert into agents (id, name, email) values (${agent}, 'Seller', 'seller@example.test')`.execute(
      db.q(),
    );
    await sql`insert into properties (id, agent_id, type_id, title, price_cents, address, city, state, zip)
      select ${listing}, ${agent}, id, 'House', 70000000, '1 Elm', 'Town', 'OR', '97031' from property_types limit 1`.execute(
      db.q(),
    );
    await sql`insert into property_notifications (user_id, property_id, notification_type, message, previous_value, new_value)
      values (${reader}, ${listing}, 'price_change', 'The price of 1 Elm went down', '$742,000', '$700,000')`.execute(
      db.q(),
    );
    await migrate(db);
  }, 120_000);
  afterAll(() => close());

  it('keep their values as base prices', async () => {
    const rows = await db
      .q()
      .selectFrom('property_notifications')
      .select(['previous_value', 'new_value', 'price_with_fees'])
      .execute();
    expect(rows).toEqual([{ previous_value: '$742,000', new_value: '$700,000', price_with_fees: false }]);
  });

  it('keep their hour in UTC', async () => {
    const { rows } = await sql<{ at: Date }>`
      select last_digest_of(${reader}, '2026-11-20T12:00:00Z') as at`.execute(db.q());
    expect(rows[0]?.at).toEqual(new Date('2026-11-19T13:00:00Z'));
  });
});
