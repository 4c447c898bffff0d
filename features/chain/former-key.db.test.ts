import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Hex } from '#gateways/chain/port.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { chainScenario } from '#tests/support/fixtures/chain-scenario.ts';

const NEW_KEY: Hex = `0x${'22'.repeat(32)}`;

await describeOnDatabase('a transaction that was signed with a former key', (open) => {
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

  it('is not signed anew with the present one, says why it waits, and ends once it is in a block', async () => {
    const scenario = await chainScenario(db, test.chain);
    await scenario.work();
    const { nftId } = await scenario.minted();
    await test.rpc('evm_setAutomine', [false]);
    await scenario.work(test.with({ confirmations: 3, blockForEach: false }));
    const [before] = await scenario.transactionsOf(nftId);
    // The next number of the new key is that of the transaction.
    const { address } = privateKeyToAccount(NEW_KEY);
    await test.rpc('anvil_setNonce', [address, `0x${Number(before?.nonce).toString(16)}`]);
    const changed = () => scenario.work(test.with({ signerKey: NEW_KEY, blockForEach: false }));

    scenario.clock.advance(2 * MINUTE);
    expect(await changed()).toEqual({ open: 1 });
    const [after] = await scenario.transactionsOf(nftId);
    expect([after?.state, after?.hash, after?.signed]).toEqual(['signed', before?.hash, before?.signed]);
    expect((await scenario.token(nftId)).failure_reason).toMatch(/^Signed with a former key/);

    // The present key has used that number too.
    await test.rpc('anvil_setNonce', [address, `0x${(Number(before?.nonce) + 1).toString(16)}`]);
    await db
      .q()
      .insertInto('chain_transactions')
      .values({
        kind: 'pause',
        network: test.chain.network,
        state: 'failed',
        sender: address,
        nonce: before?.nonce,
      })
      .execute();

    await test.rpc('anvil_mine', ['0x1']);
    expect(await changed()).toEqual({ open: 0 });
    expect(await scenario.token(nftId)).toMatchObject({ status: 'confirmed', failure_reason: null });
    const [final] = await scenario.transactionsOf(nftId);
    expect(final).toMatchObject({ state: 'final', sender: before?.sender, nonce: before?.nonce });
    expect(final?.sender).not.toBe(address);
  });
});
