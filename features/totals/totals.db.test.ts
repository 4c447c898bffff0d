import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertDocument } from '#features/documents/insert-document.ts';
import { documentTotals } from '#features/documents/reads.ts';
import { countText } from '#platform/counts.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { storedDeed } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { countTotals } from './commands/count-totals.ts';

await describeOnDatabase('what cards count of large tables', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  /** The same document under further names. */
  const copy = (times: number) =>
    sql`insert into document_registry
        (property_id, document_name, document_type, file_key, content_type, byte_size, sha256, salt, scan, created_at)
      select property_id, 'Copy ' || gen_random_uuid(), document_type, file_key, content_type, byte_size, sha256, salt, scan, created_at
      from (select * from document_registry limit 1) d, generate_series(1, ${times})`.execute(db.q());

  it('is exact up to 10,000 at once, and beyond it once a job has counted', async () => {
    const ctx = testContext(db, { actor: await createUser(db, 'admin') });
    const system = testContext(db, { actor: { kind: 'system', name: 'jobs' } });
    const shown = async () => countText((await documentTotals(ctx)).documents);
    const propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
    const { document } = storedDeed();
    await insertDocument(system, { propertyId, type: 'Deed', uploadedBy: null, document });
    expect(await shown()).toBe('1');
    await copy(9_999);
    await countTotals(system);
    expect(await shown()).toBe('10,000');
    await copy(1);
    expect(await shown()).toBe('10,000+');
    await countTotals(system);
    expect(await shown()).toBe('10,001');
    await copy(5);
    expect(await shown()).toBe('10,001');
    await countTotals(system);
    expect(await shown()).toBe('10,006');

    await sql`delete from document_registry where id in (select id from document_registry limit 100)`.execute(
      db.q(),
    );
    expect(await shown()).toBe('9,906');
    await countTotals(system);
    await copy(200);
    expect(await shown()).toBe('10,000+');
  });
});
