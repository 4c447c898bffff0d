import { rmSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { fetchPhotos } from '#features/remote-photos/commands/fetch-photos.ts';
import { receiveUpload } from '#gateways/files/uploads.ts';
import type { RemotePictures } from '#gateways/remote-pictures/port.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { importFile, importScene, listingsCsv, undoFile, worker } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { importDetails } from './reads.ts';
import { sparedBecause } from './rules.ts';

await describeOnDatabase('undoing an import that added photos', (open) => {
  let db: Database;
  let seller: UserActor;
  let scene: ReturnType<typeof importScene>;
  const clock = testClock();
  beforeAll(async () => {
    db = await open();
    scene = importScene(db, clock.now);
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    clock.advance(MINUTE);
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  /** Every address has a picture in the color that it ends with. */
  const pictures: RemotePictures = {
    async fetch(address) {
      const r = Number(address.split('/').at(-1));
      const color = { r, g: 90, b: 120 };
      const bytes = await sharp({ create: { width: 360, height: 240, channels: 3, background: color } })
        .jpeg()
        .toBuffer();
      const stream = new Blob([new Uint8Array(bytes)]).stream();
      return receiveUpload(`${scene.folder}/incoming`, stream, 1_000_000);
    },
  };
  async function imported(...rows: Record<string, string>[]) {
    const importId = await importFile(scene, seller, listingsCsv(rows));
    await fetched();
    return importId;
  }
  async function fetched() {
    clock.advance(MINUTE);
    await fetchPhotos(scene.as(worker), { pictures });
    clock.advance(MINUTE);
  }
  const tickingNow = () => {
    clock.advance(1);
    return clock.now();
  };
  /** Imports rows of two sources, of which the later ones of a home fill what is blank in it. */
  async function merged(...rows: Record<string, string>[]) {
    const content = listingsCsv(
      rows.map((row) => ({ photo_urls: '', mls_name: '', description: '', ...row })),
    );
    // What is written in one transaction has other times than what is written in the next.
    const as: typeof scene.as = (actor) => ({ ...scene.as(actor), now: tickingNow });
    const importId = await importFile(
      { ...scene, as },
      seller,
      content.replace('photo_urls', 'photo_urls,mls_name,description'),
      { sameHome: 'merge' },
    );
    await fetched();
    return importId;
  }
  const listings = async () => {
    const rows = await db
      .q()
      .selectFrom('properties as p')
      .leftJoin('property_images as i', 'i.property_id', 'p.id')
      .select(['p.id', 'p.changed_since_approval_at'])
      .select(({ fn }) => fn.count<number>('i.id').as('photos'))
      .where('p.agent_id', '=', seller.agentId)
      .groupBy('p.id')
      .orderBy('p.address')
      .execute();
    return rows.map((row) => ({ ...row, photos: Number(row.photos) }));
  };
  const details = (importId: string) => importDetails(scene.as(seller), { importId });

  it('to listings that were there removes them, with what they left for an administrator', async () => {
    await imported({ photo_urls: 'https://a.example/10' });
    const [first] = await listings();
    const admin = await createUser(db, 'admin');
    await approveListing(scene.as(admin), { propertyId: first?.id ?? '' });
    clock.advance(MINUTE);
    const second = await imported({ photo_urls: 'https://a.example/10 https://a.example/200' });
    expect(await details(second)).toMatchObject({ counts: { changed: 0, unchanged: 1 }, pictured: 1 });
    expect(await listings()).toMatchObject([{ photos: 2, changed_since_approval_at: expect.any(Date) }]);
    await undoFile(scene, seller, second);
    expect(await details(second)).toMatchObject({ status: 'undone', restored: 1, spared: 0 });
    expect(await listings()).toMatchObject([{ photos: 1, changed_since_approval_at: null }]);
    const deleted = await db
      .q()
      .selectFrom('audit_log')
      .select('after')
      .where('entity_id', '=', first?.id ?? '')
      .where('action', '=', 'photo.delete')
      .execute();
    expect(deleted).toMatchObject([{ after: { import: second } }]);
  });

  it('adds no photo to a listing that is as it was before, when one was being fetched meanwhile', async () => {
    await imported({});
    const content = listingsCsv([{ photo_urls: 'https://a.example/60' }]);
    const second = await importFile(scene, seller, content);
    clock.advance(MINUTE);
    const slow: RemotePictures = {
      async fetch(address) {
        await undoFile(scene, seller, second);
        return pictures.fetch(address);
      },
    };
    await fetchPhotos(scene.as(worker), { pictures: slow });
    expect(await details(second)).toMatchObject({ status: 'undone', restored: 1, spared: 0 });
    expect(await listings()).toMatchObject([{ photos: 0, changed_since_approval_at: null }]);
  });

  it('leaves a listing that someone has touched since, and names it', async () => {
    await imported({}, {});
    const second = await imported(
      { photo_urls: 'https://a.example/20' },
      { photo_urls: 'https://a.example/20' },
    );
    const [touched] = await listings();
    await db
      .q()
      .updateTable('properties')
      .set({ title: 'By hand' })
      .where('id', '=', touched?.id ?? '')
      .execute();
    await undoFile(scene, seller, second);
    const { sparedListings, ...after } = await details(second);
    expect(after).toMatchObject({ restored: 1, spared: 1 });
    expect(sparedListings).toMatchObject([{ propertyId: touched?.id, because: sparedBecause.edited }]);
    expect(await listings()).toMatchObject([{ photos: 1 }, { photos: 0 }]);
  });

  it('fetches the photos that a listing it leaves was still waiting for once the file is imported again', async () => {
    const content = listingsCsv([{ photo_urls: 'https://a.example/70' }]);
    const first = await importFile(scene, seller, content);
    clock.advance(MINUTE);
    await db
      .q()
      .updateTable('properties')
      .set({ title: 'By hand' })
      .where('agent_id', '=', seller.agentId)
      .execute();
    await undoFile(scene, seller, first);
    await fetched();
    expect(await details(first)).toMatchObject({ removed: 0, spared: 1 });
    expect(await listings()).toMatchObject([{ photos: 0 }]);
    await importFile(scene, seller, content);
    await fetched();
    expect(await listings()).toMatchObject([{ photos: 1 }]);
  });

  it('a later import that only added photos keeps no earlier one from being undone', async () => {
    const first = await imported({});
    await imported({ photo_urls: 'https://a.example/30' });
    await undoFile(scene, seller, first);
    expect(await details(first)).toMatchObject({ removed: 1, spared: 0 });
  });

  const home = { address: '77 Lake Road' };
  const firstSource = { ...home, source_id: 'a:1', mls_name: 'Lakes MLS' };
  const otherSource = { ...home, source_id: 'b:1', mls_name: 'Hills MLS', description: 'By the lake.' };
  const withPhoto = { photo_urls: 'https://a.example/50' };
  const stored = () =>
    db
      .q()
      .selectFrom('properties')
      .select(['id', 'price_cents', 'description', 'deleted_at'])
      .where('agent_id', '=', seller.agentId)
      .executeTakeFirstOrThrow();

  it('removes a listing that another row of the file was merged into', async () => {
    const importId = await merged({ ...firstSource, ...withPhoto }, otherSource);
    expect(await details(importId)).toMatchObject({ counts: { added: 1, changed: 1 } });
    expect(await stored()).toMatchObject({ description: 'By the lake.' });
    await undoFile(scene, seller, importId);
    expect(await details(importId)).toMatchObject({ status: 'undone', removed: 1, restored: 1, spared: 0 });
    expect((await stored()).deleted_at).not.toBeNull();
  });

  it('gives a listing that two rows changed back what it had before both', async () => {
    await merged(firstSource);
    const before = await stored();
    const second = await merged({ ...firstSource, ...withPhoto, price: '500000' }, otherSource);
    expect(await stored()).toMatchObject({ price_cents: 500_000_00, description: 'By the lake.' });
    expect(await listings()).toMatchObject([{ photos: 1 }]);
    await undoFile(scene, seller, second);
    expect(await details(second)).toMatchObject({ status: 'undone', restored: 2, spared: 0 });
    expect(await stored()).toEqual(before);
    expect(await listings()).toMatchObject([{ photos: 0 }]);
  });

  it('of one import after the other goes on where the later one took the home off the market', async () => {
    const withStatus = async (status: string, price: string) => {
      const content = listingsCsv([{ ...home, photo_urls: '', status, price }]);
      const importId = await importFile(scene, seller, content.replace('photo_urls', 'photo_urls,status'));
      clock.advance(MINUTE);
      return importId;
    };
    await withStatus('Active', '400000');
    const { id: propertyId } = await stored();
    await approveListing(scene.as(await createUser(db, 'admin')), { propertyId });
    clock.advance(MINUTE);
    const before = await stored();
    const dearer = await withStatus('Active', '410000');
    const gone = await withStatus('Withdrawn', '410000');
    expect(await details(gone)).toMatchObject({ counts: { changed: 1 } });
    for (const importId of [gone, dearer]) {
      await undoFile(scene, seller, importId);
      expect(await details(importId)).toMatchObject({ status: 'undone', restored: 1, spared: 0 });
      clock.advance(MINUTE);
    }
    expect(await stored()).toEqual(before);
  });

  it('leaves the photos of a merged listing that stays because a buyer has asked about it', async () => {
    const importId = await merged({ ...firstSource, ...withPhoto }, otherSource);
    const { id } = await stored();
    const buyer = await createUser(db, 'buyer');
    const [message, at] = ['Is it still there?', clock.now()];
    await db
      .q()
      .insertInto('property_inquiries')
      .values({ property_id: id, user_id: buyer.id, message, created_at: at, last_message_at: at })
      .execute();
    await undoFile(scene, seller, importId);
    const { sparedListings } = await details(importId);
    expect(sparedListings).toMatchObject([{ because: sparedBecause.inquiry }]);
    expect(await listings()).toMatchObject([{ photos: 1 }]);
    expect((await stored()).deleted_at).toBeNull();
  });

  it('photos that a listing has already are nothing to undo', async () => {
    await imported({ photo_urls: 'https://a.example/40' });
    const again = await imported({ photo_urls: 'https://a.example/40' });
    expect(await details(again)).toMatchObject({ pictured: 0, photos: { done: 0, waiting: 0 } });
  });
});
