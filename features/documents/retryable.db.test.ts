import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { retryChain } from '#features/chain/commands/retry-chain.ts';
import { queueAnchor } from '#features/chain/queue-anchor.ts';
import { showAnchors } from '#features/chain/transaction.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { insertDocument, type NewDocument } from './insert-document.ts';
import { documentList } from './reads.ts';

const HASH = `0x${'ab'.repeat(32)}`;

await describeOnDatabase('documents in the list of all of them', (open) => {
  let db: Database;
  let ctx: Ctx;
  let propertyId: string;
  let agentId: string | null;
  beforeAll(async () => {
    db = await open();
    const actor = await createUser(db, 'admin');
    ({ agentId } = await createUser(db, 'agent'));
    propertyId = await createListing(db, agentId);
    ctx = testContext(db, { actor, config: { ...testConfig, chain: localChain } });
  });
  afterAll(() => db.close());

  /** A document whose registration failed. */
  async function failed(name: string, changes: Partial<NewDocument> = {}): Promise<string> {
    const { id } = await insertDocument(ctx, {
      propertyId,
      type: 'Deed',
      uploadedBy: null,
      document: {
        key: `documents/${randomUUID()}.pdf`,
        name,
        contentType: 'application/pdf',
        bytes: 1,
        sha256: createHash('sha256').update(name).digest('hex'),
        scan: 'clean',
      },
      ...changes,
    });
    await queueAnchor(ctx, id);
    const { id: transaction } = await db
      .q()
      .insertInto('chain_transactions')
      .values({ kind: 'anchor', network: 'local', state: 'failed' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .q()
      .updateTable('document_anchors')
      .set({ transaction_id: transaction, proof: [] })
      .where('document_id', '=', id)
      .execute();
    await db
      .q()
      .updateTable('document_registry')
      .set({ status: 'failed', failure_reason: 'The transaction failed on the chain' })
      .where('id', '=', id)
      .execute();
    return id;
  }
  const retryable = async (from = ctx) =>
    (await documentList(from, {})).rows.flatMap(({ name, retryable: can }) => (can ? [name] : [])).sort();

  it('can be tried again where their registration failed on the configured chain, also without a property', async () => {
    const documentId = await failed('Deed.pdf');
    await failed('Statement.pdf', { propertyId: null, agentId, origin: 'made', shownTo: 'seller' });
    const [held, erased] = [await failed('Held.pdf'), await failed('Erased.pdf')];
    const change = db.q().updateTable('document_registry');
    await change.set({ scan: 'held' }).where('id', '=', held).execute();
    await change.set({ erased_at: new Date() }).where('id', '=', erased).execute();
    expect(await retryable()).toEqual(['Deed.pdf', 'Statement.pdf']);
    const elsewhere = { ...ctx, config: { ...testConfig, chain: { ...localChain, chainId: 84_532 } } };
    expect(await retryable(elsewhere)).toEqual([]);
    expect(await retryChain(ctx, { documentId })).toEqual({ retried: true });
    expect(await retryable()).toEqual(['Statement.pdf']);
  });

  it('are tried again on the configured chain, whichever they were asked for on last', async () => {
    const base = { ...ctx, config: { ...testConfig, chain: { ...localChain, chainId: 8_453 } } };
    const fail = async (documentId: string, network: string, state = 'failed' as 'failed' | 'final') => {
      const { id } = await db
        .q()
        .insertInto('chain_transactions')
        .values({ kind: 'anchor', network, state, hash: HASH })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .q()
        .updateTable('document_anchors')
        .set({ transaction_id: id, proof: [] })
        .where('document_id', '=', documentId)
        .where('network', '=', network)
        .execute();
    };
    const onBoth = async (name: string, local: 'failed' | 'final') => {
      const documentId = await failed(name);
      await fail(documentId, 'local', local);
      await queueAnchor({ ...base, now: () => new Date(ctx.now().getTime() + 1_000) }, documentId);
      await fail(documentId, 'base');
      await db
        .q()
        .updateTable('document_registry')
        .set({ status: 'failed', failure_reason: 'The transaction failed on the chain' })
        .where('id', '=', documentId)
        .execute();
      return documentId;
    };
    const shown = (id: string) =>
      db
        .q()
        .selectFrom('document_registry')
        .select(['status', 'network', 'base_tx_hash'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const waiting = async (documentId: string) =>
      (
        await db
          .q()
          .selectFrom('document_anchors')
          .select('network')
          .where('document_id', '=', documentId)
          .where('transaction_id', 'is', null)
          .execute()
      ).map(({ network }) => network);

    const both = await onBoth('Both.pdf', 'failed');
    expect(await retryChain(ctx, { documentId: both })).toEqual({ retried: true });
    expect(await shown(both)).toEqual({ status: 'pending', network: 'local', base_tx_hash: null });
    expect(await waiting(both)).toEqual(['local']);

    const done = await onBoth('Done.pdf', 'final');
    expect(await retryChain(ctx, { documentId: done })).toEqual({ retried: true });
    expect(await shown(done)).toEqual({ status: 'confirmed', network: 'local', base_tx_hash: HASH });
    expect(await retryChain(ctx, { documentId: done })).toEqual({ retried: false });
    // What is confirmed stays on its chain, also when another one is configured since, by a page that was opened before.
    const former = await failed('Former.pdf');
    await fail(former, 'local', 'final');
    await showAnchors(ctx, [former], 'local');
    expect(await retryChain(base, { documentId: former })).toEqual({ retried: false });
    expect(await shown(former)).toEqual({ status: 'confirmed', network: 'local', base_tx_hash: HASH });
    expect(await retryChain(base, { documentId: done })).toEqual({ retried: false });
    expect(await shown(done)).toEqual({ status: 'confirmed', network: 'local', base_tx_hash: HASH });

    const other = await failed('Other.pdf');
    expect(await retryChain(base, { documentId: other })).toEqual({ retried: true });
    expect(await shown(other)).toEqual({ status: 'pending', network: 'base', base_tx_hash: null });
    expect(await waiting(other)).toEqual(['base']);
  });
});
