import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { zipCentres } from '#gateways/geocoder/zips.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/context.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { createPerson } from '#tests/support/people.ts';
import { filledForm } from '#tests/support/seller-form.ts';
import { approveListing } from './commands/approve-listing.ts';
import { deleteDraft } from './commands/delete-draft.ts';
import { ensureDraft, saveDraft } from './commands/save-draft.ts';
import { submitListing } from './commands/submit-listing.ts';
import { blankForm } from './listing-form.ts';
import { addForm, listingDetail } from './reads.ts';

await describeOnEachDatabase("the seller's form of a new listing", (open) => {
  let db: Database;
  let seller: UserActor;
  let ctx: Ctx;
  let clock: TestClock;
  const handedOver: string[] = [];
  const means = {
    geocoder: zipCentres,
    attachPhotos: async (_: Ctx, { draftId }: { draftId: string }) => void handedOver.push(draftId),
  };
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    seller = await createPerson(db, 'agent');
    clock = testClock();
    ctx = testContext(db, { actor: seller, now: clock.now });
    handedOver.length = 0;
  });
  afterAll(() => db.close());

  const save = (draftId: string, version: number, title: string) =>
    saveDraft(ctx, { draftId, propertyId: null, version, form: { title } });
  const submit = (draftId: string, version: number, form: unknown = filledForm()) =>
    submitListing(ctx, { draftId, version, form }, means);
  const listings = () =>
    db.q().selectFrom('properties').selectAll().where('agent_id', '=', String(seller.agentId)).execute();

  it('keeps a draft as it is typed and gives it back', async () => {
    const id = randomUUID();
    expect((await addForm(ctx)).draft).toBeNull();
    expect(await save(id, 0, 'Gard')).toEqual({
      ok: true,
      draft: { id, version: 1, savedAt: clock.now().toISOString() },
    });
    clock.advance(5_000);
    expect(await save(id, 1, 'Garden')).toMatchObject({ ok: true, draft: { version: 2 } });
    expect((await addForm(ctx)).draft).toEqual({
      id,
      version: 2,
      form: { ...blankForm, title: 'Garden' },
      savedAt: clock.now().toISOString(),
    });
  });

  it('overwrites nothing that another window has saved, and shows it', async () => {
    const id = randomUUID();
    await save(id, 0, 'One');
    expect(await save(id, 0, 'Two')).toMatchObject({
      ok: false,
      reason: 'newer',
      draft: { id, version: 1, form: { title: 'One' } },
    });
    // Another window that was opened before there was a draft: the seller has one draft, that one.
    expect(await save(randomUUID(), 0, 'Three')).toMatchObject({ reason: 'newer', draft: { id } });
    expect((await addForm(ctx)).draft?.form.title).toBe('One');
  });

  it('lets one of two windows win that save at the same moment, and tells the other', async () => {
    const id = randomUUID();
    const first = await Promise.all([save(id, 0, 'A'), save(id, 0, 'B'), save(randomUUID(), 0, 'C')]);
    expect(first.filter(({ ok }) => ok)).toHaveLength(1);
    const { draft } = await addForm(ctx);
    const again = await Promise.all(['D', 'E', 'F'].map((title) => save(draft?.id ?? '', 1, title)));
    expect(again.filter(({ ok }) => ok)).toHaveLength(1);
    expect(again.flatMap((one) => (one.ok ? [] : [one.reason]))).toEqual(['newer', 'newer']);
  });

  it('says that a draft is gone, and that it was submitted', async () => {
    const id = randomUUID();
    await save(id, 0, 'One');
    expect(await deleteDraft(ctx, { draftId: id })).toEqual({ ok: true });
    expect(await save(id, 1, 'Two')).toEqual({ ok: false, reason: 'gone' });
    await expect(deleteDraft(ctx, { draftId: id })).rejects.toThrow('Not found');
    const submitted = await submit(id, 0);
    const propertyId = submitted.ok ? submitted.propertyId : '';
    expect(await save(id, 1, 'Two')).toEqual({ ok: false, reason: 'submitted', propertyId });
    expect(await save(id, 0, 'Two')).toEqual({ ok: false, reason: 'submitted', propertyId });
    expect((await addForm(ctx)).draft).toBeNull();
  });

  it('begins a draft for photographs without getting in the way of the first saving', async () => {
    const id = randomUUID();
    expect(await ensureDraft(ctx, { draftId: id })).toBe(id);
    expect(await ensureDraft(ctx, { draftId: randomUUID() })).toBe(id);
    expect(await save(id, 0, 'Garden')).toMatchObject({ ok: true, draft: { version: 1 } });
    await submit(id, 1);
    await expect(ensureDraft(ctx, { draftId: id })).rejects.toThrow('Not found');
  });

  it("reaches nothing of another seller's", async () => {
    const id = randomUUID();
    await save(id, 0, 'Mine');
    const other = testContext(db, { actor: await createPerson(db, 'agent') });
    const input = { draftId: id, propertyId: null, form: { title: 'Theirs' } };
    expect(await saveDraft(other, { ...input, version: 1 })).toEqual({ ok: false, reason: 'gone' });
    expect(await saveDraft(other, { ...input, version: 0 })).toEqual({ ok: false, reason: 'gone' });
    await expect(deleteDraft(other, { draftId: id })).rejects.toThrow('Not found');
    await expect(ensureDraft(other, { draftId: id })).rejects.toThrow('Not found');
    const taken = await submitListing(other, { draftId: id, version: 1, form: filledForm() }, means);
    expect(taken.ok).toBe(true);
    expect((await addForm(ctx)).draft?.form.title).toBe('Mine');
  });

  it('makes a listing that waits for approval, with everything that the form says', async () => {
    const amenity = await db
      .q()
      .insertInto('amenities')
      .values({ name: `Walled garden ${randomUUID()}` })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow();
    const id = randomUUID();
    await save(id, 0, 'Garden');
    const result = await submit(
      id,
      1,
      filledForm({
        halfBaths: '1',
        yearBuilt: '1962',
        lotSquareFeet: '5000',
        amenities: [String(amenity.id), '32000'],
      }),
    );
    expect(result.ok).toBe(true);
    const [row, ...others] = await listings();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      status: 'pending',
      listed_at: null,
      title: 'Garden house on Heron Way',
      price_cents: 61_500_000,
      address: '27 Heron Way',
      city: 'Cedar Hollow',
      state: 'OR',
      zip: '97031',
      bedrooms: 3,
      bathrooms: 2,
      half_baths: 1,
      square_feet: 1840,
      lot_square_feet: 5000,
      year_built: 1962,
      location_precision: 'zip',
      is_public: false,
      created_at: clock.now(),
    });
    expect(row?.latitude).toBeCloseTo(45.7, 0);
    expect(handedOver).toEqual([id]);
    const detail = await listingDetail(ctx, String(row?.id));
    expect(detail).toMatchObject({ ok: true, listing: { amenities: [amenity.name] } });
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('entity_id', '=', String(row?.id))
      .execute();
    expect(audited).toEqual([{ action: 'listing.submit', actor_id: seller.id }]);
  });

  it('makes one listing of one draft, however often and how fast it is submitted', async () => {
    const id = randomUUID();
    const results = await Promise.all(Array.from({ length: 6 }, () => submit(id, 0)));
    const ids = new Set(results.map((one) => (one.ok ? one.propertyId : one.reason)));
    expect(ids.size).toBe(1);
    expect((await listings()).map((one) => one.id)).toEqual([...ids]);
    expect(handedOver).toEqual([id]);
  });

  it('submits nothing while another window has saved something else', async () => {
    const id = randomUUID();
    await save(id, 0, 'One');
    await save(id, 1, 'Two');
    expect(await submit(id, 1)).toMatchObject({
      ok: false,
      reason: 'newer',
      draft: { form: { title: 'Two' } },
    });
    expect(await submit(randomUUID(), 0)).toMatchObject({ ok: false, reason: 'newer', draft: { id } });
    expect(await listings()).toEqual([]);
  });

  it('leaves draft and photographs as they were when the submission fails on its way', async () => {
    const id = randomUUID();
    await save(id, 0, 'Garden');
    const failing = { ...means, attachPhotos: () => Promise.reject(new Error('the disk is full')) };
    await expect(
      submitListing(ctx, { draftId: id, version: 1, form: filledForm() }, failing),
    ).rejects.toThrow('the disk is full');
    expect(await listings()).toEqual([]);
    expect((await addForm(ctx)).draft?.form.title).toBe('Garden');
    expect((await submit(id, 1)).ok).toBe(true);
  });

  it('refuses what the rules of the form refuse, and types that are none or inactive', async () => {
    const { id: retired } = await db
      .q()
      .insertInto('property_types')
      .values({ name: `Barn ${randomUUID()}`, slug: randomUUID(), is_active: false })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await submit(randomUUID(), 0, { ...filledForm(), price: '-5', title: '' })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: {
        title: 'Title must be at least 2 characters.',
        price: 'Price must be a number greater than 0.',
      },
    });
    for (const type of ['999', String(retired)])
      expect(await submit(randomUUID(), 0, filledForm({ type }))).toMatchObject({
        errors: { type: 'Property type is required.' },
      });
    expect(await listings()).toEqual([]);
  });

  it('stands where the pin was put, and lists without a place that nobody knows', async () => {
    await submit(randomUUID(), 0, filledForm({ place: '45.12345,-121.54321 pin' }));
    await submit(randomUUID(), 0, filledForm({ address: '27 Heron Way, somewhere' }));
    const places = (await listings()).map((row) => [row.latitude, row.longitude, row.location_precision]);
    expect(places).toContainEqual([45.12345, -121.54321, 'pin']);
    expect(places).toContainEqual([null, null, null]);
  });

  it('comes on the market with its approval, once', async () => {
    const result = await submit(randomUUID(), 0);
    const propertyId = result.ok ? result.propertyId : '';
    const admin = testContext(db, { actor: await createPerson(db, 'admin'), now: clock.now });
    clock.advance(86_400_000);
    expect(await approveListing(admin, { propertyId })).toEqual({ ok: true });
    expect(await approveListing(admin, { propertyId })).toEqual({ ok: false, reason: 'status' });
    const [row] = await listings();
    expect(row).toMatchObject({ status: 'Active', is_public: true, listed_at: clock.now() });
    expect(await listingDetail(testContext(db), propertyId)).toMatchObject({ ok: true });
  });
});
