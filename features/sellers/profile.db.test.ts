import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { ownSellerProfile } from './reads.ts';

await describeOnDatabase("a seller's profile", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('is the seller’s own', async () => {
    const seller = await createUser(db, 'agent');
    expect(await ownSellerProfile(testContext(db, { actor: seller }))).toMatchObject({
      id: seller.agentId,
      name: seller.name,
      email: seller.email,
      activeListings: 0,
      soldListings: 0,
    });
    for (const status of ['Active', 'Sold'] as const) {
      await createListing(db, seller.agentId, { status });
      const deleted = await createListing(db, seller.agentId, { status });
      await db
        .q()
        .updateTable('properties')
        .set({ deleted_at: new Date() })
        .where('id', '=', deleted)
        .execute();
    }
    expect(await ownSellerProfile(testContext(db, { actor: seller }))).toMatchObject({
      activeListings: 1,
      soldListings: 1,
    });
  });
});
