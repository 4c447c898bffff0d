import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createSession, expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';

const SELLER = 'seller@acre.test';
const pdf = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([pdfFile, Buffer.from(`%${name}\n`)]),
});
const file = (page: Page) => page.getByLabel('Document', { exact: true });
const upload = (page: Page) => page.getByRole('button', { name: 'Upload disclosure' });
const listed = (page: Page) => page.getByRole('region', { name: 'Disclosures' }).getByRole('listitem');

test('a seller discloses what a buyer has to know, who reads it once the purchase is paid', async ({
  page,
  browser,
  scenario,
  signInAs,
  expectConsole,
}) => {
  test.slow();
  expectConsole(422);
  const id = await scenario.createListing({ address: '31 Candor Lane' });
  const context = await browser.newContext();
  await context.addCookies(await createSession(scenario.url, SELLER, 'agent'));
  const seller = await context.newPage();

  await test.step('the seller comes from the form of the listing', async () => {
    await open(seller, `${scenario.url}/agent/properties/${id}/edit`);
    await seller.getByRole('link', { name: 'Disclosures' }).click();
    await expect(seller).toHaveURL(`${scenario.url}/agent/properties/${id}/disclosures`);
    await expect(seller.getByRole('heading', { level: 1 })).toHaveText('Disclosures of 31 Candor Lane');
    await expect(seller.getByText('No disclosures yet')).toBeVisible();
    await expectAccessible(seller, 'seller-disclosures-none');
  });

  await test.step('what is wrong is said beside the field, and what was typed stays', async () => {
    await seller.getByLabel('Name').fill('Lead paint');
    await upload(seller).press('Enter');
    await expect(seller.getByText('Choose the document to upload.')).toBeVisible();
    await expect(seller.getByLabel('Name')).toHaveValue('Lead paint');
    await file(seller).setInputFiles({ ...pdf('Letter.pdf'), buffer: Buffer.from('Dear buyer') });
    await upload(seller).click();
    await expect(seller.getByText('This is no PDF or Word document.')).toBeVisible();
    await expect(seller.getByLabel('Name')).toHaveValue('Lead paint');
  });

  await test.step('it is listed, and the same file once', async () => {
    await file(seller).setInputFiles(pdf('scan 0001.pdf'));
    // Keys are pressed at once, also on a button that is busy with the answer before.
    await expect(upload(seller)).not.toHaveAttribute('aria-busy');
    await upload(seller).press('Enter');
    await expect(toastOf(seller, 'Disclosure uploaded')).toContainText(
      'A buyer sees it as soon as a purchase is paid.',
    );
    await expect(listed(seller)).toHaveCount(1);
    await expect(listed(seller)).toContainText('Lead paint.pdf');
    await expect(file(seller)).toHaveValue('');
    await seller.getByLabel('Name').fill('Lead paint');
    await file(seller).setInputFiles(pdf('scan 0001.pdf'));
    await upload(seller).click();
    await expect(
      seller.getByText('This file is already the latest version of ‘Lead paint.pdf’.'),
    ).toBeVisible();
    await file(seller).setInputFiles(pdf('scan 0002.pdf'));
    await upload(seller).click();
    await expect(listed(seller).first()).toContainText('version 2');
    await expectAccessible(seller, 'seller-disclosures');
    const download = seller.waitForEvent('download');
    await listed(seller).first().getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('Lead paint.pdf');
  });

  await test.step('the buyer sees it with the purchase, and what comes later without reloading', async () => {
    await signInAs('buyer@acre.test');
    await page.goto(`/property/${id}`);
    await page.getByRole('button', { name: 'Escrow with Card/Bank Transfer', exact: true }).click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page).toHaveURL(/tab=transactions&sale=/);
    await open(page, `/buyer/sales/${(await scenario.latestSale(id))?.id}`);
    const documents = page.getByRole('region', { name: 'Documents' }).getByRole('listitem');
    await expect(documents).toHaveCount(2);
    await expect(documents.first()).toContainText('Disclosure from the seller');
    await file(seller).setInputFiles(pdf('Flood zone.pdf'));
    await upload(seller).click();
    await expect(documents).toHaveCount(3);
    const download = page.waitForEvent('download');
    await documents.last().getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('Flood zone.pdf');
  });
  await context.close();
});
