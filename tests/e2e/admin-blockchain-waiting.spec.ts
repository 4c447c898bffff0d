import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { devices } from '@playwright/test';
import { expect, test } from '#tests/support/browser/scenario.ts';

test.slow();

// A node that says which chain it is one of, and nothing else before it is let go.
const waiting: ServerResponse[] = [];
let answering = false;
const node = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const asked = [JSON.parse(body)].flat() as { id: number; method: string }[];
    const known = asked.every(({ method }) => method === 'eth_chainId');
    if (!known && !answering) return void waiting.push(response);
    if (!known) return void response.writeHead(503).end();
    const answers = asked.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x14a34' }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body.startsWith('[') ? answers : answers[0]));
  });
});
// Listens before a server is started, whose environment names it; no reason for the worker to stay.
await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
node.unref();
const { port } = node.address() as AddressInfo;

test.use({
  ownServer: 'slow-chain',
  environment: {
    CHAIN: 'rpc',
    CHAIN_RPC_URL: `http://127.0.0.1:${port}`,
    CHAIN_ID: '84532',
    CHAIN_SIGNER_KEY: `0x${'11'.repeat(32)}`,
  },
  // A browser without a window is taken for a crawler, which always gets the complete page.
  userAgent: devices['Desktop Chrome'].userAgent,
});

test('the contract’s tab says that it is being read, then why it could not be', async ({
  page,
  signInAs,
}) => {
  await signInAs('admin@acre.test', 'admin');
  await page.goto('/admin/blockchain?tab=contract', { waitUntil: 'commit' });
  const loading = page.getByText('Loading Contract Management...');
  await expect(loading).toBeVisible();
  await expect.poll(() => waiting.length).toBeGreaterThan(0);
  answering = true;
  for (const response of waiting.splice(0)) response.writeHead(503).end();
  await expect(page.getByRole('region', { name: 'Contract' })).toContainText('Base Sepolia');
  await expect(loading).toHaveCount(0);
});
