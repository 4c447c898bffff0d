import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { ownSellerProfile } from './reads.ts';

await describeOnEachDatabase("a seller's profile", (open) => {
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
  });
});
