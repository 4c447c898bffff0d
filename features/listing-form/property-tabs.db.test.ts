import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFolderStore } from '#gateways/files/folder.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { createProperty } from './commands/create-property.ts';
import { ensurePropertyDraft } from './commands/ensure-property-draft.ts';
import { blankPropertyForm, type PropertyForm } from './property-form.ts';
import { propertyMessages } from './property-rules.ts';
import { newPropertyForm } from './reads.ts';

await describeOnDatabase('a new property from two tabs of one administrator', (open) => {
  let db: Database;
  let seller: UserActor;
  let ctx: CtxWith<'geocoder' | 'files' | 'malware'>;
  const folder = mkdtempSync(join(tmpdir(), 'acre-property-'));
  beforeAll(async () => {
    db = await open();
    seller = await createUser(db, 'agent');
    ctx = {
      ...testContext(db, { actor: await createUser(db, 'admin') }),
      geocoder: zipCodeGeocoder,
      files: createFolderStore({ folder, secret: 'a secret that is long enough for tests' }),
      malware: noScanner,
    };
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const create = (
    changes: Partial<PropertyForm>,
    { photoIds = null, ...draft }: { draftId: string; draftVersion?: number; photoIds?: string[] | null },
  ) =>
    createProperty(ctx, {
      ...draft,
      form: { ...blankPropertyForm, ...filledForm(), seller: String(seller.agentId), ...changes },
      survey: null,
      photoIds,
    });
  async function created(...choices: Parameters<typeof create>): Promise<string> {
    const result = await create(...choices);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    return result.propertyId;
  }

  /** Attaches a picture without files to a draft. */
  const photo = async (draftId: string, position: number) => {
    const { id: image_id } = await db
      .q()
      .insertInto('stored_images')
      .values({
        width: 40,
        height: 30,
        widths: [40],
        placeholder: 'data:,',
        sha256: `${draftId}${position}`,
        byte_size: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await db
      .q()
      .insertInto('property_images')
      .values({ draft_id: draftId, image_id, is_main: position === 0, position })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };

  it('is one for each home, for whichever seller, and the same one when a form is sent again', async () => {
    const draftId = randomUUID();
    const first = await created({}, { draftId });
    const other = { address: '31 Heron Way, Cedar Hollow, OR 97000' };
    const second = await created(other, { draftId });
    expect(second).not.toBe(first);
    expect(await created(other, { draftId })).toBe(second);
    expect(await created({}, { draftId })).toBe(first);
    expect(await create({ price: '1' }, { draftId })).toMatchObject({
      errors: { address: propertyMessages.addedBefore },
    });
    const elsewhere = await createUser(db, 'agent');
    const third = await created({ ...other, seller: elsewhere.agentId ?? '' }, { draftId });
    expect([first, second]).not.toContain(third);
    const { agent_id } = await db
      .q()
      .selectFrom('properties')
      .select('agent_id')
      .where('id', '=', third)
      .executeTakeFirstOrThrow();
    expect(agent_id).toBe(elsewhere.agentId);
  });

  it('takes the photos that the page shows, and leaves those of another tab to it', async () => {
    const draftId = await ensurePropertyDraft(ctx, { draftId: randomUUID() });
    const [mine, theirs] = [await photo(draftId, 0), await photo(draftId, 1)];
    const photosOfProperty = async (propertyId: string) =>
      (
        await db
          .q()
          .selectFrom('property_images')
          .select('id')
          .where('property_id', '=', propertyId)
          .execute()
      ).map(({ id }) => id);
    const first = await created({}, { draftId, photoIds: [mine] });
    expect(await photosOfProperty(first)).toEqual([mine]);
    const other = { address: '33 Heron Way, Cedar Hollow, OR 97000' };
    const second = await created(other, { draftId, photoIds: [theirs, mine] });
    expect(await photosOfProperty(second)).toEqual([theirs]);
    const mains = db.q().selectFrom('property_images').select('id').where('is_main', '=', true);
    expect((await mains.where('id', 'in', [mine, theirs]).execute()).length).toBe(2);
    expect((await newPropertyForm(ctx)).draftId).toBeNull();
  });

  it('is one more at the same address from a page that was opened after the first, with the photos that were left', async () => {
    const id = await ensurePropertyDraft(ctx, { draftId: randomUUID() });
    await photo(id, 0);
    // A tab that was open before.
    const { draftVersion: before } = await newPropertyForm(ctx);
    const first = await created({}, { draftId: id, photoIds: [] });
    const { draftId, draftVersion } = await newPropertyForm(ctx);
    expect(draftId).toBe(id);
    // The first once more, because its answer was lost, leaves the page that was opened since as it is.
    expect(await created({}, { draftId: id, photoIds: [] })).toBe(first);
    const other = { title: 'The other half of the house' };
    expect(await create(other, { draftId: id, draftVersion: before })).toMatchObject({
      errors: { address: propertyMessages.addedBefore },
    });
    const second = await created(other, { draftId: id, draftVersion });
    expect(second).not.toBe(first);
    expect((await newPropertyForm(ctx)).draftId).toBeNull();
    // Sent once more, because the answer was lost.
    expect(await created(other, { draftId: id, draftVersion })).toBe(second);
  });

  it('is one for its home, also when a tab from before the first uploads a photo again', async () => {
    const id = await ensurePropertyDraft(ctx, { draftId: randomUUID() });
    const only = await photo(id, 0);
    const { draftVersion } = await newPropertyForm(ctx);
    const first = await created({}, { draftId: id, draftVersion, photoIds: [only] });
    expect((await newPropertyForm(ctx)).draftId).toBeNull();
    expect(await ensurePropertyDraft(ctx, { draftId: id })).toBe(id);
    const again = await photo(id, 1);
    expect(
      await create({ price: '1' }, { draftId: id, draftVersion, photoIds: [only, again] }),
    ).toMatchObject({ errors: { address: propertyMessages.addedBefore } });
    // A page that is opened now begins blank: what it holds is one more home.
    const { draftId, draftVersion: since } = await newPropertyForm(ctx);
    expect(draftId).toBe(id);
    const second = await created({ price: '1' }, { draftId: id, draftVersion: since, photoIds: [again] });
    expect(second).not.toBe(first);
    expect((await newPropertyForm(ctx)).draftId).toBeNull();
  });
});
