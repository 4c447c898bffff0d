import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Chain, ChainError } from '#gateways/chain/port.ts';
import { fileCid } from '#gateways/content/cid.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { POOR_KEY, startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario, WALLET } from '#tests/support/fixtures/chain-scenario.ts';
import { queueAnchor } from './queue-anchor.ts';

const HASH = /^0x[0-9a-f]{64}$/;

await describeOnDatabase('what is written to a chain', (open) => {
  let db: Database;
  let test: TestChain;
  let scenario: ChainScenario;
  let snapshot: string;
  beforeAll(async () => {
    db = await open();
    test = await startTestChain();
    scenario = await chainScenario(db, test.chain);
  });
  afterAll(async () => {
    await test.stop();
    await db.close();
  });
  beforeEach(async () => {
    await scenario.reset();
    snapshot = await test.rpc('evm_snapshot');
  });
  afterEach(async () => {
    await test.rpc('evm_setAutomine', [true]);
    await test.rpc('evm_revert', [snapshot]);
  });

  const failingAt = (method: keyof Chain, fault: () => never | Promise<never>): Chain => ({
    ...test.chain,
    [method]: async () => fault(),
  });
  const states = async (nftId: string) => (await scenario.transactionsOf(nftId)).map(({ state }) => state);

  it('is there: a hash that anyone can read, and a token with its owner and metadata', async () => {
    const { anchored, minted, work, document, token, onChain, contract } = scenario;
    const one = await anchored();
    expect(await work()).toEqual({ open: 0 });
    const [a, b, c] = [await anchored(), await anchored(), await anchored()];
    const { nftId } = await minted();
    const custody = await minted(null);
    expect(await work()).toEqual({ open: 0 });
    for (const id of [one, a, b, c]) {
      expect(await document(id)).toMatchObject({
        status: 'confirmed',
        failure_reason: null,
        network: 'local',
      });
      expect((await document(id)).base_tx_hash).toMatch(HASH);
      expect(await onChain(id)).toBeInstanceOf(Date);
    }
    expect((await document(b)).base_tx_hash).toBe((await document(c)).base_tx_hash);
    const made = await token(nftId);
    expect(made).toMatchObject({ status: 'confirmed', recipient_address: WALLET, custody: false });
    expect(made.base_tx_hash).toMatch(HASH);
    expect(made.token_id).toBeGreaterThan(0);
    expect(await test.chain.ownerOf(await contract(), made.token_id)).toBe(WALLET);
    expect(await test.chain.tokenUri(await contract(), made.token_id)).toBe(
      `ipfs://${fileCid(Buffer.from(made.token_metadata ?? ''))}`,
    );
    expect(await token(custody.nftId)).toMatchObject({
      status: 'confirmed',
      recipient_address: test.chain.signer,
      custody: true,
    });
    expect(await work()).toEqual({ open: 0 });
    expect((await test.chain.contractState(await contract())).totalMinted).toBe(2);
  });

  it('waits for as many blocks as are asked for', async () => {
    const { anchored, work, document } = scenario;
    await work();
    const patient = test.with({ confirmations: 3 });
    const id = await anchored();
    expect(await work(patient)).toEqual({ open: 1 });
    expect(await document(id)).toMatchObject({ status: 'pending', failure_reason: null });
    expect((await document(id)).base_tx_hash).toMatch(HASH);
    await test.rpc('anvil_mine', ['0x1']);
    expect(await work(patient)).toEqual({ open: 1 });
    await test.rpc('anvil_mine', ['0x1']);
    expect(await work(patient)).toEqual({ open: 0 });
    expect(await document(id)).toMatchObject({ status: 'confirmed' });
  });

  it('is written again after a re-organisation three blocks deep', async () => {
    const { anchored, minted, work, document, token, onChain } = scenario;
    const ids = [await anchored()];
    await work();
    ids.push(await anchored());
    await work();
    const { nftId } = await minted();
    await work();
    const before = await token(nftId);
    await test.rpc('evm_setAutomine', [false]);
    await test.rpc('anvil_reorg', [3, []]);
    await work();
    expect(await token(nftId)).toMatchObject({ status: 'pending', token_id: 0 });
    await test.rpc('evm_setAutomine', [true]);
    await test.rpc('anvil_mine', ['0x1']);
    expect(await work()).toEqual({ open: 0 });
    for (const id of ids) {
      expect(await document(id)).toMatchObject({ status: 'confirmed', failure_reason: null });
      expect(await onChain(id)).toBeInstanceOf(Date);
    }
    expect(await token(nftId)).toMatchObject({
      status: 'confirmed',
      token_id: before.token_id,
      base_tx_hash: before.base_tx_hash,
    });
  });

  it('is written again when the chain has lost everything, from the same bytes', async () => {
    const { anchored, minted, work, document, token, contract } = scenario;
    const id = await anchored();
    const { nftId } = await minted();
    await work();
    const [address, made] = [await contract(), await token(nftId)];
    await test.rpc('evm_revert', [snapshot]);
    snapshot = await test.rpc('evm_snapshot');
    expect(await test.chain.hasCode(address)).toBe(false);
    expect(await work()).toEqual({ open: 0 });
    expect(await contract()).toBe(address);
    expect(await document(id)).toMatchObject({ status: 'confirmed' });
    expect(await token(nftId)).toMatchObject({ token_id: made.token_id, base_tx_hash: made.base_tx_hash });
  });

  it('is sent again when the node has dropped it', async () => {
    const { minted, work, token } = scenario;
    await work();
    await test.rpc('evm_setAutomine', [false]);
    const { nftId } = await minted();
    expect(await work()).toEqual({ open: 1 });
    await test.rpc('anvil_dropTransaction', [(await token(nftId)).base_tx_hash]);
    expect(await work()).toEqual({ open: 1 });
    await test.rpc('anvil_mine', ['0x1']);
    expect(await work()).toEqual({ open: 0 });
    expect(await token(nftId)).toMatchObject({ status: 'confirmed' });
  });

  it('offers an eighth more when it is stuck, with the same nonce, and counts whichever is in a block', async () => {
    const { minted, work, token, transactionsOf, clock } = scenario;
    await work();
    await test.rpc('evm_setAutomine', [false]);
    const { nftId } = await minted();
    await work();
    const first = (await token(nftId)).base_tx_hash;
    clock.advance(MINUTE + 1);
    await work();
    const second = (await token(nftId)).base_tx_hash;
    expect(second).not.toBe(first);
    const [row] = await transactionsOf(nftId);
    const [before, after] = (row?.signed ?? []) as unknown as { fields: Record<string, string> }[];
    expect(after?.fields).toMatchObject({ nonce: before?.fields.nonce, data: before?.fields.data });
    expect(Number(after?.fields.maxFeePerGas) / Number(before?.fields.maxFeePerGas)).toBeGreaterThanOrEqual(
      1.125,
    );
    await test.rpc('anvil_mine', ['0x1']);
    await work();
    expect(await token(nftId)).toMatchObject({ status: 'confirmed', base_tx_hash: second });
  });

  it('waits for funds, and says so', async () => {
    const { minted, work, token } = scenario;
    await work();
    const { nftId } = await minted();
    const balance = await test.rpc('eth_getBalance', [test.chain.signer, 'latest']);
    await test.rpc('anvil_setBalance', [test.chain.signer, '0x0']);
    await work();
    expect(await token(nftId)).toMatchObject({
      status: 'pending',
      base_tx_hash: '',
      failure_reason: 'The signer’s balance does not cover the fees',
    });
    await test.rpc('anvil_setBalance', [test.chain.signer, balance]);
    scenario.clock.advance(MINUTE);
    await work();
    expect(await token(nftId)).toMatchObject({ status: 'confirmed', failure_reason: null });
  });

  it('waits while the contract is paused, or does not allow it to the signer', async () => {
    const { minted, work, token, contract } = scenario;
    await work();
    const stranger = test.with({ signerKey: POOR_KEY });
    await test.rpc('anvil_setBalance', [stranger.signer, '0xde0b6b3a7640000']);
    const refused = await minted();
    await work(stranger);
    expect(await token(refused.nftId)).toMatchObject({
      status: 'pending',
      failure_reason: 'The contract does not allow this to the signer',
    });
    const { nftId } = await minted();
    await db
      .q()
      .insertInto('chain_transactions')
      .values({ kind: 'pause', network: 'local', next_at: scenario.clock.now(), created_at: new Date(0) })
      .execute();
    await work();
    expect((await test.chain.contractState(await contract())).paused).toBe(true);
    expect(await token(nftId)).toMatchObject({ status: 'pending', failure_reason: 'The contract is paused' });
    await db
      .q()
      .insertInto('chain_transactions')
      .values({ kind: 'unpause', network: 'local', next_at: scenario.clock.now() })
      .execute();
    await work();
    scenario.clock.advance(MINUTE);
    await work();
    for (const id of [nftId, refused.nftId])
      expect(await token(id)).toMatchObject({ status: 'confirmed', failure_reason: null });
  });

  it('fails when the recipient is a contract that does not accept tokens', async () => {
    const { work, minted, token, contract } = scenario;
    await work();
    const { nftId } = await minted(await contract());
    await work();
    expect(await token(nftId)).toMatchObject({
      status: 'failed',
      failure_reason: 'The recipient is a contract that does not accept tokens',
    });
  });

  it('is not trusted to a node of another chain, and what waits says why', async () => {
    const { anchored, work, document } = scenario;
    await work();
    const id = await anchored();
    const other = { ...test.with({ chainId: 84_532 }), network: 'local' };
    await expect(work(other)).rejects.toThrow('The node is one of chain 31337, but CHAIN_ID is 84532');
    expect(await document(id)).toMatchObject({
      status: 'pending',
      failure_reason: 'The node is one of chain 31337, but CHAIN_ID is 84532',
    });
    const silent = failingAt('nonces', () => {
      throw new ChainError('unavailable', 'The chain’s node is not responding');
    });
    await expect(work(silent)).rejects.toThrow('is not responding');
    await work();
    expect(await document(id)).toMatchObject({ status: 'confirmed', failure_reason: null });
  });

  it('is not believed to a node that lies about receipts, contracts or tokens', async () => {
    const { anchored, minted, work, document, token } = scenario;
    await work();
    const id = await anchored();
    const { nftId } = await minted();
    const liars: Partial<Chain>[] = [
      {
        receipt: async () => {
          throw new ChainError('contradiction', 'The chain’s node contradicts itself about a transaction');
        },
      },
      { anchoredAt: async () => null, tokenOf: async () => null },
      { tokenOf: async () => 999, anchoredAt: async () => null },
      { hasCode: async () => false },
    ];
    for (const lie of liars) {
      expect(await work({ ...test.chain, ...lie })).toEqual({ open: 2 });
      expect((await document(id)).status).toBe('pending');
      expect((await token(nftId)).status).toBe('pending');
      expect((await token(nftId)).failure_reason).toMatch(/contradicts|does not know|not on the chain/);
    }
    expect(await work()).toEqual({ open: 0 });
    expect(await token(nftId)).toMatchObject({ status: 'confirmed', failure_reason: null });
  });

  it('is there once when the node answers late, twice, or not at all to what it was sent', async () => {
    const { minted, work, token, contract } = scenario;
    await work();
    const twice: Chain = {
      ...test.chain,
      async broadcast(raw) {
        await test.chain.broadcast(raw);
        await test.chain.broadcast(raw);
      },
    };
    const lost: Chain = {
      ...test.chain,
      async broadcast(raw) {
        await test.chain.broadcast(raw);
        throw new ChainError('unavailable', 'The chain’s node is not responding');
      },
    };
    const first = await minted();
    await work(twice);
    const second = await minted();
    await expect(work(lost)).rejects.toThrow('is not responding');
    expect(await states(second.nftId)).toEqual(['signed']);
    await work();
    expect((await token(first.nftId)).status).toBe('confirmed');
    expect((await token(second.nftId)).status).toBe('confirmed');
    expect((await test.chain.contractState(await contract())).totalMinted).toBe(2);
  });

  it('is there once when two workers run at the same time', async () => {
    const { anchored, minted, work, document, token, contract } = scenario;
    const ids = [];
    const tokens = [];
    for (let count = 0; count < 6; count += 1) {
      ids.push(await anchored());
      tokens.push((await minted()).nftId);
    }
    await Promise.all([work(), work(), work()]);
    expect(await work()).toEqual({ open: 0 });
    for (const id of ids) expect((await document(id)).status).toBe('confirmed');
    const numbers = [];
    for (const id of tokens) numbers.push((await token(id)).token_id);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await test.chain.contractState(await contract())).totalMinted).toBe(6);
  });

  it('is taken over when the chain has it already', async () => {
    const { newDocument, minted, work, document, token, ctx, transactionsOf } = scenario;
    const first = await newDocument('the same file', 'public');
    await queueAnchor(ctx(), first);
    await work();
    const again = await newDocument('the same file', 'public');
    await queueAnchor(ctx(), again);
    const { nftId } = await minted();
    await work();
    expect(await document(again)).toMatchObject({
      status: 'confirmed',
      base_tx_hash: (await document(first)).base_tx_hash,
    });
    const made = await token(nftId);
    // As if the database had been restored from a backup of before the token was made.
    await db.q().deleteFrom('chain_transactions').where('nft_id', '=', nftId).execute();
    await db
      .q()
      .updateTable('completion_nfts')
      .set({ status: 'pending', token_id: 0, base_tx_hash: '' })
      .where('id', '=', nftId)
      .execute();
    await db
      .q()
      .insertInto('chain_transactions')
      .values({ kind: 'mint', network: 'local', nft_id: nftId, next_at: scenario.clock.now() })
      .execute();
    await work();
    expect(await token(nftId)).toMatchObject({
      status: 'confirmed',
      token_id: made.token_id,
      base_tx_hash: made.base_tx_hash,
    });
    expect((await transactionsOf(nftId)).map(({ nonce }) => nonce)).toEqual([null]);
  });

  it('ends the same wherever the server is killed', async () => {
    const { anchored, minted, work, document, token, contract } = scenario;
    await work();
    let calls = 0;
    const names = Object.keys(test.chain) as (keyof Chain)[];
    /** A chain whose server dies at a call: before the node has it, or after it, when the answer is lost. */
    const dyingAt = (call: number, when: 'before' | 'after'): Chain => {
      calls = 0;
      const dying = { ...test.chain } as Record<string, unknown>;
      for (const name of names) {
        const real = test.chain[name];
        if (typeof real !== 'function') continue;
        dying[name] = async (...args: never[]) => {
          calls += 1;
          if (calls === call && when === 'before') throw new Error('killed');
          const answer = await (real as (...args: never[]) => Promise<unknown>)(...args);
          if (calls >= call && when === 'after') throw new Error('killed');
          return answer;
        };
      }
      return dying as unknown as Chain;
    };
    let expected = 0;
    let survived = false;
    for (let call = 1; !survived; call += 1)
      for (const when of ['before', 'after'] as const) {
        const id = await anchored();
        const { nftId } = await minted();
        expected += 1;
        const end = await work(dyingAt(call, when)).then(
          () => 'survived',
          (error: Error) => error.message,
        );
        survived = end === 'survived';
        await work();
        expect({ call, when, status: (await document(id)).status }).toEqual({
          call,
          when,
          status: 'confirmed',
        });
        expect(await token(nftId)).toMatchObject({ status: 'confirmed', token_id: expected });
      }
    expect((await test.chain.contractState(await contract())).totalMinted).toBe(expected);
    expect(expected).toBeGreaterThan(20);
    // Every call of a run is one to die at.
  }, 120_000);
});
