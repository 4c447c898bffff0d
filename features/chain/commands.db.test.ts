import { createHash, randomUUID } from 'node:crypto';
import { encodeFunctionData, keccak256 } from 'viem/utils';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { acreRegistryAbi } from '#gateways/chain/acre-registry.gen.ts';
import { noChain } from '#gateways/chain/off.ts';
import { type Chain, ChainError, type Hex } from '#gateways/chain/port.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { holdStatement } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { POOR_KEY, startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { type ChainScenario, chainScenario, WALLET } from '#tests/support/fixtures/chain-scenario.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { proved, purchaseToken } from '#tests/support/fixtures/purchase-token.ts';
import { untilMined } from '#tests/support/fixtures/until-mined.ts';
import { manageContract } from './commands/manage-contract.ts';
import { retryChain } from './commands/retry-chain.ts';
import { rootOf } from './merkle.ts';
import { queueAnchor } from './queue-anchor.ts';
import { contractStatus, findAnchors } from './reads.ts';

const CONTRACT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

await describeOnDatabase('the chain’s commands and reads', (open, kind) => {
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
  beforeEach(() => scenario.work());

  const audited = (action: string, entityId: string) =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['entity', 'before', 'after'])
      .where('action', '=', action)
      .where('entity_id', '=', entityId)
      .orderBy('id')
      .execute();

  it('register a document once, and find what was anchored by the file’s hash alone', async () => {
    const { ctx, newDocument, work } = scenario;
    const names = Array.from({ length: 5 }, () => randomUUID());
    for (const name of names) {
      const id = await newDocument(name);
      await queueAnchor(ctx(), id);
      await queueAnchor(ctx(), id);
    }
    await work();
    for (const name of names) {
      const sha256 = createHash('sha256').update(name).digest('hex');
      const [found, ...others] = await findAnchors(ctx(), { sha256 });
      expect(others).toEqual([]);
      expect(found).toMatchObject({
        network: 'local',
        status: 'confirmed',
        transactionLink: null,
        onChain: true,
      });
      const salted = Buffer.from(`${found?.salt}${sha256}`, 'hex');
      const anchorHash = createHash('sha256').update(salted).digest('hex');
      expect(found?.anchorHash).toBe(anchorHash);
      expect(found?.proof.length).toBeGreaterThan(0);
      expect(rootOf(anchorHash, found?.proof ?? [])).toBe(found?.root);
      expect(await test.chain.anchoredAt(await scenario.contract(), `0x${found?.root ?? ''}`)).toEqual(
        new Date(found?.anchoredAt ?? 0),
      );
    }
    expect(await findAnchors(ctx(), { sha256: 'e'.repeat(64) })).toEqual([]);
  });

  it('are told of thirty times a minute in one network', async () => {
    const from = (at: number) => ({ ...scenario.ctx(), ip: `2001:db8:7:7::${at}` });
    const find = (at: number) => findAnchors(from(at), { sha256: 'e'.repeat(64) });
    for (let at = 0; at < 30; at += 1) await find(at);
    await expect(find(30)).rejects.toThrow(TooManyRequests);
  });

  it('tell of a document by its number no salt', async () => {
    const { ctx, newDocument, work } = scenario;
    const id = await newDocument();
    await db.q().updateTable('document_registry').set({ number: 'R-1' }).where('id', '=', id).execute();
    await queueAnchor(ctx(), id);
    expect(await findAnchors(ctx(), { number: 'R-1' })).toMatchObject([{ status: 'pending', onChain: null }]);
    await work();
    expect(await findAnchors(ctx(), { number: 'R-1' })).toMatchObject([
      { status: 'confirmed', onChain: true, salt: null },
    ]);
  });

  it('try again what failed, and leave what is confirmed', async () => {
    const { ctx, minted, work, token, transactionsOf } = scenario;
    const { nftId } = await minted(CONTRACT);
    // A contract that refuses every call, for now.
    await test.rpc('anvil_setCode', [CONTRACT, '0x60006000fd']);
    await work();
    await test.rpc('anvil_setCode', [CONTRACT, '0x']);
    expect((await token(nftId)).status).toBe('failed');
    expect(await retryChain(ctx(), { nftId })).toEqual({ retried: true });
    expect(await token(nftId)).toMatchObject({ status: 'pending', failure_reason: null });
    const retries = [
      {
        entity: 'property',
        before: { token: nftId, status: 'failed', network: 'local' },
        after: { token: nftId, status: 'pending', network: 'local' },
      },
    ];
    expect(await audited('token.retry', scenario.propertyId)).toEqual(retries);
    await work();
    expect((await token(nftId)).status).toBe('confirmed');
    expect(await retryChain(ctx(), { nftId })).toEqual({ retried: false });
    expect(await audited('token.retry', scenario.propertyId)).toEqual(retries);
    expect((await transactionsOf(nftId)).map(({ state }) => state).sort()).toEqual(['failed', 'final']);
  });

  it('try a failed document again in another batch, unless its file was deleted', async () => {
    const { ctx, anchored, work, document, onChain } = scenario;
    const id = await anchored();
    await work();
    await db.q().updateTable('document_registry').set({ status: 'failed' }).where('id', '=', id).execute();
    const anchor = await db
      .q()
      .selectFrom('document_anchors')
      .select('transaction_id')
      .where('document_id', '=', id)
      .executeTakeFirstOrThrow();
    await db
      .q()
      .updateTable('chain_transactions')
      .set({ state: 'failed', nonce: null })
      .where('id', '=', anchor.transaction_id)
      .execute();
    const setErased = (erased_at: Date | null) =>
      db.q().updateTable('document_registry').set({ erased_at }).where('id', '=', id).execute();
    await setErased(ctx().now());
    expect(await retryChain(ctx(), { documentId: id })).toEqual({ retried: false });
    await setErased(null);
    expect(await retryChain(ctx(), { documentId: id })).toEqual({ retried: true });
    expect(await document(id)).toMatchObject({ status: 'pending', base_tx_hash: null });
    expect(await audited('document.retry-anchor', scenario.propertyId)).toEqual([
      {
        entity: 'property',
        before: { document: id, status: 'failed' },
        after: { document: id, status: 'pending', network: 'local' },
      },
    ]);
    await work();
    expect(await document(id)).toMatchObject({ status: 'confirmed' });
    expect(await onChain(id)).toBeInstanceOf(Date);
    expect(await retryChain(ctx(), { documentId: id })).toEqual({ retried: false });
    const fresh = await scenario.newDocument();
    expect(await retryChain(ctx(), { documentId: fresh })).toEqual({ retried: true });
  });

  it('leave a document alone that waits for the virus scanner', async () => {
    const { ctx, newDocument, anchored } = scenario;
    const ids = [await newDocument(), await anchored()];
    for (const documentId of ids) {
      await db
        .q()
        .updateTable('document_registry')
        .set({ scan: 'held' })
        .where('id', '=', documentId)
        .execute();
      expect(await retryChain(ctx(), { documentId })).toEqual({ retried: false });
    }
    const rows = await db
      .q()
      .selectFrom('document_anchors')
      .select('document_id')
      .where('document_id', 'in', ids)
      .execute();
    expect(rows).toEqual([{ document_id: ids[1] }]);
  });

  it('pause the contract and go on, change the base address, and say how it is', async () => {
    const { ctx, work } = scenario;
    const admin = proved(ctx());
    expect(await manageContract(admin, { action: 'deploy' })).toMatchObject({ reason: 'exists' });
    for (const base of ['', 'ipfs', 'http://x.test/', 'https://x.test', 'javascript:alert(1)//'])
      expect(await manageContract(admin, { action: 'base_uri', base })).toMatchObject({ reason: 'base' });
    expect(await manageContract(admin, { action: 'base_uri', base: ' https://meta.test/ ' })).toEqual({
      ok: true,
    });
    expect(await manageContract(admin, { action: 'pause' })).toMatchObject({ reason: 'busy' });
    await work();
    expect(await manageContract(admin, { action: 'pause' })).toEqual({ ok: true });
    await work();
    expect(await contractStatus(ctx())).toMatchObject({
      missing: null,
      label: 'Local chain',
      chainId: 31_337,
      contract: await scenario.contract(),
      error: null,
      asked: {
        state: { paused: true, baseUri: 'https://meta.test/', signerIsMinter: true, signerIsOwner: true },
      },
    });
    expect(await manageContract(admin, { action: 'unpause' })).toEqual({ ok: true });
    await work();
    expect((await contractStatus(ctx())).asked?.state?.paused).toBe(false);
    const main: Chain = { ...test.chain, mayManage: false };
    expect(await manageContract({ ...admin, chain: main }, { action: 'pause' })).toMatchObject({
      reason: 'read_only',
    });
    expect(await manageContract({ ...admin, chain: noChain() }, { action: 'pause' })).toMatchObject({
      reason: 'not_configured',
    });
    const old = proved(ctx(), new Date(admin.now().getTime() - HOUR));
    await expect(manageContract(old, { action: 'pause' })).rejects.toThrow('Please confirm that it is you');
  });

  // The embedded database has one connection, so that nothing there happens at the same time.
  it.skipIf(kind === 'embedded')('change the contract once when two ask at the same time', async () => {
    const admin = proved(scenario.ctx());
    const change = { action: 'base_uri', base: 'https://both.test/' } as const;
    const first = holdStatement(db, /insert into "chain_transactions"/);
    const changing = manageContract({ ...admin, db: first.db }, change);
    await first.reached;
    const second = await manageContract(admin, change);
    first.letGo();
    expect(await changing).toEqual({ ok: true });
    expect(second).toMatchObject({ ok: false, reason: 'busy' });
  });

  it('tell at once that the contract is not changed by a signer who does not own it, or a second time', async () => {
    const changed = async (change: 'pause' | 'unpause', chain: Chain = test.chain) => {
      expect(await manageContract({ ...proved(scenario.ctx()), chain }, { action: change })).toEqual({
        ok: true,
      });
      await scenario.work(chain);
      return db
        .q()
        .selectFrom('chain_transactions')
        .select(['state', 'failure_reason'])
        .where('kind', '=', change)
        .orderBy('created_at', 'desc')
        .orderBy((is) => is('state', '=', 'final'))
        .limit(1)
        .executeTakeFirstOrThrow();
    };
    const stranger = test.with({ signerKey: POOR_KEY });
    await test.rpc('anvil_setBalance', [stranger.signer, '0xde0b6b3a7640000']);
    expect(await changed('pause', stranger)).toEqual({
      state: 'failed',
      failure_reason: 'The contract does not allow this to the signer',
    });
    await changed('pause');
    scenario.clock.advance(MINUTE);
    expect(await changed('pause')).toEqual({ state: 'failed', failure_reason: 'The contract is paused' });
    expect(await changed('unpause')).toEqual({ state: 'final', failure_reason: null });
  });

  it('name who owns the contract and who may write to it, where the node looks that up', async () => {
    const { signer } = test.chain;
    const to = await scenario.contract();
    const minter = keccak256(new TextEncoder().encode('MINTER_ROLE'));
    const call = async (functionName: 'grantRole' | 'revokeRole', account: Hex) => {
      const data = encodeFunctionData({ abi: acreRegistryAbi, functionName, args: [minter, account] });
      await untilMined(test, await test.rpc('eth_sendTransaction', [{ from: signer, to, data }]));
    };
    await call('grantRole', WALLET);
    await call('grantRole', CONTRACT);
    await call('revokeRole', CONTRACT);
    const shown = (address: string) => ({ address, link: null });
    expect(await contractStatus(scenario.ctx())).toMatchObject({
      owners: [shown(signer)],
      minters: [shown(signer), shown(WALLET)],
    });
    const forgetful: Chain = {
      ...test.chain,
      roleHolders: () => Promise.reject(new ChainError('rejected', 'Only the latest blocks are searched')),
    };
    expect(await contractStatus({ ...scenario.ctx(), chain: forgetful })).toMatchObject({
      owners: null,
      minters: null,
      error: null,
      asked: { state: { signerIsOwner: true } },
    });
    await call('revokeRole', WALLET);
  });

  it('say why the chain does not answer, with what is known without it', async () => {
    const gone = test.with({ rpcUrl: async () => 'http://127.0.0.1:9', timeoutMs: 200 });
    expect(await contractStatus({ ...scenario.ctx(), chain: gone })).toMatchObject({
      error: 'The chain’s node is not responding',
      asked: null,
      contract: await scenario.contract(),
    });
  });

  it('wait only a moment for a node that never answers', async () => {
    const hanging: Chain = { ...test.chain, missing: null, check: () => new Promise(() => {}) };
    expect(await contractStatus({ ...scenario.ctx(), chain: hanging })).toMatchObject({
      error: 'The chain’s node is not responding',
      asked: null,
    });
  });

  /** A token of a purchase that is in custody, and what its buyer does with it. */
  async function inCustody() {
    const purchase = await purchaseToken(db, scenario);
    await scenario.work();
    expect(await scenario.token(purchase.nftId)).toMatchObject({
      custody: true,
      recipient_address: test.chain.signer,
    });
    return purchase;
  }

  it('hand a token in custody over to its buyer, and to no one else', async () => {
    const { sales, nftId, buyer, claim } = await inCustody();
    await expect(
      claim({
        ...buyer,
        actor: { ...sales.buyer, provedAt: null },
        config: { ...testConfig, chain: buyer.config.chain },
      }),
    ).rejects.toThrow('Please confirm that it is you');
    await expect(claim(proved({ ...buyer, actor: sales.otherBuyer }))).rejects.toThrow('Token not found');
    expect(await claim(buyer, '0x12')).toMatchObject({ reason: 'address' });
    expect(await claim(buyer, await scenario.contract())).toMatchObject({ reason: 'address' });
    expect(await claim(buyer)).toEqual({ ok: true });
    await expect(claim(buyer)).resolves.toMatchObject({ reason: 'being_made' });
    await scenario.work();
    const wallets = db
      .q()
      .selectFrom('profiles')
      .select(['id', 'wallet_address'])
      .where('id', 'in', [sales.buyer.id, sales.otherBuyer.id]);
    expect(new Map((await wallets.execute()).map((row) => [row.id, row.wallet_address]))).toEqual(
      new Map([
        [sales.buyer.id, WALLET],
        [sales.otherBuyer.id, null],
      ]),
    );
    const token = await scenario.token(nftId);
    expect(token).toMatchObject({ custody: false, recipient_address: WALLET, status: 'confirmed' });
    expect(await test.chain.ownerOf(await scenario.contract(), token.token_id)).toBe(WALLET);
    await expect(claim(buyer)).resolves.toMatchObject({ reason: 'not_in_custody' });
  });

  it('hand over tokens twenty times a minute to one buyer', async () => {
    const { sales, buyer, claim } = await inCustody();
    const other = proved({ ...buyer, actor: sales.otherBuyer });
    for (let count = 0; count < 20; count += 1) expect(await claim(buyer, '0x')).toMatchObject({ ok: false });
    await expect(claim(buyer)).rejects.toThrow(TooManyRequests);
    await expect(claim(other)).rejects.toThrow('Token not found');
    expect(await claim({ ...buyer, now: () => new Date(buyer.now().getTime() + MINUTE) })).toEqual({
      ok: true,
    });
  });

  it('hand over no token of a chain that is not configured, or that is not known', async () => {
    const { nftId, buyer, claim } = await inCustody();
    const claimOn = (chain: typeof localChain | undefined) =>
      claim({ ...buyer, config: { ...buyer.config, chain } });
    const refused = { ok: false, reason: 'other_network' };
    expect(await claimOn({ ...localChain, chainId: 8_453 })).toMatchObject(refused);
    expect(await claimOn(undefined)).toMatchObject(refused);
    await db.q().updateTable('completion_nfts').set({ network: null }).where('id', '=', nftId).execute();
    expect(await claimOn(undefined)).toMatchObject(refused);
    expect((await scenario.transactionsOf(nftId)).map(({ kind }) => kind)).toEqual(['mint']);
  });
});
