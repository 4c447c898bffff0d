import { afterAll, beforeAll, expect, it } from 'vitest';
import { queueMint } from '#features/chain/queue-mint.ts';
import type { Chain } from '#gateways/chain/port.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario, WALLET } from '#tests/support/fixtures/chain-scenario.ts';
import { makePrivate } from './commands/make-private.ts';

// The embedded database has one connection, which the worker has while it asks the chain.
await describeOnDatabase('a document that becomes private while its token is made', (open, kind) => {
  let db: Database;
  let test: TestChain;
  let scenario: ChainScenario;
  beforeAll(async () => {
    db = await open();
    test = await startTestChain();
    scenario = await chainScenario(db, test.chain);
  });
  afterAll(async () => {
    await test.stop();
    await db.close();
  });

  it.skipIf(kind === 'embedded')('has a token that names the hash it has since, and no address', async () => {
    const { newDocument, ctx, work, token, document, propertyId, clock } = scenario;
    await work();
    const documentId = await newDocument('Deed', 'public');
    const { nftId } = await queueMint(ctx(), { documentId, kind: 'property', recipient: WALLET });
    const before = await document(documentId);
    let asked = 0;
    const chain: Chain = {
      ...test.chain,
      async prepare(...call) {
        asked += 1;
        if (asked === 1) await makePrivate(ctx(), { propertyId, documentId });
        return test.chain.prepare(...call);
      },
    };
    for (let run = 0; run < 2; run += 1) {
      await work(chain);
      clock.advance(60_000);
    }
    const { anchor_hash } = await document(documentId);
    expect(anchor_hash).not.toBe(before.anchor_hash);
    const made = await token(nftId);
    expect(made.status).toBe('confirmed');
    expect(JSON.parse(made.token_metadata ?? '')).toMatchObject({ document: { sha256: anchor_hash } });
    expect(made.token_metadata).not.toContain('Document CID');
  });
});
