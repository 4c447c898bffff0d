import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { editListing } from '#features/listing-form/commands/edit-listing.ts';
import type { ListingForm } from '#features/listing-form/form.ts';
import { editForm } from '#features/listing-form/reads.ts';
import { describePhoto } from '#features/photos/commands/describe-photo.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { importFile, importScene, listingsCsv, undoFile } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { importDetails } from './reads.ts';
import { sparedBecause } from './rules.ts';

await describeOnDatabase(
  'undoing an import of a listing that someone has touched beside its columns',
  (open) => {
    let db: Database;
    let seller: UserActor;
    let clock: ReturnType<typeof testClock>;
    let scene: ReturnType<typeof importScene>;
    let importId: string;
    let propertyId: string;
    beforeAll(async () => {
      db = await open();
    });
    beforeEach(async () => {
      seller = await createUser(db, 'agent');
      clock = testClock();
      scene = importScene(db, clock.now);
      const complete = {
        title: 'Hill house',
        description: 'A house on the hill.',
        bathrooms: '2',
        square_feet: '1800',
      };
      const content = listingsCsv([complete]);
      const header = `photo_urls,${Object.keys(complete).join(',')}`;
      importId = await importFile(scene, seller, content.replace('photo_urls', header));
      ({ id: propertyId } = await db
        .q()
        .selectFrom('properties')
        .select('id')
        .where('agent_id', '=', seller.agentId)
        .executeTakeFirstOrThrow());
      clock.advance(HOUR);
    });
    afterAll(async () => {
      await db.close();
      rmSync(scene.folder, { recursive: true, force: true });
    });

    async function undone() {
      clock.advance(HOUR);
      await undoFile(scene, seller, importId);
      const { removed, spared, sparedListings } = await importDetails(scene.as(seller), { importId });
      return { removed, spared, because: sparedListings[0]?.because ?? null };
    }
    const spared = (because: keyof typeof sparedBecause) => ({
      removed: 0,
      spared: 1,
      because: sparedBecause[because],
    });
    async function edit(changes: Partial<ListingForm>) {
      const ctx = { ...scene.as(seller), geocoder: zipCodeGeocoder };
      const { listing, draft } = await editForm(ctx, propertyId);
      const form = { ...listing.form, ...changes };
      const input = { propertyId, version: draft?.version ?? 0, base: listing.form, form };
      expect(await editListing(ctx, input)).toMatchObject({ ok: true });
    }

    it('removes it when nobody has', async () => {
      expect(await undone()).toEqual({ removed: 1, spared: 0, because: null });
    });

    it('spares it when the seller has changed nothing but its amenities', async () => {
      const { id } = await db
        .q()
        .insertInto('amenities')
        .values({ name: 'Sundial' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await edit({ amenities: [String(id)] });
      expect(await undone()).toEqual(spared('edited'));
    });

    it('spares it when the seller has described a photo', async () => {
      const image = await db
        .q()
        .insertInto('stored_images')
        .values({
          width: 160,
          height: 120,
          widths: [160],
          placeholder: '',
          sha256: randomUUID(),
          byte_size: 5,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      // There before the import's row was written, as one that the import has fetched counts.
      const photo = await db
        .q()
        .insertInto('property_images')
        .values({
          property_id: propertyId,
          image_id: image.id,
          position: 0,
          is_main: true,
          created_at: new Date(clock.now().getTime() - DAY),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const described = { owner: { propertyId }, photoId: photo.id, caption: 'Kitchen', alt: 'A kitchen' };
      expect(await describePhoto(scene.as(seller), described)).toMatchObject({ ok: true });
      expect(await undone()).toEqual(spared('photo'));
    });

    it('spares it when a buyer has asked for a tour, also one that has ended', async () => {
      const buyer = await createUser(db, 'buyer');
      await db
        .q()
        .insertInto('tours')
        .values({
          property_id: propertyId,
          agent_id: seller.agentId ?? '',
          buyer_id: buyer.id,
          starts_at: new Date(Math.ceil((clock.now().getTime() + DAY) / HOUR) * HOUR),
          time_zone: 'America/Los_Angeles',
          status: 'cancelled',
          ended_by: 'buyer',
          key: randomUUID(),
          created_at: clock.now(),
        })
        .execute();
      expect(await undone()).toEqual(spared('tour'));
    });
  },
);
