import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { crashingDatabase, createCrashInjector } from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { importScene, listingsCsv, uploadFile, worker } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { checkImport, type ImportChoices } from './commands/check-import.ts';
import { startImport } from './commands/start-import.ts';
import { workImport } from './commands/work-import.ts';
import { importDetails } from './reads.ts';

await describeOnDatabase('an import whose process dies', (open) => {
  let db: Database;
  let seller: UserActor;
  let clock: ReturnType<typeof testClock>;
  let scene: ReturnType<typeof importScene>;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    clock = testClock();
    scene = importScene(db, clock.now);
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  const details = (importId: string) => importDetails(scene.as(seller), { importId });
  const work = (importId: string) => workImport(scene.as(worker), { importId });

  /** Uploads, checks and starts a file. */
  async function started(content: string, sameHome: ImportChoices['sameHome']): Promise<string> {
    const uploaded = await uploadFile(scene.as(seller), 'homes.csv', content);
    if (!uploaded.ok) throw new Error(uploaded.text);
    const { importId } = uploaded;
    const { columns } = await details(importId);
    const choices = Object.fromEntries(columns.map(({ field, choice }) => [field, choice || null]));
    const all = { importId, agentId: null, firstStatus: 'pending', activateTypes: false, types: {} } as const;
    await checkImport(scene.as(seller), { ...all, sameHome, choices });
    await work(importId);
    expect(await startImport(scene.as(seller), { importId })).toEqual({ ok: true });
    return importId;
  }

  /** Works on it in a process that dies before it sends a statement that fits; returns what is left. */
  async function diesBefore(importId: string, fits: (statement: string) => boolean) {
    const injector = createCrashInjector(null);
    let died = false;
    const dying = crashingDatabase(db, {
      ...injector,
      crashed: () => died,
      step(what) {
        died ||= fits(what);
        if (died) throw new Error(`Died ${what}`);
      },
    });
    await workImport({ ...scene.as(worker), db: dying }, { importId }).catch(() => undefined);
    const left = await details(importId);
    expect(left.status).toBe('running');
    clock.advance(2 * MINUTE);
    return left;
  }

  it('loses no refused row before a home that is merged into another one of the file', async () => {
    const home = { source_id: '', address: '77 Lake Road', mls_name: 'Lakes MLS', mls_number: '1' };
    const unreadable = { source_id: '', price: 'call us', mls_name: '', mls_number: '' };
    const rows = [unreadable, home, unreadable, { ...home, mls_name: 'Hills MLS' }, unreadable];
    const content = listingsCsv(rows).replace('photo_urls', 'photo_urls,mls_name,mls_number');
    const importId = await started(content, 'merge');
    // The home into which the other one is merged is written before it, in a transaction of its own. Each begins with a lock, as does the
    // one that takes the import.
    let locks = 0;
    const left = await diesBefore(importId, (what) => {
      if (what.startsWith('before select pg_advisory_xact_lock')) locks += 1;
      return locks === 3;
    });
    expect(left).toMatchObject({ rowsDone: 2, counts: { added: 1, refused: 1 } });
    await work(importId);
    expect(await details(importId)).toMatchObject({
      status: 'done',
      rowsDone: 5,
      counts: { added: 1, changed: 0, unchanged: 1, refused: 3 },
      refusals: [{ column: 'price', count: 3, line: 2 }],
    });
  });

  it('has the search refreshed although nothing was left to import when it was taken up', async () => {
    const importId = await started(listingsCsv([{}, {}]), 'ask');
    await sql`delete from pgboss.job where name = 'search.refresh'`.execute(db.q());
    const refreshes = async () =>
      (await sql`select from pgboss.job where name = 'search.refresh'`.execute(db.q())).rows.length;
    const left = await diesBefore(importId, (what) => what.includes('"problem" ='));
    expect([left.rowsDone, await refreshes()]).toEqual([2, 0]);
    await work(importId);
    expect(await details(importId)).toMatchObject({ status: 'done', counts: { added: 2 } });
    expect(await refreshes()).toBe(1);
  });
});
