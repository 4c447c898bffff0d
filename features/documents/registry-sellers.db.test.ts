import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { explained } from '#tests/support/database/explained.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { insertDocument } from './insert-document.ts';
import { documentList } from './reads.ts';

await describeOnEachDatabase('the list of documents, searched by the name of a seller', (open) => {
  let db: Database;
  let admin: UserActor;
  let seller: string;
  let other: string;
  let propertyId: string;
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
  });
  beforeEach(async () => {
    await db.q().deleteFrom('document_registry').execute();
    seller = await sellerNamed('Odalys Fenwick');
    other = await sellerNamed('Bram Thistlewood');
    propertyId = await createListing(db, seller, { address: '12 Quarry Rise' });
  });
  afterAll(() => db.close());

  const ctx = (on = db) => testContext(on, { actor: admin });
  async function sellerNamed(name: string) {
    const { agentId } = await createUser(db, 'agent');
    if (!agentId) throw new Error('No seller');
    await rename(agentId, name);
    return agentId;
  }
  const rename = (id: string, name: string) =>
    db.q().updateTable('agents').set({ name }).where('id', '=', id).execute();
  const register = (name: string, of: string | null = propertyId, agentId: string | null = null) =>
    insertDocument(ctx(), {
      propertyId: of,
      agentId,
      type: 'Deed',
      uploadedBy: admin.id,
      document: {
        key: `documents/${randomUUID()}.pdf`,
        name,
        contentType: 'application/pdf',
        bytes: 1,
        sha256: randomUUID().replaceAll('-', '').repeat(2),
        scan: 'clean',
      },
    });
  const found = async (q: string) => (await documentList(ctx(), { q })).rows.map(({ name }) => name).sort();

  it('finds those of the property’s seller and those of a seller, also with other words', async () => {
    await register('Plat.pdf');
    await register('License.pdf', null, other);
    await register('Proof.pdf', propertyId, other);
    expect(await found('FENWICK odalys')).toEqual(['Plat.pdf']);
    expect(await found('thistlewood')).toEqual(['License.pdf', 'Proof.pdf']);
    expect(await found('thistlewood quarry')).toEqual(['Proof.pdf']);
  });

  it('follows another name, and another seller of the property', async () => {
    await register('Plat.pdf');
    await register('License.pdf', null, seller);
    await rename(seller, 'Odalys Marchbank');
    expect(await found('fenwick')).toEqual([]);
    expect(await found('marchbank')).toEqual(['License.pdf', 'Plat.pdf']);
    await db.q().updateTable('properties').set({ agent_id: other }).where('id', '=', propertyId).execute();
    expect(await found('marchbank')).toEqual(['License.pdf']);
    expect(await found('thistlewood')).toEqual(['Plat.pdf']);
  });

  it('reads an index, however many documents there are', async () => {
    await register('Plat.pdf');
    // Many, and what triggers do for each takes long: they are to be found by their own words.
    await sql`alter table document_registry disable trigger user`.execute(db.q());
    await sql`insert into document_registry (document_name, document_type, version, file_key, content_type, byte_size, sha256,
        search_text)
      select 'Report ' || n || '.pdf', 'Other', 1, 'documents/many-' || n, 'application/pdf', 1, repeat('b', 64),
        'report ' || n || ' pdf other'
      from generate_series(1, 20000) n`.execute(db.q());
    await sql`alter table document_registry enable trigger user`.execute(db.q());
    await sql`analyze document_registry`.execute(db.q());
    const { result, plans } = await explained(db, 'd.search_text', (explaining) =>
      documentList(ctx(explaining), { q: 'fenwick' }),
    );
    expect(result.rows.map(({ name }) => name)).toEqual(['Plat.pdf']);
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan).toContain('document_registry_words');
      expect(plan).not.toMatch(/"Seq Scan"[^{}]*"Relation Name":\s*"document_registry"/);
    }
  });
});
