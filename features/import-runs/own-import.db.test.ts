import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createImport, worker } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { visibleImports } from './own-import.ts';

await describeOnDatabase('the import of a seller', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const seenBy = async (actor: Actor) =>
    (await visibleImports(testContext(db, { actor })).select('i.id').execute()).map(({ id }) => id);

  it('is seen by its seller, administrators and jobs alone', async () => {
    const seller = await createUser(db, 'agent');
    const id = await createImport(db, { status: 'running', agentId: seller.agentId, madeBy: seller.id });
    for (const actor of [seller, await createUser(db, 'admin'), worker])
      await expect(seenBy(actor)).resolves.toEqual([id]);
    const others = [
      await createUser(db, 'agent'),
      await createUser(db, 'buyer'),
      { ...seller, agentId: null },
      visitor,
    ];
    for (const actor of others) await expect(seenBy(actor)).resolves.toEqual([]);
  });
});
