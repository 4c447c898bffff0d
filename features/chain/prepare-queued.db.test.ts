import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { chainScenario } from '#tests/support/fixtures/chain-scenario.ts';
import { assignNetwork, explainWaiting } from './prepare-queued.ts';

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

  /** More documents than are changed together, which wait for a chain. */
  async function manyWaiting(like: string): Promise<void> {
    await sql`
      with made as (
        insert into document_registry (property_id, document_name, document_type, visibility, file_key, sha256, content_type, byte_size, scan, origin)
        select property_id, 'Waiting ' || i, document_type, 'public', file_key || i, encode(sha256(('waiting ' || i)::bytea), 'hex'), content_type, 1, scan, origin
        from document_registry, generate_series(1, 1001) i where id = ${like}
        returning id, anchor_hash)
      insert into document_anchors (document_id, anchor_hash) select id, anchor_hash from made`.execute(
      db.q(),
    );
  }
  const count = async (condition: RawBuilder<unknown>): Promise<number> => {
    const { rows } = await sql`
      select d.id from document_registry d join document_anchors a on a.document_id = d.id
      where d.document_name like 'Waiting %' and ${condition}`.execute(db.q());
    return rows.length;
  };
  /** A database that ends with its first transaction. */
  function interrupted(): Database {
    let transactions = 0;
    return Object.create(db, {
      tx: {
        value: (work: () => Promise<unknown>) => {
          transactions += 1;
          return transactions > 1 ? Promise.reject(new Error('Interrupted')) : db.tx(work);
        },
      },
    }) as Database;
  }

  it('is given its network a thousand at a time, so that what is done stays when the rest takes too long', async () => {
    const { newDocument, system, document } = await chainScenario(db, test.chain);
    const like = await newDocument();
    await manyWaiting(like);
    const assigned = () => count(sql`a.network = 'local' and d.network = 'local'`);
    await expect(assignNetwork({ ...system(), db: interrupted() })).rejects.toThrow('Interrupted');
    expect(await assigned()).toBe(1_000);
    await assignNetwork(system());
    expect(await assigned()).toBe(1_001);
    expect((await document(like)).network).toBeNull();
  });

  it('says why it waits in the same way', async () => {
    const { system } = await chainScenario(db, test.chain);
    const explained = () => count(sql`d.failure_reason = 'The node is asleep'`);
    const explain = (of: Database) =>
      explainWaiting({ ...system(), db: of }, test.chain.network, 'The node is asleep');
    await expect(explain(interrupted())).rejects.toThrow('Interrupted');
    expect(await explained()).toBe(1_000);
    await explain(db);
    expect(await explained()).toBe(1_001);
  });
});
