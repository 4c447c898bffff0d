import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePrivate } from '#features/documents/commands/make-private.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario, WALLET } from '#tests/support/fixtures/chain-scenario.ts';
import { createNft } from './commands/create-nft.ts';
import { nftMessages } from './rules.ts';

const OTHER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

await describeOnDatabase('a token whose recipient does not take it', (open) => {
  let db: Database;
  let test: TestChain;
  let scenario: ChainScenario;
  beforeAll(async () => {
    db = await open();
    test = await startTestChain();
    scenario = await chainScenario(db, test.chain);
    await scenario.work();
    // Refuses every call.
    await test.rpc('anvil_setCode', [OTHER, '0x60006000fd']);
  });
  afterAll(async () => {
    await test.stop();
    await db.close();
  });

  it('is made for another one, once, with the name that it had', async () => {
    const { ctx, propertyId, newDocument, token, work } = scenario;
    const documentId = await newDocument();
    const create = (recipient: string, name = 'Deed of Larkspur') =>
      createNft(ctx(), { propertyId, documentId, recipient, name });
    const first = await create(OTHER);
    if (!first.ok) throw new Error('It was refused');
    const { nftId } = first;
    expect(await create(WALLET)).toEqual({ ok: false, errors: { document: nftMessages.exists } });
    await work();
    expect(await token(nftId)).toMatchObject({
      status: 'failed',
      failure_reason: 'The recipient is a contract that does not accept tokens',
      custody: false,
    });
    const again = { ok: true, nftId, created: false, configured: true };
    expect(await create(OTHER)).toEqual({ ...again, redirected: false });
    expect(await create(WALLET, 'Another name')).toEqual({ ...again, redirected: true });
    expect(await create(WALLET)).toEqual({ ...again, redirected: false });
    expect(await token(nftId)).toMatchObject({
      status: 'pending',
      recipient_address: WALLET,
      failure_reason: null,
      metadata: { name: 'Deed of Larkspur' },
    });
    await work();
    const made = await token(nftId);
    expect(made).toMatchObject({ status: 'confirmed', recipient_address: WALLET });
    expect(await test.chain.ownerOf(await scenario.contract(), made.token_id)).toBe(WALLET);
    expect(await create(OTHER)).toEqual({ ok: false, errors: { document: nftMessages.exists } });
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'token.redirect')
      .where('entity_id', '=', propertyId)
      .execute();
    expect(audited).toEqual([
      {
        before: { token: nftId, recipient: OTHER, status: 'failed' },
        after: { token: nftId, recipient: WALLET, status: 'pending', network: 'local' },
      },
    ]);
  });

  it('says nothing of the contents of a document that became private before it was made for another one', async () => {
    const { ctx, propertyId, newDocument, token, work } = scenario;
    const documentId = await newDocument(undefined, 'public');
    const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku';
    await db.q().updateTable('document_registry').set({ cid }).where('id', '=', documentId).execute();
    const refused = await createNft(ctx(), { propertyId, documentId, recipient: OTHER });
    if (!refused.ok) throw new Error('It was refused');
    await work();
    expect(await token(refused.nftId)).toMatchObject({ status: 'failed' });
    await makePrivate(ctx(), { propertyId, documentId });
    await createNft(ctx(), { propertyId, documentId, recipient: WALLET });
    await work();
    const { status, token_metadata: text } = await token(refused.nftId);
    expect(status).toBe('confirmed');
    expect(text).not.toContain(cid);
    const { anchor_hash: hash } = await scenario.document(documentId);
    expect(JSON.parse(text ?? '')).toMatchObject({ document: { sha256: hash } });
  });
});
