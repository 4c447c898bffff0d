import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeFunctionResult, namehash, parseAbi, zeroAddress } from 'viem';
import { afterEach, expect, it } from 'vitest';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { basenames } from './basenames.ts';
import { noNames, openNameService } from './open.ts';
import { NameServiceError } from './port.ts';

const OWNER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const RESOLVER = '0xc6d566a56a1aff6508b41f6c90ff131615583bcd';
const REGISTRY = '0xb94704422c2a1e396835a571837aa5ae53285a95';
const abi = parseAbi(['function addr(bytes32) view returns (address)']);
const answer = (address: `0x${string}`) =>
  encodeFunctionResult({ abi, functionName: 'addr', result: address });

let server: Server | undefined;
afterEach(() => server?.close());

/** A node of a chain that knows alice.base.eth, and nobody.base.eth, which has no address. */
async function startNode({ chainId = 8453, down = false } = {}): Promise<string> {
  const node = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { id, method, params } = JSON.parse(body);
    if (down) {
      response.statusCode = 503;
      response.end();
      return;
    }
    const [{ to = '', data = '' } = {}] = params ?? [];
    const asked = (name: string) => String(data).endsWith(namehash(name).slice(2));
    const known = asked('alice.base.eth') || asked('nobody.base.eth');
    const result =
      method === 'eth_chainId'
        ? `0x${chainId.toString(16)}`
        : to.toLowerCase() === REGISTRY
          ? answer(known ? RESOLVER : zeroAddress)
          : answer(asked('alice.base.eth') && to.toLowerCase() === RESOLVER ? OWNER : zeroAddress);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  server = node;
  await new Promise<void>((done) => node.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
}

it('finds the wallet of a name, in any case', async () => {
  const names = basenames({ chainId: 8453, rpcUrl: await startNode() });
  expect(names.suffix).toBe('.base.eth');
  expect(await names.resolve('alice.base.eth')).toBe(OWNER);
  expect(await names.resolve(' Alice.Base.eth ')).toBe(OWNER);
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
  const names = basenames({ chainId: 8453, rpcUrl: await startNode() });
  expect(await names.resolve(name)).toBeNull();
});

it('says when the node is down or one of another chain, without its address', async () => {
  for (const node of [{ down: true }, { chainId: 1 }]) {
    const rpcUrl = await startNode(node);
    const asked = basenames({ chainId: 8453, rpcUrl }).resolve('alice.base.eth');
    await expect(asked).rejects.toThrow(NameServiceError);
    await expect(asked).rejects.not.toThrow(rpcUrl);
    server?.close();
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
