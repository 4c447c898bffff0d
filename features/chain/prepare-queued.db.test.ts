import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { chainScenario } from '#tests/support/fixtures/chain-scenario.ts';

await describeOnDatabase('what waited for a chain', (open) => {
  let db: Database;
  let test: TestChain;
  beforeAll(async () => {
    db = await open();
    test = await startTestChain();
  });
  afterAll(async () => {
    await test.stop();
    await db.close();
  });

  it('is for the first one that is configured, and for none on which it was asked for before', async () => {
    const { anchored, work, document, onChain } = await chainScenario(db, test.chain);
    const [confirmed, queued, waiting] = [await anchored(), await anchored(), await anchored()];
    const anchors = (id: string) =>
      db.q().selectFrom('document_anchors').select('network').where('document_id', '=', id).execute();
    await db.q().deleteFrom('document_anchors').where('document_id', '!=', confirmed).execute();
    await work();
    const before = await document(confirmed);
    // As it was left by a time without a chain.
    const add = async (id: string, network: string | null) => {
      const { anchor_hash } = await document(id);
      await db.q().insertInto('document_anchors').values({ document_id: id, network, anchor_hash }).execute();
    };
    await add(confirmed, null);
    await add(queued, 'local');
    await add(queued, null);
    await add(waiting, null);
    await db
      .q()
      .updateTable('document_registry')
      .set({ network: null, status: 'pending', base_tx_hash: null, failure_reason: 'Chain not configured' })
      .where('id', 'in', [confirmed, queued, waiting])
      .execute();
    expect(await work()).toEqual({ open: 0 });
    expect(await document(confirmed)).toEqual(before);
    for (const id of [confirmed, queued, waiting]) {
      expect(await anchors(id)).toEqual([{ network: 'local' }]);
      expect(await document(id)).toMatchObject({ status: 'confirmed', failure_reason: null });
      expect(await onChain(id)).toBeInstanceOf(Date);
    }
  });
});
