import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { compoundFile, pdfFile } from '#tests/support/fixtures/documents.ts';

test.slow();

const sample = { name: 'Sample.pdf', mimeType: 'application/pdf', buffer: pdfFile };

/** Proves once more who presses, where that is asked for. */
async function prove(page: Page): Promise<void> {
  const password = page.getByRole('dialog').getByLabel('Password');
  const answered = page.locator('.toast, dialog [role=alert], dialog .err');
  await expect(password.or(answered).first()).toBeVisible();
  if (!(await password.isVisible())) return;
  await password.fill(DEMO_PASSWORD);
  await password.press('Enter');
}

test.describe('the blockchain page', () => {
  test.use({ ownServer: 'blockchain', environment: { CHAIN: 'local' } });
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('says how the store is, and tries it', async ({ page }) => {
    await open(page, '/admin/blockchain-settings');
    await expect(page).toHaveTitle(/^Blockchain Infrastructure Status/);
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/admin\/blockchain$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Blockchain Infrastructure Status');
    await expect(page.getByRole('tab')).toHaveText([
      'Storage Status',
      'Test Documents',
      'Contract Management',
    ]);
    const storage = page.getByRole('region', { name: 'Storage' });
    for (const part of [
      'Provider',
      'A folder on this machine',
      'Gateway',
      '/content/{cid}',
      'Pinned',
      'Last pin',
    ])
      await expect(storage).toContainText(part);
    await page.getByRole('button', { name: 'Test round trip' }).click();
    await expect(toastOf(page, 'Round trip passed')).toBeVisible();
    await expect(page.getByText('Put, get and compare succeeded')).toBeVisible();
    await expectAccessible(page, 'admin-blockchain');
  });

  test('a test document is published, fetched back and unpinned', async ({ page, expectConsole }) => {
    expectConsole(422);
    await open(page, '/admin/blockchain?tab=tests');
    const file = page.getByLabel('File');
    await page.getByRole('button', { name: 'Publish test document' }).click();
    await expect(page.getByText('Choose a file.')).toBeVisible();
    await file.setInputFiles({ ...sample, buffer: Buffer.alloc(1024 * 1024 + 1) });
    await expect(page.getByText('a test document can have at most 1 MB')).toBeVisible();
    await file.setInputFiles({ ...sample, buffer: compoundFile('Workbook') });
    await page.getByRole('button', { name: 'Publish test document' }).click();
    await expect(page.getByText('This is no PDF or Word document.')).toBeVisible();
    await file.setInputFiles(sample);
    await page.getByRole('button', { name: 'Publish test document' }).click();
    await expect(toastOf(page, 'Test document published')).toBeVisible();
    const row = page.getByRole('row', { name: /Sample\.pdf/ });
    await expect(row).toContainText('The store gave it the same address.');
    await expect(row).toContainText(/baf[a-z2-7]{50,}/);
    await row.getByRole('button', { name: 'Fetch back' }).click();
    await expect(row.getByText('the same bytes')).toBeVisible();
    const link = await row.getByRole('link', { name: 'Open' }).getAttribute('href');
    const fetched = await page.request.get(link ?? '');
    expect((await fetched.body()).equals(pdfFile)).toBe(true);
    await expectAccessible(page, 'admin-blockchain-tests');
    await row.getByRole('link', { name: 'Unpin' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Unpin Sample.pdf' });
    await dialog.getByRole('button', { name: 'Unpin document' }).click();
    await expect(toastOf(page, 'Test document removed')).toBeVisible();
    await expect(row).toHaveCount(0);
    expect((await page.request.get(link ?? '')).status()).toBe(404);
  });

  test('the contract is deployed once, paused and resumed after a question', async ({
    page,
    expectConsole,
  }) => {
    expectConsole(403, 409, 422);
    await open(page, '/admin/blockchain?tab=contract');
    const contract = page.getByRole('region', { name: 'Contract' });
    await expect(contract).toContainText('Local chain');
    await expect(contract).toContainText('31337');
    await expect(page.getByRole('region', { name: 'Signer and chain' })).toContainText(/[\d,.]+ ETH/);
    const reloaded = (text: string) =>
      expect(async () => {
        await open(page, '/admin/blockchain?tab=contract');
        await expect(contract).toContainText(text, { timeout: 1000 });
      }).toPass({ timeout: 90_000 });
    // A chain of this machine gets its contract from the worker.
    await reloaded('Not paused');
    await expect(contract).toContainText('ipfs://');
    const signer = page.getByRole('region', { name: 'Signer and chain' });
    await expect(signer.getByText(/0x[0-9a-fA-F]{40} \(the signer\)/)).toHaveCount(2);
    await expectAccessible(page, 'admin-blockchain-contract');

    await open(page, '/admin/blockchain?tab=contract&do=deploy');
    const deploy = page.getByRole('alertdialog', { name: 'Deploy the contract on Local chain' });
    await deploy.getByRole('button', { name: 'Deploy contract' }).click();
    await prove(page);
    await expect(deploy.getByText('A contract is deployed on this network already.')).toBeVisible();
    await deploy.getByRole('button', { name: 'Cancel' }).click();
    await expect(deploy).toBeHidden();

    await page.getByRole('link', { name: 'Set base URI' }).click();
    const base = page.getByRole('dialog', { name: 'Set the base URI on Local chain' });
    await base.getByLabel('Base URI').fill('nonsense');
    await base.getByRole('button', { name: 'Set base URI' }).click();
    await prove(page);
    await expect(base.getByText('Enter an address that starts with ipfs:// or https://')).toBeVisible();
    await expect(base.getByLabel('Base URI')).toHaveValue('nonsense');
    await base.getByRole('button', { name: 'Cancel' }).click();
    await expect(base).toBeHidden();

    await page.getByRole('link', { name: 'Pause' }).click();
    const pause = page.getByRole('alertdialog', { name: 'Pause the contract on Local chain' });
    await expect(pause).toBeVisible();
    await expectAccessible(page, 'admin-blockchain-pause');
    await pause.getByRole('button', { name: 'Pause contract' }).click();
    await prove(page);
    await expect(toastOf(page, 'Pause requested')).toBeVisible();
    await reloaded('Paused');
    await expect(page.getByRole('link', { name: 'Resume' })).toBeVisible();
    await page.getByRole('link', { name: 'Resume' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Resume contract' }).click();
    await prove(page);
    await expect(toastOf(page, 'Resumption requested')).toBeVisible();
    await reloaded('Not paused');
  });
});

test.describe('without scripts', () => {
  test.use({ ownServer: 'blockchain', environment: { CHAIN: 'local' }, javaScriptEnabled: false });

  test('each tab is read before the page is sent', async ({ page, signInAs }) => {
    await signInAs('admin@acre.test', 'admin');
    await page.goto('/admin/blockchain?tab=contract');
    await expect(page).toHaveURL(/as=page/);
    await expect(page.getByText('Local chain').first()).toBeVisible();
    await page.goto('/admin/blockchain?as=page');
    await page.getByRole('button', { name: 'Test round trip' }).click();
    await expect(page.getByText('Put, get and compare succeeded')).toBeVisible();
  });
});

test.describe('without a chain and a store', () => {
  test.use({ environment: { CHAIN: 'off', CONTENT_URL: 'off' } });

  test('says so in plain words', async ({ page, signInAs }) => {
    await signInAs('admin@acre.test', 'admin');
    await open(page, '/admin/blockchain');
    await expect(page.getByText('No store for public documents is configured.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Test round trip' })).toHaveCount(0);
    await page.getByRole('tab', { name: 'Test Documents' }).click();
    await expect(page.getByText('Not available')).toBeVisible();
    await page.getByRole('tab', { name: 'Contract Management' }).click();
    await expect(page.getByText('Chain not configured')).toBeVisible();
    await expectAccessible(page, 'admin-blockchain-off');
  });
});
