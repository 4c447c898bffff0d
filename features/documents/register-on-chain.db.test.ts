import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { type ChainScenario, chainScenario } from '#tests/support/fixtures/chain-scenario.ts';
import { registerOnChain } from './commands/register-on-chain.ts';
import { propertyDocuments } from './reads.ts';

await describeOnDatabase('the registration of a document', (open) => {
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

  it('is asked for again on another chain, and both registrations stay', async () => {
    const { ctx, propertyId, anchored, work } = scenario;
    const documentId = await anchored();
    await work();
    const main = { ...ctx().config, chain: { ...localChain, chainId: 8_453 } };
    const shown = async (config = ctx().config) => {
      const { documents } = await propertyDocuments({ ...ctx(), config }, { propertyId });
      return documents.find(({ id }) => id === documentId);
    };
    const here = { status: 'confirmed', network: 'local', requested: true };
    expect(await shown()).toMatchObject({ ...here, elsewhere: false });
    expect(await shown({ ...ctx().config, chain: undefined })).toMatchObject({ ...here, elsewhere: false });
    expect(await shown(main)).toMatchObject({ ...here, requested: false, elsewhere: true });
    expect(await registerOnChain({ ...ctx(), config: main }, { propertyId, documentId })).toMatchObject({
      ok: true,
      configured: true,
    });
    expect(await shown(main)).toMatchObject({
      status: 'pending',
      network: 'base',
      requested: true,
      elsewhere: false,
    });
    const anchors = await db
      .q()
      .selectFrom('document_anchors as a')
      .leftJoin('chain_transactions as t', 't.id', 'a.transaction_id')
      .select(['a.network', 't.state'])
      .where('document_id', '=', documentId)
      .orderBy('requested_at')
      .execute();
    expect(anchors).toEqual(
      expect.arrayContaining([
        { network: 'local', state: 'final' },
        { network: 'base', state: null },
      ]),
    );
  });
});
