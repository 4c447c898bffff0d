import { privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData, keccak256 } from 'viem/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acreRegistryAbi } from '#gateways/chain/acre-registry.gen.ts';
import type { Hex } from '#gateways/chain/port.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE, SECOND } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { chainScenario, WALLET } from '#tests/support/fixtures/chain-scenario.ts';
import { purchaseToken } from '#tests/support/fixtures/purchase-token.ts';
import { untilMined } from '#tests/support/fixtures/until-mined.ts';
import { contractStatus } from './reads.ts';
import { contractOf } from './transaction.ts';

const NEW_KEY: Hex = `0x${'22'.repeat(32)}`;
const NEW_SIGNER = privateKeyToAccount(NEW_KEY).address;
const MINTER = keccak256(new TextEncoder().encode('MINTER_ROLE'));

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

  const grantMinter = encodeFunctionData({
    abi: acreRegistryAbi,
    functionName: 'grantRole',
    args: [MINTER, NEW_SIGNER],
  });
  const approveForAll = encodeFunctionData({
    abi: acreRegistryAbi,
    functionName: 'setApprovalForAll',
    args: [NEW_SIGNER, true],
  });
  /** A transaction of the former key's account that is made elsewhere. */
  const elsewhere = async (data: Hex) => {
    const to = (await contractOf({ db }, test.chain.network))?.address;
    await untilMined(test, await test.rpc('eth_sendTransaction', [{ from: test.chain.signer, to, data }]));
  };

  it('is not signed anew with the present one, says why it waits, and ends once it is in a block', async () => {
    const scenario = await chainScenario(db, test.chain);
    await scenario.work();
    const { nftId } = await scenario.minted();
    await test.rpc('evm_setAutomine', [false]);
    await scenario.work(test.with({ confirmations: 3, blockForEach: false }));
    const [before] = await scenario.transactionsOf(nftId);
    // The next number of the new key is that of the transaction.
    await test.rpc('anvil_setNonce', [NEW_SIGNER, `0x${Number(before?.nonce).toString(16)}`]);
    const changed = () => scenario.work(test.with({ signerKey: NEW_KEY, blockForEach: false }));

    scenario.clock.advance(2 * MINUTE);
    expect(await changed()).toEqual({ open: 1 });
    const [after] = await scenario.transactionsOf(nftId);
    expect([after?.state, after?.hash, after?.signed]).toEqual(['signed', before?.hash, before?.signed]);
    expect((await scenario.token(nftId)).failure_reason).toMatch(/^Signed with a former key/);

    // The present key has used that number too.
    await test.rpc('anvil_setNonce', [NEW_SIGNER, `0x${(Number(before?.nonce) + 1).toString(16)}`]);
    await db
      .q()
      .insertInto('chain_transactions')
      .values({
        kind: 'pause',
        network: test.chain.network,
        state: 'failed',
        sender: NEW_SIGNER,
        nonce: before?.nonce,
      })
      .execute();

    await test.rpc('anvil_mine', ['0x1']);
    expect(await changed()).toEqual({ open: 0 });
    expect(await scenario.token(nftId)).toMatchObject({ status: 'confirmed', failure_reason: null });
    const [final] = await scenario.transactionsOf(nftId);
    expect(final).toMatchObject({ state: 'final', sender: before?.sender, nonce: before?.nonce });
    expect(final?.sender).not.toBe(NEW_SIGNER);
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
    await test.rpc('anvil_setBalance', [NEW_SIGNER, '0x56bc75e2d63100000']);
    const signed = await db
      .q()
      .selectFrom('chain_transactions')
      .select(['nonce', 'hash'])
      .where('state', '=', 'signed')
      // To drop one drops those that come after it.
      .orderBy('nonce')
      .execute();
    expect(signed).toHaveLength(2);
    for (const { nonce, hash } of signed) {
      await test.rpc('anvil_dropTransaction', [hash]);
      await test.rpc('eth_sendTransaction', [
        {
          from: test.chain.signer,
          to: contract,
          data: grantMinter,
          nonce: `0x${Number(nonce).toString(16)}`,
        },
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
    expect(made).toMatchObject({ state: 'final', sender: NEW_SIGNER });
  });

  it('leaves its tokens in custody, from where their buyers have them once the new account is approved', async () => {
    const scenario = await chainScenario(db, test.chain);
    const successor = test.with({ signerKey: NEW_KEY });
    await test.rpc('anvil_setBalance', [NEW_SIGNER, '0x56bc75e2d63100000']);
    await scenario.work();
    const { nftId, buyer, claim } = await purchaseToken(db, scenario);
    await scenario.work();
    expect(await claim({ ...buyer, chain: successor })).toEqual({ ok: true });
    expect(await scenario.work(successor)).toEqual({ open: 0 });
    const transfer = async () =>
      (await scenario.transactionsOf(nftId)).find(({ kind }) => kind === 'transfer');
    expect(await transfer()).toMatchObject({
      state: 'queued',
      failure_reason: 'The account that holds the token has not approved the signer',
    });

    await elsewhere(approveForAll);
    scenario.clock.advance(MINUTE);
    await scenario.work(successor);
    expect(await transfer()).toMatchObject({ state: 'final', failure_reason: null });
    const token = await scenario.token(nftId);
    expect(token).toMatchObject({ custody: false, recipient_address: WALLET });
    expect(await test.chain.ownerOf(await scenario.contract(), token.token_id)).toBe(WALLET);
  });

  it('has made a token for custody that is final only with the new one, and is handed over as others', async () => {
    const scenario = await chainScenario(db, test.chain);
    const successor = test.with({ signerKey: NEW_KEY });
    await test.rpc('anvil_setBalance', [NEW_SIGNER, '0x56bc75e2d63100000']);
    await scenario.work();
    for (const data of [grantMinter, approveForAll]) await elsewhere(data);
    const { nftId, buyer, claim } = await purchaseToken(db, scenario);
    const lost = await purchaseToken(db, scenario);
    await test.rpc('evm_setAutomine', [false]);
    await scenario.work(test.with({ blockForEach: false }));
    await test.rpc('anvil_mine', ['0x1']);
    await test.rpc('evm_setAutomine', [true]);
    // As if the database had been restored from a backup of before this one was signed.
    await db
      .q()
      .updateTable('chain_transactions')
      .set({ state: 'queued', sender: null, nonce: null, hash: null, signed: '[]' })
      .where('nft_id', '=', lost.nftId)
      .execute();
    await scenario.work(successor);
    for (const id of [nftId, lost.nftId])
      expect(await scenario.token(id)).toMatchObject({
        status: 'confirmed',
        custody: true,
        recipient_address: test.chain.signer,
      });
    expect(await claim({ ...buyer, chain: successor })).toEqual({ ok: true });
    await scenario.work(successor);
    expect(await scenario.token(nftId)).toMatchObject({ custody: false, recipient_address: WALLET });
  });

  it('has left many tokens that cannot be sent yet, which keep no others waiting', async () => {
    const scenario = await chainScenario(db, test.chain);
    const stranger = test.with({ signerKey: `0x${'33'.repeat(32)}` });
    await test.rpc('anvil_setBalance', [stranger.signer, '0x56bc75e2d63100000']);
    const held = [];
    for (let count = 0; count < 50; count += 1) held.push((await scenario.minted(null)).nftId);
    await scenario.work();
    const now = scenario.clock.now();
    for (const id of held)
      await db
        .q()
        .insertInto('chain_transactions')
        .values({
          kind: 'transfer',
          network: test.chain.network,
          nft_id: id,
          call: JSON.stringify({ to: WALLET, tokenId: (await scenario.token(id)).token_id }),
          next_at: now,
          created_at: now,
        })
        .execute();
    await scenario.work(stranger);
    scenario.clock.advance(SECOND);
    const { nftId } = await scenario.minted();
    for (const _ of ['the fifty first', 'then this one']) {
      scenario.clock.advance(MINUTE);
      await scenario.work(stranger);
    }
    expect(await scenario.token(nftId)).toMatchObject({
      status: 'pending',
      failure_reason: 'The contract does not allow this to the signer',
    });
  });
});
