import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import {
  createSession,
  expect,
  open,
  type Scenario,
  test,
  toastOf,
} from '#tests/support/browser/scenario.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';

const pdf = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([pdfFile, Buffer.from(name)]),
});

/** Buys a listing by card, as the buyer who is signed in; returns the sale. */
async function buy(page: Page, scenario: Scenario, address: string): Promise<string> {
  const propertyId = await scenario.createListing({ address });
  await page.goto(`/property/${propertyId}`);
  await page.getByRole('button', { name: 'Escrow with Card/Bank Transfer', exact: true }).click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page).toHaveURL(/tab=transactions&sale=/);
  return (await scenario.latestSale(propertyId))?.id ?? '';
}

test.describe('documents of a sale without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('are delivered, downloaded and added by plain forms and links', async ({
    page,
    browser,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(422);
    await signInAs('buyer@acre.test');
    const saleId = await buy(page, scenario, '21 Paper Lane');
    const context = await browser.newContext({ javaScriptEnabled: false });
    await context.addCookies(await createSession(scenario.url, 'seller@acre.test', 'agent'));
    const seller = await context.newPage();
    await seller.goto(`${scenario.url}/agent/sales/${saleId}`);
    await seller.getByRole('link', { name: 'Mark documents delivered' }).click();
    const dialog = seller.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Mark documents delivered' });
    await send.click();
    await expect(dialog.getByText('Please choose at least one file.')).toBeVisible();
    await dialog.getByLabel('Deed').setInputFiles([pdf('Deed.pdf'), pdf('Plan.pdf')]);
    await send.click();
    await expect(seller.getByText('The buyer confirms the closing or reports a problem.')).toBeVisible();
    await expect(seller.locator('.sale-documents li')).toHaveCount(2);
    await context.close();

    await page.goto(`/buyer/sales/${saleId}`);
    const documents = page.getByRole('region', { name: 'Documents' });
    const download = page.waitForEvent('download');
    await documents.getByRole('link', { name: 'Download Deed.pdf' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Deed.pdf');
    expect(readFileSync(await file.path()).toString()).toContain('Deed.pdf');
    await documents.getByRole('link', { name: 'Add documents' }).click();
    await page.getByLabel('Contract').setInputFiles(pdf('Signed.pdf'));
    await page.getByRole('dialog').getByRole('button', { name: 'Add documents' }).click();
    await expect(documents.locator('li').filter({ hasText: 'Signed.pdf' })).toContainText(
      'Contract from the buyer',
    );
  });
});

test('an administrator delivers documents in the drawer, with a reason and a file', async ({
  page,
  scenario,
  signInAs,
  expectConsole,
}) => {
  expectConsole(422);
  await signInAs('buyer@acre.test');
  const saleId = await buy(page, scenario, '22 Paper Lane');
  await signInAs('admin@acre.test', 'admin');
  await open(page, `/admin/transactions?sale=${saleId}&do=deliver_documents`);
  const dialog = page.getByRole('dialog', { name: 'Documents for 22 Paper Lane' });
  const send = dialog.getByRole('button', { name: 'Mark documents delivered' });
  await send.click();
  await expect(dialog.getByText('Please give a reason.')).toBeVisible();
  await expect(dialog.getByText('Please choose at least one file.')).toBeVisible();
  await expectAccessible(page, 'deliver-documents-office');
  await dialog.getByLabel('Reason, shown to buyer and seller').fill('They came by post.');
  await dialog.getByLabel('Deed').setInputFiles(pdf('Scan.pdf'));
  await send.click();
  await expect(toastOf(page, 'Documents delivered')).toBeVisible();
  await expect(dialog).toBeHidden();
  const drawer = page.getByRole('dialog', { name: '22 Paper Lane' });
  await expect(drawer.locator('.sale-documents li')).toContainText('Deed from the office');
  const download = page.waitForEvent('download');
  await drawer.getByRole('link', { name: 'Download Scan.pdf' }).click();
  expect((await download).suggestedFilename()).toBe('Scan.pdf');
});
