import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invalidate } from '#platform/cache.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { entriesOf } from '#platform/typed-keys.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { PropertyStatus } from './model.ts';
import { featuredListings, listingDetail, propertyTypes } from './reads.ts';

await describeOnEachDatabase('listings', (open) => {
  let db: Database;
  let seller: UserActor;
  let other: UserActor;
  let buyer: UserActor;
  let admin: UserActor;
  let visitorCtx: Ctx;
  beforeAll(async () => {
    db = await open();
    seller = await createUser(db, 'agent');
    other = await createUser(db, 'agent');
    buyer = await createUser(db, 'buyer');
    admin = await createUser(db, 'admin');
    visitorCtx = testContext(db);
  });
  afterAll(() => db.close());

  describe('visibility of a property page', () => {
    const answers: Record<PropertyStatus, number> = {
      Active: 200,
      escrow: 200,
      Sold: 200,
      pending: 404,
      rejected: 404,
      changes_requested: 404,
      withdrawn: 410,
    };
    it.each(entriesOf(answers))('%s answers %i to others', async (status, expected) => {
      const id = await createListing(db, seller.agentId, { status });
      const seen = async (actor: UserActor | null) => {
        const answer = await listingDetail(actor ? testContext(db, { actor }) : visitorCtx, id);
        return answer.ok ? 200 : answer.status;
      };
      expect(await seen(null)).toBe(expected);
      expect(await seen(buyer)).toBe(expected);
      expect(await seen(other)).toBe(expected);
      expect(await seen(seller)).toBe(200);
      expect(await seen(admin)).toBe(200);
    });

    it("hides a suspended seller's active listings and restores exactly those", async () => {
      const owner = await createUser(db, 'agent');
      const active = await createListing(db, owner.agentId);
      const withdrawn = await createListing(db, owner.agentId, { status: 'withdrawn' });
      const setStatus = (status: 'active' | 'suspended') =>
        db.q().updateTable('agents').set({ status }).where('id', '=', owner.agentId).execute();
      await setStatus('suspended');
      expect(await listingDetail(visitorCtx, active)).toEqual({ ok: false, status: 404 });
      await setStatus('active');
      expect((await listingDetail(visitorCtx, active)).ok).toBe(true);
      expect(await listingDetail(visitorCtx, withdrawn)).toEqual({ ok: false, status: 410 });
    });

    it('answers 404 to deleted listings, unknown ids and malformed ids', async () => {
      const id = await createListing(db, seller.agentId, { deleted_at: new Date() });
      for (const wrong of [id, crypto.randomUUID(), 'x', "' or 1=1", '']) {
        expect(await listingDetail(testContext(db, { actor: admin }), wrong)).toEqual({
          ok: false,
          status: 404,
        });
      }
    });
  });

  it('does not repeat the address as a title, and applies defaults', async () => {
    const id = await createListing(db, seller.agentId, {
      title: '48 Larkspur Lane',
      type_id: null,
      bedrooms: null,
      bathrooms: 2,
      half_baths: 1,
      square_feet: null,
      lot_square_feet: 43_560,
    });
    const answer = await listingDetail(visitorCtx, id);
    expect(answer).toMatchObject({
      ok: true,
      listing: {
        title: null,
        type: 'Residential',
        typeName: null,
        bathrooms: 2,
        halfBaths: 1,
        squareFeet: null,
        lotSquareFeet: 43_560,
        pictures: [],
      },
    });
  });

  it('normalises the spelling of a status and rejects unknown ones', async () => {
    const id = await createListing(db, seller.agentId, { status: 'ACTIVE' as never });
    const status = async (value: string) => {
      await db
        .q()
        .updateTable('properties')
        .set({ status: value as never })
        .where('id', '=', id)
        .execute();
      return (await db.q().selectFrom('properties').select('status').where('id', '=', id).executeTakeFirst())
        ?.status;
    };
    expect(await status('Pending')).toBe('pending');
    expect(await status('In Escrow')).toBe('escrow');
    expect(await status('sold')).toBe('Sold');
    await expect(status('haunted')).rejects.toThrow(/check constraint/);
  });

  it('counts days on market from the first approval, pausing in escrow and stopping at the sale', async () => {
    const id = await createListing(db, seller.agentId, { status: 'pending' });
    const days = async (at: string) => {
      const { rows } = await sql<{ days: number }>`
        select days_on_market(p, ${at}::timestamptz) as days from properties p where id = ${id}`.execute(
        db.q(),
      );
      return rows[0]?.days;
    };
    expect(await days('2030-01-01T00:00:00Z')).toBe(0);
    await sql`update properties set status = 'Active', listed_at = '2026-01-01T00:00:00Z' where id = ${id}`.execute(
      db.q(),
    );
    expect(await days('2026-01-11T12:00:00Z')).toBe(10);
    await sql`update properties set status = 'escrow', paused_at = '2026-01-11T00:00:00Z' where id = ${id}`.execute(
      db.q(),
    );
    expect(await days('2026-03-01T00:00:00Z')).toBe(10);
    await sql`update properties set status = 'Sold' where id = ${id}`.execute(db.q());
    expect(await days('2027-01-01T00:00:00Z')).toBe(10);
  });

  it('features at most five, only Active ones, newest first', async () => {
    const ids = [];
    for (let slot = 1; slot <= 5; slot++) {
      ids.push(
        await createListing(db, seller.agentId, {
          featured_slot: slot,
          created_at: new Date(Date.UTC(2026, 0, slot)),
          featured_at: new Date(Date.UTC(2026, 0, 9 - slot)),
        }),
      );
    }
    expect((await featuredListings(visitorCtx)).map((card) => card.id)).toEqual(ids.toReversed());
    await expect(createListing(db, seller.agentId, { featured_slot: 6 })).rejects.toThrow(/check constraint/);
    await expect(createListing(db, seller.agentId, { featured_slot: 1 })).rejects.toThrow(/unique/);
    await db
      .q()
      .updateTable('properties')
      .set({ status: 'Sold' })
      .where('id', '=', ids[4] ?? '')
      .execute();
    expect((await featuredListings(visitorCtx)).map((card) => card.id)).toEqual(ids.slice(0, 4).toReversed());
  });

  it('promotes the next picture when the main one is deleted', async () => {
    const id = await createListing(db, seller.agentId);
    const pictures: string[] = [];
    for (let position = 0; position < 3; position++) {
      const image = await db
        .q()
        .insertInto('stored_images')
        .values({
          width: 10,
          height: 10,
          widths: [10],
          placeholder: 'data:,',
          sha256: String(position),
          byte_size: 1,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      pictures.push(image.id);
      await db
        .q()
        .insertInto('property_images')
        .values({ property_id: id, image_id: image.id, is_main: position === 1, position })
        .execute();
    }
    const shown = async () => {
      const answer = await listingDetail(visitorCtx, id);
      return answer.ok ? answer.listing.pictures.map((picture) => pictures.indexOf(picture.id)) : null;
    };
    expect(await shown()).toEqual([1, 0, 2]);
    await db
      .q()
      .deleteFrom('property_images')
      .where('image_id', '=', pictures[1] ?? '')
      .execute();
    expect(await shown()).toEqual([0, 2]);
    await expect(
      db.q().updateTable('property_images').set({ is_main: true }).where('property_id', '=', id).execute(),
    ).rejects.toThrow(/unique/);
  });

  it('lists the active types, the four built-in ones first', async () => {
    await db
      .q()
      .insertInto('property_types')
      .values([
        { name: 'Airstrip', slug: 'airstrip' },
        { name: 'Barn', slug: 'barn', is_active: false },
      ])
      .execute();
    invalidate(db);
    const names = (await propertyTypes(visitorCtx)).map((type) => type.name);
    expect(names).toEqual(['Vacant Lot', 'Single Family', 'Multi-Family', 'Commercial', 'Airstrip']);
  });
});
