import { afterEach, expect, it } from 'vitest';
import { testConfig } from '#tests/support/fixtures/context.ts';
import {
  type FakeChainNode,
  NAMED_WALLET,
  startFakeChainNode,
} from '#tests/support/fixtures/fake-chain-node.ts';
import { basenames } from './basenames.ts';
import { noNames, openNameService } from './open.ts';
import { NameServiceError } from './port.ts';

let node: FakeChainNode | undefined;
afterEach(() => node?.stop());

async function startNode(chainId = 8453): Promise<FakeChainNode> {
  node = await startFakeChainNode(chainId);
  return node;
}
const openNames = async () => basenames({ chainId: 8453, rpcUrl: (await startNode()).url });

it('finds the wallet of a name, in any case', async () => {
  const names = await openNames();
  expect(names.suffix).toBe('.base.eth');
  expect(await names.resolve('alice.base.eth')).toBe(NAMED_WALLET);
  expect(await names.resolve(' Alice.Base.eth ')).toBe(NAMED_WALLET);
});

it.each([
  'mallory.base.eth',
  'nobody.base.eth',
  'alice.eth',
  '.base.eth',
  'base.eth',
  'a b.base.eth',
  'x',
  '',
])('finds no wallet for %j', async (name) => {
  const names = await openNames();
  expect(await names.resolve(name)).toBeNull();
});

it('says when the node is down or one of another chain, without its address', async () => {
  for (const fault of ['down', 'another chain']) {
    const { url, faults, stop } = await startNode(fault === 'down' ? 8453 : 1);
    if (fault === 'down') faults.push({ status: 503, body: '' });
    const asked = basenames({ chainId: 8453, rpcUrl: url }).resolve('alice.base.eth');
    await expect(asked).rejects.toThrow(NameServiceError);
    await expect(asked).rejects.not.toThrow(url);
    await stop();
  }
});

it('is there only where a chain with names is reached by RPC', () => {
  const chain = {
    kind: 'rpc' as const,
    chainId: 84_532,
    rpcUrl: 'http://127.0.0.1:1',
    signerKey: undefined,
    confirmations: 1,
    maxFeeGwei: null,
    mainnetWrites: false,
  };
  expect(openNameService({ ...testConfig, chain }).suffix).toBe('.basetest.eth');
  expect(openNameService({ ...testConfig, chain: { ...chain, chainId: 5 } })).toBe(noNames);
  expect(openNameService({ ...testConfig, chain: { ...chain, rpcUrl: undefined } })).toBe(noNames);
  expect(openNameService({ ...testConfig, chain: undefined })).toBe(noNames);
});
