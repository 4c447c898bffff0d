import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FileStore } from '#gateways/files/port.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { importScene, listingsCsv, uploadFile, worker } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { checkImport } from './commands/check-import.ts';
import { stopImport } from './commands/stop-import.ts';
import { workImport } from './commands/work-import.ts';
import { importDetails } from './reads.ts';

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
});
