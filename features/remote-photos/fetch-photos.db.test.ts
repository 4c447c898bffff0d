import { rmSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { receiveUpload } from '#gateways/files/uploads.ts';
import { PictureNotFetched, type RemotePictures } from '#gateways/remote-pictures/port.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { importScene, worker } from '#tests/support/fixtures/imports.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { fetchPhotos } from './commands/fetch-photos.ts';
import { queueRemotePhotos } from './queue-photos.ts';

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
});
