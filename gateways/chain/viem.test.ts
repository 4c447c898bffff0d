import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { callNode, POOR_KEY, startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { untilMined } from '#tests/support/fixtures/until-mined.ts';
import type { Chain, ChainCall, Hex } from './port.ts';

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

let test: TestChain;
let server: Server;
let liar: Chain;
/** What the node in between makes of an answer. */
let lie: (method: string, result: unknown) => unknown;

beforeAll(async () => {
  test = await startTestChain();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      const asked = JSON.parse(body) as Call | Call[];
      const answer = async ({ id, method, params }: Call) => {
        try {
          return { jsonrpc: '2.0', id, result: lie(method, await callNode(test.node.url, method, params)) };
        } catch (error) {
          return { jsonrpc: '2.0', id, error: { code: -32_000, message: (error as Error).message } };
        }
      };
      const answers = Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answers));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  liar = test.with({ rpcUrl: async () => `http://127.0.0.1:${port}` });
});
beforeEach(() => {
  lie = (_method, result) => result;
});
afterAll(async () => {
  server.close();
  await test.stop();
});

async function send(chain: Chain, call: ChainCall, contract: Hex | null): Promise<Hex> {
  const fees = await chain.fees();
  const prepared = await chain.prepare(call, contract, fees);
  const signed = await chain.sign({
    ...prepared,
    nonce: (await chain.nonces()).pending,
    maxFeePerGas: String(fees.maxFeePerGas),
    maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
  });
  await chain.broadcast(signed.raw);
  await untilMined(test, signed.hash);
  return signed.hash;
}
async function deploy(): Promise<Hex> {
  const receipt = await test.chain.receipt(await send(test.chain, { kind: 'deploy' }, null));
  return receipt?.contract ?? '0x';
}
const key: Hex = `0x${'ab'.repeat(32)}`;

it('deploys, anchors, makes and moves tokens, pauses, and reads all of it', async () => {
  const { chain } = test;
  const contract = await deploy();
  expect(await chain.hasCode(contract)).toBe(true);
  expect(await chain.hasCode(key.slice(0, 42) as Hex)).toBe(false);
  expect(await chain.anchoredAt(contract, key)).toBeNull();
  const anchor = await send(chain, { kind: 'anchor', hash: key }, contract);
  expect(await chain.anchoredAt(contract, key)).toEqual((await chain.head()).time);
  const minted = await send(chain, { kind: 'mint', to: chain.signer, key, uri: 'cid' }, contract);
  expect(await chain.receipt(minted)).toMatchObject({ succeeded: true, tokenId: 1, contract: null });
  expect(await chain.tokenOf(contract, key)).toBe(1);
  expect(await chain.ownerOf(contract, 1)).toBe(chain.signer);
  expect(await chain.ownerOf(contract, 2)).toBeNull();
  expect(await chain.tokenUri(contract, 1)).toBe('ipfs://cid');
  const to = test.with({ signerKey: POOR_KEY }).signer;
  await send(chain, { kind: 'transfer', from: chain.signer, to, tokenId: 1 }, contract);
  expect(await chain.ownerOf(contract, 1)).toBe(to);
  await send(chain, { kind: 'base_uri', base: 'https://x.test/' }, contract);
  await send(chain, { kind: 'pause' }, contract);
  expect(await chain.contractState(contract)).toEqual({
    version: 1,
    paused: true,
    totalMinted: 1,
    baseUri: 'https://x.test/',
    signerIsOwner: true,
    signerIsMinter: true,
  });
  await send(chain, { kind: 'unpause' }, contract);
  expect(await chain.roleHolders(contract, 0)).toEqual({ owners: [chain.signer], minters: [chain.signer] });
  expect(await chain.findOrigin(contract, { anchor: key }, 0)).toBe(anchor);
  expect(await chain.findOrigin(contract, { mint: key }, 0)).toBe(minted);
  expect(await chain.findOrigin(contract, { mint: `0x${'cd'.repeat(32)}` }, 0)).toBeNull();
  expect(await chain.receipt(`0x${'ef'.repeat(32)}`)).toBeNull();
});

it('says why a call would fail', async () => {
  const { chain } = test;
  const contract = await deploy();
  const poor = test.with({ signerKey: POOR_KEY });
  const code = (of: Chain, call: ChainCall) =>
    send(of, call, contract).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  const mint = (to: Hex): ChainCall => ({ kind: 'mint', to, key, uri: 'cid' });
  expect(await code(chain, mint(contract))).toBe('receiver');
  expect(await code(chain, mint(chain.signer))).toBe('done');
  expect(await code(chain, mint(chain.signer))).toBe('already_minted');
  expect(await code(chain, { kind: 'anchor', hash: key })).toBe('done');
  expect(await code(chain, { kind: 'anchor', hash: key })).toBe('already_anchored');
  expect(await code(chain, { kind: 'anchor', hash: `0x${'00'.repeat(32)}` })).toBe('reverted');
  expect(await code(poor, { kind: 'anchor', hash: key })).toBe('not_allowed');
  expect(await code(poor, { kind: 'transfer', from: chain.signer, to: poor.signer, tokenId: 1 })).toBe(
    'not_allowed',
  );
  expect(await code(poor, { kind: 'deploy' })).toBe('no_funds');
  expect(await code(chain, { kind: 'pause' })).toBe('done');
  expect(await code(chain, { kind: 'anchor', hash: `0x${'01'.repeat(32)}` })).toBe('paused');
});

it('signs the same bytes for the same fields, and takes it for no fault that the node has them', async () => {
  const { chain } = test;
  const fees = await chain.fees();
  const fields = {
    ...(await chain.prepare({ kind: 'deploy' }, null, fees)),
    nonce: (await chain.nonces()).pending,
    maxFeePerGas: String(fees.maxFeePerGas),
    maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
  };
  const signed = await chain.sign(fields);
  expect(await chain.sign(fields)).toEqual(signed);
  for (let time = 0; time < 3; time += 1) await chain.broadcast(signed.raw);
  await untilMined(test, signed.hash);
  expect(await chain.receipt(signed.hash)).toMatchObject({ hash: signed.hash, succeeded: true });
});

it('does not take the node’s word for the hash of what it was sent', async () => {
  lie = (method, result) => (method === 'eth_sendRawTransaction' ? `0x${'99'.repeat(32)}` : result);
  const hash = await send(liar, { kind: 'deploy' }, null);
  expect(await test.chain.receipt(hash)).toMatchObject({ hash });
});

it.each<[string, (method: string, result: unknown) => unknown]>([
  [
    'that names another block',
    (method, result) =>
      method === 'eth_getTransactionReceipt'
        ? { ...(result as object), blockHash: `0x${'77'.repeat(32)}` }
        : result,
  ],
  [
    'of another transaction',
    (method, result) =>
      method === 'eth_getTransactionReceipt'
        ? { ...(result as object), transactionHash: `0x${'77'.repeat(32)}` }
        : result,
  ],
  [
    'in a block that does not have it',
    (method, result) =>
      method === 'eth_getBlockByNumber' ? { ...(result as object), transactions: [] } : result,
  ],
  ['in a block that there is not', (method, result) => (method === 'eth_getBlockByNumber' ? null : result)],
])('does not believe a receipt %s', async (_, told) => {
  const hash = await send(test.chain, { kind: 'deploy' }, null);
  expect(await liar.receipt(hash)).toMatchObject({ hash });
  lie = told;
  await expect(liar.receipt(hash)).rejects.toMatchObject({ code: 'contradiction' });
});

it('says that a node is one of another chain, or does not answer, without its address', async () => {
  lie = (method, result) => (method === 'eth_chainId' ? '0x1' : result);
  await expect(liar.check()).rejects.toMatchObject({ code: 'wrong_chain' });
  const gone = test.with({ rpcUrl: async () => 'http://127.0.0.1:9/v2/a-secret-key', timeoutMs: 300 });
  const error = await gone.head().catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ code: 'unavailable', message: 'The chain’s node is not responding' });
});
