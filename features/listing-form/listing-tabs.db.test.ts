import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { photosOf } from '#features/photos/reads.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';
import { blankLeftDrafts } from '#platform/db/migrations/0144_drafts_with_photos_left.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { deleteDraft } from './commands/delete-draft.ts';
import { ensureDraft, saveDraft } from './commands/save-draft.ts';
import { submitListing } from './commands/submit-listing.ts';
import { blankForm } from './form.ts';
import { addForm } from './reads.ts';

await describeOnDatabase('a new listing from two tabs of one seller', (open) => {
  let db: Database;
  let ctx: CtxWith<'geocoder'>;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    ctx = { ...testContext(db, { actor: await createUser(db, 'agent') }), geocoder: zipCodeGeocoder };
  });
  afterAll(() => db.close());

  const other = filledForm({ address: '31 Heron Way, Cedar Hollow, OR 97000' });

  async function submitted(input: Parameters<typeof submitListing>[1]): Promise<string> {
    const result = await submitListing(ctx, input);
    if (!result.ok) throw new Error(result.reason);
    return result.propertyId;
  }

  /** Attaches pictures without files to a draft; returns the ids of the photos. */
  const photograph = (draftId: string, positions: readonly number[]) =>
    Promise.all(
      positions.map(async (position) => {
        const size = { width: 10, height: 10, widths: [10], placeholder: 'data:,', byte_size: 1 };
        const { id: image_id } = await db
          .q()
          .insertInto('stored_images')
          .values({ ...size, sha256: `${draftId}${position}` })
          .returning('id')
          .executeTakeFirstOrThrow();
        const { id } = await db
          .q()
          .insertInto('property_images')
          .values({ draft_id: draftId, image_id, is_main: position === 0, position })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      }),
    );
  const photosOn = async (propertyId: string) => (await photosOf(ctx, { propertyId })).map(({ id }) => id);

  it('takes the photos that the page shows, and leaves those of another tab to it', async () => {
    const draftId = await ensureDraft(ctx, { draftId: randomUUID() });
    const [mine = '', ...theirs] = await photograph(draftId, [0, 1, 2]);
    const first = await submitted({ draftId, version: 0, form: filledForm(), photoIds: [mine] });
    expect(await photosOn(first)).toEqual([mine]);
    const second = { draftId, version: 0, form: other, photoIds: [...theirs, mine] };
    const propertyId = await submitted(second);
    expect(propertyId).not.toBe(first);
    expect(await photosOn(propertyId)).toEqual(theirs);
    expect(await submitted(second)).toBe(propertyId);
    expect(await photosOn(first)).toEqual([mine]);
    expect((await addForm(ctx)).draft).toBeNull();
  });

  it('keeps the draft with the photos that are left, and nothing of what was submitted in it', async () => {
    const draftId = randomUUID();
    await saveDraft(ctx, { draftId, propertyId: null, version: 0, form: filledForm() });
    const theirs = await photograph(draftId, [0, 1]);
    const first = await submitted({ draftId, version: 1, form: filledForm(), photoIds: [] });
    expect(await photosOn(first)).toEqual([]);
    expect((await addForm(ctx)).draft).toMatchObject({ id: draftId, version: 2, form: blankForm });
    // The other tab saves what it has, and submits it with the photos that it shows.
    await saveDraft(ctx, { draftId, propertyId: null, version: 1, form: other });
    expect((await addForm(ctx)).draft).toMatchObject({ id: draftId, version: 3, form: other });
    const second = await submitted({ draftId, version: 3, form: other, photoIds: theirs });
    expect(await photosOn(second)).toEqual(theirs);
  });

  it('the same home from another tab takes along the photos that only that tab shows', async () => {
    const draftId = randomUUID();
    await saveDraft(ctx, { draftId, propertyId: null, version: 0, form: filledForm() });
    const theirs = await photograph(draftId, [0, 1]);
    const first = await submitted({ draftId, version: 1, form: filledForm(), photoIds: [] });
    expect(await photosOn(first)).toEqual([]);
    // The other tab hears that its home was submitted, whatever it saves of it, and nothing of it comes back as a draft.
    for (const version of [0, 1])
      expect(await saveDraft(ctx, { draftId, propertyId: null, version, form: filledForm() })).toEqual({
        ok: false,
        reason: 'submitted',
        propertyId: first,
      });
    expect((await addForm(ctx)).draft).toMatchObject({ id: draftId, form: blankForm });
    const again = { draftId, version: 1, form: filledForm(), photoIds: theirs };
    expect(await submitListing(ctx, again)).toEqual({ ok: true, propertyId: first, photosLeft: 0 });
    expect(await photosOn(first)).toEqual(theirs);
    expect((await addForm(ctx)).draft).toBeNull();
    // Once more, when it is approved: they are the home's already.
    await db.q().updateTable('properties').set({ status: 'Active' }).where('id', '=', first).execute();
    expect(await submitListing(ctx, again)).toEqual({ ok: true, propertyId: first, photosLeft: 0 });
  });

  it('one more home at the same address is submitted from a form that began blank, with the photos that were left', async () => {
    const draftId = randomUUID();
    await saveDraft(ctx, { draftId, propertyId: null, version: 0, form: filledForm() });
    const left = await photograph(draftId, [0, 1]);
    const first = await submitted({ draftId, version: 1, form: filledForm(), photoIds: [] });
    const { draft } = await addForm(ctx);
    if (!draft) throw new Error('The photos are gone');
    expect(draft).toMatchObject({ id: draftId, form: blankForm });
    const flat = filledForm({ title: 'The other half of the house' });
    const saved = await saveDraft(ctx, { draftId, propertyId: null, version: draft.version, form: flat });
    if (!saved.ok) throw new Error(saved.reason);
    expect((await addForm(ctx)).draft).toMatchObject({ version: saved.draft.version, form: flat });
    // Sent once more, because the answer was lost.
    expect(await saveDraft(ctx, { draftId, propertyId: null, version: draft.version, form: flat })).toEqual(
      saved,
    );
    // A tab from before still hears that its home was submitted.
    expect(await saveDraft(ctx, { draftId, propertyId: null, version: 1, form: flat })).toMatchObject({
      reason: 'submitted',
      propertyId: first,
    });
    expect(await submitListing(ctx, { draftId, version: 1, form: flat, photoIds: [] })).toMatchObject({
      reason: 'submitted',
      propertyId: first,
    });
    const input = { draftId, version: saved.draft.version, form: flat, photoIds: left };
    const [second, again] = await Promise.all([submitted(input), submitted(input)]);
    expect(second).not.toBe(first);
    expect([again, await submitted(input)]).toEqual([second, second]);
    expect(await photosOn(second)).toEqual(left);
    expect((await addForm(ctx)).draft).toBeNull();
  });

  it('a draft that was left with what was submitted in it is blank from the migration on, others stay', async () => {
    const draftId = randomUUID();
    await saveDraft(ctx, { draftId, propertyId: null, version: 0, form: filledForm() });
    await photograph(draftId, [0]);
    await submitted({ draftId, version: 1, form: filledForm(), photoIds: [] });
    const restore = (updated_at: Date) =>
      db
        .q()
        .updateTable('property_drafts')
        .set({ form: JSON.stringify(filledForm()), version: 1, updated_at })
        .where('id', '=', draftId)
        .execute();
    const now = ctx.now().getTime();
    await restore(new Date(now + MINUTE));
    await blankLeftDrafts(db.q());
    expect((await addForm(ctx)).draft).toMatchObject({ version: 1, form: filledForm() });
    await restore(new Date(now - MINUTE));
    await blankLeftDrafts(db.q());
    expect((await addForm(ctx)).draft).toMatchObject({ id: draftId, version: 2, form: blankForm });
  });

  it('a home that was approved meanwhile is left as the administrator saw it', async () => {
    const draftId = randomUUID();
    await saveDraft(ctx, { draftId, propertyId: null, version: 0, form: filledForm() });
    const theirs = await photograph(draftId, [0]);
    const first = await submitted({ draftId, version: 1, form: filledForm(), photoIds: [] });
    await db.q().updateTable('properties').set({ status: 'Active' }).where('id', '=', first).execute();
    const again = { draftId, version: 1, form: filledForm(), photoIds: theirs };
    expect(await submitListing(ctx, again)).toEqual({ ok: true, propertyId: first, photosLeft: 1 });
    expect(await photosOn(first)).toEqual([]);
    // A form that shows none of them lacks none.
    const without = { ...again, photoIds: [] };
    expect(await submitListing(ctx, without)).toEqual({ ok: true, propertyId: first, photosLeft: 0 });
  });

  it('takes all photos of the draft where the form does not say which it shows', async () => {
    const draftId = await ensureDraft(ctx, { draftId: randomUUID() });
    const all = await photograph(draftId, [0, 1]);
    expect(await photosOn(await submitted({ draftId, version: 0, form: filledForm() }))).toEqual(all);
    expect((await addForm(ctx)).draft).toBeNull();
  });

  it('lists the home again when the listing from the other tab was deleted meanwhile', async () => {
    const input = { draftId: randomUUID(), version: 0, form: filledForm() };
    const first = await submitted(input);
    expect(await deleteDraft(ctx, { propertyId: first })).toEqual({ ok: true });
    const second = await submitted(input);
    expect(second).not.toBe(first);
    expect(await submitted(input)).toBe(second);
    const listed = db.q().selectFrom('properties').select('id').where('deleted_at', 'is', null);
    expect(await listed.where('id', 'in', [first, second]).execute()).toEqual([{ id: second }]);
  });
});
