import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { ensureDraft } from '#features/listing-form/commands/save-draft.ts';
import { listingDetail } from '#features/listings/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { UploadAborted, UploadTooLarge } from '#gateways/files/uploads.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { heicFile } from '#tests/support/files/heic.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { addPhoto, type NewPhoto } from './commands/add-photo.ts';
import { arrangePhotos } from './commands/arrange-photos.ts';
import { attachPhotos } from './commands/attach-photos.ts';
import { deletePhoto } from './commands/delete-photo.ts';
import { describePhoto } from './commands/describe-photo.ts';
import { setMainPhoto } from './commands/set-main-photo.ts';
import { deletePhotoFiles, sweepPhotos } from './commands/sweep-photos.ts';
import { ALT_LIMIT, MAX_PHOTOS, type PhotoOwner } from './model.ts';
import { photosOf } from './reads.ts';

let shade = 0;
/** A small, unique picture. */
async function picture(): Promise<Uint8Array> {
  shade += 1;
  const background = { r: shade % 256, g: Math.floor(shade / 256), b: 90 };
  return sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer();
}

await describeOnDatabase('photographs', (open) => {
  let db: Database;
  let folder: string;
  let files: FileStore;
  let seller: UserActor;
  let ctx: Ctx;
  let listingId: string;
  const clock = testClock();
  beforeAll(async () => {
    db = await open();
    folder = await mkdtemp(join(tmpdir(), 'acre-photos-'));
    files = createFolderStore({ folder, secret: 's' });
  });
  afterAll(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    ctx = testContext(db, { actor: seller, now: clock.now });
    listingId = await createListing(db, seller.agentId);
  });
  afterEach(async () => {
    await db.q().deleteFrom('property_images').execute();
    await db.q().deleteFrom('stored_images').execute();
  });

  let removed = 0;
  const add = async (choices: Partial<NewPhoto> & { bytes?: Uint8Array } = {}) => {
    const bytes = choices.bytes ?? (await picture());
    return addPhoto(
      { ...ctx, files },
      {
        owner: { propertyId: listingId },
        key: randomUUID(),
        position: 0,
        isMain: false,
        receive: async () => {
          const path = join(folder, randomUUID());
          await writeFile(path, bytes);
          return {
            path,
            remove: async () => {
              removed += 1;
              await rm(path);
            },
          };
        },
        createDraft: async () => {
          const { owner = { propertyId: listingId } } = choices;
          return 'draftId' in owner ? { draftId: await ensureDraft(ctx, owner) } : owner;
        },
        ...choices,
      },
    );
  };
  const added = async (choices: Parameters<typeof add>[0] = {}): Promise<string> => {
    const answer = await add(choices);
    if (!answer.ok) throw new Error(answer.text);
    return answer.photoId;
  };
  const idsOf = async (owner: PhotoOwner = { propertyId: listingId }) =>
    (await photosOf(ctx, owner)).map(({ id }) => id);
  const mark = async () =>
    (
      await db
        .q()
        .selectFrom('properties')
        .select('changed_since_approval_at')
        .where('id', '=', listingId)
        .executeTakeFirstOrThrow()
    ).changed_since_approval_at;
  const unattached = () =>
    db.q().selectFrom('stored_images').select(['id', 'let_go_at']).where('attached_at', 'is', null).execute();

  it('the first becomes the main one, the others are sorted by position regardless of arrival', async () => {
    const third = await added({ position: 3 });
    const second = await added({ position: 2 });
    const first = await added({ position: 1 });
    const wanted = await added({ position: 0, isMain: true });
    const photos = await photosOf(ctx, { propertyId: listingId });
    expect(photos.map(({ id }) => id)).toEqual([wanted, first, second, third]);
    expect(photos.map(({ isMain }) => isMain)).toEqual([true, false, false, false]);
    expect(photos[0]).toMatchObject({ width: 40, height: 30, widths: [40], caption: '', alt: '' });
    const shown = await listingDetail(ctx, listingId);
    expect(shown.ok && shown.listing.pictures.map(({ id }) => id)).toEqual(
      photos.map(({ imageId }) => imageId),
    );
  });

  it('are told by number and address, where nobody has described them', async () => {
    await added({ bytes: heicFile({ frame: 'quarters', turns: 1 }) });
    await added();
    expect((await photosOf(ctx, { propertyId: listingId }))[0]).toMatchObject({ width: 80, height: 120 });
    const shown = await listingDetail(ctx, listingId);
    const { address, pictures } = shown.ok ? shown.listing : { address: '', pictures: [] };
    expect(pictures.map(({ alt }) => alt)).toEqual([`Photo 1 of 2, ${address}`, `Photo 2 of 2, ${address}`]);
  });

  it('repeated uploads yield one photo, even concurrently', async () => {
    const key = randomUUID();
    const bytes = await picture();
    const answers = await Promise.all([add({ key, bytes }), add({ key, bytes }), add({ key, bytes })]);
    const again = await add({ key, bytes });
    const [id] = await idsOf();
    expect([...answers, again]).toEqual(
      Array(4).fill({ ok: true, photoId: id, owner: { propertyId: listingId } }),
    );
    expect(await idsOf()).toHaveLength(1);
    expect(await add({ bytes })).toMatchObject({ ok: false, reason: 'twice' });
  });

  it('the same file is there once, and not even stored a second time', async () => {
    const bytes = await picture();
    const both = await Promise.all([add({ bytes }), add({ bytes })]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toMatchObject({ reason: 'twice' });
    const stored = async () => (await db.q().selectFrom('stored_images').select('id').execute()).length;
    const before = await stored();
    expect(await add({ bytes })).toMatchObject({ ok: false, reason: 'twice' });
    expect(await stored()).toBe(before);
  });

  it('hang on no draft of an edit', async () => {
    const draftId = randomUUID();
    await db
      .q()
      .insertInto('property_drafts')
      .values({ id: draftId, agent_id: String(seller.agentId), property_id: listingId, form: '{}' })
      .execute();
    await expect(add({ owner: { draftId } }).then(String, ({ name }: Error) => name)).resolves.toBe(
      'NotFound',
    );
  });

  it('refuses a file that is not a picture, and leaves nothing behind', async () => {
    const before = await unattached();
    const bytes = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
    removed = 0;
    expect(await add({ bytes })).toEqual({
      ok: false,
      reason: 'picture',
      text: 'This file is not a picture we can use. Please choose a JPEG, PNG, WebP or HEIC file.',
    });
    expect(removed).toBe(1);
    const gif = await sharp(await picture())
      .gif()
      .toBuffer();
    expect(await add({ bytes: gif })).toMatchObject({ ok: false, reason: 'picture' });
    const heavy = async () => {
      throw new UploadTooLarge('more');
    };
    expect(await add({ receive: heavy })).toEqual({
      ok: false,
      reason: 'picture',
      text: 'This picture is too large: at most 15 MB are allowed.',
    });
    const gone = async () => {
      throw new UploadAborted('gone');
    };
    await expect(add({ receive: gone })).rejects.toThrow(UploadAborted);
    expect(await idsOf()).toEqual([]);
    expect(await unattached()).toEqual(before);
  });

  it(`a listing has at most ${MAX_PHOTOS}, even with concurrent uploads`, { timeout: 60_000 }, async () => {
    for (let n = 0; n < MAX_PHOTOS - 2; n++) await added({ position: n });
    const answers = await Promise.all([add(), add(), add(), add()]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
    expect(answers.filter((one) => !one.ok && one.reason === 'full')).toHaveLength(2);
    let asked = false;
    const receive = async () => {
      asked = true;
      throw new Error('not wanted');
    };
    await expect(add({ receive })).resolves.toMatchObject({
      reason: 'full',
      text: 'A listing can have at most 50 photos.',
    });
    expect(asked).toBe(false);
    expect(await idsOf()).toHaveLength(MAX_PHOTOS);
  });

  it('can be sorted; photos missing from the order go last', async () => {
    const [a, b, c, d] = [
      await added(),
      await added({ position: 1 }),
      await added({ position: 2 }),
      await added({ position: 3 }),
    ];
    const other = await createListing(db, seller.agentId);
    const foreign = await added({ owner: { propertyId: other } });
    await arrangePhotos(ctx, { owner: { propertyId: listingId }, ids: [d, foreign, 'nonsense', b, d] });
    expect(await idsOf()).toEqual([a, d, b, c]);
    expect(await idsOf({ propertyId: other })).toEqual([foreign]);
  });

  it('a new main photo swaps positions; when it is deleted, the next is promoted', async () => {
    const [a, b, c] = [await added(), await added({ position: 1 }), await added({ position: 2 })];
    const owner = { propertyId: listingId };
    await setMainPhoto(ctx, { owner, photoId: c });
    expect(await idsOf()).toEqual([c, b, a]);
    await setMainPhoto(ctx, { owner, photoId: c });
    await deletePhoto(ctx, { owner, photoId: c });
    await deletePhoto(ctx, { owner, photoId: c });
    const left = await photosOf(ctx, owner);
    expect(left.map(({ id, isMain }) => [id, isMain])).toEqual([
      [b, true],
      [a, false],
    ]);
    await expect(setMainPhoto(ctx, { owner, photoId: c })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('have a caption and an alternative text of one line each', async () => {
    const owner = { propertyId: listingId };
    const photoId = await added();
    await describePhoto(ctx, { owner, photoId, caption: ' The \n kitchen\u0000 ', alt: 'Oak\tand brass' });
    expect((await photosOf(ctx, owner))[0]).toMatchObject({ caption: 'The kitchen', alt: 'Oak and brass' });
    const shown = await listingDetail(ctx, listingId);
    expect(shown.ok && shown.listing.pictures[0]?.alt).toBe('Oak and brass');
    for (const tooLong of [{ caption: 'x'.repeat(201) }, { alt: 'x'.repeat(ALT_LIMIT + 1) }])
      await expect(
        describePhoto(ctx, { owner, photoId, caption: '', alt: '', ...tooLong }),
      ).resolves.toMatchObject({ ok: false, reason: 'too_long' });
    const unknown = describePhoto(ctx, { owner: { draftId: randomUUID() }, photoId, caption: '', alt: '' });
    await expect(unknown.then(String, ({ name }: Error) => name)).resolves.toBe('NotFound');
    const nothing = { owner, photoId: 'nonsense', caption: '', alt: '' };
    await expect(describePhoto(ctx, nothing)).rejects.toMatchObject({ name: 'NotFound' });
    await describePhoto(ctx, { owner, photoId, caption: '', alt: '' });
    expect((await photosOf(ctx, owner))[0]).toMatchObject({ caption: '', alt: '' });
  });

  it('keep the texts of whoever was faster until the other one has seen them', async () => {
    const owner = { propertyId: listingId };
    const photoId = await added();
    const empty = { caption: '', alt: '' };
    const theirs = { caption: 'Their kitchen', alt: 'Their oak' };
    const mine = { caption: 'My kitchen', alt: '' };
    expect(await describePhoto(ctx, { owner, photoId, ...theirs, base: empty })).toEqual({ ok: true });
    expect(await describePhoto(ctx, { owner, photoId, ...mine, base: empty })).toEqual({
      ok: false,
      reason: 'newer',
      text: 'This record was changed by someone else',
    });
    expect((await photosOf(ctx, owner))[0]).toMatchObject(theirs);
    // The same texts collide with nothing, and a page may show them before they were cleaned.
    expect(await describePhoto(ctx, { owner, photoId, ...theirs, base: empty })).toEqual({ ok: true });
    const seen = { caption: ' Their  kitchen', alt: 'Their oak ' };
    expect(await describePhoto(ctx, { owner, photoId, ...mine, base: seen })).toEqual({ ok: true });
    expect((await photosOf(ctx, owner))[0]).toMatchObject(mine);
  });

  it('mark only an approved listing as changed', async () => {
    const pending = await createListing(db, seller.agentId, { status: 'pending' });
    await added({ owner: { propertyId: pending } });
    expect(await mark()).toBeNull();
    await added();
    expect(await mark()).toEqual(clock.now());
    listingId = pending;
    expect(await mark()).toBeNull();
    const rows = await db
      .q()
      .selectFrom('audit_log')
      .select('action')
      .where('entity_id', '=', pending)
      .execute();
    expect(rows).toEqual([{ action: 'photo.add' }]);
  });

  it('cannot be changed once the property is sold', async () => {
    const key = randomUUID();
    const photoId = await added({ key });
    await db.q().updateTable('properties').set({ status: 'Sold' }).where('id', '=', listingId).execute();
    const owner = { propertyId: listingId };
    const sold = { ok: false, reason: 'sold' };
    expect(await add()).toMatchObject(sold);
    // An upload whose answer was lost has arrived.
    expect(await add({ key })).toMatchObject({ ok: true, photoId });
    expect(await deletePhoto(ctx, { owner, photoId })).toMatchObject(sold);
    expect(await setMainPhoto(ctx, { owner, photoId })).toMatchObject(sold);
    expect(await arrangePhotos(ctx, { owner, ids: [photoId] })).toMatchObject(sold);
    expect(await describePhoto(ctx, { owner, photoId, caption: 'x', alt: '' })).toMatchObject(sold);
    expect(await idsOf()).toEqual([photoId]);
  });

  it('belong to a draft until the listing is submitted', async () => {
    const draftId = randomUUID();
    expect(await photosOf(ctx, { draftId })).toEqual([]);
    const answer = await add({ owner: { draftId } });
    expect(answer).toMatchObject({ ok: true, owner: { draftId } });
    // Another page of the same seller generated its own id: there is only one draft.
    const beside = await add({ owner: { draftId: randomUUID() }, position: 1 });
    expect(beside).toMatchObject({ ok: true, owner: { draftId } });
    const before = await idsOf({ draftId });
    expect(before).toHaveLength(2);
    const other = testContext(db, { actor: await createUser(db, 'agent') });
    await expect(photosOf(other, { draftId })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(attachPhotos(other, { draftId, propertyId: listingId })).rejects.toMatchObject({
      name: 'NotFound',
    });
    await db.tx(async () => {
      expect(await attachPhotos(ctx, { draftId, propertyId: listingId })).toBe(2);
      await db.q().deleteFrom('property_drafts').where('id', '=', draftId).execute();
    });
    expect(await idsOf()).toEqual(before);
    expect(await unattached()).toEqual([]);
  });

  it('are detached when their draft is discarded', async () => {
    const draftId = randomUUID();
    await add({ owner: { draftId } });
    await db.q().deleteFrom('property_drafts').where('id', '=', draftId).execute();
    expect(await unattached()).toHaveLength(1);
  });

  it('sweeps deleted pictures and their files at once', async () => {
    const [kept, photoId] = [await added(), await added({ position: 1 })];
    const [, gone] = await photosOf(ctx, { propertyId: listingId });
    const imageId = gone?.imageId ?? '';
    await deletePhoto(ctx, { owner: { propertyId: listingId }, photoId });
    const system = testContext(db, { actor: { kind: 'system', name: 'jobs' }, now: clock.now });
    expect(await unattached()).toEqual([{ id: imageId, let_go_at: clock.now() }]);
    const { rows: waiting } = await db.pool.query(
      `select singleton_key from pgboss.job where name = 'photos.sweep' and state = 'created'`,
    );
    expect(waiting).toEqual([{ singleton_key: 'deleted' }]);
    expect(await sweepPhotos(system)).toBe(1);
    expect(await unattached()).toEqual([]);
    expect((await files.list(`images/${imageId}/`)).keys).toHaveLength(2);
    await deletePhotoFiles({ ...system, files }, { imageId });
    await deletePhotoFiles({ ...system, files }, { imageId });
    expect((await files.list(`images/${imageId}/`)).keys).toEqual([]);
    expect(await idsOf()).toEqual([kept]);
    expect(await sweepPhotos(system)).toBe(0);
  });

  it('an upload whose files could not be stored is not shown, and is swept after a day', async () => {
    const put = files.put;
    files.put = async () => {
      throw new Error('the store is away');
    };
    await expect(add()).rejects.toThrow('the store is away');
    files.put = put;
    expect(await idsOf()).toEqual([]);
    expect(await unattached()).toHaveLength(1);
    const system = testContext(db, { actor: { kind: 'system', name: 'jobs' }, now: clock.now });
    clock.advance(23 * 3_600_000);
    expect(await sweepPhotos(system)).toBe(0);
    clock.advance(2 * 3_600_000);
    expect(await sweepPhotos(system)).toBe(1);
  });

  it('allows at most 150 uploads in ten minutes (R18)', { timeout: 60_000 }, async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    for (let n = 0; n < 150; n++) expect(await add({ bytes })).toMatchObject({ reason: 'picture' });
    await expect(add({ bytes })).rejects.toMatchObject({ name: 'TooManyRequests' });
  });
});
