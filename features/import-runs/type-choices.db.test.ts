import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { LEFT_OUT } from '#features/listing-import/property-types.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { importScene, listingsCsv, uploadFile, worker } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { checkImport } from './commands/check-import.ts';
import { startImport } from './commands/start-import.ts';
import { workImport } from './commands/work-import.ts';
import { importDetails } from './reads.ts';
import { importMessages } from './rules.ts';
import { readTypeChoices } from './type-choices.ts';

await describeOnDatabase('words for property types in an import', (open) => {
  let db: Database;
  let seller: UserActor;
  let scene: ReturnType<typeof importScene>;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    scene = importScene(db);
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  const details = (importId: string) => importDetails(scene.as(seller), { importId });
  const work = (importId: string) => workImport(scene.as(worker), { importId });
  async function upload(content: string) {
    const result = await uploadFile(scene.as(seller), 'homes.csv', content);
    if (!result.ok) throw new Error(result.text);
    return result.importId;
  }
  async function check(importId: string, types: Record<string, string>, map: Record<string, string> = {}) {
    const { columns } = await details(importId);
    const choices = Object.fromEntries(columns.map(({ field, choice }) => [field, choice || null]));
    const result = await checkImport(scene.as(seller), {
      importId,
      agentId: null,
      firstStatus: 'pending',
      activateTypes: false,
      sameHome: 'ask',
      choices: { ...choices, ...map },
      types,
    });
    if (result.ok) await work(importId);
    return result;
  }
  const stored = async () => {
    const rows = await db
      .q()
      .selectFrom('properties as p')
      .innerJoin('property_types as t', 't.id', 'p.type_id')
      .select(['p.address', 't.name'])
      .where('p.agent_id', '=', seller.agentId)
      .orderBy('p.address')
      .execute();
    return rows.map(({ address, name }) => `${address}: ${name}`);
  };
  const typed = (...types: string[]) => listingsCsv(types.map((property_type) => ({ property_type })));

  it('are those that are not known, with the number of their rows', async () => {
    const importId = await upload(
      typed('Yurt', 'Single Family', 'House', 'yurt', 'Earthship', 'Condo', '?!'),
    );
    expect(await details(importId)).toMatchObject({
      typeWords: [
        { key: 'yurt', word: 'Yurt', rows: 2, choice: '' },
        { key: 'earthship', word: 'Earthship', rows: 1, choice: '' },
      ],
      moreTypeWords: 1,
      types: ['Vacant Lot', 'Single Family', 'Multi-Family', 'Commercial'],
    });
    expect((await details(await upload(typed('House')))).typeWords).toEqual([]);
  });

  it('stand for the type that was chosen, in the check and in the import, or their rows are left out', async () => {
    const importId = await upload(typed('Yurt', 'Single Family', 'yurt', 'Earthship'));
    expect(await check(importId, { yurt: 'Vacant Lot', earthship: '' })).toEqual({ ok: true });
    expect(await details(importId)).toMatchObject({
      check: { added: 3, refused: 1 },
      refusals: [{ column: 'property_type', reason: LEFT_OUT, detail: 'Earthship', line: 5 }],
      typeWords: [{ choice: 'Vacant Lot' }, { choice: '' }],
    });
    expect(await startImport(scene.as(seller), { importId })).toEqual({ ok: true });
    await work(importId);
    expect(await details(importId)).toMatchObject({ status: 'done', counts: { added: 3, refused: 1 } });
    expect(await stored()).toEqual([
      '1 Hill Road: Vacant Lot',
      '2 Hill Road: Single Family',
      '3 Hill Road: Vacant Lot',
    ]);
  });

  it('are remembered until something else is chosen', async () => {
    const importId = await upload(typed('Yurt', 'Earthship'));
    await check(importId, { yurt: 'Vacant Lot', earthship: 'Commercial' });
    await check(importId, { earthship: '' });
    const { typeWords, check: counts } = await details(importId);
    expect(typeWords.map(({ word, choice }) => [word, choice])).toEqual([
      ['Yurt', 'Vacant Lot'],
      ['Earthship', ''],
    ]);
    expect(counts).toMatchObject({ added: 1, refused: 1 });
  });

  it('cannot stand for a type that is off or that there is not; what the file does not have is not kept', async () => {
    const importId = await upload(typed('Yurt', 'Earthship', 'Igloo'));
    expect(await check(importId, { yurt: 'Townhouse', earthship: 'Castle', igloo: 'Vacant Lot' })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { 'type.yurt': importMessages.typeOff, 'type.earthship': importMessages.noSuchType },
    });
    expect((await details(importId)).status).toBe('uploaded');
    expect(await check(importId, { constructor: 'Vacant Lot', castle: 'Nonsense' })).toEqual({ ok: true });
    const { types } = await db
      .q()
      .selectFrom('listing_imports')
      .select('types')
      .where('id', '=', importId)
      .executeTakeFirstOrThrow();
    expect(types).toEqual({});
  });

  it('are read again when they come from another column', async () => {
    const importId = await upload(
      'price,address,kind,style\n400000,1 Hill Road,Yurt,House\n500000,2 Hill Road,Igloo,Cube\n',
    );
    expect((await details(importId)).typeWords).toEqual([]);
    await check(importId, {}, { property_type: '#3' });
    expect((await details(importId)).typeWords.map(({ word }) => word)).toEqual(['Yurt', 'Igloo']);
    await check(importId, { yurt: 'Vacant Lot' }, { property_type: '#4' });
    expect((await details(importId)).typeWords.map(({ word }) => word)).toEqual(['Cube']);
  });

  it('of a row with type and subtype are both, and change no row that is known by one of them', async () => {
    const importId = await upload(
      'price,address,property_type,property_subtype\n400000,1 Hill Road,Other,Yurt\n500000,2 Hill Road,Residential,Yurt\n',
    );
    expect((await details(importId)).typeWords).toMatchObject([
      { key: 'other yurt', word: 'Other: Yurt', rows: 1 },
    ]);
    await check(importId, { 'other yurt': 'Vacant Lot' });
    await startImport(scene.as(seller), { importId });
    await work(importId);
    expect(await stored()).toEqual(['1 Hill Road: Vacant Lot', '2 Hill Road: Single Family']);
  });

  it('that have become a type since are no longer asked about', async () => {
    const importId = await upload(typed('Yurt', 'Houseboat'));
    await db.q().insertInto('property_types').values({ name: 'Yurt', slug: 'yurt' }).execute();
    expect((await details(importId)).typeWords.map(({ word }) => word)).toEqual(['Houseboat']);
    await check(importId, { yurt: '', houseboat: 'Yurt' });
    expect((await details(importId)).check).toMatchObject({ added: 2, refused: 0 });
    await db.q().updateTable('property_types').set({ is_active: false }).where('slug', '=', 'yurt').execute();
    expect(await check(importId, { houseboat: 'Yurt' })).toMatchObject({
      errors: { 'type.houseboat': importMessages.typeOff },
    });
    await db.q().deleteFrom('property_types').where('slug', '=', 'yurt').execute();
  });

  it('are at most fifty, the most frequent ones', async () => {
    const words = Array.from({ length: 60 }, (_, n) => `Kind${n} X`);
    const { typeWords, moreTypeWords } = await details(await upload(typed(...words, 'Kind59 X')));
    expect(typeWords).toHaveLength(50);
    expect(typeWords[0]).toMatchObject({ word: 'Kind59 X', rows: 2 });
    expect(moreTypeWords).toBe(10);
  });

  it('are chosen in fields of the form named by them', () => {
    const form = new FormData();
    form.set('intent', 'check');
    form.set('type.other yurt', 'Vacant Lot');
    form.set('map.price', '#1');
    expect(readTypeChoices(form)).toEqual({ 'other yurt': 'Vacant Lot' });
  });
});
