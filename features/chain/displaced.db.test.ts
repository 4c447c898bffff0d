import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Hex } from '#gateways/chain/port.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario, WALLET } from '#tests/support/fixtures/chain-scenario.ts';
import type { signedOf } from './transaction.ts';

const REASON = 'Another transaction of the signer took its place';

await describeOnDatabase('a transaction whose nonce was used elsewhere', (open) => {
  let db: Database;
  let test: TestChain;
  let scenario: ChainScenario;
  beforeAll(async () => {
    db = await open();
    test = await startTestChain();
    scenario = await chainScenario(db, test.chain);
    await scenario.work();
  });
  afterAll(async () => {
    await test.stop();
    await db.close();
  });
  beforeEach(() => test.rpc('evm_setAutomine', [false]));
  afterEach(() => test.rpc('evm_setAutomine', [true]));

  /** Signs what is queued, and puts other transactions of the signer in the place of it. */
  async function displace(): Promise<void> {
    await scenario.work(patient());
    const rows = await db
      .q()
      .selectFrom('chain_transactions')
      .select(['nonce', 'hash', 'signed'])
      .where('state', '=', 'signed')
      .orderBy('nonce')
      .execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const { signed } of rows)
      for (const { hash } of signed as unknown as ReturnType<typeof signedOf>)
        await test.rpc('anvil_dropTransaction', [hash]);
    const from: Hex = test.chain.signer;
    for (const { nonce } of rows)
      await test.rpc('eth_sendTransaction', [
        { from, to: WALLET, value: '0x1', nonce: `0x${Number(nonce).toString(16)}` },
      ]);
    await test.rpc('anvil_mine', ['0x1']);
  }
  const patient = () => test.with({ confirmations: 3, blockForEach: false });
  const minted = async () => (await test.chain.contractState(await scenario.contract())).totalMinted;

  it('is queued again when it is a document or a token, once the other one is final, and is there once', async () => {
    const { anchored, document, token, onChain, work } = scenario;
    const before = await minted();
    const documentId = await anchored();
    const { nftId } = await scenario.minted();
    await displace();
    const dead = (await token(nftId)).base_tx_hash;
    expect(await work(patient())).toEqual({ open: 2 });
    expect(await token(nftId)).toMatchObject({ status: 'pending', base_tx_hash: dead, failure_reason: null });
    await test.rpc('anvil_mine', ['0x2']);
    expect(await work(patient())).toEqual({ open: 2 });
    const anew = await token(nftId);
    expect(anew).toMatchObject({ status: 'pending', failure_reason: null });
    expect(anew.base_tx_hash).not.toBe(dead);
    await test.rpc('anvil_mine', ['0x3']);
    expect(await work(patient())).toEqual({ open: 0 });
    expect(await document(documentId)).toMatchObject({ status: 'confirmed', failure_reason: null });
    expect(await onChain(documentId)).toBeInstanceOf(Date);
    expect(await token(nftId)).toMatchObject({ status: 'confirmed', recipient_address: WALLET });
    expect(await minted()).toBe(before + 1);
  });

  it('is taken over when the chain has it after all', async () => {
    const { token, work } = scenario;
    const before = await minted();
    const { nftId } = await scenario.minted();
    await work(patient());
    await test.rpc('anvil_mine', ['0x3']);
    // A node that forgets the receipt.
    await work({ ...patient(), receipt: async () => null });
    await test.rpc('anvil_mine', ['0x3']);
    await work(patient());
    expect(await token(nftId)).toMatchObject({ status: 'confirmed', recipient_address: WALLET });
    expect(await minted()).toBe(before + 1);
  });

  it('has failed with the reason when it is anything else', async () => {
    await db
      .q()
      .insertInto('chain_transactions')
      .values({
        kind: 'base_uri',
        network: 'local',
        call: JSON.stringify({ base: 'https://x.test/' }),
        next_at: scenario.clock.now(),
      })
      .execute();
    await displace();
    await test.rpc('anvil_mine', ['0x2']);
    expect(await scenario.work(patient())).toEqual({ open: 0 });
    const row = await db
      .q()
      .selectFrom('chain_transactions')
      .select(['state', 'failure_reason'])
      .where('kind', '=', 'base_uri')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ state: 'failed', failure_reason: REASON });
  });
});
