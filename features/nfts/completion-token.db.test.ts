import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { claimToken } from '#features/chain/commands/claim-token.ts';
import { workChain } from '#features/chain/commands/work-chain.ts';
import { queueCompletionToken } from '#features/chain/queue-mint.ts';
import { showState } from '#features/chain/transaction.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import type { Chain } from '#gateways/chain/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { completionToken } from './reads.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const config = { ...testConfig, chain: localChain };

await describeOnDatabase('the token of a purchase', (open, kind) => {
  let db: Database;
  let node: TestChain;
  let sales: SaleScenario;
  let sale: { saleId: string; propertyId: string };
  beforeAll(async () => {
    db = await open();
    node = await startTestChain();
  });
  beforeEach(async () => {
    sales = await createSaleScenario(db);
    const saleId = await sales.createPaidSale();
    const { property_id: propertyId } = await db
      .q()
      .selectFrom('property_sales')
      .select('property_id')
      .where('id', '=', saleId)
      .executeTakeFirstOrThrow();
    sale = { saleId, propertyId };
  });
  afterAll(async () => {
    await node.stop();
    await db.close();
  });

  const buyer = () => {
    const ctx = testContext(db, { config });
    return { ...ctx, actor: { ...sales.buyer, provedAt: ctx.now() } };
  };
  const work = (chain: Chain = node.chain) =>
    workChain({
      ...testContext(db, { actor: { kind: 'system', name: 'jobs' }, config }),
      chain,
    } satisfies CtxWith<'chain'>);
  const read = () => completionToken(buyer(), sale.saleId);
  async function queue(changes: Partial<typeof config> = {}) {
    const system = testContext(db, {
      actor: { kind: 'system', name: 'jobs' },
      config: { ...config, ...changes },
    });
    const { id } = await insertDocument(system, {
      propertyId: sale.propertyId,
      saleId: sale.saleId,
      type: 'Receipt',
      uploadedBy: null,
      document: {
        key: `documents/${sale.saleId}.pdf`,
        name: 'Receipt.pdf',
        contentType: 'application/pdf',
        bytes: 1,
        sha256: sale.saleId.replaceAll('-', '').repeat(2),
        scan: 'clean',
      },
    });
    return queueCompletionToken(system, { saleId: sale.saleId, documentId: id });
  }

  it('is none before the closing, is then made in custody, and is sent where its buyer says', async () => {
    expect(await read()).toBeNull();
    const { nftId } = await queue();
    expect(await read()).toMatchObject({
      id: nftId,
      number: null,
      state: 'making',
      claimable: true,
      network: 'Local chain',
      wallet: null,
      trouble: null,
      transactionLink: null,
      known: null,
    });
    await work();
    const made = await read();
    expect(made).toMatchObject({ state: 'custody', claimable: true, wallet: null });
    expect(made?.number).toMatch(/^[1-9]\d*$/);
    expect(await claimToken(buyer(), { nftId, address: WALLET.replace('d8dA', 'D8dA') })).toMatchObject({
      ok: false,
      reason: 'address',
    });
    expect(await claimToken(buyer(), { nftId, address: WALLET })).toEqual({ ok: true });
    expect(await read()).toMatchObject({ state: 'sending', claimable: false, wallet: WALLET, known: WALLET });
    await work();
    expect(await read()).toMatchObject({
      state: 'sent',
      claimable: false,
      wallet: WALLET,
      number: made?.number,
    });
  });

  it('that is not made yet is made for the wallet, and waits while there is no chain', async () => {
    const { nftId } = await queue({ chain: undefined as never });
    expect(await read()).toMatchObject({ state: 'making', network: null, claimable: true });
    expect(await claimToken(buyer(), { nftId, address: WALLET })).toEqual({ ok: true });
    expect(await read()).toMatchObject({ state: 'making', claimable: false, wallet: WALLET, network: null });
    await work();
    expect(await read()).toMatchObject({ state: 'sent', wallet: WALLET });
  });

  it.skipIf(kind === 'embedded')('is not claimed while the worker has it, and neither waits', async () => {
    const { nftId } = await queue();
    // The worker holds the transaction, and its token is next.
    const worker = holdStatement(db, /select from completion_nfts/);
    const worked = worker.db.tx(async () => {
      const row = await worker.db
        .q()
        .selectFrom('chain_transactions')
        .selectAll()
        .where('nft_id', '=', nftId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      await showState(testContext(worker.db, { config }), [row], { status: 'pending', reason: 'No funds' });
    });
    await worker.reached;
    const claimed = claimToken(buyer(), { nftId, address: WALLET });
    await untilItWaits(db, claimed);
    worker.letGo();
    await worked;
    expect(await claimed).toMatchObject({ ok: false, reason: 'being_made' });
    expect(await claimToken(buyer(), { nftId, address: WALLET })).toEqual({ ok: true });
  });

  it('says why it could not be sent, and can be sent to another wallet', async () => {
    const { nftId } = await queue();
    await work();
    expect(await claimToken(buyer(), { nftId, address: WALLET })).toEqual({ ok: true });
    await db
      .q()
      .updateTable('chain_transactions')
      .set({ state: 'failed', failure_reason: 'The wallet takes no tokens' })
      .where('nft_id', '=', nftId)
      .where('kind', '=', 'transfer')
      .execute();
    expect(await read()).toMatchObject({
      state: 'custody',
      claimable: true,
      wallet: null,
      trouble: 'The wallet takes no tokens',
      known: WALLET,
    });
  });
});
