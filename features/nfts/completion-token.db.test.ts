import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { claimToken } from '#features/chain/commands/claim-token.ts';
import { workChain } from '#features/chain/commands/work-chain.ts';
import { queueCompletionToken } from '#features/chain/queue-mint.ts';
import { showState } from '#features/chain/transaction.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import { type Chain, ChainRefusal } from '#gateways/chain/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { databaseWithInterceptor } from '#tests/support/database/query-interception.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { nameWallet } from './commands/name-wallet.ts';
import { completionToken } from './reads.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const CONTRACT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
/** Code that refuses every call: without data, and with a word of it. */
const REVERTS = '0x60006000fd';
const REVERTS_WITH_DATA = '0x600160005260206000fd';
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
      failure: null,
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
    expect(await read()).toMatchObject({ state: 'sending', claimable: false, wallet: WALLET, known: null });
    await work();
    expect(await read()).toMatchObject({
      state: 'sent',
      claimable: false,
      wallet: WALLET,
      number: made?.number,
      known: WALLET,
    });
  });

  it('is made for the wallet that its buyer has named before the closing, which is remembered for no other one', async () => {
    expect(await nameWallet(buyer(), { saleId: sale.saleId, address: WALLET })).toEqual({ ok: true });
    await queue();
    expect(await read()).toMatchObject({ state: 'making', claimable: false, wallet: WALLET });
    await work();
    expect(await read()).toMatchObject({ state: 'sent', claimable: false, wallet: WALLET, known: null });
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

  /** Makes an address a contract that takes no tokens, with a reason of its own or without one. */
  const refuseTokens = (address: string, code: string) => node.rpc('anvil_setCode', [address, code]);
  const knownWallet = async () =>
    (
      await db
        .q()
        .selectFrom('profiles')
        .select('wallet_address')
        .where('id', '=', sales.buyer.id)
        .executeTakeFirstOrThrow()
    ).wallet_address;
  const audited = (action: string) =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', action)
      .where('entity_id', '=', sale.saleId)
      .execute();

  it('says why the wallet did not take it, forgets that wallet, and can be sent to another one', async () => {
    const { nftId } = await queue();
    await work();
    await refuseTokens(CONTRACT, REVERTS);
    expect(await claimToken(buyer(), { nftId, address: CONTRACT })).toEqual({ ok: true });
    await work();
    expect(await read()).toMatchObject({
      state: 'custody',
      claimable: true,
      wallet: null,
      failure: 'The recipient is a contract that does not accept tokens',
      known: null,
    });
    expect(await claimToken(buyer(), { nftId, address: WALLET })).toEqual({ ok: true });
    expect(await knownWallet()).toBeNull();
    await work();
    expect(await read()).toMatchObject({ state: 'sent', wallet: WALLET, failure: null, known: WALLET });
  });

  it.each([
    ['without a reason', REVERTS, 'The recipient is a contract that does not accept tokens'],
    ['with a reason of its own', REVERTS_WITH_DATA, 'The contract refused the call'],
  ])('comes into custody when its wallet refuses it %s', async (_, code, reason) => {
    const { nftId } = await queue();
    await refuseTokens(CONTRACT, code);
    expect(await claimToken(buyer(), { nftId, address: CONTRACT })).toEqual({ ok: true });
    await work();
    const made = await read();
    expect(made).toMatchObject({
      state: 'custody',
      claimable: true,
      wallet: null,
      failure: reason,
      known: null,
    });
    expect(made?.number).toMatch(/^[1-9]\d*$/);
    expect(await audited('token.custody')).toEqual([
      {
        before: { token: nftId, recipient: CONTRACT },
        after: { token: nftId, recipient: 'custody', reason },
      },
    ]);
    expect(await claimToken(buyer(), { nftId, address: WALLET })).toEqual({ ok: true });
    await work();
    expect(await read()).toMatchObject({
      state: 'sent',
      wallet: WALLET,
      failure: null,
      number: made?.number,
      known: WALLET,
    });
  });

  it('comes into custody when its wallet refuses it in the block only', async () => {
    const { nftId } = await queue();
    expect(await claimToken(buyer(), { nftId, address: CONTRACT })).toEqual({ ok: true });
    await refuseTokens(CONTRACT, '0x');
    await node.rpc('evm_setAutomine', [false]);
    await work(node.with({ blockForEach: false }));
    await refuseTokens(CONTRACT, REVERTS);
    await node.rpc('evm_setAutomine', [true]);
    await node.rpc('anvil_mine', ['0x1']);
    await work();
    expect(await read()).toMatchObject({
      state: 'custody',
      claimable: true,
      failure: 'The transaction failed on the chain',
      known: null,
    });
  });

  it('that could not be made is asked for once more when its buyer names a wallet', async () => {
    const { nftId } = await queue();
    const refuse = async () => {
      throw new ChainRefusal('reverted', 'The contract refused the call');
    };
    await work({ ...node.chain, prepare: refuse });
    expect(await read()).toMatchObject({
      state: 'making',
      claimable: true,
      failure: 'The contract refused the call',
    });
    expect(await claimToken(buyer(), { nftId, address: WALLET })).toEqual({ ok: true });
    expect(await read()).toMatchObject({ state: 'making', claimable: false, wallet: WALLET, failure: null });
    await work();
    expect(await read()).toMatchObject({ state: 'sent', wallet: WALLET, failure: null, known: WALLET });
  });

  it('of an account that was closed meanwhile leaves no wallet behind', async () => {
    const { nftId } = await queue();
    expect(await claimToken(buyer(), { nftId, address: WALLET })).toEqual({ ok: true });
    await db
      .q()
      .updateTable('users')
      .set({ closed_at: new Date() })
      .where('id', '=', sales.buyer.id)
      .execute();
    await work();
    expect(await knownWallet()).toBeNull();
  });

  it('is read by index, however much was written to the chain', async () => {
    await queue();
    const plans: string[] = [];
    const explained = databaseWithInterceptor(db, (run) => async (text, values) => {
      if (text.includes('chain_transactions')) {
        await run('begin');
        // The tables of a test are so small that reading them whole would be as cheap.
        await run('set local enable_seqscan = off');
        plans.push(JSON.stringify((await run(`explain ${text}`, values)).rows));
        await run('rollback');
      }
      return run(text, values);
    });
    expect(await completionToken({ ...buyer(), db: explained }, sale.saleId)).toMatchObject({
      state: 'making',
    });
    expect(plans).toHaveLength(1);
    expect(plans[0]).not.toContain('Seq Scan on chain_transactions');
  });
});
