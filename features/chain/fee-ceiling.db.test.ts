import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario } from '#tests/support/fixtures/chain-scenario.ts';
import { signedOf } from './transaction.ts';

await describeOnDatabase('what a transaction offers', (open) => {
  let db: Database;
  let test: TestChain;
  let scenario: ChainScenario;
  beforeAll(async () => {
    db = await open();
    test = await startTestChain();
    scenario = await chainScenario(db, test.chain);
    await scenario.work();
  });
  afterEach(() => test.rpc('evm_setAutomine', [true]));
  afterAll(async () => {
    await test.stop();
    await db.close();
  });

  const offered = async (nftId: string) => {
    const [row] = await scenario.transactionsOf(nftId);
    return row ? signedOf(row).map(({ fields }) => BigInt(fields.maxFeePerGas)) : [];
  };

  it('waits while the chain asks for more than the ceiling, and goes on below it', async () => {
    const { minted, work, token, clock } = scenario;
    const { nftId } = await minted();
    await work(test.with({ feeCeiling: 1n }));
    expect(await token(nftId)).toMatchObject({
      status: 'pending',
      base_tx_hash: '',
      failure_reason: 'The chain asks for higher fees than CHAIN_MAX_FEE_GWEI allows',
    });
    clock.advance(MINUTE);
    await work();
    expect(await token(nftId)).toMatchObject({ status: 'confirmed', failure_reason: null });
  });

  it('is the ceiling at most, also when it is raised', async () => {
    const { minted, work, token, clock } = scenario;
    const { maxFeePerGas, maxPriorityFeePerGas } = await test.chain.fees();
    // Enough for now, with less room for a base fee that rises.
    const narrow = (maxFeePerGas + maxPriorityFeePerGas) / 2n + 1n;
    expect(await test.with({ feeCeiling: narrow }).fees()).toEqual({
      maxFeePerGas: narrow,
      maxPriorityFeePerGas,
    });
    const ceiling = (maxFeePerGas * 5n) / 4n;
    const capped = test.with({ feeCeiling: ceiling });
    await test.rpc('evm_setAutomine', [false]);
    const { nftId } = await minted();
    for (let pass = 0; pass < 5; pass += 1) {
      await work(capped);
      clock.advance(MINUTE + 1);
    }
    const offers = await offered(nftId);
    expect(offers).toHaveLength(2);
    expect(offers.every((offer) => offer <= ceiling)).toBe(true);
    expect(await token(nftId)).toMatchObject({
      status: 'pending',
      failure_reason: 'It offers as much as CHAIN_MAX_FEE_GWEI allows, and waits for lower fees',
    });
    await test.rpc('anvil_mine', ['0x1']);
    await work(capped);
    expect(await token(nftId)).toMatchObject({ status: 'confirmed', failure_reason: null });
  });
});
