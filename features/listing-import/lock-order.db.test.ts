import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { queueAnchor } from '#features/chain/queue-anchor.ts';
import { queueMint } from '#features/chain/queue-mint.ts';
import { type ChainTransaction, holdPurposes, showState } from '#features/chain/transaction.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import { documentList, tokenList } from '#features/documents/reads.ts';
import { holdListings } from '#features/listings/hold-listings.ts';
import { createNft } from '#features/nfts/commands/create-nft.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { type ListingsFileRow, writeListingsFile } from '#tests/support/fixtures/listings-file.ts';
import { runListingsImport } from '#tests/support/fixtures/listings-import.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

// The embedded database has one connection, so that nothing there waits for another transaction.
await describeOnDatabase('an import and those who work on its listings', (open, kind) => {
  let db: Database;
  let seller: UserActor;
  let admin: UserActor;
  const folder = mkdtempSync(join(tmpdir(), 'acre-locks-'));
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    admin = await createUser(db, 'admin');
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const importRows = async (rows: readonly ListingsFileRow[], on = db) => {
    const path = writeListingsFile(join(folder, 'houses.csv'), rows);
    const { result, refusals } = await runListingsImport(on, path, { sellerEmail: seller.email });
    if (!result.ok) throw new Error(result.reason);
    return { refusals, ...result.report };
  };
  const listings = () =>
    db
      .q()
      .selectFrom('properties')
      .select(['id', 'source_id', 'address'])
      .where('agent_id', '=', seller.agentId)
      .orderBy('id')
      .execute();
  const as = (actor: UserActor, on = db) => testContext(on, { actor });
  const jobs = (on = db) => testContext(on, { actor: { kind: 'system', name: 'jobs' } });
  async function documentOf(propertyId: string): Promise<string> {
    const { id } = await insertDocument(as(admin), {
      propertyId,
      type: 'Deed',
      uploadedBy: admin.id,
      document: {
        key: `documents/${propertyId}`,
        name: `deed ${propertyId}.pdf`,
        contentType: 'application/pdf',
        bytes: 1,
        sha256: propertyId.replaceAll('-', '').padEnd(64, '0'),
        scan: 'clean',
      },
    });
    return id;
  }
  async function tokenOf(propertyId: string) {
    const documentId = await documentOf(propertyId);
    const minted = await queueMint(as(admin), { documentId, kind: 'property', recipient: WALLET });
    return { documentId, ...minted };
  }
  const transactionOf = (nftId: string) =>
    db.q().selectFrom('chain_transactions').selectAll().where('nft_id', '=', nftId).executeTakeFirstOrThrow();
  const onServer = it.skipIf(kind === 'embedded');

  onServer('a token is asked for while an import changes the address of its property', async () => {
    await importRows([{ address: '1 Elm St' }]);
    const [listing] = await listings();
    const propertyId = listing?.id ?? '';
    const documentId = await documentOf(propertyId);
    // The document is held, and the token is next, which refers to the property.
    const nft = holdStatement(db, /insert into "completion_nfts"/);
    const created = createNft(as(admin, nft.db), { propertyId, documentId, recipient: WALLET });
    await nft.reached;
    // Where the import comes so far, it holds the property, and its documents are next.
    const update = holdStatement(db, /update properties p set/);
    const imported = importRows([{ address: '2 Oak St' }], update.db);
    await Promise.race([update.reached, untilItWaits(db, imported)]);
    nft.letGo();
    await untilItWaits(db, created);
    update.letGo();
    expect(await imported).toMatchObject({ updated: 1, refused: 0 });
    expect(await created).toMatchObject({ ok: true, created: true });
    expect(await documentList(as(admin), { q: `oak ${propertyId}` })).toMatchObject({
      rows: [{ id: documentId }],
    });
    expect(await tokenList(as(admin), { kind: 'property', q: '2 oak' })).toMatchObject({
      rows: [{ property: { id: propertyId } }],
    });
  });

  onServer('the chain writes to a token and a document while an import changes their address', async () => {
    await importRows([{ address: '3 Elm St' }]);
    const [listing] = await listings();
    const { documentId, nftId } = await tokenOf(listing?.id ?? '');
    await queueAnchor(jobs(), documentId);
    await sql`update document_anchors set network = 'local' where document_id = ${documentId}`.execute(
      db.q(),
    );
    await sql`update document_registry set network = 'local' where id = ${documentId}`.execute(db.q());
    const { rows: anchors } = await sql<{ id: string }>`
      with made as (insert into chain_transactions (kind, network) values ('anchor', 'local') returning id)
      update document_anchors set transaction_id = made.id, proof = '{}' from made
      where document_id = ${documentId} returning made.id`.execute(db.q());
    const shown = { status: 'failed', reason: 'Reverted' } as const;
    // As when several transactions are signed together: the token, and then the document.
    const work = holdStatement(db, /update document_registry d/);
    const worked = work.db.tx(async () => {
      await showState(jobs(work.db), [await transactionOf(nftId)], shown);
      const anchor = { id: anchors[0]?.id ?? '', kind: 'anchor', network: 'local', nft_id: null } as const;
      await showState(jobs(work.db), [anchor], shown);
    });
    await work.reached;
    const imported = importRows([{ address: '4 Oak St' }]);
    await untilItWaits(db, imported);
    work.letGo();
    await worked;
    expect(await imported).toMatchObject({ updated: 1, refused: 0 });
    const states = await sql`
      select d.status as document, n.status as token from document_registry d
        join completion_nfts n on n.document_id = d.id where d.id = ${documentId}`.execute(db.q());
    expect(states.rows).toEqual([{ document: 'failed', token: 'failed' }]);
  });

  onServer(
    'the chain writes to tokens of several properties while an import changes their addresses',
    async () => {
      await importRows([{ address: '5 Elm St' }, { address: '6 Elm St' }]);
      const rows: ChainTransaction[] = [];
      for (const { id } of await listings()) rows.unshift(await transactionOf((await tokenOf(id)).nftId));
      const work = holdStatement(db, /'the second'/);
      const worked = work.db.tx(async () => {
        await holdPurposes(work, rows);
        for (const [index, row] of rows.entries()) {
          if (index > 0) await sql`select 'the second'`.execute(work.db.q());
          await showState(jobs(work.db), [row], { status: 'failed', reason: 'Reverted' });
        }
      });
      await work.reached;
      const imported = importRows([{ address: '7 Oak St' }, { address: '8 Oak St' }]);
      await untilItWaits(db, imported);
      work.letGo();
      await worked;
      expect(await imported).toMatchObject({ updated: 2, refused: 0 });
    },
  );

  onServer('an import takes listings in the order of ids, as others do who take several', async () => {
    await importRows([{ address: '9 Elm St' }, { address: '10 Elm St' }]);
    const [low, high] = await listings();
    const [first, second] = [low?.id ?? '', high?.id ?? ''];
    // It is known by its own id, which is looked up after the ids of sources.
    await db.q().updateTable('properties').set({ source_id: null }).where('id', '=', first).execute();
    const lookUp = holdStatement(db, /"p"\."id" = "asked"\."id".*for update/s);
    const imported = importRows(
      [
        { source_id: high?.source_id ?? '', address: high?.address ?? '', price: '1000' },
        { source_id: first, address: low?.address ?? '', price: '2000' },
      ],
      lookUp.db,
    );
    await lookUp.reached;
    const other = db.tx(() => holdListings(jobs(), [second, first]));
    await untilItWaits(db, other);
    lookUp.letGo();
    await other;
    expect(await imported).toMatchObject({ updated: 2, refused: 0 });
  });
});
