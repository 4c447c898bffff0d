import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Grant } from '#features/api-keys/model.ts';
import { setAmenities } from '#features/listing-form/amenities.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { resoRecord } from './reads.ts';

const market: Grant = {
  keyId: '00000000-0000-4000-8000-000000000000',
  agentId: null,
  scopes: ['listings', 'media'],
};

await describeOnDatabase('what other systems learn of changed amenities', (open) => {
  let db: Database;
  let propertyId: string;
  let ids: number[];
  beforeAll(async () => {
    db = await open();
    const { agentId } = await createUser(db, 'agent');
    propertyId = await createListing(db, agentId);
    const added = await db
      .q()
      .insertInto('amenities')
      .values([{ name: 'Sundial' }, { name: 'Orangery' }])
      .returning('id')
      .execute();
    ids = added.map(({ id }) => id);
  });
  afterAll(() => db.close());

  const changedAt = async () => {
    const params = new URLSearchParams('$select=ModificationTimestamp');
    const record = await resoRecord(testContext(db), market, {
      resource: 'Property',
      params,
      key: propertyId,
    });
    return String(record.ModificationTimestamp);
  };

  it('the listing counts as changed with others, and not with the same', async () => {
    const [sundial = 0, orangery = 0] = ids;
    let before = await changedAt();
    for (const chosen of [[sundial], [sundial, orangery], [orangery], []]) {
      await setAmenities(testContext(db), propertyId, chosen);
      const after = await changedAt();
      expect(after > before).toBe(true);
      await setAmenities(testContext(db), propertyId, chosen);
      expect(await changedAt()).toBe(after);
      before = after;
    }
  });
});
