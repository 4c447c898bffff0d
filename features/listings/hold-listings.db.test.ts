import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { holdListingsOfSeller, holdListingsOfUser } from './hold-listings.ts';

await describeOnDatabase('the hold on listings', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  /** The listings that the current transaction has locked, as PostgreSQL notes in their rows. */
  async function heldNow(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from properties where xmax = pg_current_xact_id()::xid order by id`.execute(db.q());
    return rows.map(({ id }) => id);
  }

  it('of a seller takes all of theirs, and leaves those of others free', async () => {
    const [seller, other] = [await createUser(db, 'agent'), await createUser(db, 'agent')];
    const own = [await createListing(db, seller.agentId), await createListing(db, seller.agentId)];
    await createListing(db, other.agentId);
    const held = await db.tx(async () => {
      await holdListingsOfSeller(testContext(db), String(seller.agentId));
      return heldNow();
    });
    expect(held).toEqual(own.sort());
  });

  it('of a user takes those asked about, watched, told of and toured, and leaves those of others free', async () => {
    /** Listings with which a new user has to do, in one way each. */
    async function known() {
      const agent_id = (await createUser(db, 'agent')).agentId ?? '';
      const { id: user_id } = await createUser(db, 'buyer');
      const [asked = '', watched = '', told = '', toured = ''] = await Promise.all(
        Array.from({ length: 4 }, () => createListing(db, agent_id)),
      );
      const q = db.q();
      const message = 'Is it quiet?';
      await q.insertInto('property_inquiries').values({ property_id: asked, user_id, message }).execute();
      await q.insertInto('property_watches').values({ property_id: watched, user_id }).execute();
      await q
        .insertInto('property_notifications')
        .values({ property_id: told, user_id, notification_type: 'status_change', message: 'It is sold.' })
        .execute();
      await q
        .insertInto('tours')
        .values({
          property_id: toured,
          agent_id,
          buyer_id: user_id,
          starts_at: new Date('2026-06-01T16:00:00Z'),
          time_zone: 'UTC',
          key: toured,
        })
        .execute();
      return { userId: user_id, listings: [asked, watched, told, toured] };
    }
    const { userId, listings } = await known();
    await known();
    const held = await db.tx(async () => {
      await holdListingsOfUser(testContext(db), userId);
      return heldNow();
    });
    expect(held).toEqual(listings.sort());
  });
});
