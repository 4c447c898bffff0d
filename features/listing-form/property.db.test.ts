import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkStates } from '#features/audit/check-states.ts';
import { findingList } from '#features/audit/findings.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Forbidden, Unauthenticated } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { beginSale, changesOf, mailsAbout } from '#tests/support/fixtures/property-records.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { createProperty } from './commands/create-property.ts';
import { type EditPropertyInput, editProperty } from './commands/edit-property.ts';
import { ensurePropertyDraft } from './commands/ensure-property-draft.ts';
import { blankPropertyForm, type PropertyForm } from './property-form.ts';
import { propertyMessages } from './property-rules.ts';
import { newPropertyForm, propertyForm } from './reads.ts';

await describeOnDatabase("an administrator's property form", (open) => {
  let db: Database;
  let admin: UserActor;
  let seller: UserActor;
  let clock: TestClock;
  let ctx: CtxWith<'geocoder' | 'files' | 'malware'>;
  const folder = mkdtempSync(join(tmpdir(), 'acre-property-'));
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    clock = testClock();
    admin = await createUser(db, 'admin');
    seller = await createUser(db, 'agent');
    ctx = {
      ...testContext(db, { actor: admin, now: clock.now }),
      geocoder: zipCodeGeocoder,
      files: createFolderStore({ folder, secret: 'a secret that is long enough for tests' }),
      malware: noScanner,
    };
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const rowOf = (id: string) =>
    db.q().selectFrom('properties').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const listing = (facts: Parameters<typeof createListing>[2] = {}) =>
    createListing(db, seller.agentId, { title: 'Larkspur house', listed_at: clock.now(), ...facts });
  const form = (changes: Partial<PropertyForm> = {}): PropertyForm => ({
    ...blankPropertyForm,
    ...filledForm(),
    seller: String(seller.agentId),
    status: 'Active',
    featured: '',
    ...changes,
  });
  const create = (changes: Partial<PropertyForm> = {}, more: { draftId?: string; survey?: Buffer } = {}) =>
    createProperty(ctx, {
      draftId: more.draftId ?? randomUUID(),
      form: form(changes),
      survey: more.survey ? { name: 'survey.pdf', bytes: more.survey } : null,
    });
  async function created(...choices: Parameters<typeof create>): Promise<string> {
    const result = await create(...choices);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    return result.propertyId;
  }
  /** Edits like a page that was just opened. */
  async function edit(
    propertyId: string,
    changes: Partial<PropertyForm>,
    more: Partial<EditPropertyInput> = {},
  ) {
    const { property } = await propertyForm(ctx, propertyId);
    return editProperty(ctx, {
      propertyId,
      base: property.form,
      form: { ...property.form, ...changes },
      reason: '',
      survey: null,
      ...more,
    });
  }
  const mailsTo = ({ email }: UserActor) => mailsAbout(db, email);
  const historyOf = (id: string) => changesOf(db, id);

  it('creates a property that is on the market, and tells its seller', async () => {
    const id = await created({ title: '', bedrooms: '', bathrooms: '', squareFeet: '', amenities: ['1'] });
    expect(await rowOf(id)).toMatchObject({
      agent_id: seller.agentId,
      status: 'Active',
      is_public: true,
      title: '27 Heron Way',
      address: '27 Heron Way',
      city: 'Cedar Hollow',
      bedrooms: null,
      square_feet: null,
      price_cents: 615_000_00,
      changed_since_approval_at: null,
    });
    expect((await rowOf(id)).listed_at).not.toBeNull();
    expect(await mailsTo(seller)).toMatchObject([{ subject: '27 Heron Way is one of your listings now' }]);
  });

  it('creates one that waits for approval, where that is chosen', async () => {
    expect(await rowOf(await created({ status: 'pending' }))).toMatchObject({
      status: 'pending',
      listed_at: null,
    });
    expect(await create({ status: 'Sold' })).toMatchObject({
      errors: { status: propertyMessages.statusUnknown },
    });
  });

  it('is refused to everyone but administrators', async () => {
    for (const [actor, refusal] of [
      [visitor, Unauthenticated],
      [await createUser(db, 'buyer'), Forbidden],
      [seller, Forbidden],
    ] as const) {
      const added = createProperty({ ...ctx, actor }, { draftId: randomUUID(), form: form(), survey: null });
      await expect(added).rejects.toBeInstanceOf(refusal);
    }
  });

  it('names what is missing or wrong', async () => {
    expect(await create({ address: '', price: '', description: '', seller: '' })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: {
        address: 'Address must be at least 5 characters.',
        price: 'Price is required.',
        description: 'Description must be at least 10 characters.',
        seller: propertyMessages.sellerRequired,
      },
    });
  });

  it('is the same property when the same draft is sent twice, also at once', async () => {
    const draftId = randomUUID();
    const results = await Promise.all([create({}, { draftId }), create({}, { draftId })]);
    expect(new Set(results.map((result) => result.ok && result.propertyId)).size).toBe(1);
  });

  it('takes the photos of the draft along', async () => {
    const draftId = await ensurePropertyDraft(ctx, { draftId: randomUUID() });
    expect(await newPropertyForm(ctx)).toMatchObject({ draftId });
    // One draft for an administrator, whichever page asks.
    const colleague = await createUser(db, 'admin');
    const theirs = await ensurePropertyDraft({ ...ctx, actor: colleague }, { draftId: randomUUID() });
    expect(await ensurePropertyDraft(ctx, { draftId: randomUUID() })).toBe(draftId);
    expect(await ensurePropertyDraft({ ...ctx, actor: colleague }, { draftId: randomUUID() })).toBe(theirs);
    expect(theirs).not.toBe(draftId);
    const { id: image_id } = await db
      .q()
      .insertInto('stored_images')
      .values({ width: 40, height: 30, widths: [40], placeholder: 'data:,', sha256: draftId, byte_size: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .q()
      .insertInto('property_images')
      .values({ draft_id: draftId, image_id, is_main: true })
      .execute();
    const id = await created({}, { draftId });
    const photos = await db
      .q()
      .selectFrom('property_images')
      .select('image_id')
      .where('property_id', '=', id)
      .execute();
    expect(photos).toEqual([{ image_id }]);
    expect((await newPropertyForm(ctx)).draftId).toBeNull();
  });

  it('changes only the edited fields, and marks nothing as unapproved', async () => {
    const id = await listing({ latitude: 45.71234567, longitude: -121.5, location_precision: 'pin' });
    expect(await edit(id, { price: '750000', title: '' })).toEqual({ ok: true, survey: 'none' });
    expect(await rowOf(id)).toMatchObject({
      price_cents: 750_000_00,
      title: '48 Larkspur Lane',
      latitude: 45.71234567,
      status: 'Active',
      changed_since_approval_at: null,
    });
    expect((await historyOf(id)).map(({ field }) => field)).toEqual(['title', 'price_cents']);
  });

  it('keeps what another administrator changed meanwhile, and asks where both changed a field', async () => {
    const id = await listing();
    const { property } = await propertyForm(ctx, id);
    await edit(id, { price: '700000', bedrooms: '5' });
    const mine = { ...property.form, description: 'A house that was described anew.' };
    const stale = { propertyId: id, base: property.form, reason: '', survey: null };
    expect(await editProperty(ctx, { ...stale, form: mine })).toMatchObject({ ok: true });
    expect(await rowOf(id)).toMatchObject({
      price_cents: 700_000_00,
      bedrooms: 5,
      description: mine.description,
    });
    const refused = await editProperty(ctx, { ...stale, form: { ...property.form, price: '690000' } });
    expect(refused).toMatchObject({ reason: 'newer', conflicting: ['price'], current: { price: '700000' } });
    expect(await rowOf(id)).toMatchObject({ price_cents: 700_000_00 });
  });

  it('sets a status with a reason alone, which the seller and the watchers are told', async () => {
    const id = await listing();
    const watcher = await createUser(db, 'buyer');
    await db.q().insertInto('property_watches').values({ user_id: watcher.id, property_id: id }).execute();
    expect(await edit(id, { status: 'Sold' })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { reason: propertyMessages.reasonRequired },
    });
    expect(await edit(id, { status: 'Sold' }, { reason: 'Sold at the fair.' })).toMatchObject({ ok: true });
    expect(await rowOf(id)).toMatchObject({ status: 'Sold' });
    expect(await historyOf(id)).toEqual([
      { field: 'status', previous_value: 'Active', new_value: 'Sold', reason: 'Sold at the fair.' },
    ]);
    const [mail] = await mailsTo(seller);
    expect(mail?.subject).toBe('48 Larkspur Lane is Sold now');
    expect(mail?.text).toContain('Reason: Sold at the fair.');
    const told = await db
      .q()
      .selectFrom('property_notifications')
      .select(['user_id', 'notification_type'])
      .where('property_id', '=', id)
      .execute();
    expect(told).toEqual([{ user_id: watcher.id, notification_type: 'status_change' }]);
  });

  it('sets every status from every other, and leaves other ones as they are', async () => {
    const id = await listing({ status: 'withdrawn' });
    expect(await edit(id, { price: '1000' })).toMatchObject({ ok: true });
    expect(await rowOf(id)).toMatchObject({ status: 'withdrawn' });
    for (const status of [
      'pending',
      'escrow',
      'Active',
      'escrow',
      'Sold',
      'pending',
      'Active',
      'Sold',
      'Active',
    ]) {
      expect(await edit(id, { status }, { reason: 'As it is.' }), status).toMatchObject({ ok: true });
      expect((await rowOf(id)).status).toBe(status);
    }
    expect(await edit(id, { status: 'withdrawn' }, { reason: 'Away.' })).toMatchObject({
      errors: { status: propertyMessages.statusUnknown },
    });
  });

  it('keeps price, type, address, seller and status while a sale lives', async () => {
    const id = await listing();
    await beginSale(db, id, seller);
    expect((await propertyForm(ctx, id)).property.held).toBe(true);
    const other = await createUser(db, 'agent');
    const attempts: Partial<PropertyForm>[] = [
      { price: '1' },
      { type: '1' },
      { address: '1 Elsewhere Road, Cedar Hollow, OR 97031' },
      { seller: String(other.agentId) },
      { status: 'pending' },
    ];
    for (const changes of attempts) {
      const [field = ''] = Object.keys(changes);
      expect(await edit(id, changes, { reason: 'Why not.' }), field).toEqual({
        ok: false,
        reason: 'invalid',
        errors: { [field]: propertyMessages.liveSale },
      });
    }
    expect(await edit(id, { description: 'Described while somebody pays.' })).toMatchObject({ ok: true });
  });

  it('gives a property to another seller, whose suspension hides it', async () => {
    const id = await listing({ source_id: 'A-1' });
    const other = await createUser(db, 'agent');
    await createListing(db, other.agentId, { source_id: 'A-1' });
    await db.q().updateTable('agents').set({ status: 'suspended' }).where('id', '=', other.agentId).execute();
    // Neither the first nor the last seller there is.
    await db
      .q()
      .updateTable('agents')
      .set({ phone: '+12025550100' })
      .where('id', '=', seller.agentId)
      .execute();
    await createUser(db, 'agent');
    await db
      .q()
      .insertInto('property_drafts')
      .values({ agent_id: seller.agentId, property_id: id, form: '{}' })
      .execute();
    expect(await edit(id, { seller: String(other.agentId) })).toMatchObject({ ok: true });
    expect(await rowOf(id)).toMatchObject({ agent_id: other.agentId, is_public: false, source_id: null });
    expect(await historyOf(id)).toMatchObject([
      { field: 'agent_id', previous_value: seller.agentId, new_value: other.agentId },
    ]);
    const drafts = await db
      .q()
      .selectFrom('property_drafts')
      .select('id')
      .where('property_id', '=', id)
      .execute();
    expect(drafts).toEqual([]);
    expect(await mailsTo(seller)).toMatchObject([
      { subject: '48 Larkspur Lane is no longer one of your listings' },
    ]);
    expect(await mailsTo(other)).toMatchObject([{ subject: '48 Larkspur Lane is one of your listings now' }]);
  });

  it('keeps the id of an import that only a third seller has', async () => {
    const [id, other, third] = [
      await listing({ source_id: 'B-1' }),
      await createUser(db, 'agent'),
      await createUser(db, 'agent'),
    ];
    await createListing(db, third.agentId, { source_id: 'B-1' });
    expect(await edit(id, { seller: String(other.agentId) })).toMatchObject({ ok: true });
    expect((await rowOf(id)).source_id).toBe('B-1');
  });

  it('gives no property to a seller who is archived or unknown', async () => {
    const id = await listing();
    const archived = await createUser(db, 'agent');
    await db
      .q()
      .updateTable('agents')
      .set({ archived_at: clock.now() })
      .where('id', '=', archived.agentId)
      .execute();
    for (const unknown of [String(archived.agentId), randomUUID(), 'nobody'])
      expect(await edit(id, { seller: unknown })).toMatchObject({
        errors: { seller: propertyMessages.sellerUnknown },
      });
  });

  it('features at most five, and saves nothing of a form that wants a sixth', async () => {
    await db.q().updateTable('properties').set({ featured_slot: null, featured_at: null }).execute();
    const ids = await Promise.all(Array.from({ length: 6 }, () => listing()));
    const results = await Promise.all(ids.map((id) => edit(id, { featured: '1', price: '5000' })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(5);
    const refused = results.findIndex(({ ok }) => !ok);
    expect(results[refused]).toMatchObject({
      errors: { featured: expect.stringContaining('Maximum featured properties reached') },
    });
    expect(await rowOf(ids[refused] ?? '')).toMatchObject({ price_cents: 742_000_00, is_featured: false });
    const [featured = ''] = ids.filter((_, at) => at !== refused);
    expect(await edit(featured, { featured: '' })).toMatchObject({ ok: true });
    expect(await rowOf(featured)).toMatchObject({ is_featured: false });
    expect(await edit(featured, { featured: '1', status: 'pending' }, { reason: 'Both.' })).toMatchObject({
      ok: false,
      errors: { featured: expect.any(String) },
    });
    expect(await rowOf(featured)).toMatchObject({ status: 'Active' });
  });

  it('stores the survey document together with the form, or not at all', async () => {
    const id = await listing();
    const survey = { name: 'boundary.pdf', bytes: pdfFile };
    expect(await edit(id, { price: '5000' }, { survey })).toEqual({ ok: true, survey: 'stored' });
    const { property } = await propertyForm(ctx, id);
    expect(property.survey).toMatchObject({ name: 'boundary.pdf', version: 1 });
    const { survey_document_path: key } = await rowOf(id);
    expect(await ctx.files.head(key ?? '')).toMatchObject({ size: pdfFile.length });
    const before = await ctx.files.list('documents/');
    expect(
      await edit(id, { price: '6000' }, { survey: { name: 'survey.pdf', bytes: Buffer.from('plain') } }),
    ).toMatchObject({ errors: { survey: expect.stringContaining('.pdf, .doc and .docx') } });
    // Refused in the middle of the transaction.
    expect(await edit(id, { featured: '1', status: 'pending' }, { survey, reason: 'Both.' })).toMatchObject({
      ok: false,
    });
    expect(await ctx.files.list('documents/')).toEqual(before);
    expect(await rowOf(id)).toMatchObject({ price_cents: 5_000_00, survey_document_path: key });
    const added = await created({}, { survey: pdfFile });
    expect((await propertyForm(ctx, added)).property.survey).toMatchObject({ version: 1 });
  });

  it('leaves audit rows that explain every state', async () => {
    const id = await created();
    await edit(id, { status: 'pending' }, { reason: 'Checked again.' });
    await edit(id, { status: 'Active', price: '5000' }, { reason: 'It is fine.' });
    const found = findingList();
    await checkStates(ctx, found);
    expect(found.listed.filter(({ subject }) => subject.includes(id))).toEqual([]);
  });
});
