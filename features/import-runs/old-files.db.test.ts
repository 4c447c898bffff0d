import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FileStore, FileStoreError } from '#gateways/files/port.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { importScene, listingsCsv, uploadFile, worker } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { discardImport } from './commands/discard-import.ts';
import { sweepImports } from './commands/sweep-imports.ts';

await describeOnDatabase('files of imports that the store does not delete', (open) => {
  let db: Database;
  let seller: UserActor;
  let scene: ReturnType<typeof importScene>;
  const clock = testClock();
  beforeAll(async () => {
    db = await open();
    scene = importScene(db, clock.now);
    seller = await createUser(db, 'agent');
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  async function upload(): Promise<string> {
    const result = await uploadFile(scene.as(seller), 'homes.csv', listingsCsv([{}]));
    if (!result.ok) throw new Error(result.text);
    clock.advance(1);
    return result.importId;
  }
  /** The file store, which does not delete what belongs to an import. */
  const keeping = (importId: string): FileStore => ({
    ...scene.files,
    delete: (key) =>
      key.includes(importId)
        ? Promise.reject(new FileStoreError('refused', 'It may not be deleted'))
        : scene.files.delete(key),
  });
  const stored = async () => (await scene.files.list('imports/')).keys;
  // The touch of a row is the database's own clock.
  const later = () => ({ ...scene.as(worker), now: () => new Date(Date.now() + 31 * DAY) });

  it('keep no other one from being swept', async () => {
    const [stuck, other] = [await upload(), await upload()];
    await expect(sweepImports({ ...later(), files: keeping(stuck) })).rejects.toThrow('1 old import could');
    const left = await db.q().selectFrom('listing_imports').select('id').execute();
    expect(left).toEqual([{ id: stuck }]);
    expect((await stored()).filter((key) => key.includes(other))).toEqual([]);
    expect(await sweepImports(later())).toBe(1);
    expect(await stored()).toEqual([]);
  });

  it('are swept also when the import was discarded meanwhile', async () => {
    const [discarded, kept] = [await upload(), await upload()];
    const ctx = { ...scene.as(seller), files: keeping(discarded) };
    expect(await discardImport(ctx, { importId: discarded })).toEqual({ ok: true });
    expect(await stored()).toHaveLength(2);
    expect(await sweepImports(scene.as(worker))).toBe(1);
    expect(await stored()).toEqual([expect.stringContaining(kept)]);
  });
});
