import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { createLog } from '#platform/log.ts';
import { projectRoot } from '#platform/project-root.ts';
import { callNode } from '#tests/support/fixtures/anvil.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { anvilBinary, startAnvil } from './anvil.ts';
import { openChain } from './open.ts';
import type { Hex } from './port.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-anvil-'));
afterAll(() => rmSync(folder, { recursive: true }));
const log = createLog('silent');

const blockOf = async (url: string) => Number(await callNode<Hex>(url, 'eth_blockNumber', []));

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Settles when nothing listens at an address any longer. */
async function silence(url: string): Promise<void> {
  for (;;) {
    const answered = await blockOf(url).then(
      () => true,
      () => false,
    );
    if (!answered) return;
    await nextTurn();
  }
}

it('goes on from its state after it was stopped', async () => {
  const first = await startAnvil({ folder, saveEvery: 1 });
  // It listens for the signal to end only a moment after it answers; when it saves for the first time, it does.
  while (!existsSync(join(folder, 'state.json'))) await nextTurn();
  await callNode(first.url, 'anvil_mine', ['0x5']);
  await first.stop();
  await silence(first.url);
  const second = await startAnvil({ folder });
  expect(await blockOf(second.url)).toBe(5);
  await second.stop();
});

it('sets a state aside that it cannot read, and begins anew', async () => {
  writeFileSync(join(folder, 'state.json'), '{"half of a st');
  const node = await startAnvil({ folder });
  expect(await blockOf(node.url)).toBe(0);
  expect(readdirSync(folder)).toContain('state.json.unreadable');
  await node.stop();
});

it('does not outlive a server that is killed', async () => {
  const code = `import { startAnvil } from '#gateways/chain/anvil.ts';
    const node = await startAnvil({ folder: null });
    console.log(node.url);
    setInterval(() => undefined, 1000);`;
  const server = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    cwd: projectRoot,
  });
  const url = await new Promise<string>((resolve) =>
    server.stdout.once('data', (printed: Buffer) => resolve(String(printed).trim())),
  );
  expect(await blockOf(url)).toBe(0);
  server.kill('SIGKILL');
  await silence(url);
});

it('is missing on platforms that it does not exist for', async () => {
  expect(anvilBinary('aix', 'ppc64')).toBeNull();
  expect(anvilBinary()).toContain('anvil');
});

it('is started when it is needed first, and again when it has ended', async () => {
  const chain = await openChain({ chain: localChain, dataDir: folder }, log);
  expect(chain).toMatchObject({ missing: null, network: 'local', mayManage: true, local: true });
  await chain.check();
  expect((await chain.head()).number).toBe(0);
  await chain.close();
  await expect(chain.head()).rejects.toThrow('The chain is being stopped');
});

it('is shared by the processes of a data folder, and another one starts it when its owner has gone', async () => {
  const [first, second] = [
    await openChain({ chain: localChain, dataDir: folder }, log),
    await openChain({ chain: localChain, dataDir: folder }, log),
  ];
  const { number } = await first.head();
  const state = join(folder, 'chain', 'state.json');
  rmSync(state, { force: true });
  const fees = await first.fees();
  const prepared = await first.prepare({ kind: 'deploy' }, null, fees);
  const { raw } = await first.sign({
    ...prepared,
    nonce: (await first.nonces()).pending,
    maxFeePerGas: String(fees.maxFeePerGas),
    maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
  });
  await first.broadcast(raw);
  expect((await second.head()).number).toBe(number + 1);
  // Once it saves, it listens for the signal to end.
  await vi.waitFor(() => expect(existsSync(state)).toBe(true), { timeout: 20_000 });
  await first.close();
  expect((await second.head()).number).toBe(number + 1);
  await second.close();
});

it('is no chain where none is configured', async () => {
  const chain = await openChain({ chain: undefined, dataDir: folder }, log);
  expect(chain.missing).toBe('Chain not configured');
  await expect(chain.head()).rejects.toThrow('Chain not configured');
  await chain.close();
});

it('refuses to open with the node of another chain, and opens with one that does not answer', async () => {
  const node = await startAnvil({ folder: null });
  const rpc = { ...localChain, kind: 'rpc' as const, rpcUrl: node.url, signerKey: `0x${'22'.repeat(32)}` };
  await expect(openChain({ chain: { ...rpc, chainId: 8453 }, dataDir: folder }, log)).rejects.toThrow(
    'The node is one of chain 31337, but CHAIN_ID is 8453',
  );
  const right = await openChain({ chain: rpc, dataDir: folder }, log);
  expect((await right.head()).number).toBe(0);
  await node.stop();
  await silence(node.url);
  const silent = await openChain({ chain: rpc, dataDir: folder }, log);
  await expect(silent.head()).rejects.toThrow('The chain’s node is not responding');
  const main = await openChain({ chain: { ...rpc, chainId: 8453 }, dataDir: folder }, log);
  expect(main).toMatchObject({ network: 'base', mayManage: false });
});
