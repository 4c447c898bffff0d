import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { retryChain } from '#features/chain/commands/retry-chain.ts';
import { createNft } from '#features/nfts/commands/create-nft.ts';
import { nftMessages } from '#features/nfts/rules.ts';
import { verifyDocument } from '#features/verification/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario, WALLET } from '#tests/support/fixtures/chain-scenario.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { registerOnChain } from './commands/register-on-chain.ts';
import { revokeDocument } from './commands/revoke-document.ts';
import { uploadDocument } from './commands/upload-document.ts';
import { propertyDocuments } from './reads.ts';
import { documentMessages } from './rules.ts';

const REASON = 'It was issued in error.';

await describeOnDatabase('a document that is revoked', (open) => {
  let db: Database;
  let test: TestChain;
  let scenario: ChainScenario;
  const folder = mkdtempSync(join(tmpdir(), 'acre-revoke-'));
  beforeAll(async () => {
    db = await open();
    test = await startTestChain();
    scenario = await chainScenario(db, test.chain);
  });
  afterAll(async () => {
    await test.stop();
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const ctx = () => scenario.ctx();
  const revoke = (documentId: string, reason = ` ${REASON}\n`) =>
    revokeDocument(ctx(), { propertyId: scenario.propertyId, documentId, reason });
  const auditOf = async (documentId: string) => {
    const rows = await db
      .q()
      .selectFrom('audit_log')
      .select(['entity', 'entity_id', 'actor_id', 'before', 'after'])
      .where('action', '=', 'document.revoke')
      .execute();
    return rows.filter(({ after }) => (after as { document?: string } | null)?.document === documentId);
  };

  it('keeps the reason, once, and says so to whoever checks it', async () => {
    const id = await scenario.newDocument('lease');
    expect(await revoke(id)).toEqual({ ok: true, name: 'lease' });
    expect(await scenario.document(id)).toMatchObject({ status: 'revoked', failure_reason: REASON });
    expect(await auditOf(id)).toEqual([
      {
        entity: 'property',
        entity_id: scenario.propertyId,
        actor_id: scenario.admin.id,
        before: { document: id, status: 'pending' },
        after: { document: id, status: 'revoked', reason: REASON },
      },
    ]);
    expect(await revoke(id, 'Again')).toEqual({ ok: false, reason: 'revoked' });
    expect(await auditOf(id)).toHaveLength(1);
    const { sha256 } = await db
      .q()
      .selectFrom('document_registry')
      .select('sha256')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { documents } = await verifyDocument(ctx(), { by: 'file', sha256 });
    expect(documents).toMatchObject([{ revoked: true }]);
    expect(JSON.stringify(documents)).not.toContain(REASON);
  });

  it('needs a reason, of a sensible length, and a document of that property', async () => {
    const id = await scenario.newDocument();
    expect(await revoke(id, ' \u202e\n ')).toEqual({ ok: false, reason: 'empty' });
    expect(await revoke(id, 'a'.repeat(501))).toEqual({ ok: false, reason: 'too_long' });
    const elsewhere = await createListing(db, (await createUser(db, 'agent')).agentId);
    await expect(
      revokeDocument(ctx(), { propertyId: elsewhere, documentId: id, reason: REASON }),
    ).rejects.toMatchObject({ status: 404 });
    await db.q().updateTable('document_registry').set({ is_test: true }).where('id', '=', id).execute();
    await expect(revoke(id)).rejects.toMatchObject({ status: 404 });
    expect(await scenario.document(id)).toMatchObject({ status: 'pending' });
  });

  it('stays so whatever becomes of it on the chain, which is still told', async () => {
    const [waiting, kept] = [await scenario.anchored(), await scenario.anchored()];
    await revoke(waiting);
    await scenario.work();
    expect(await scenario.onChain(waiting)).not.toBeNull();
    const { base_tx_hash, status } = await scenario.document(kept);
    expect(status).toBe('confirmed');
    expect(await scenario.document(waiting)).toMatchObject({
      status: 'revoked',
      failure_reason: REASON,
      base_tx_hash,
    });
  });

  it('stays so when it was asked for before there was a chain', async () => {
    const id = await scenario.newDocument();
    const without = { ...ctx(), config: { ...ctx().config, chain: undefined } };
    await registerOnChain(without, { propertyId: scenario.propertyId, documentId: id });
    await revoke(id);
    await scenario.work();
    expect(await scenario.document(id)).toMatchObject({
      status: 'revoked',
      failure_reason: REASON,
      network: 'local',
    });
  });

  it('is neither registered, nor tried again, nor evidenced by a token', async () => {
    const documentId = await scenario.newDocument();
    await revoke(documentId);
    const { propertyId } = scenario;
    await expect(registerOnChain(ctx(), { propertyId, documentId })).resolves.toEqual({
      ok: false,
      reason: 'revoked',
      text: documentMessages.revokedNotRegistered,
    });
    await retryChain(ctx(), { documentId });
    expect(await createNft(ctx(), { propertyId, documentId, recipient: WALLET })).toEqual({
      ok: false,
      errors: { document: nftMessages.revoked },
    });
    expect(await scenario.document(documentId)).toMatchObject({ status: 'revoked' });
  });

  it('is followed by a new version when the same file is uploaded again', async () => {
    const files = createFolderStore({ folder, secret: 'long enough for tests of links' });
    const upload = () =>
      uploadDocument(
        { ...ctx(), files, malware: noScanner },
        {
          propertyId: scenario.propertyId,
          type: 'Other',
          name: 'Lease again',
          visibility: 'private',
          confirmedPublic: false,
          file: { name: 'lease.pdf', bytes: pdfFile },
        },
      );
    const first = await upload();
    if (!first.ok) throw new Error('It was not stored');
    expect(await upload()).toMatchObject({ ok: false });
    await revoke(first.id);
    expect(await upload()).toMatchObject({ ok: true, version: 2 });
    const { documents } = await propertyDocuments(ctx(), { propertyId: scenario.propertyId });
    const found = documents.find(({ name }) => name === 'Lease again.pdf');
    expect(found).toMatchObject({ status: 'pending', earlier: [{ status: 'revoked', reason: REASON }] });
  });
});
