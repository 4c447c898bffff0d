import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { editListing } from '#features/listing-form/commands/edit-listing.ts';
import type { ListingForm } from '#features/listing-form/form.ts';
import { editForm } from '#features/listing-form/reads.ts';
import { addPhoto } from '#features/photos/commands/add-photo.ts';
import { arrangePhotos } from '#features/photos/commands/arrange-photos.ts';
import { deletePhoto } from '#features/photos/commands/delete-photo.ts';
import { describePhoto } from '#features/photos/commands/describe-photo.ts';
import { setMainPhoto } from '#features/photos/commands/set-main-photo.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { decideListing } from './commands/decide-listing.ts';
import { reviewSubject } from './reads.ts';

await describeOnDatabase('what a seller changed since the approval', (open) => {
  const clock = testClock();
  let db: Database;
  let folder: string;
  let files: FileStore;
  let admin: UserActor;
  let seller: UserActor;
  const as = (actor: UserActor): Ctx => testContext(db, { actor, now: clock.now });

  beforeAll(async () => {
    db = await open();
    folder = await mkdtemp(join(tmpdir(), 'acre-changes-'));
    files = createFolderStore({ folder, secret: 's' });
    admin = await createUser(db, 'admin');
    seller = await createUser(db, 'agent');
  });
  afterAll(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const waiting = (facts = {}) =>
    createListing(db, seller.agentId, {
      title: 'A house for sale',
      status: 'pending',
      created_at: clock.now(),
      ...facts,
    });
  const subject = (id: string) => reviewSubject(as(admin), { id });
  const approve = async (propertyId: string) => {
    const { version } = await subject(propertyId);
    expect(await decideListing(as(admin), { propertyId, version, decision: 'approve' })).toMatchObject({
      ok: true,
    });
    clock.advance(1000);
  };
  const edit = async (propertyId: string, fields: Partial<ListingForm>) => {
    const ctx = { ...as(seller), geocoder: zipCodeGeocoder };
    const { listing } = await editForm(ctx, propertyId);
    const form = { ...listing.form, ...fields };
    const edited = await editListing(ctx, {
      propertyId,
      version: 0,
      base: listing.form,
      form,
      resubmit: false,
    });
    expect(edited).toMatchObject({ ok: true });
    clock.advance(1000);
  };
  let shade = 0;
  /** Adds a picture of its own; returns the ids of the photo and of its file. */
  const photo = async (propertyId: string, isMain = false) => {
    shade += 1;
    const bytes = await sharp({
      create: { width: 40, height: 30, channels: 3, background: { r: shade, g: 9, b: 90 } },
    })
      .png()
      .toBuffer();
    const added = await addPhoto(
      { ...as(seller), files },
      {
        owner: { propertyId },
        key: randomUUID(),
        position: shade,
        isMain,
        receive: async () => {
          const path = join(folder, randomUUID());
          await writeFile(path, bytes);
          return { path, remove: () => rm(path) };
        },
        createDraft: async () => ({ propertyId }),
      },
    );
    if (!added.ok) throw new Error(added.text);
    clock.advance(1000);
    const { image_id } = await db
      .q()
      .selectFrom('property_images')
      .select('image_id')
      .where('id', '=', added.photoId)
      .executeTakeFirstOrThrow();
    return { id: added.photoId, image: image_id };
  };

  it('are its photos: which are new, first or described anew, and how many are gone', async () => {
    const id = await waiting();
    const [main, kept, gone] = [await photo(id, true), await photo(id), await photo(id)];
    await approve(id);
    expect((await subject(id)).photoChanges).toBeNull();
    const owner = { propertyId: id };
    const fresh = await photo(id);
    const passing = await photo(id);
    await deletePhoto(as(seller), { owner, photoId: passing.id });
    await deletePhoto(as(seller), { owner, photoId: gone.id });
    await describePhoto(as(seller), { owner, photoId: main.id, caption: 'The porch', alt: 'A porch' });
    const same = { isNew: false, putFirst: false, described: false };
    const shown = async () => {
      const { photoChanges } = await subject(id);
      return (
        photoChanges && {
          ...photoChanges,
          photos: photoChanges.photos.map(({ picture, ...marks }) => [picture.id, marks]),
        }
      );
    };
    expect(await shown()).toEqual({
      removed: 1,
      reordered: false,
      photos: [
        [main.image, { ...same, described: true }],
        [kept.image, same],
        [fresh.image, { ...same, isNew: true }],
      ],
    });
    await setMainPhoto(as(seller), { owner, photoId: kept.id });
    await arrangePhotos(as(seller), { owner, ids: [kept.id, fresh.id, main.id] });
    expect(await shown()).toEqual({
      removed: 1,
      reordered: true,
      photos: [
        [kept.image, { ...same, putFirst: true }],
        [fresh.image, { ...same, isNew: true }],
        [main.image, { ...same, described: true }],
      ],
    });
    await approve(id);
    expect(await subject(id)).toMatchObject({ changes: [], photoChanges: null });
  });

  it('are its amenities by name, unless they are as they were again', async () => {
    const amenity = async (name: string) => {
      const row = await db
        .q()
        .insertInto('amenities')
        .values({ name })
        .returning('id')
        .executeTakeFirstOrThrow();
      return String(row.id);
    };
    const [garage, pool, sauna] = [
      await amenity('A garage'),
      await amenity('B pool'),
      await amenity('C sauna'),
    ];
    const id = await waiting();
    await edit(id, { amenities: [garage, pool] });
    await approve(id);
    await edit(id, { amenities: [pool] });
    await edit(id, { amenities: [pool, sauna] });
    expect((await subject(id)).changes).toEqual([
      { field: 'Amenities', approved: 'A garage, B pool', now: 'B pool, C sauna' },
    ]);
    await edit(id, { amenities: [garage, pool], description: 'Another text.' });
    expect((await subject(id)).changes.map(({ field }) => field)).toEqual(['Description']);
  });

  it('is the place of its pin, with the way between the two', async () => {
    const id = await waiting({ latitude: 45.7054, longitude: -121.5215 });
    await approve(id);
    await edit(id, { place: '45.70540,-121.50000 pin' });
    expect((await subject(id)).changes).toEqual([
      {
        field: 'Place on the map',
        approved: '45.70540, -121.52150',
        now: '45.70540, -121.50000, 1.0 miles away',
      },
    ]);
  });
});
