import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { invalidate } from '#platform/cache.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { importFile, importScene } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { importDetails, refusedRows } from './reads.ts';

await describeOnDatabase('refusals of an import in the browser', (open) => {
  let db: Database;
  let scene: ReturnType<typeof importScene>;
  beforeAll(async () => {
    db = await open();
    scene = importScene(db);
    await db
      .q()
      .updateTable('property_types')
      .set({ is_active: false })
      .where('name', '=', 'Commercial')
      .execute();
    invalidate(db);
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  const file = `price,address,property_type,city,state,zip,mls_name,mls_number
500000,12 Elm St,House,Lebanon,NH,03766,NEREN,1
500000,12 Elm Street,House,Lebanon,NH,03766,OTHER,2
500000,14 Elm St,Commercial,Lebanon,NH,03766,NEREN,3
`;
  /** Why rows are refused, on the page and in the file of refused rows. */
  async function reasons(actor: UserActor, agentId: string | null) {
    const importId = await importFile(scene, actor, file, { agentId });
    const { refusals } = await importDetails(scene.as(actor), { importId });
    const rows = [];
    for await (const batch of (await refusedRows(scene.as(actor), { importId })).rows) rows.push(...batch);
    expect(rows.map(({ reason }) => reason).sort()).toEqual(refusals.map(({ reason }) => reason).sort());
    expect(JSON.stringify([refusals, rows])).not.toContain('--');
    return refusals.map(({ reason }) => reason);
  }

  const SAME_HOME =
    'The same home is listed from another source. Choose “Fill what is blank in the listing” or “Add another listing of the same home” to import it.';

  it('name what a seller can do', async () => {
    const seller = await createUser(db, 'agent');
    expect(await reasons(seller, null)).toEqual([
      SAME_HOME,
      'The property type Commercial is off. Ask an administrator to switch it on. Allowed: Vacant Lot, Single Family, Multi-Family.',
    ]);
  });

  it('name the controls of an administrator', async () => {
    const [admin, seller] = [await createUser(db, 'admin'), await createUser(db, 'agent')];
    expect(await reasons(admin, seller.agentId)).toEqual([
      SAME_HOME,
      'The property type Commercial is off. Choose “Activate property types that the file needs” to switch it on. Allowed: Vacant Lot, Single Family, Multi-Family.',
    ]);
  });
});
