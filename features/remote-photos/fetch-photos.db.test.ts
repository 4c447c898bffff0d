import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { moveListing } from '#features/listings/commands/move-listing.ts';
import { relistListing } from '#features/listings/commands/relist-listing.ts';
import { withdrawListing } from '#features/listings/commands/withdraw-listing.ts';
import { addFetchedPhoto } from '#features/photos/commands/add-fetched-photo.ts';
import { setMainPhoto } from '#features/photos/commands/set-main-photo.ts';
import { MAX_PHOTOS } from '#features/photos/model.ts';
import { photosOf as photosIn } from '#features/photos/reads.ts';
import { receiveUpload } from '#gateways/files/uploads.ts';
import { PictureNotFetched, type RemotePictures } from '#gateways/remote-pictures/port.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { createImport, importScene, worker } from '#tests/support/fixtures/imports.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { fetchPhotos } from './commands/fetch-photos.ts';
import { queueRemotePhotos } from './queue-photos.ts';
import { MAX_ATTEMPTS, remotePhotoMessages } from './rules.ts';

/** A picture of a color of its own. */
const pictureOf = (red: number) =>
  sharp({ create: { width: 360, height: 240, channels: 3, background: { r: red, g: 90, b: 120 } } })
    .jpeg()
    .toBuffer();
const GONE = 'The server answered with status 404.';
const LOST = 'The connection to the server failed.';

await describeOnDatabase('photos by their addresses', (open) => {
  let db: Database;
  let scene: ReturnType<typeof importScene>;
  const clock = testClock();
  beforeAll(async () => {
    db = await open();
    scene = importScene(db, clock.now);
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });
  const photosOf = (id: string) =>
    db
      .q()
      .selectFrom('remote_photos')
      .select(['url', 'status', 'reason'])
      .where('property_id', '=', id)
      .orderBy('position')
      .execute();

  /** Fetches every address as a picture of a color of its own, which is in the address. */
  const colors: RemotePictures = {
    async fetch(address) {
      const bytes = await pictureOf(Number(new URL(address).pathname.slice(1)));
      return receiveUpload(`${scene.folder}/incoming`, new Blob([new Uint8Array(bytes)]).stream(), 1_000_000);
    },
  };
  const photoCount = async (id: string) =>
    (await db.q().selectFrom('property_images').select('id').where('property_id', '=', id).execute()).length;
  const marksOf = (id: string) =>
    db
      .q()
      .selectFrom('properties')
      .select(['status', 'changed_since_approval_at', 'needs_approval_since'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  /** Queues a photo as a file names it, and fetches it. */
  async function fetched(propertyId: string, photo: number, importId: string | null = null) {
    const ctx = scene.as(worker);
    const rows = [{ propertyId, urls: [`https://a.example/${photo}`] }];
    await ctx.db.tx(() => queueRemotePhotos(ctx, { rows, importId }));
    await fetchPhotos(ctx, { pictures: colors });
  }

  it('leave a listing as it was sold, and say so', async () => {
    const seller = await createUser(db, 'agent');
    const id = await createListing(db, seller.agentId);
    await fetched(id, 40);
    const sold = await moveListing(scene.as({ kind: 'system', name: 'import' }), {
      propertyId: id,
      event: 'import_sold',
    });
    expect(sold).toMatchObject({ ok: true });
    await fetched(id, 90);
    expect(await photosOf(id)).toMatchObject([
      { status: 'added' },
      { status: 'skipped', reason: remotePhotoMessages.sold },
    ]);
    expect(await photoCount(id)).toBe(1);
  });

  it('are those of a home that a file stored as sold', async () => {
    const seller = await createUser(db, 'agent');
    const id = await createListing(db, seller.agentId, { status: 'Sold' });
    await fetched(id, 40);
    expect(await photosOf(id)).toMatchObject([{ status: 'added' }]);
    const [photo] = await db
      .q()
      .selectFrom('property_images as i')
      .innerJoin('stored_images as s', 's.id', 'i.image_id')
      .select(['i.id', 's.attached_at'])
      .where('i.property_id', '=', id)
      .execute();
    expect(photo?.attached_at).toEqual(clock.now());
    const added = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_role', 'after'])
      .where('entity_id', '=', id)
      .where('action', '=', 'photo.add')
      .execute();
    expect(added).toMatchObject([
      { actor_role: 'system:imports', after: { photo: photo?.id, from: 'address' } },
    ]);
  });

  it('are no more than a listing may have', async () => {
    const seller = await createUser(db, 'agent');
    const id = await createListing(db, seller.agentId);
    await fetched(id, 40);
    // As many rows of that photo as fill the listing.
    await sql`
      insert into property_images (property_id, image_id, is_main, position, upload_key, created_at)
      select property_id, image_id, false, n, gen_random_uuid(), created_at
      from property_images, generate_series(2, ${MAX_PHOTOS}::int) n where property_id = ${id}`.execute(
      db.q(),
    );
    await fetched(id, 90);
    expect(await photosOf(id)).toMatchObject([
      { status: 'added' },
      { status: 'skipped', reason: remotePhotoMessages.full },
    ]);
    expect(await photoCount(id)).toBe(MAX_PHOTOS);
  });

  it('are not added to a listing that was deleted meanwhile, nor twice to another', async () => {
    const seller = await createUser(db, 'agent');
    const id = await createListing(db, seller.agentId);
    const ctx = scene.as(worker);
    const add = async (key: string) =>
      addFetchedPhoto(ctx, {
        propertyId: id,
        key,
        position: 1,
        isWanted: async () => true,
        isAsFetched: async () => false,
        needsApproval: false,
        file: await colors.fetch('https://a.example/40'),
      });
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    expect(await add(first)).toEqual({ ok: true });
    expect(await add(first)).toEqual({ ok: true });
    expect(await add(second)).toEqual({ ok: false, reason: 'twice' });
    await db.q().updateTable('properties').set({ deleted_at: clock.now() }).where('id', '=', id).execute();
    expect(await add(third)).toEqual({ ok: false, reason: 'removed' });
    expect(await photoCount(id)).toBe(1);
  });

  it('of a seller’s import mark a listing, and a withdrawn one waits for approval when it is relisted', async () => {
    const seller = await createUser(db, 'agent');
    const importId = await createImport(db, { status: 'done', agentId: seller.agentId, madeBy: seller.id });
    const listing = () => createListing(db, seller.agentId, { listed_at: clock.now() });
    const [active, withdrawn, office] = [await listing(), await listing(), await listing()];
    for (const propertyId of [withdrawn, office]) await withdrawListing(scene.as(seller), { propertyId });
    await fetched(active, 40, importId);
    await fetched(withdrawn, 40, importId);
    await fetched(office, 40);
    expect(await marksOf(active)).toEqual({
      status: 'Active',
      changed_since_approval_at: clock.now(),
      needs_approval_since: null,
    });
    for (const propertyId of [withdrawn, office]) await relistListing(scene.as(seller), { propertyId });
    expect(await marksOf(withdrawn)).toMatchObject({ status: 'pending', needs_approval_since: clock.now() });
    expect(await marksOf(office)).toMatchObject({ status: 'Active', changed_since_approval_at: null });
  });

  it('are fetched once each, the first one as the main photo, and a failure says why', async () => {
    const seller = await createUser(db, 'agent');
    const id = await createListing(db, seller.agentId);
    const ctx = scene.as(worker);
    const urls = ['https://a.example/front', 'https://a.example/garden', 'https://a.example/gone'];
    const queue = () => ctx.db.tx(() => queueRemotePhotos(ctx, { rows: [{ propertyId: id, urls }] }));
    await queue();
    const asked: string[] = [];
    let broken = true;
    const pictures: RemotePictures = {
      async fetch(address) {
        asked.push(address);
        if (address.endsWith('gone')) throw new PictureNotFetched(GONE);
        // The main photo arrives last.
        if (address.endsWith('front') && broken) throw new PictureNotFetched(LOST, { retryable: true });
        const bytes = await pictureOf(address.endsWith('front') ? 20 : 220);
        return receiveUpload(
          `${scene.folder}/incoming`,
          new Blob([new Uint8Array(bytes)]).stream(),
          1_000_000,
        );
      },
    };
    await fetchPhotos(ctx, { pictures });
    expect(await photosOf(id)).toEqual([
      { url: urls[0], status: 'waiting', reason: LOST },
      { url: urls[1], status: 'added', reason: null },
      { url: urls[2], status: 'failed', reason: GONE },
    ]);
    broken = false;
    // It is not asked again right away.
    await fetchPhotos(ctx, { pictures });
    expect(asked).toHaveLength(3);
    clock.advance(2 * MINUTE);
    await fetchPhotos(ctx, { pictures });
    // The same file once more asks for nothing.
    await queue();
    await fetchPhotos(ctx, { pictures });
    expect(asked).toHaveLength(4);
    expect((await photosOf(id)).map(({ status }) => status)).toEqual(['added', 'added', 'failed']);
    const images = await db
      .q()
      .selectFrom('property_images')
      .select(['is_main', 'position'])
      .where('property_id', '=', id)
      .orderBy('position')
      .execute();
    expect(images).toEqual([
      { is_main: true, position: 0 },
      { is_main: false, position: 1 },
    ]);
  });

  it('that arrive late leave the main photo that the seller chose meanwhile', async () => {
    const seller = await createUser(db, 'agent');
    const id = await createListing(db, seller.agentId);
    const ctx = scene.as(worker);
    const urls = [30, 31, 32].map((color) => `https://a.example/${color}`);
    await ctx.db.tx(() => queueRemotePhotos(ctx, { rows: [{ propertyId: id, urls }] }));
    let broken = true;
    const pictures: RemotePictures = {
      async fetch(address) {
        if (broken && address === urls[0]) throw new PictureNotFetched(LOST, { retryable: true });
        return colors.fetch(address);
      },
    };
    await fetchPhotos(ctx, { pictures });
    const owner = { propertyId: id };
    const chosen = (await photosIn(scene.as(seller), owner)).at(-1)?.id ?? '';
    expect(await setMainPhoto(scene.as(seller), { owner, photoId: chosen })).toEqual({ ok: true });
    broken = false;
    clock.advance(2 * MINUTE);
    await fetchPhotos(ctx, { pictures });
    const photos = await photosIn(scene.as(seller), owner);
    expect(photos).toHaveLength(3);
    expect(photos[0]).toMatchObject({ id: chosen, isMain: true });
  });

  it('that a stopping process gave up are asked for again, however often that happens', async () => {
    const seller = await createUser(db, 'agent');
    const id = await createListing(db, seller.agentId);
    const ctx = scene.as(worker);
    const rows = [{ propertyId: id, urls: ['https://a.example/50'] }];
    await ctx.db.tx(() => queueRemotePhotos(ctx, { rows }));
    for (let stopped = 0; stopped < 2 * MAX_ATTEMPTS; stopped += 1) {
      const stopping = new AbortController();
      const pictures: RemotePictures = {
        async fetch(_, signal) {
          stopping.abort();
          throw signal?.reason;
        },
      };
      await fetchPhotos(ctx, { pictures, signal: stopping.signal });
    }
    expect(await photosOf(id)).toMatchObject([{ status: 'waiting', reason: null }]);
    await fetchPhotos(ctx, { pictures: colors });
    expect(await photosOf(id)).toMatchObject([{ status: 'added' }]);
  });
});
