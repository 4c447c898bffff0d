import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { saveDraft } from './commands/save-draft.ts';
import { blankForm, type ListingForm } from './form.ts';
import { draftPreview, editForm, listingPreview } from './reads.ts';

await describeOnDatabase('the preview of a draft or listing', (open) => {
  let db: Database;
  let seller: UserActor;
  let ctx: Ctx;
  beforeAll(async () => {
    db = await open();
    await db
      .q()
      .insertInto('service_fees')
      .values({
        name: 'Buyer Protection',
        percent: 2,
        applies_to: ['buyer'],
        fee_type: 'percentage',
        position: 1,
      })
      .execute();
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    ctx = testContext(db, { actor: seller, now: testClock().now });
  });
  afterAll(() => db.close());

  async function draft(form: Partial<ListingForm>, propertyId: string | null = null): Promise<string> {
    const draftId = randomUUID();
    const base = propertyId === null ? undefined : (await editForm(ctx, propertyId)).listing.form;
    const saved = await saveDraft(ctx, {
      draftId,
      propertyId,
      version: 0,
      base,
      form: { ...blankForm, ...base, ...form },
    });
    expect(saved.ok).toBe(true);
    return draftId;
  }
  const listing = (facts: Parameters<typeof createListing>[2] = {}) =>
    createListing(db, seller.agentId, { title: 'Larkspur house', status: 'pending', ...facts });
  async function photograph(of: { draft_id: string } | { property_id: string }, isMain: boolean) {
    const { id: image_id } = await db
      .q()
      .insertInto('stored_images')
      .values({
        width: 10,
        height: 10,
        widths: [10],
        placeholder: 'data:,',
        byte_size: 1,
        sha256: randomUUID(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .q()
      .insertInto('property_images')
      .values({ ...of, image_id, is_main: isMain, position: isMain ? 5 : 1, caption: 'The garden' })
      .execute();
    return image_id;
  }

  it('shows a whole draft as its page will: price with fees, facts, amenities, position and photos', async () => {
    const amenity = await db
      .q()
      .insertInto('amenities')
      .values({ name: `Orchard ${randomUUID()}` })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow();
    const form = filledForm({
      place: '45.70000,-121.50000 pin',
      yearBuilt: '1962',
      neighborhood: 'Heights District',
      amenities: [String(amenity.id)],
    });
    const draftId = await draft(form);
    const second = await photograph({ draft_id: draftId }, false);
    const main = await photograph({ draft_id: draftId }, true);
    const preview = await draftPreview(ctx);
    expect(preview).toMatchObject({
      gaps: [],
      blanks: [],
      isPublic: false,
      price: { baseCents: 61_500_000, totalCents: 62_730_000 },
      feesText: 'Total price includes Buyer Protection (2%).',
      listing: {
        title: 'Garden house on Heron Way',
        address: '27 Heron Way',
        town: 'Cedar Hollow, OR 97031',
        type: 'Single Family',
        bedrooms: 3,
        bathrooms: 2,
        squareFeet: 1840,
        yearBuilt: 1962,
        neighborhood: 'Heights District',
        description: 'Low, quiet rooms around a walled garden.',
        amenities: [amenity.name],
        latitude: 45.7,
        longitude: -121.5,
        locationPrecision: 'pin',
        // As buyers will see it, without a word of the approval.
        status: 'Active',
      },
    });
    expect(preview?.listing.pictures.map(({ id, alt, caption }) => [id, alt, caption])).toEqual([
      [main, 'Photo 1 of 2, 27 Heron Way', 'The garden'],
      [second, 'Photo 2 of 2, 27 Heron Way', 'The garden'],
    ]);
    expect(preview?.listing.seller.id).toBe(seller.agentId);
  });

  it('names the seller whose draft it is, among others', async () => {
    const other = await createUser(db, 'agent');
    for (const actor of [seller, other]) {
      const own = { ...ctx, actor };
      const form = { ...blankForm, title: 'Garden house' };
      await saveDraft(own, { draftId: randomUUID(), propertyId: null, version: 0, form });
      expect((await draftPreview(own))?.listing.seller).toMatchObject({
        id: actor.agentId,
        email: actor.email,
        userId: actor.id,
      });
    }
  });

  it('says of an almost empty draft what is missing, in the order of the form', async () => {
    await draft({ neighborhood: 'Heights District' });
    const preview = await draftPreview(ctx);
    expect(preview?.gaps.map(({ field }) => field)).toEqual([
      'title',
      'price',
      'type',
      'address',
      'bedrooms',
      'bathrooms',
      'squareFeet',
      'description',
    ]);
    expect(preview).toMatchObject({
      price: null,
      blanks: ['address', 'type', 'description'],
      listing: {
        title: null,
        address: 'No address yet',
        town: '',
        type: 'No property type yet',
        description: 'No description yet.',
        bedrooms: null,
        latitude: null,
        neighborhood: 'Heights District',
      },
    });
  });

  it('leaves out what cannot be understood and says so, and shows texts that are too short', async () => {
    await draft({
      ...filledForm(),
      price: 'a lot',
      bedrooms: '-1',
      yearBuilt: '12',
      type: '31000',
      description: 'A house.',
      address: 'Elm',
    });
    const preview = await draftPreview(ctx);
    expect(preview?.gaps).toEqual([
      { field: 'price', text: 'Price must be a number greater than 0.' },
      { field: 'type', text: 'Property type is required.' },
      { field: 'address', text: 'Address must be at least 5 characters.' },
      { field: 'bedrooms', text: 'Bedrooms must be a whole number from 0 to 99.' },
      { field: 'yearBuilt', text: expect.stringContaining('Year built must be a year from 1600') },
      { field: 'description', text: 'Description must be at least 10 characters.' },
    ]);
    expect(preview).toMatchObject({
      price: null,
      blanks: ['type'],
      listing: { bedrooms: null, yearBuilt: null, address: 'Elm', description: 'A house.', bathrooms: 2 },
    });
  });

  it('is nothing without a draft, and never what belongs to another seller', async () => {
    await draft(filledForm());
    const other = { ...ctx, actor: await createUser(db, 'agent') };
    expect(await draftPreview(other)).toBeNull();
    const id = await listing();
    await expect(listingPreview(other, { propertyId: id })).rejects.toMatchObject({ name: 'NotFound' });
    await draft({ title: 'Mine alone' }, id);
    await expect(listingPreview(other, { propertyId: id })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('shows a listing with the changes of its draft, and nothing else changed', async () => {
    const id = await listing({ mls_number: 'X-1', bedrooms: null });
    expect(await listingPreview(ctx, { propertyId: id })).toMatchObject({
      hasChanges: false,
      isPublic: false,
      listing: { id, title: 'Larkspur house', mlsNumber: 'X-1', status: 'Active' },
      gaps: [{ field: 'bedrooms', text: 'Number of bedrooms is required.' }],
    });
    await draft({ price: '800,000', title: 'Larkspur garden house' }, id);
    expect(await listingPreview(ctx, { propertyId: id })).toMatchObject({
      hasChanges: true,
      price: { baseCents: 80_000_000 },
      listing: { title: 'Larkspur garden house', town: 'Cedar Hollow, OR 97031', squareFeet: 2840 },
    });
    const row = await db
      .q()
      .selectFrom('properties')
      .select('title')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.title).toBe('Larkspur house');
  });

  it('does not show the position of the former address', async () => {
    const id = await listing({ latitude: 45.7, longitude: -121.5, location_precision: 'pin' });
    expect((await listingPreview(ctx, { propertyId: id })).listing.latitude).toBe(45.7);
    await draft({ address: '9 Elsewhere Road, Cedar Hollow, OR 97031' }, id);
    expect((await listingPreview(ctx, { propertyId: id })).listing.latitude).toBeNull();
  });

  it('shows only those changes that the status still allows', async () => {
    const id = await listing({ status: 'Active' });
    await draft({ title: 'Another title', description: 'Rooms around a walled garden.' }, id);
    const move = (status: 'escrow' | 'Sold') =>
      db.q().updateTable('properties').set({ status }).where('id', '=', id).execute();
    await move('escrow');
    expect(await listingPreview(ctx, { propertyId: id })).toMatchObject({
      isPublic: true,
      listing: {
        status: 'escrow',
        title: 'Larkspur house',
        description: 'Rooms around a walled garden.',
      },
    });
    await move('Sold');
    expect(await listingPreview(ctx, { propertyId: id })).toMatchObject({
      hasChanges: false,
      gaps: [],
      listing: { status: 'Sold', description: 'A quiet house with a garden.' },
    });
  });

  it('writes nothing', async () => {
    const id = await listing({ status: 'Active' });
    await draft({ title: 'Another title' }, id);
    await draft(filledForm());
    const counted = async () => {
      const { rows } = await db.pool.query(`select (select sum(views) from properties)::integer as views,
        (select count(*) from property_view_events)::integer as events, (select count(*) from audit_log)::integer as audit,
        (select max(version) from property_drafts) as version, (select max(updated_at) from properties) as changed`);
      return rows[0];
    };
    const before = await counted();
    await listingPreview(ctx, { propertyId: id });
    await draftPreview(ctx);
    expect(await counted()).toEqual(before);
  });
});
