import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FileStore } from '#gateways/files/port.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { databaseWithInterceptor } from '#tests/support/database/query-interception.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { importFile, importScene, listingsCsv, uploadFile, worker } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { checkImport } from './commands/check-import.ts';
import { startImport } from './commands/start-import.ts';
import { stopImport } from './commands/stop-import.ts';
import { undoImport } from './commands/undo-import.ts';
import { workImport } from './commands/work-import.ts';
import { importDetails } from './reads.ts';
import { importMessages } from './rules.ts';

await describeOnDatabase('an import that was stopped', (open) => {
  let db: Database;
  let seller: UserActor;
  let scene: ReturnType<typeof importScene>;
  beforeAll(async () => {
    db = await open();
    scene = importScene(db);
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  const details = (importId: string) => importDetails(scene.as(seller), { importId });
  const work = (importId: string) => workImport(scene.as(worker), { importId });

  /** The file store as seen by a process that gets no file until it is let go. */
  function slowFiles() {
    const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    const files: FileStore = Object.create(scene.files, {
      get: {
        value: async (key: string) => {
          arrive();
          await gate;
          return scene.files.get(key);
        },
      },
    });
    return { files, reached, letGo };
  }

  it('while it was checked has the figures of the columns that were chosen afterwards', async () => {
    const uploaded = await uploadFile(scene.as(seller), 'homes.csv', listingsCsv([{}, {}]));
    if (!uploaded.ok) throw new Error(uploaded.text);
    const { importId } = uploaded;
    const { columns } = await details(importId);
    const choices = Object.fromEntries(columns.map(({ field, choice }) => [field, choice || null]));
    const check = (changes: Partial<typeof choices>) =>
      checkImport(scene.as(seller), {
        importId,
        agentId: null,
        firstStatus: 'pending',
        activateTypes: false,
        sameHome: 'ask',
        choices: { ...choices, ...changes },
        types: {},
      });
    expect(await check({})).toEqual({ ok: true });
    const slow = slowFiles();
    const first = workImport({ ...scene.as(worker), files: slow.files }, { importId });
    await slow.reached;
    expect(await stopImport(scene.as(seller), { importId })).toEqual({ ok: true });
    // No price can be read from the city.
    expect(await check({ price: choices.city ?? null, city: null })).toEqual({ ok: true });
    slow.letGo();
    await first;
    expect(await details(importId)).toMatchObject({ status: 'checking' });
    await work(importId);
    expect(await details(importId)).toMatchObject({ status: 'checked', check: { added: 0, refused: 2 } });
  });

  it('while it was undone is undone further, not continued', async () => {
    // More than one batch of an undo.
    const importId = await importFile(scene, seller, listingsCsv(Array.from({ length: 60 }, () => ({}))));
    expect(await undoImport(scene.as(seller), { importId })).toEqual({ ok: true });
    let batches = 0;
    const failing = databaseWithInterceptor(db, (run) => async (text, values) => {
      if (text.includes('update listing_import_rows r set undone')) batches += 1;
      if (batches > 1 && text.includes('update listing_import_rows r set undone'))
        throw new Error('disk full');
      return run(text, values);
    });
    await workImport({ ...scene.as(worker), db: failing }, { importId, isLastTry: true });
    expect(await details(importId)).toMatchObject({
      status: 'stopped',
      removed: 50,
      problem: importMessages.undoFailed,
    });
    expect(await startImport(scene.as(seller), { importId })).toEqual({
      ok: false,
      reason: 'state',
      text: importMessages.partlyUndone,
    });
    expect(await undoImport(scene.as(seller), { importId })).toEqual({ ok: true });
    await work(importId);
    expect(await details(importId)).toMatchObject({ status: 'undone', removed: 60, problem: null });
  });
});
