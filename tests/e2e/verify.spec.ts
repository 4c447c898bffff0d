import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { rootOf } from '#features/chain/merkle.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { holdRequests } from '#tests/support/browser/held-requests.ts';
import { expect, open, type Scenario, test } from '#tests/support/browser/scenario.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { startFakeChainNode } from '#tests/support/fixtures/fake-chain-node.ts';

// It listens before the server is started whose environment names it.
const node = await startFakeChainNode(84_532);

const NUMBER_FIELD = 'Receipt number or SHA-256';

/** A private receipt with a number, anchored on a test network together with another document. */
async function registerReceipt({ db, createListing }: Scenario) {
  const body = Buffer.from(`%PDF-1.7 receipt ${randomUUID()}`);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const number = `E2E-${randomUUID().slice(0, 8).toUpperCase()}`;
  const { id } = await insertDocument(testContext(db), {
    propertyId: await createListing({ address: '77 Unmistakable Row' }),
    type: 'Receipt',
    number,
    uploadedBy: null,
    document: {
      key: `documents/${sha256}.pdf`,
      name: 'Confidential receipt.pdf',
      contentType: 'application/pdf',
      bytes: body.length,
      sha256,
      scan: 'clean',
    },
  });
  return { id, body, sha256, number };
}

/** Writes what a worker does once the transaction is final; returns its hash. */
async function anchor({ db }: Scenario, documentId: string): Promise<string> {
  const hash = `0x${createHash('sha256').update(documentId).digest('hex')}`;
  const { anchor_hash } = await db
    .q()
    .selectFrom('document_registry')
    .select('anchor_hash')
    .where('id', '=', documentId)
    .executeTakeFirstOrThrow();
  const transaction = await db
    .q()
    .insertInto('chain_transactions')
    .values({
      kind: 'anchor',
      network: 'base-sepolia',
      state: 'final',
      sender: '0x1111111111111111111111111111111111111111',
      contract: '0x2222222222222222222222222222222222222222',
      nonce: randomInt(1_000_000),
      hash,
      block_number: 812,
      block_time: new Date('2026-03-01T10:00:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .q()
    .insertInto('document_anchors')
    .values({
      document_id: documentId,
      network: 'base-sepolia',
      anchor_hash,
      transaction_id: transaction.id,
      proof: ['ef'.repeat(32)],
    })
    .execute();
  return hash;
}

const fact = (page: Page, name: string) => page.locator('.verify-facts > div', { hasText: name });

test.describe('the check of documents', () => {
  test.slow();

  test('a file is hashed in the browser and never sent', async ({ page, scenario }) => {
    const { body, sha256, number, id } = await registerReceipt(scenario);
    const tx = await anchor(scenario, id);
    const sent: string[] = [];
    page.on('request', (request) =>
      sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`),
    );
    await open(page, '/verify');
    await expect(page.locator('meta[name=robots]')).toHaveCount(0);
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/verify$/);
    await expectAccessible(page, 'verify');
    const file = { name: 'my receipt.pdf', mimeType: 'application/pdf', buffer: body };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await expect(page.getByText(`SHA-256 of my receipt.pdf: ${sha256}`)).toBeVisible();
    await expect(page).toHaveURL(`/verify?q=${sha256}`);
    await expect(page.getByText('This file is registered here')).toBeVisible();
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    expect(sent.filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect(sent.join('\n')).not.toContain('my%20receipt');

    await expect(page.getByText('Its hash is on the chain for good.')).toBeVisible();
    await expect(fact(page, 'Network')).toContainText('Base Sepolia');
    await expect(fact(page, 'Anchored').first()).toContainText('in block 812');
    await expect(page.getByRole('link', { name: tx })).toHaveAttribute(
      'href',
      `https://sepolia.basescan.org/tx/${tx}`,
    );
    const salt = await fact(page, 'Salt').locator('dd').textContent();
    const anchored = (await fact(page, 'Anchored hash').locator('dd').textContent()) ?? '';
    expect(
      createHash('sha256')
        .update(Buffer.from(salt + sha256, 'hex'))
        .digest('hex'),
    ).toBe(anchored);
    await page.getByText('Proof for Base Sepolia').click();
    await expect(page.getByRole('listitem').filter({ hasText: 'ef'.repeat(32) })).toBeVisible();
    await expect(fact(page, 'Written to the chain')).toContainText(rootOf(anchored, ['ef'.repeat(32)]));
    await expect(page.locator('main')).not.toContainText(/Confidential|Unmistakable/);
    expect(await page.locator('main').textContent()).not.toContain(number);
    await expectAccessible(page, 'verify-file');

    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ ...file, buffer: Buffer.concat([body, Buffer.from(' ')]) });
    await expect(page.getByText('This file is not known here')).toBeVisible();
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ ...file, buffer: Buffer.alloc(25 * 1024 * 1024 + 1) });
    await expect(page.getByText('No document here has more than 25 MB')).toBeVisible();
  });

  test('a number says that it is registered and where it is anchored, and no more', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(400);
    const { id, sha256, number } = await registerReceipt(scenario);
    await open(page, '/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Verify a Document' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify a Document');
    await page.getByLabel(NUMBER_FIELD).fill(number.toLowerCase());
    await page.getByLabel(NUMBER_FIELD).press('Enter');
    await expect(page.getByText(`${number} is registered here`)).toBeVisible();
    await expect(page.getByText('Its hash was not written to a chain.')).toBeVisible();
    await expect(fact(page, 'Salt')).toContainText('Shown to whoever has the file');
    const main = page.locator('main');
    await expect(main).not.toContainText(sha256);
    await expect(main).not.toContainText(/Confidential|Unmistakable/);
    const tx = await anchor(scenario, id);
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByRole('link', { name: tx })).toBeVisible();
    await expectAccessible(page, 'verify-number');

    await page.getByLabel(NUMBER_FIELD).fill('ATP-999999');
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText('No document with the number ATP-999999 is registered.')).toBeVisible();
    await page.getByLabel(NUMBER_FIELD).fill('my receipt');
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText('Please enter a document number such as ATP-000042')).toBeVisible();
    await expect(page.getByLabel(NUMBER_FIELD)).toHaveValue('my receipt');
    await expect(page.getByLabel(NUMBER_FIELD)).toHaveAttribute('aria-invalid', 'true');
  });

  test('an anchor is told at each step of its way', async ({ page, scenario }) => {
    const { id, number } = await registerReceipt(scenario);
    const hash = await anchor(scenario, id);
    const change = (values: Record<string, unknown>) =>
      scenario.db.q().updateTable('chain_transactions').set(values).where('hash', '=', hash).execute();
    const shows = async (text: string) => {
      await open(page, `/verify?q=${number}`);
      await expect(page.getByText(text)).toBeVisible();
    };
    await change({ state: 'mined' });
    await shows('Its hash is in a block. It counts as final when more blocks follow.');
    await expect(page.getByRole('link', { name: hash })).toBeVisible();
    await change({ state: 'signed', block_number: null, block_time: null });
    await shows('Its hash was sent to the chain and is waiting for a block.');
    await expect(page.getByText(hash)).toHaveCount(0);
    await change({ state: 'failed' });
    await shows('Writing its hash to the chain failed. It is not anchored yet.');
    await expectAccessible(page, 'verify-failed');
    await scenario.db
      .q()
      .updateTable('document_anchors')
      .set({ transaction_id: null, proof: null })
      .where('document_id', '=', id)
      .execute();
    await shows('Its hash is waiting to be written to a chain.');
  });
});

test.describe('the check of documents on a chain that can be asked', () => {
  test.slow();
  test.use({
    ownServer: 'chain-to-ask',
    environment: {
      CHAIN: 'rpc',
      CHAIN_RPC_URL: node.url,
      CHAIN_ID: String(node.chain.id),
      CHAIN_SIGNER_KEY: `0x${'11'.repeat(32)}`,
    },
  });

  test('says what the contract says at that moment, and nothing while it does not answer', async ({
    page,
    scenario,
  }) => {
    const { id, number } = await registerReceipt(scenario);
    await anchor(scenario, id);
    node.chain.anchored = true;
    await open(page, `/verify?q=${number}`);
    await expect(fact(page, 'Asked just now')).toContainText('The contract says that it has the hash.');
    await expectAccessible(page, 'verify-asked');
    node.chain.anchored = false;
    await open(page, `/verify?q=${number}`);
    await expect(fact(page, 'Asked just now')).toContainText('The contract does not know the hash.');
    node.outage.fault = { status: 503, body: '' };
    await open(page, `/verify?q=${number}`);
    await expect(page.getByText(`${number} is registered here`)).toBeVisible();
    await expect(fact(page, 'Asked just now')).toHaveCount(0);
    node.outage.fault = null;
  });
});

test('a file that has been read meanwhile does not call back who is leaving', async ({ page }) => {
  await page.addInitScript(() => {
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    crypto.subtle.digest = async (...about) => {
      await new Promise((done) => addEventListener('read', done, { once: true }));
      const hash = await digest(...about);
      // Said after the page has done with it what it does.
      setTimeout(() => document.body.setAttribute('data-read', 'yes'));
      return hash;
    };
  });
  await open(page, '/verify');
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'large.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await expect(page.getByText('Reading large.pdf…')).toBeVisible();
  const release = await holdRequests(page, '**/properties.data*');
  await page.getByRole('contentinfo').getByRole('link', { name: 'All Properties' }).click();
  await page.evaluate(() => dispatchEvent(new Event('read')));
  await expect(page.locator('body')).toHaveAttribute('data-read', 'yes');
  release();
  await expect(page).toHaveURL('/properties');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a pasted SHA-256 is checked, and the page says how to compute it', async ({ page, scenario }) => {
    const { sha256 } = await registerReceipt(scenario);
    await page.goto('/verify');
    await expect(page.getByLabel('File', { exact: true })).toBeHidden();
    await expect(page.getByText('Without JavaScript this page cannot compute it for you.')).toBeVisible();
    await expect(page.getByText('sha256sum receipt.pdf', { exact: true })).toBeVisible();
    await page.getByLabel(NUMBER_FIELD).fill(`${sha256.toUpperCase()}  receipt.pdf`);
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText('This file is registered here')).toBeVisible();
  });
});

test.describe('a receipt', () => {
  test('carries a code that leads to its check', async ({ page, signInAs }) => {
    await signInAs('buyer@acre.test');
    await open(page, '/buyer/transactions?tab=transactions');
    const href = await page
      .getByRole('link', { name: 'Open receipt in a new tab' })
      .first()
      .getAttribute('href');
    await open(page, href ?? '');
    const number = (await page.locator('.receipt-number').textContent()) ?? '';
    const check = page.getByRole('region', { name: 'Check this receipt' });
    await expect(check.getByRole('img', { name: 'QR code of the address at its right' })).toBeVisible();
    await expectAccessible(page, 'receipt-check');
    await check.getByRole('link').click();
    await expect(page).toHaveURL(new RegExp(`/verify\\?q=${number}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify a Document');
  });
});
