import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { relistListing } from '#features/listings/commands/relist-listing.ts';
import { withdrawListing } from '#features/listings/commands/withdraw-listing.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { settleSandbox } from '#gateways/payments/sandbox/settlement.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { invalidate } from '#platform/cache.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { deleteDraft } from './commands/delete-draft.ts';
import { type EditInput, editListing } from './commands/edit-listing.ts';
import { saveDraft } from './commands/save-draft.ts';
import type { ListingForm } from './form.ts';
import { editForm } from './reads.ts';

await describeOnDatabase("a seller's own listing", (open) => {
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

  const listing = (facts: Parameters<typeof createListing>[2] = {}) =>
    createListing(db, seller.agentId, {
      title: 'Larkspur house',
      latitude: 45.71234567,
      longitude: -121.5,
      location_precision: 'pin',
      listed_at: clock.now(),
      ...facts,
    });
  const rowOf = (id: string) =>
    db.q().selectFrom('properties').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  /** Edits like a freshly opened page: the current form with changes. */
  async function edit(propertyId: string, changes: Partial<ListingForm>, more: Partial<EditInput> = {}) {
    const { listing: shown, draft } = await editForm(ctx, propertyId);
    const input = {
      propertyId,
      version: draft?.version ?? 0,
      base: shown.form,
      form: { ...shown.form, ...changes },
    };
    return editListing(ctx, { ...input, ...more });
  }
  const historyOf = async (id: string) =>
    (
      await db
        .q()
        .selectFrom('property_changes')
        .select(['field', 'previous_value', 'new_value', 'changed_by'])
        .where('property_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ changed_by, ...change }) => {
      expect(changed_by).toBe(seller.id);
      return Object.values(change);
    });

  it('tells watchers of a new price when it was changed, and never the seller who changed it', async () => {
    const id = await listing();
    const watcher = await createUser(db, 'buyer');
    for (const user_id of [watcher.id, seller.id])
      await db.q().insertInto('property_watches').values({ user_id, property_id: id }).execute();
    await edit(id, { price: '749000' });
    const told = await db
      .q()
      .selectFrom('property_notifications')
      .select(['user_id', 'notification_type', 'created_at'])
      .where('property_id', '=', id)
      .execute();
    expect(told).toEqual([{ user_id: watcher.id, notification_type: 'price_change', created_at: ctx.now() }]);
  });

  it('changes only the edited fields and keeps its status', async () => {
    const id = await listing();
    expect(await edit(id, { price: '750000', description: 'A quiet house with a larger garden.' })).toEqual({
      ok: true,
      status: 'Active',
    });
    const row = await rowOf(id);
    expect(row).toMatchObject({
      status: 'Active',
      price_cents: 75_000_000,
      description: 'A quiet house with a larger garden.',
      // Keeps full precision although the form shows five digits.
      latitude: 45.71234567,
      location_precision: 'pin',
      address: '48 Larkspur Lane',
      changed_since_approval_at: clock.now(),
    });
    expect(await historyOf(id)).toEqual([
      ['price_cents', '74200000', '75000000'],
      ['description', 'A quiet house with a garden.', 'A quiet house with a larger garden.'],
    ]);
    for (const status of ['pending', 'changes_requested', 'rejected', 'withdrawn'] as const) {
      const other = await listing({ status, listed_at: null });
      expect(await edit(other, { title: 'Changed' })).toEqual({ ok: true, status });
      expect(await rowOf(other)).toMatchObject({ status, title: 'Changed', changed_since_approval_at: null });
    }
  });

  it('records the neighborhood in its history; blank means not known', async () => {
    const id = await listing();
    await edit(id, { neighborhood: '  Old  Orchard ' });
    expect(await rowOf(id)).toMatchObject({ neighborhood: 'Old Orchard' });
    await edit(id, { neighborhood: ' ' });
    expect(await rowOf(id)).toMatchObject({ neighborhood: null });
    expect(await historyOf(id)).toEqual([
      ['neighborhood', null, 'Old Orchard'],
      ['neighborhood', 'Old Orchard', null],
    ]);
  });

  it('is not marked as changed by an edit without changes', async () => {
    const id = await listing();
    expect(await edit(id, {})).toEqual({ ok: true, status: 'Active' });
    expect((await rowOf(id)).changed_since_approval_at).toBeNull();
    expect(await historyOf(id)).toEqual([]);
  });

  it('notifies watchers of a price change', async () => {
    const id = await listing();
    const buyer = await createUser(db, 'buyer');
    await setWatch(testContext(db, { actor: buyer }), { propertyId: id, watched: true });
    await edit(id, { price: '700000' });
    const told = await db
      .q()
      .selectFrom('property_notifications')
      .select(['user_id', 'notification_type', 'previous_value', 'new_value'])
      .where('property_id', '=', id)
      .execute();
    expect(told).toEqual([
      {
        user_id: buyer.id,
        notification_type: 'price_change',
        previous_value: '$742,000',
        new_value: '$700,000',
      },
    ]);
  });

  it('keeps concurrent changes to fields that the seller did not touch', async () => {
    const id = await listing();
    const { listing: shown } = await editForm(ctx, id);
    await db.q().updateTable('properties').set({ bedrooms: 5 }).where('id', '=', id).execute();
    const form = { ...shown.form, title: 'Renamed' };
    expect(await edit(id, {}, { base: shown.form, form })).toMatchObject({ ok: true });
    expect(await rowOf(id)).toMatchObject({ bedrooms: 5, title: 'Renamed' });
  });

  it('merges the draft of an edit with the current listing', async () => {
    const id = await listing();
    const { listing: shown } = await editForm(ctx, id);
    const draftId = randomUUID();
    const form = { ...shown.form, title: 'In the draft' };
    await saveDraft(ctx, { draftId, propertyId: id, version: 0, form, base: shown.form });
    await db.q().updateTable('properties').set({ bedrooms: 5 }).where('id', '=', id).execute();
    const page = await editForm(ctx, id);
    expect(page.draft?.form).toMatchObject({ title: 'In the draft', bedrooms: '5' });
    expect(page.listing.form.title).toBe('Larkspur house');
    expect(await edit(id, { title: 'Old window' }, { version: 0 })).toMatchObject({
      ok: false,
      reason: 'newer',
    });
    expect(await edit(id, { title: 'In the draft' })).toMatchObject({ ok: true });
    expect((await editForm(ctx, id)).draft).toBeNull();
    expect(await saveDraft(ctx, { draftId, propertyId: id, version: 1, form })).toEqual({
      ok: false,
      reason: 'gone',
    });
  });

  it('is geocoded again when its address changes, unless the pin was moved', async () => {
    const id = await listing();
    await edit(id, { address: '1 Main Street, Lebanon, NH 03766' });
    expect(await rowOf(id)).toMatchObject({
      address: '1 Main Street',
      city: 'Lebanon',
      state: 'NH',
      zip: '03766',
      location_precision: 'zip',
    });
    await edit(id, { address: '2 Main Street, Lebanon, NH 03766', place: '43.60000,-72.20000 pin' });
    expect(await rowOf(id)).toMatchObject({ latitude: 43.6, longitude: -72.2, location_precision: 'pin' });
  });

  it('allows only the description to change in escrow, and nothing once sold', async () => {
    const held = await listing({ status: 'escrow', title: null });
    for (const change of [{ price: '1' }, { address: '9 Other Road' }, { type: '1' }, { title: 'New title' }])
      expect(await edit(held, change)).toEqual({ ok: false, reason: 'locked' });
    // Fields that an import left blank are not reported while locked.
    expect(await edit(held, { description: 'The garden is in bloom.' })).toEqual({
      ok: true,
      status: 'escrow',
    });
    expect(await edit(held, { description: 'Short' })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { description: 'Description must be at least 10 characters.' },
    });
    const sold = await listing({ status: 'Sold' });
    expect(await edit(sold, { description: 'The garden is in bloom.' })).toEqual({
      ok: false,
      reason: 'locked',
    });
    const draft = { draftId: randomUUID(), propertyId: sold, version: 0, form: {} };
    expect(await saveDraft(ctx, draft)).toEqual({ ok: false, reason: 'locked' });
  });

  it('keeps price, type and address while a buyer is paying, and says so beside the field', async () => {
    const scenario = await createSaleScenario(db, { clock });
    const id = await listing();
    const { saleId, ref } = await scenario.checkout(scenario.buyer, id);
    const refused = (...names: string[]) => ({
      ok: false,
      reason: 'invalid',
      errors: Object.fromEntries(
        names.map((name) => [
          name,
          'A buyer is paying for this property, so this cannot be changed right now.',
        ]),
      ),
    });
    expect(await edit(id, { price: '1' })).toEqual(refused('price'));
    expect(await edit(id, { address: '2 Other Street, Lebanon, NH 03766', title: 'New' })).toEqual(
      refused('address'),
    );
    expect(await edit(id, { place: '43.60000,-72.20000 pin' })).toEqual(refused('place'));
    expect(await edit(id, { title: 'With a new roof' })).toMatchObject({ ok: true });
    await scenario.actOnCheckoutPage(ref, 'pay_later');
    await scenario.sync(saleId);
    expect(await edit(id, { price: '1' })).toEqual(refused('price'));
    await settleSandbox(db, ref, 'failed', clock.now());
    await scenario.sync(saleId);
    expect(await edit(id, { price: '1' })).toMatchObject({ ok: true });
  });

  it('keeps a type that has become inactive until another is chosen', async () => {
    const type = await db
      .q()
      .insertInto('property_types')
      .values({ name: `Barn ${randomUUID()}`, slug: randomUUID(), is_active: false })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow();
    invalidate(db);
    const id = await listing({ type_id: type.id });
    const { choices } = await editForm(ctx, id);
    expect(choices.types).toContainEqual({ id: String(type.id), name: `${type.name} (inactive)` });
    expect(await edit(id, { title: 'Barn house' })).toMatchObject({ ok: true });
    expect(await rowOf(id)).toMatchObject({ type_id: type.id, title: 'Barn house' });
    const other = await listing();
    expect((await editForm(ctx, other)).choices.types.map((one) => one.id)).not.toContain(String(type.id));
    expect(await edit(other, { type: String(type.id) })).toMatchObject({
      errors: { type: 'Property type is required.' },
    });
  });

  it('can be resubmitted after review and approved', async () => {
    const id = await listing({
      status: 'changes_requested',
      review_note: 'More rooms, please',
      listed_at: null,
    });
    expect((await editForm(ctx, id)).listing).toMatchObject({ reviewNote: 'More rooms, please' });
    expect(await edit(id, { bedrooms: '5' }, { resubmit: true })).toEqual({ ok: true, status: 'pending' });
    const admin = testContext(db, { actor: await createUser(db, 'admin') });
    expect(await approveListing(admin, { propertyId: id })).toEqual({ ok: true });
    expect(await rowOf(id)).toMatchObject({ status: 'Active', review_note: null });
    // Resubmitting an Active listing does not make it pending.
    expect(await edit(id, { bedrooms: '6' }, { resubmit: true })).toEqual({ ok: true, status: 'Active' });
    expect((await rowOf(id)).changed_since_approval_at).not.toBeNull();
    expect(await approveListing(admin, { propertyId: id })).toEqual({ ok: true });
    expect((await rowOf(id)).changed_since_approval_at).toBeNull();
  });

  it('can be withdrawn and relisted; days on market pause in between', async () => {
    const id = await listing();
    const days = async () => {
      const at = clock.now();
      const { rows } = await sql<{ days: number }>`
        select days_on_market(p, ${at}::timestamptz) as days from properties p where id = ${id}`.execute(
        db.q(),
      );
      return rows[0]?.days;
    };
    const day = 86_400_000;
    clock.advance(3 * day);
    expect(await withdrawListing(ctx, { propertyId: id })).toEqual({ ok: true });
    expect(await withdrawListing(ctx, { propertyId: id })).toEqual({ ok: false, reason: 'status' });
    clock.advance(10 * day);
    expect(await days()).toBe(3);
    expect(await relistListing(ctx, { propertyId: id })).toEqual({ ok: true });
    expect(await relistListing(ctx, { propertyId: id })).toEqual({ ok: false, reason: 'status' });
    clock.advance(2 * day);
    expect(await days()).toBe(5);
    expect(await historyOf(id)).toEqual([
      ['status', 'Active', 'withdrawn'],
      ['status', 'withdrawn', 'Active'],
    ]);
    const never = await listing({ status: 'withdrawn', listed_at: null });
    await relistListing(ctx, { propertyId: never });
    expect(await rowOf(never)).toMatchObject({ status: 'pending', listed_at: null });
  });

  it('comes back at once and marked when only its price changed while withdrawn; watchers learn the new price', async () => {
    const id = await listing();
    const buyer = await createUser(db, 'buyer');
    await setWatch(testContext(db, { actor: buyer }), { propertyId: id, watched: true });
    await withdrawListing(ctx, { propertyId: id });
    await edit(id, { price: '720000' });
    await edit(id, { price: '700000' });
    const prices = async () =>
      (
        await db
          .q()
          .selectFrom('property_notifications')
          .select(['previous_value', 'new_value'])
          .where('property_id', '=', id)
          .where('notification_type', '=', 'price_change')
          .execute()
      ).map((one) => [one.previous_value, one.new_value]);
    expect(await prices()).toEqual([]);
    expect(await relistListing(ctx, { propertyId: id })).toEqual({ ok: true });
    expect(await rowOf(id)).toMatchObject({
      status: 'Active',
      changed_since_approval_at: clock.now(),
      last_public_cents: null,
    });
    expect(await prices()).toEqual([['$742,000', '$700,000']]);
  });

  it.each([
    ['edited while withdrawn', 'Active', true],
    ['rejected', 'rejected', false],
    ['sent back', 'changes_requested', false],
    ['still waiting', 'pending', false],
  ] as const)('waits for approval when relisted after it was %s', async (_, status, edited) => {
    const id = await listing({ status });
    await withdrawListing(ctx, { propertyId: id });
    if (edited) await edit(id, { description: 'Another house with another garden.' });
    await relistListing(ctx, { propertyId: id });
    expect(await rowOf(id)).toMatchObject({ status: 'pending', is_public: false });
    // Another round does not get around it.
    await withdrawListing(ctx, { propertyId: id });
    await relistListing(ctx, { propertyId: id });
    expect((await rowOf(id)).status).toBe('pending');
    const admin = testContext(db, { actor: await createUser(db, 'admin'), now: clock.now });
    expect(await approveListing(admin, { propertyId: id })).toEqual({ ok: true });
    await withdrawListing(ctx, { propertyId: id });
    await relistListing(ctx, { propertyId: id });
    expect(await rowOf(id)).toMatchObject({ status: 'Active', needs_approval_since: null });
  });

  it('can be deleted only if it was never on the market', async () => {
    const never = await listing({ status: 'pending', listed_at: null });
    expect(await deleteDraft(ctx, { propertyId: never })).toEqual({ ok: true });
    await expect(editForm(ctx, never)).rejects.toThrow('Property not found');
    const once = await listing({ status: 'withdrawn' });
    expect(await deleteDraft(ctx, { propertyId: once })).toEqual({ ok: false, reason: 'status' });
  });
});
