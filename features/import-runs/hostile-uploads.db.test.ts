import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mulberry32 } from '#illustrator/random.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { importScene, listingsCsv, uploadFile, worker } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { hostileFile } from '#tests/support/imports/hostile-files.ts';
import { checkImport } from './commands/check-import.ts';
import { startImport } from './commands/start-import.ts';
import { workImport } from './commands/work-import.ts';
import { importDetails } from './reads.ts';

// `UPLOADS=10000 npm test -- unit features/import-runs/hostile-uploads.db.test.ts` is the full run.
const UPLOADS = Number(process.env.UPLOADS ?? 60);

await describeOnDatabase('hostile uploads', (open) => {
  let db: Database;
  let seller: UserActor;
  let scene: ReturnType<typeof importScene>;
  beforeAll(async () => {
    db = await open();
    scene = importScene(db);
    seller = await createUser(db, 'agent');
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  const details = (importId: string) => importDetails(scene.as(seller), { importId });
  /** Uploads, checks and imports a file as far as it lets itself; returns the import, or null when the file is refused in words. */
  async function imported(content: string | Buffer) {
    const uploaded = await uploadFile(scene.as(seller), 'homes', content);
    if (!uploaded.ok) {
      expect(uploaded.text).toMatch(/[.?]$/);
      return null;
    }
    const { importId } = uploaded;
    const shown = await details(importId);
    const checked = await checkImport(scene.as(seller), {
      importId,
      agentId: null,
      firstStatus: 'pending',
      activateTypes: false,
      sameHome: 'merge',
      choices: Object.fromEntries(shown.columns.map(({ field, choice }) => [field, choice || null])),
      types: {},
    });
    if (!checked.ok) return shown;
    await workImport(scene.as(worker), { importId });
    if ((await details(importId)).status === 'checked') {
      await startImport(scene.as(seller), { importId });
      await workImport(scene.as(worker), { importId });
    }
    return details(importId);
  }

  it.each([
    ['a NUL in a cell', listingsCsv([{ bedrooms: '3\0' }, {}]), 1],
    [
      'an address that is cut in the middle of a character',
      listingsCsv([{ source_id: ' ', address: '\u{10400}'.repeat(99) }]),
      0,
    ],
    ['a NUL in a cell that is not read', listingsCsv([{ bedrooms: '3\0' }]).replace('bedrooms', 'what'), 0],
    [
      'a NUL in the name of a column, below a title',
      `Our homes\n${listingsCsv([{}]).replace('bedrooms', 'what\0')}`,
      0,
    ],
    [
      'a NUL in a text of JSON',
      '[{"price":1,"address":"12 Elm St","property_type":"House","city":"\\u0000"}]',
      1,
    ],
    [
      'half a character in a text of JSON',
      '[{"price":1,"address":"14 Elm St","property_type":"House","city":"\\ud800"}]',
      0,
    ],
    [
      'names of JSON that cannot be stored',
      '[{"price":1,"address":"16 Elm St","property_type":"House","\\u0000":1,"a\\ud800":{"b\\udfff":2}}]',
      0,
    ],
    [
      'a name of JSON that is read, and cannot be stored',
      '[{"price\\u0000":1,"address":"18 Elm St","property_type":"House"}]',
      0,
    ],
  ])('%s', async (_, content, refused) => {
    const shown = await imported(content);
    expect(shown).toMatchObject({ status: 'done', counts: { refused } });
  });

  it(`${UPLOADS} damaged files are imported, or refused in words`, {
    timeout: 60_000 + UPLOADS * 200,
  }, async () => {
    let done = 0;
    for (let seed = 1; seed <= UPLOADS; seed++) {
      const shown = await imported(hostileFile(mulberry32(seed))).catch((error: unknown) => {
        throw new Error(`seed ${seed} failed: ${error instanceof Error ? error.stack : error}`);
      });
      if (shown?.status === 'done') done++;
    }
    expect(done).toBeGreaterThan(UPLOADS / 20);
  });
});
