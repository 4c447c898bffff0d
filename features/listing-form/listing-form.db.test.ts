import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { listingDetail } from '#features/listings/reads.ts';
import { photosOf } from '#features/photos/reads.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { Forbidden, Unauthenticated } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { deleteDraft } from './commands/delete-draft.ts';
import { ensureDraft, saveDraft } from './commands/save-draft.ts';
import { submitListing } from './commands/submit-listing.ts';
import { blankForm } from './form.ts';
import { listingFormLimits } from './limits.ts';
import { addForm, placeOfAddress } from './reads.ts';

await describeOnDatabase("the seller's form of a new listing", (open) => {
  let db: Database;
  let seller: UserActor;
  let ctx: CtxWith<'geocoder'>;
  let clock: TestClock;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    clock = testClock();
    ctx = { ...testContext(db, { actor: seller, now: clock.now }), geocoder: zipCodeGeocoder };
  });
  afterAll(() => db.close());

  const save = (draftId: string, version: number, title: string) =>
    saveDraft(ctx, { draftId, propertyId: null, version, form: { title } });
  const submit = (draftId: string, version: number, form: unknown = filledForm()) =>
    submitListing(ctx, { draftId, version, form });
  const listings = () =>
    db.q().selectFrom('properties').selectAll().where('agent_id', '=', String(seller.agentId)).execute();

  /** Attaches a picture without files to a draft; returns the photograph's id. */
  async function photograph(draftId: string): Promise<string> {
    const size = { width: 10, height: 10, widths: [10], placeholder: 'data:,', byte_size: 1 };
    const { id: image_id } = await db
      .q()
      .insertInto('stored_images')
      .values({ ...size, sha256: draftId })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await db
      .q()
      .insertInto('property_images')
      .values({ draft_id: draftId, image_id, is_main: true })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  it('saves a draft 120 times a minute for a seller', async () => {
    clock.advance(60_000);
    for (let count = 1; count < 120; count += 1)
      await takeTokens(ctx, listingFormLimits.saveDraft, String(seller.agentId));
    const id = randomUUID();
    expect(await save(id, 0, 'Garden')).toMatchObject({ ok: true });
    await expect(save(id, 1, 'Garden gate')).rejects.toMatchObject({ name: 'TooManyRequests' });
    clock.advance(60_000);
    expect(await save(id, 1, 'Garden gate')).toMatchObject({ ok: true });
    await deleteDraft(ctx, { draftId: id });
  });

  it('leaves the draft of another seller alone, whatever id is submitted', async () => {
    const id = randomUUID();
    await save(id, 0, 'Garden');
    const other = { ...ctx, actor: await createUser(db, 'agent') };
    const submitted = submitListing(other, { draftId: id, version: 0, form: filledForm() });
    await expect(submitted.then(String, ({ name }: Error) => name)).resolves.toBe('NotFound');
    expect((await addForm(other)).draft).toBeNull();
    expect((await addForm(ctx)).draft).toMatchObject({ id, form: { title: 'Garden' } });
    await deleteDraft(ctx, { draftId: id });
  });

  it('saves and returns a draft', async () => {
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

  it("does not overwrite another window's draft, and returns it", async () => {
    const id = randomUUID();
    await save(id, 0, 'One');
    expect(await save(id, 0, 'Two')).toMatchObject({
      ok: false,
      reason: 'newer',
      draft: { id, version: 1, form: { title: 'One' } },
    });
    // A window opened before the draft existed gets the seller's one draft.
    expect(await save(randomUUID(), 0, 'Three')).toMatchObject({ reason: 'newer', draft: { id } });
    expect((await addForm(ctx)).draft?.form.title).toBe('One');
  });

  it('lets one of several concurrent saves win, and informs the others', async () => {
    const id = randomUUID();
    const first = await Promise.all([save(id, 0, 'A'), save(id, 0, 'B'), save(randomUUID(), 0, 'C')]);
    expect(first.filter(({ ok }) => ok)).toHaveLength(1);
    const { draft } = await addForm(ctx);
    const again = await Promise.all(['D', 'E', 'F'].map((title) => save(draft?.id ?? '', 1, title)));
    expect(again.filter(({ ok }) => ok)).toHaveLength(1);
    expect(again.flatMap((one) => (one.ok ? [] : [one.reason]))).toEqual(['newer', 'newer']);
  });

  it('reports that a draft was discarded or submitted', async () => {
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

  it('creates a draft for photographs without conflicting with the first save', async () => {
    const id = randomUUID();
    expect(await ensureDraft(ctx, { draftId: id })).toBe(id);
    expect(await ensureDraft(ctx, { draftId: randomUUID() })).toBe(id);
    expect(await save(id, 0, 'Garden')).toMatchObject({ ok: true, draft: { version: 1 } });
    await submit(id, 1);
    await expect(ensureDraft(ctx, { draftId: id })).rejects.toThrow('Not found');
  });

  it('looks for sixty addresses a minute', async () => {
    const locate = () => placeOfAddress(ctx, { address: '27 Heron Way, Hood River, OR 97031' });
    for (let times = 0; times < 60; times++) expect(await locate()).toMatch(/ zip$/);
    await expect(locate()).rejects.toMatchObject({ name: 'TooManyRequests' });
    clock.advance(MINUTE);
    expect(await locate()).toMatch(/ zip$/);
  });

  it("has no access to another seller's drafts", async () => {
    const id = randomUUID();
    await save(id, 0, 'Mine');
    const other = { ...ctx, actor: await createUser(db, 'agent') };
    const input = { draftId: id, propertyId: null, form: { title: 'Theirs' } };
    expect(await saveDraft(other, { ...input, version: 1 })).toEqual({ ok: false, reason: 'gone' });
    expect(await saveDraft(other, { ...input, version: 0 })).toEqual({ ok: false, reason: 'gone' });
    await expect(deleteDraft(other, { draftId: id })).rejects.toThrow('Not found');
    await expect(ensureDraft(other, { draftId: id })).rejects.toThrow('Not found');
    await expect(submitListing(other, { draftId: id, version: 1, form: filledForm() })).rejects.toMatchObject(
      {
        name: 'NotFound',
      },
    );
    expect((await addForm(ctx)).draft?.form.title).toBe('Mine');
  });

  it('creates a pending listing with all form values', async () => {
    const amenity = await db
      .q()
      .insertInto('amenities')
      .values({ name: `Walled garden ${randomUUID()}` })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow();
    const id = randomUUID();
    await save(id, 0, 'Garden');
    const photo = await photograph(id);
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
    expect(await photosOf(ctx, { propertyId: String(row?.id) })).toMatchObject([{ id: photo }]);
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

  it('creates one listing per draft, even when submitted concurrently', async () => {
    const id = randomUUID();
    const results = await Promise.all(Array.from({ length: 6 }, () => submit(id, 0)));
    const ids = new Set(results.map((one) => (one.ok ? one.propertyId : one.reason)));
    expect(ids.size).toBe(1);
    expect((await listings()).map((one) => one.id)).toEqual([...ids]);
  });

  it('creates a listing of its own for another home in a draft that was submitted, once', async () => {
    const id = randomUUID();
    const other = { ...filledForm(), title: 'Another home', address: '9 Elm Court, Hood River, OR 97031' };
    const first = await submit(id, 0);
    const [second, again] = await Promise.all([submit(id, 0, other), submit(id, 0, other)]);
    expect(again).toEqual(second);
    expect(await submit(id, 0)).toEqual(first);
    const titles = (await listings()).map((one) => one.title).sort();
    expect(titles).toEqual(['Another home', filledForm().title].sort());
  });

  it('refuses another form of the home that was submitted, and changes nothing', async () => {
    const id = randomUUID();
    const first = await submit(id, 0);
    const propertyId = first.ok ? first.propertyId : '';
    const changed = { ...filledForm(), title: 'A better title', address: filledForm().address.toUpperCase() };
    expect(await submit(id, 0, changed)).toEqual({ ok: false, reason: 'submitted', propertyId });
    expect((await listings()).map((one) => one.title)).toEqual([filledForm().title]);
  });

  it('refuses to submit when another window has saved a newer draft', async () => {
    const id = randomUUID();
    await save(id, 0, 'One');
    await save(id, 1, 'Two');
    await expect(submit(id, 1)).resolves.toMatchObject({
      ok: false,
      reason: 'newer',
      draft: { form: { title: 'Two' } },
    });
    await expect(submit(randomUUID(), 0)).resolves.toMatchObject({
      ok: false,
      reason: 'newer',
      draft: { id },
    });
    expect(await listings()).toEqual([]);
  });

  it('rolls back draft and photographs when the submission fails', async () => {
    const id = randomUUID();
    await save(id, 0, 'Garden');
    const photo = await photograph(id);
    // The audit row is written last; PostgreSQL cannot store its request id.
    const failing = { ...ctx, requestId: '\0' };
    await expect(submitListing(failing, { draftId: id, version: 1, form: filledForm() })).rejects.toThrow();
    expect(await listings()).toEqual([]);
    expect((await addForm(ctx)).draft?.form.title).toBe('Garden');
    expect(await photosOf(ctx, { draftId: id })).toMatchObject([{ id: photo }]);
    expect((await submit(id, 1)).ok).toBe(true);
  });

  it('rejects invalid forms and unknown or inactive types', async () => {
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
      await expect(submit(randomUUID(), 0, filledForm({ type }))).resolves.toMatchObject({
        errors: { type: 'Property type is required.' },
      });
    expect(await listings()).toEqual([]);
  });

  it('takes no listing of a suspended seller, nor of anybody who is none', async () => {
    for (const [actor, refusal] of [
      [visitor, Unauthenticated],
      [await createUser(db, 'buyer'), Forbidden],
      [{ ...seller, suspended: true }, Forbidden],
    ] as const) {
      const sent = submitListing(
        { ...ctx, actor },
        { draftId: randomUUID(), version: 0, form: filledForm() },
      );
      await expect(sent).rejects.toBeInstanceOf(refusal);
    }
    expect(await listings()).toEqual([]);
  });

  it('takes no listing of a seller who has been archived', async () => {
    await db
      .q()
      .updateTable('agents')
      .set({ archived_at: clock.now() })
      .where('id', '=', String(seller.agentId))
      .execute();
    await expect(submit(randomUUID(), 0)).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await listings()).toEqual([]);
  });

  it('uses the pin as location, and accepts an unknown address without one', async () => {
    await submit(randomUUID(), 0, filledForm({ place: '45.12345,-121.54321 pin' }));
    await submit(randomUUID(), 0, filledForm({ address: '27 Heron Way, somewhere' }));
    const places = (await listings()).map((row) => [row.latitude, row.longitude, row.location_precision]);
    expect(places).toContainEqual([45.12345, -121.54321, 'pin']);
    expect(places).toContainEqual([null, null, null]);
  });

  it('goes on the market with its first approval', async () => {
    const result = await submit(randomUUID(), 0);
    const propertyId = result.ok ? result.propertyId : '';
    const admin = testContext(db, { actor: await createUser(db, 'admin'), now: clock.now });
    clock.advance(86_400_000);
    expect(await approveListing(admin, { propertyId })).toEqual({ ok: true });
    expect(await approveListing(admin, { propertyId })).toEqual({ ok: false, reason: 'status' });
    const [row] = await listings();
    expect(row).toMatchObject({ status: 'Active', is_public: true, listed_at: clock.now() });
    expect(await listingDetail(testContext(db), propertyId)).toMatchObject({ ok: true });
  });
});
