import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Chain } from '#gateways/chain/port.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario, WALLET } from '#tests/support/fixtures/chain-scenario.ts';
import { queueMint } from './queue-mint.ts';

/** Code that does nothing, and so accepts no token. */
const NO_RECEIVER = '0x00';

await describeOnDatabase('blocks that the chain has lost, or seems to', (open) => {
  let db: Database;
  let test: TestChain;
  let scenario: ChainScenario;
  beforeAll(async () => {
    db = await open();
    test = await startTestChain();
    scenario = await chainScenario(db, test.chain);
    await scenario.work();
  });
  beforeEach(() => test.rpc('anvil_setCode', [WALLET, '0x']));
  afterEach(async () => {
    await test.rpc('anvil_setCode', [WALLET, '0x']);
    await test.rpc('evm_setAutomine', [true]);
  });
  afterAll(async () => {
    await test.stop();
    await db.close();
  });

  /** A token whose first transaction failed on the chain, so that a second one made it for the operator. */
  async function mintedAgain(): Promise<string> {
    const { ctx, newDocument, work, transactionsOf } = scenario;
    await test.rpc('evm_setAutomine', [false]);
    const documentId = await newDocument();
    const { nftId } = await queueMint(ctx(), { documentId, kind: 'completion', recipient: WALLET });
    await work();
    await test.rpc('anvil_setCode', [WALLET, NO_RECEIVER]);
    await test.rpc('anvil_mine', ['0x1']);
    await test.rpc('evm_setAutomine', [true]);
    await work();
    await work();
    expect((await transactionsOf(nftId)).map(({ state }) => state).sort()).toEqual(['failed', 'final']);
    return nftId;
  }
  const settled = async () => {
    for (let passes = 0; passes < 4; passes += 1) await scenario.work();
    return scenario.work();
  };

  it.each([
    ['fails again', NO_RECEIVER],
    ['now makes the token', '0x'],
  ])('are written again although one of their transactions was superseded, which %s', async (_, code) => {
    const { anchored, document, token, onChain } = scenario;
    const snapshot = await test.rpc('evm_snapshot');
    const nftId = await mintedAgain();
    const id = await anchored();
    await scenario.work();
    await test.rpc('evm_revert', [snapshot]);
    await test.rpc('anvil_setCode', [WALLET, code]);
    expect(await settled()).toEqual({ open: 0 });
    expect(await document(id)).toMatchObject({ status: 'confirmed', failure_reason: null });
    expect(await onChain(id)).toBeInstanceOf(Date);
    const made = await token(nftId);
    expect(made).toMatchObject({ status: 'confirmed', failure_reason: null });
    expect(await test.chain.ownerOf(await scenario.contract(), made.token_id)).toBe(made.recipient_address);
    // What comes later is written as well.
    const later = await anchored();
    expect(await settled()).toEqual({ open: 0 });
    expect(await document(later)).toMatchObject({ status: 'confirmed' });
  });

  it('are not lost because one of several nodes has not seen them yet', async () => {
    const { anchored, work, document } = scenario;
    const id = await anchored();
    await work();
    const confirmed = await document(id);
    const remote = test.with({ local: false });
    const { latest } = await test.chain.nonces();
    const late = { latest: latest - 1, pending: latest };
    const lagging: Partial<Chain>[] = [
      // The nonce of a node that lags behind, the rest of one that does not.
      { nonces: async () => late },
      { nonces: async () => late, blockHash: async () => null },
    ];
    for (const answers of lagging) {
      await work({ ...remote, ...answers });
      expect(await document(id)).toEqual(confirmed);
    }
    // The first answer lagged behind, the next one does not.
    let asked = 0;
    const other = `0x${'ee'.repeat(32)}` as const;
    const nonces = async () => (asked++ === 0 ? late : { latest, pending: latest });
    await work({ ...remote, nonces, blockHash: async () => other });
    expect(await document(id)).toEqual(confirmed);
  });

  it('are lost when there are others at their height', async () => {
    const { anchored, work, document } = scenario;
    const id = await anchored();
    await work();
    const remote = test.with({ local: false, confirmations: 3 });
    await test.rpc('evm_setAutomine', [false]);
    await test.rpc('anvil_reorg', [1, []]);
    await work(remote);
    expect(await document(id)).toMatchObject({ status: 'pending' });
    await test.rpc('anvil_mine', ['0x3']);
    expect(await work(remote)).toEqual({ open: 0 });
    expect(await document(id)).toMatchObject({ status: 'confirmed' });
  });

  it('are not lost to a transaction that waits for confirmations while a node does not find its receipt', async () => {
    const { anchored, work, document } = scenario;
    const remote = test.with({ local: false, confirmations: 3 });
    const id = await anchored();
    await work(remote);
    await work(remote);
    const shown = await document(id);
    const stateOf = () =>
      db
        .q()
        .selectFrom('chain_transactions')
        .select('state')
        .where('hash', '=', shown.base_tx_hash)
        .execute();
    expect(await stateOf()).toEqual([{ state: 'mined' }]);
    await work({ ...remote, receipt: async () => null });
    expect(await stateOf()).toEqual([{ state: 'mined' }]);
    expect(await document(id)).toEqual(shown);
    await test.rpc('anvil_mine', ['0x3']);
    expect(await work(remote)).toEqual({ open: 0 });
  });
});
