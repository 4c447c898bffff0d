import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { sellerRecord } from './seller-record.ts';

await describeOnDatabase('the record of a seller', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('counts the seller’s listings, without deleted ones', async () => {
    const { now } = testClock();
    const { agentId } = await createUser(db, 'agent');
    const { agentId: other } = await createUser(db, 'agent');
    const listed = { listed_at: now() };
    await createListing(db, agentId, listed);
    await createListing(db, agentId, { status: 'pending', listed_at: null });
    await createListing(db, agentId, { ...listed, deleted_at: now() });
    await createListing(db, other, listed);
    expect(await sellerRecord(testContext(db, { now }), String(agentId))).toMatchObject({
      approvedListings: 1,
      allListings: 2,
    });
  });
});
