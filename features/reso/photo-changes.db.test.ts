import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Grant } from '#features/api-keys/model.ts';
import { arrangePhotos } from '#features/photos/commands/arrange-photos.ts';
import { deletePhoto } from '#features/photos/commands/delete-photo.ts';
import { describePhoto } from '#features/photos/commands/describe-photo.ts';
import { setMainPhoto } from '#features/photos/commands/set-main-photo.ts';
import { photosOf } from '#features/photos/reads.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { resoPage, resoRecord } from './reads.ts';

const market: Grant = {
  keyId: '00000000-0000-4000-8000-000000000000',
  agentId: null,
  scopes: ['listings', 'media'],
};

await describeOnDatabase('what other systems learn of changed photos', (open) => {
  let db: Database;
  let seller: UserActor;
  let propertyId: string;
  beforeAll(async () => {
    db = await open();
    seller = await createUser(db, 'agent');
    propertyId = await createListing(db, seller.agentId);
    for (const position of [0, 1, 2]) {
      const image = await db
        .q()
        .insertInto('stored_images')
        .values({ width: 160, height: 120, widths: [160], placeholder: '', sha256: 'x', byte_size: 5 })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .q()
        .insertInto('property_images')
        .values({ property_id: propertyId, image_id: image.id, position, is_main: position === 0 })
        .execute();
    }
  });
  afterAll(() => db.close());

  const ctx = () => testContext(db, { actor: seller });
  const owner = () => ({ propertyId });
  const record = () =>
    resoRecord(testContext(db), market, {
      resource: 'Property',
      params: new URLSearchParams('$select=ModificationTimestamp,PhotosChangeTimestamp'),
      key: propertyId,
    });
  /** The photos changed after a moment, by their keys. */
  const changedAfter = async (moment: unknown) => {
    const params = new URLSearchParams({ $filter: `ModificationTimestamp gt ${moment}`, $select: 'Order' });
    const { records } = await resoPage(testContext(db), market, { resource: 'Media', params, prefer: null });
    return records.map(({ MediaKey }) => MediaKey);
  };
  const idsInOrder = async () => (await photosOf(ctx(), owner())).map(({ id }) => id);

  it.each<[name: string, change: (ids: string[]) => Promise<unknown>, changed: readonly number[]]>([
    [
      'nothing but what they are',
      ([a = '', b = '', c = '']) => arrangePhotos(ctx(), { owner: owner(), ids: [a, b, c] }),
      [],
    ],
    [
      'another caption',
      ([, b = '']) => describePhoto(ctx(), { owner: owner(), photoId: b, caption: 'Kitchen', alt: '' }),
      [1],
    ],
    [
      'another order',
      ([a = '', b = '', c = '']) => arrangePhotos(ctx(), { owner: owner(), ids: [a, c, b] }),
      [1, 2],
    ],
    ['another main photo', ([, b = '']) => setMainPhoto(ctx(), { owner: owner(), photoId: b }), [0, 1]],
  ])('%s', async (_, change, changed) => {
    const ids = await idsInOrder();
    const before = await record();
    await change(ids);
    const after = await record();
    expect((await changedAfter(before.PhotosChangeTimestamp)).toSorted()).toEqual(
      changed.map((index) => ids[index]).toSorted(),
    );
    expect(after.PhotosChangeTimestamp !== before.PhotosChangeTimestamp).toBe(changed.length > 0);
    expect(String(after.PhotosChangeTimestamp) >= String(before.PhotosChangeTimestamp)).toBe(true);
  });

  it('a deleted photo, whose listing tells of it', async () => {
    const [, , last = ''] = await idsInOrder();
    const before = await record();
    await deletePhoto(ctx(), { owner: owner(), photoId: last });
    const after = await record();
    expect(await changedAfter(before.PhotosChangeTimestamp)).toEqual([]);
    expect(String(after.PhotosChangeTimestamp) > String(before.PhotosChangeTimestamp)).toBe(true);
  });

  it('a listing that is deleted with its photos', async () => {
    const { id } = await db
      .q()
      .deleteFrom('properties')
      .where('id', '=', propertyId)
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(id).toBe(propertyId);
    expect(await changedAfter('2020-01-01T00:00:00Z')).toEqual([]);
  });
});
