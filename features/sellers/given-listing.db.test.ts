import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { giveListing } from '#tests/support/fixtures/give-listing.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { deleteSeller } from './commands/delete-seller.ts';
import { sellerRemoval } from './reads.ts';

await describeOnDatabase('a seller whose only listing was given to another one', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('had a listing: is archived, and the tours with buyers stay', async () => {
    const [former, present] = [await createUser(db, 'agent'), await createUser(db, 'agent')];
    const buyer = await createUser(db, 'buyer');
    const admin = testContext(db, { actor: await createUser(db, 'admin') });
    const sellerId = String(former.agentId);
    const propertyId = await createListing(db, sellerId, { listed_at: new Date() });
    const tour = await db
      .q()
      .insertInto('tours')
      .values({
        property_id: propertyId,
        agent_id: sellerId,
        buyer_id: buyer.id,
        starts_at: new Date(Math.ceil((Date.now() + DAY) / HOUR) * HOUR),
        time_zone: 'America/Los_Angeles',
        status: 'confirmed',
        key: 'tour',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await giveListing(admin, { propertyId, to: present });

    const kept = { way: 'archive', listings: 0, toWithdraw: 0, sales: 0 };
    expect(await sellerRemoval(admin, sellerId)).toEqual(kept);
    const changed = { ok: false, reason: 'changed' };
    expect(await deleteSeller(admin, { sellerId, way: 'delete' })).toEqual(changed);
    const archived = { ok: true, way: 'archive' };
    expect(await deleteSeller(admin, { sellerId, way: 'archive' })).toEqual(archived);
    expect(await db.q().selectFrom('tours').select('id').where('buyer_id', '=', buyer.id).execute()).toEqual([
      tour,
    ]);
    // The present one never gave anything away, but has a listing.
    expect(await sellerRemoval(admin, String(present.agentId))).toMatchObject({
      way: 'archive',
      listings: 1,
    });
  });
});
