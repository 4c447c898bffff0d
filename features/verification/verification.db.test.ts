import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { rootOf } from '#features/chain/merkle.ts';
import { queueAnchor } from '#features/chain/queue-anchor.ts';
import { insertDocument, type NewDocument } from '#features/documents/insert-document.ts';
import { noChain } from '#gateways/chain/off.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { UserActor } from '#platform/context.ts';
import { visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { verifyDocument } from './reads.ts';

const hashOf = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

await describeOnDatabase('the check of documents', (open) => {
  let db: Database;
  let admin: UserActor;
  let ctx: CtxWith<'chain'>;
  let propertyId: string;
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
    propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
  });
  beforeEach(() => {
    ctx = { ...testContext(db, { actor: visitor }), chain: noChain() };
  });
  afterAll(() => db.close());

  const byFile = (sha256: string) => verifyDocument(ctx, { by: 'file', sha256 });
  const byNumber = (number: string) => verifyDocument(ctx, { by: 'number', number });

  async function register(change: Partial<NewDocument> = {}, scan: 'clean' | 'held' = 'clean') {
    const bytes = randomUUID();
    const sha256 = hashOf(bytes);
    const { id } = await insertDocument(testContext(db, { actor: admin }), {
      propertyId,
      type: 'Receipt',
      uploadedBy: admin.id,
      ...change,
      document: {
        key: `documents/${bytes}`,
        name: 'Confidential.pdf',
        contentType: 'application/pdf',
        bytes: 36,
        sha256,
        scan,
      },
    });
    return { id, sha256 };
  }

  /** What a worker writes once a transaction is in a block. */
  async function anchor(documentId: string, state: 'signed' | 'mined' | 'final', proof: string[] = []) {
    await queueAnchor(testContext(db, { actor: admin }), documentId);
    const { id } = await db
      .q()
      .insertInto('chain_transactions')
      .values({
        kind: 'anchor',
        network: 'base-sepolia',
        state,
        sender: '0x01',
        contract: '0x02',
        nonce: Math.floor(Math.random() * 1e9),
        hash: `0x${hashOf(documentId)}`,
        ...(state !== 'signed' && { block_number: 812, block_time: new Date('2026-03-01T10:00:00Z') }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .q()
      .updateTable('document_anchors')
      .set({ network: 'base-sepolia', transaction_id: id, proof })
      .where('document_id', '=', documentId)
      .execute();
  }

  it('knows nothing of files and numbers that were not registered', async () => {
    expect((await byFile('0'.repeat(64))).documents).toEqual([]);
    expect((await byNumber('ATP-999999')).documents).toEqual([]);
  });

  it('tells whoever has the file all that is needed to compute the anchored hash', async () => {
    const { sha256, id } = await register({ number: 'ATP-000101' });
    const { documents } = await byFile(sha256);
    expect(documents).toHaveLength(1);
    const [found] = documents;
    expect(found).toMatchObject({ salted: true, revoked: false, anchors: [], tokens: [] });
    expect(hashOf(Buffer.from(`${found?.salt}${sha256}`, 'hex'))).toBe(found?.anchorHash);
    const row = await db
      .q()
      .selectFrom('document_registry')
      .select('created_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(found?.registeredAt).toBe(row.created_at.toISOString());
  });

  it('gives neither the salt nor the file’s hash to whoever has the number alone, and no one what the document says', async () => {
    const { sha256, id } = await register({ number: 'ATP-000102' });
    const answer = await byNumber('ATP-000102');
    expect(answer.documents).toHaveLength(1);
    expect(answer.documents[0]).toMatchObject({ salted: true, salt: null });
    const said = JSON.stringify([answer, await byFile(sha256)]);
    for (const secret of ['Confidential', propertyId, id, admin.id]) expect(said).not.toContain(secret);
    expect(JSON.stringify(answer)).not.toContain(sha256);
  });

  it('has no salt for public documents: what is anchored is the hash of the file', async () => {
    const { sha256 } = await register({ visibility: 'public' });
    expect((await byFile(sha256)).documents[0]).toMatchObject({
      salted: false,
      salt: null,
      anchorHash: sha256,
    });
  });

  it('does not know test documents, nor those that wait for the virus scanner', async () => {
    const held = await register({ number: 'ATP-000103' }, 'held');
    expect((await byFile(held.sha256)).documents).toEqual([]);
    expect((await byNumber('ATP-000103')).documents).toEqual([]);
    const test = await register({ number: 'ATP-000104' });
    await db.q().updateTable('document_registry').set({ is_test: true }).where('id', '=', test.id).execute();
    expect((await byFile(test.sha256)).documents).toEqual([]);
    expect((await byNumber('ATP-000104')).documents).toEqual([]);
  });

  it('says how far the anchor is, and names a transaction once it is in a block', async () => {
    const waiting = await register();
    await queueAnchor(testContext(db, { actor: admin }), waiting.id);
    expect((await byFile(waiting.sha256)).documents[0]?.anchors).toMatchObject([
      { state: 'waiting', network: null, transaction: null, at: null },
    ]);
    const sent = await register();
    await anchor(sent.id, 'signed');
    expect((await byFile(sent.sha256)).documents[0]?.anchors).toMatchObject([
      { state: 'sent', network: 'Base Sepolia', transaction: null, transactionLink: null, at: null },
    ]);
    const final = await register();
    await anchor(final.id, 'final');
    const hash = `0x${hashOf(final.id)}`;
    expect((await byFile(final.sha256)).documents[0]?.anchors).toEqual([
      {
        state: 'final',
        network: 'Base Sepolia',
        contract: '0x02',
        transaction: hash,
        transactionLink: `https://sepolia.basescan.org/tx/${hash}`,
        block: '812',
        at: '2026-03-01T10:00:00.000Z',
        root: null,
        proof: [],
        confirmedNow: null,
      },
    ]);
    const asked = (knows: boolean) => ({
      ...ctx,
      chain: {
        ...noChain(),
        missing: null,
        network: 'base-sepolia',
        anchoredAt: async () => (knows ? new Date() : null),
      },
    });
    for (const knows of [true, false]) {
      const answer = await verifyDocument(asked(knows), { by: 'file', sha256: final.sha256 });
      expect(answer.documents[0]?.anchors[0]?.confirmedNow).toBe(knows);
    }
    const shared = await register();
    const proof = ['aa'.repeat(32), 'bb'.repeat(32)];
    await anchor(shared.id, 'mined', proof);
    const { documents } = await byFile(shared.sha256);
    const root = rootOf(documents[0]?.anchorHash ?? '', proof);
    expect(documents[0]?.anchors).toMatchObject([{ state: 'mined', root, proof }]);
  });

  it('names a token once it exists', async () => {
    const { id, sha256 } = await register();
    const token = {
      kind: 'property' as const,
      property_id: propertyId,
      document_id: id,
      network: 'base',
      recipient_address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    };
    await db.q().insertInto('completion_nfts').values(token).execute();
    expect((await byFile(sha256)).documents[0]?.tokens).toEqual([]);
    const hash = `0x${'ab'.repeat(32)}`;
    await db
      .q()
      .updateTable('completion_nfts')
      .set({ status: 'confirmed', token_id: 7, base_tx_hash: hash })
      .where('document_id', '=', id)
      .execute();
    const { documents } = await byFile(sha256);
    expect(documents[0]?.tokens).toEqual([
      {
        tokenId: '7',
        network: 'Base',
        contract: null,
        transactionLink: `https://basescan.org/tx/${hash}`,
      },
    ]);
    expect(JSON.stringify(documents)).not.toContain(token.recipient_address);
  });

  it('shows every registration of the same file, the oldest first, and says when one was revoked', async () => {
    const { id, sha256 } = await register();
    await db
      .q()
      .updateTable('document_registry')
      .set({ status: 'revoked', created_at: new Date('2025-01-01T00:00:00Z') })
      .where('id', '=', id)
      .execute();
    await insertDocument(testContext(db, { actor: admin }), {
      propertyId,
      type: 'Receipt',
      uploadedBy: admin.id,
      document: {
        key: 'documents/again',
        name: 'Again.pdf',
        contentType: 'application/pdf',
        bytes: 36,
        sha256,
        scan: 'clean',
      },
    });
    expect((await byFile(sha256)).documents.map(({ revoked }) => revoked)).toEqual([true, false]);
  });

  it('can be asked for twenty times a minute by a network', async () => {
    const limited = {
      ...ctx,
      ip: '203.0.113.9',
      config: { ...ctx.config, relaxedLimits: false },
    };
    const ask = () => verifyDocument(limited, { by: 'number', number: 'ATP-000001' });
    for (let times = 0; times < 20; times++) await ask();
    await expect(ask()).rejects.toMatchObject({ status: 429 });
    await expect(
      verifyDocument({ ...limited, ip: '203.0.113.10' }, { by: 'number', number: 'ATP-000001' }),
    ).resolves.toBeTruthy();
  });
});
