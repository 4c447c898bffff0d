import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Chain, ChainError } from '#gateways/chain/port.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario } from '#tests/support/fixtures/chain-scenario.ts';
import { workChain } from './commands/work-chain.ts';

// The embedded database has one connection, so that nothing there waits for another transaction.
await describeOnDatabase('two processes that work on a chain', (open, kind) => {
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
  beforeEach(() => scenario.reset());
  const onServer = it.skipIf(kind === 'embedded');
  /** A process whose node does not answer, so that it says so of everything that waits. */
  const cutOff = (): Chain => ({
    ...test.chain,
    check: () => Promise.reject(new ChainError('unavailable', 'The node does not answer')),
  });

  onServer('one signs a token and a document while the other says why they wait', async () => {
    const { minted, anchored, work, document, token, clock } = scenario;
    await work();
    const { nftId } = await minted();
    clock.advance(1_000);
    const documentId = await anchored();
    // The token, which was asked for first, is held, and the document is next.
    const signing = holdStatement(db, /update document_registry d\s+set status/);
    const signed = workChain({ ...scenario.system(), db: signing.db });
    await signing.reached;
    const explained = work(cutOff());
    await untilItWaits(db, explained);
    signing.letGo();
    await expect(explained).rejects.toThrow('The node does not answer');
    expect(await signed).toEqual({ open: 0 });
    const confirmed = { status: 'confirmed', failure_reason: null };
    expect(await document(documentId)).toMatchObject(confirmed);
    expect(await token(nftId)).toMatchObject(confirmed);
  });
});
