import { privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData, keccak256 } from 'viem/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acreRegistryAbi } from '#gateways/chain/acre-registry.gen.ts';
import type { Hex } from '#gateways/chain/port.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { chainScenario } from '#tests/support/fixtures/chain-scenario.ts';
import { contractStatus } from './reads.ts';

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

  it('is given up once that account has used its nonce for something else, and keeps nothing waiting', async () => {
    const scenario = await chainScenario(db, test.chain);
    await test.rpc('evm_setAutomine', [true]);
    await scenario.work();
    const contract = await scenario.contract();
    const { nftId } = await scenario.minted();
    await test.rpc('evm_setAutomine', [false]);
    const waiting = () => test.with({ blockForEach: false });
    await scenario.work(waiting());
    const { id: pause } = await db
      .q()
      .insertInto('chain_transactions')
      .values({ kind: 'pause', network: test.chain.network, next_at: scenario.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await scenario.work(waiting());

    // Administrators see what keeps everything waiting, and whose account could end that.
    const successor = test.with({ signerKey: NEW_KEY, blockForEach: false });
    scenario.clock.advance(2 * MINUTE);
    await scenario.work(successor);
    expect((await contractStatus({ ...scenario.ctx(), chain: successor })).stuck).toMatchObject({
      reason: expect.stringMatching(/^Signed with a former key/),
      sender: test.chain.signer,
    });

    // The account is used from elsewhere, to allow the new key to make tokens, with the nonces of what waits.
    const { address } = privateKeyToAccount(NEW_KEY);
    await test.rpc('anvil_setBalance', [address, '0x56bc75e2d63100000']);
    const signed = await db
      .q()
      .selectFrom('chain_transactions')
      .select(['nonce', 'hash'])
      .where('state', '=', 'signed')
      // To drop one drops those that come after it.
      .orderBy('nonce')
      .execute();
    expect(signed).toHaveLength(2);
    const data = encodeFunctionData({
      abi: acreRegistryAbi,
      functionName: 'grantRole',
      args: [keccak256(new TextEncoder().encode('MINTER_ROLE')), address],
    });
    for (const { nonce, hash } of signed) {
      await test.rpc('anvil_dropTransaction', [hash]);
      await test.rpc('eth_sendTransaction', [
        { from: test.chain.signer, to: contract, data, nonce: `0x${Number(nonce).toString(16)}` },
      ]);
    }
    await test.rpc('anvil_mine', ['0x1']);
    await test.rpc('evm_setAutomine', [true]);

    await scenario.work(test.with({ signerKey: NEW_KEY }));
    const { state, failure_reason } = await db
      .q()
      .selectFrom('chain_transactions')
      .select(['state', 'failure_reason'])
      .where('id', '=', pause)
      .executeTakeFirstOrThrow();
    expect({ state, failure_reason }).toEqual({
      state: 'failed',
      failure_reason: 'Another transaction of the signer took its place',
    });
    expect((await contractStatus({ ...scenario.ctx(), chain: successor })).stuck).toBeNull();
    expect(await scenario.token(nftId)).toMatchObject({ status: 'confirmed', failure_reason: null });
    const [made] = await scenario.transactionsOf(nftId);
    expect(made).toMatchObject({ state: 'final', sender: address });
  });
});
