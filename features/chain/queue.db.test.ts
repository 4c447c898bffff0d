import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertDocument } from '#features/documents/insert-document.ts';
import { noChain } from '#gateways/chain/off.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Forbidden } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { beginSale } from '#tests/support/fixtures/property-records.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { workChain } from './commands/work-chain.ts';
import { queueAnchor } from './queue-anchor.ts';
import { queueMint } from './queue-mint.ts';

const wallet = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

await describeOnDatabase('what is queued for the chain', (open) => {
  let db: Database;
  let admin: UserActor;
  let propertyId: string;
  let ctx: Ctx;
  let without: Ctx;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    admin = await createUser(db, 'admin');
    propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
    without = testContext(db, { actor: admin });
    ctx = { ...without, config: { ...testConfig, chain: localChain } };
  });

  async function newDocument(name = 'deed.pdf'): Promise<string> {
    const sha256 = createHash('sha256').update(name).digest('hex');
    const { id } = await insertDocument(without, {
      propertyId,
      type: 'Deed',
      uploadedBy: admin.id,
      document: {
        key: `documents/${name}`,
        name,
        contentType: 'application/pdf',
        bytes: 1,
        sha256,
        scan: 'clean',
      },
    });
    return id;
  }
  const change = (id: string, columns: { status?: 'revoked'; property_id?: null }) =>
    db.q().updateTable('document_registry').set(columns).where('id', '=', id).execute();
  const documentOf = (id: string) =>
    db
      .q()
      .selectFrom('document_registry')
      .select(['network', 'status', 'failure_reason', 'base_tx_hash', 'anchor_hash'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const anchorsOf = (id: string) =>
    db
      .q()
      .selectFrom('document_anchors')
      .select(['network', 'anchor_hash', 'transaction_id'])
      .where('document_id', '=', id)
      .orderBy('requested_at')
      .execute();
  const audited = async (entityId: string) =>
    (await db.q().selectFrom('audit_log').select('action').where('entity_id', '=', entityId).execute()).map(
      ({ action }) => action,
    );

  it('is a document’s hash, once for each network', async () => {
    const id = await newDocument();
    await queueAnchor(ctx, id);
    await queueAnchor(ctx, id);
    const { anchor_hash, ...row } = await documentOf(id);
    expect(row).toEqual({ network: 'local', status: 'pending', failure_reason: null, base_tx_hash: null });
    expect(await anchorsOf(id)).toEqual([{ network: 'local', anchor_hash, transaction_id: null }]);
    await queueAnchor({ ...ctx, config: { ...testConfig, chain: { ...localChain, chainId: 84_532 } } }, id);
    expect((await anchorsOf(id)).map(({ network }) => network)).toEqual(['local', 'base-sepolia']);
    expect((await audited(propertyId)).filter((action) => action === 'document.queue-anchor')).toHaveLength(
      2,
    );
  });

  it('waits where there is no chain, and says so', async () => {
    const id = await newDocument();
    await queueAnchor(without, id);
    await queueAnchor(without, id);
    await queueAnchor(ctx, id);
    expect(await documentOf(id)).toMatchObject({
      network: null,
      status: 'pending',
      failure_reason: 'Chain not configured',
    });
    expect(await anchorsOf(id)).toHaveLength(1);
  });

  it('stays with the network on which it was asked for before, also where there is none now', async () => {
    const id = await newDocument();
    await queueAnchor(ctx, id);
    await queueAnchor(without, id);
    expect((await anchorsOf(id)).map(({ network }) => network)).toEqual(['local']);
    expect(await documentOf(id)).toMatchObject({ network: 'local', failure_reason: null });
  });

  it('is written by jobs alone, not by an administrator either', async () => {
    await expect(workChain({ ...ctx, chain: noChain() })).rejects.toThrow(Forbidden);
  });

  it('goes with the transaction that asks for it', async () => {
    const id = await newDocument();
    const undone = ctx.db.tx(async () => {
      await queueAnchor(ctx, id);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await anchorsOf(id)).toEqual([]);
  });

  it('is no test document, nothing unknown, and nothing without a hash', async () => {
    const id = await newDocument();
    await expect(queueAnchor(ctx, '00000000-0000-4000-8000-000000000000')).rejects.toThrow(
      'Document not found',
    );
    await db.q().updateTable('document_registry').set({ is_test: true }).where('id', '=', id).execute();
    await expect(queueAnchor(ctx, id)).rejects.toThrow('A test document is not registered on the chain');
    await expect(queueMint(ctx, { documentId: id, kind: 'property', recipient: wallet })).rejects.toThrow(
      'No token is made for a test document',
    );
    await db
      .q()
      .updateTable('document_registry')
      .set({ is_test: false, sha256: 'x', salt: null })
      .where('id', '=', id)
      .execute();
    await expect(queueAnchor(ctx, id)).rejects.toThrow('The document has no SHA-256');
    const revoked = await newDocument('revoked.pdf');
    await change(revoked, { status: 'revoked' });
    await expect(queueAnchor(ctx, revoked)).rejects.toThrow(
      'A revoked document is not registered on the chain',
    );
    expect(await anchorsOf(revoked)).toEqual([]);
  });

  it('is no token for a document that belongs to no property', async () => {
    const documentId = await newDocument('of-a-seller.pdf');
    await change(documentId, { property_id: null });
    const mint = queueMint(ctx, { documentId, kind: 'property', recipient: wallet });
    await expect(mint).rejects.toThrow('The document belongs to no property');
  });

  it('is no token for the document of one property and the sale of another', async () => {
    const seller = await createUser(db, 'agent');
    const saleId = randomUUID();
    await beginSale(db, await createListing(db, seller.agentId), seller, { id: saleId });
    const documentId = await newDocument();
    await expect(
      queueMint(ctx, { documentId, kind: 'completion', recipient: wallet, saleId }),
    ).rejects.toThrow('The document belongs to another property than the sale');
  });

  it('is one token for each document and kind', async () => {
    const documentId = await newDocument();
    const first = await queueMint(ctx, { documentId, kind: 'property', recipient: wallet.toLowerCase() });
    const again = await queueMint(ctx, { documentId, kind: 'property', recipient: wallet });
    const other = await queueMint(ctx, { documentId, kind: 'completion', recipient: null });
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    const rows = await db
      .q()
      .selectFrom('completion_nfts')
      .selectAll()
      .where('document_id', '=', documentId)
      .orderBy('kind', 'desc')
      .execute();
    expect(rows).toMatchObject([
      {
        recipient_address: wallet,
        custody: false,
        network: 'local',
        status: 'pending',
        token_id: 0,
        base_tx_hash: '',
        property_id: propertyId,
        property_sale_id: null,
        metadata: { name: 'Property NFT', description: 'NFT representing property document ownership' },
      },
      { recipient_address: '', custody: true, kind: 'completion' },
    ]);
    const waiting = await db
      .q()
      .selectFrom('chain_transactions')
      .select(['kind', 'state', 'network'])
      .where('nft_id', 'in', [first.nftId, other.nftId])
      .execute();
    expect(waiting).toEqual(Array(2).fill({ kind: 'mint', state: 'queued', network: 'local' }));
    expect((await audited(propertyId)).filter((action) => action === 'token.queue')).toHaveLength(2);
  });

  it.each([
    ['0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'Please enter a valid wallet address'],
    ['0x0000000000000000000000000000000000000000', 'Please enter a valid wallet address'],
    ['0x1', 'Please enter a valid wallet address'],
    ['vitalik.eth', 'Please enter a valid wallet address'],
    ['', 'Please enter a valid wallet address'],
  ])('is no token for %j', async (recipient, message) => {
    const documentId = await newDocument();
    await expect(queueMint(ctx, { documentId, kind: 'property', recipient })).rejects.toThrow(message);
  });

  it('has a name and a description of a bounded length', async () => {
    const documentId = await newDocument();
    const mint = (choices: object) =>
      queueMint(ctx, { documentId, kind: 'property', recipient: wallet, ...choices });
    await expect(mint({ name: 'n'.repeat(81) })).rejects.toThrow('1 to 80 characters');
    await expect(mint({ name: ' ' })).rejects.toThrow('1 to 80 characters');
    await expect(mint({ description: 'd'.repeat(1001) })).rejects.toThrow('at most 1000 characters');
    await mint({ name: 'n'.repeat(80), description: 'd'.repeat(1000) });
  });
});
