import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { waitForMail } from '#tests/support/browser/mailbox.ts';
import {
  createSession,
  expect,
  open,
  type Scenario,
  test,
  toastOf,
} from '#tests/support/browser/scenario.ts';

import { readPdf } from '#tests/support/files/read-pdf.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';

const CARD = 'Escrow with Card/Bank Transfer';
const CRYPTO = 'Pay with Crypto';
const pdf = (name: string, more = '') => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([pdfFile, Buffer.from(more || name)]),
});
const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const saleState = async (scenario: Scenario, propertyId: string) =>
  (await scenario.latestSale(propertyId))?.state;

/** Goes from the property to the provider's checkout page. */
async function goToCheckout(page: Page, propertyId: string, method: string): Promise<void> {
  await open(page, `/property/${propertyId}`);
  await buttonOf(page, method).click();
  await expect(page).toHaveURL(/\/sandbox\/checkout\//);
}

test.describe('buying a property', { tag: '@server' }, () => {
  test('by card: paid, in escrow, receipt, documents, closing', async ({
    page,
    browser,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(422);
    const propertyId = await scenario.createListing({ address: '1 Card Street', price_cents: 400_000_00 });
    await signInAs('buyer@acre.test');
    await goToCheckout(page, propertyId, CARD);
    await expect(page.getByText('Sandbox – no real money moves')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Purchase of 1 Card Street');
    const sale = await scenario.db
      .q()
      .selectFrom('property_sales')
      .selectAll()
      .where('property_id', '=', propertyId)
      .executeTakeFirstOrThrow();
    const total = (sale.total_cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
    await expect(page.getByRole('region', { name: 'Checkout' })).toContainText(total);
    await buttonOf(page, 'Pay').click();
    await expect(page).toHaveURL(new RegExp(`/buyer/transactions\\?tab=transactions&sale=${sale.id}`));
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    expect(await saleState(scenario, propertyId)).toBe('completed/in_escrow');

    await page.getByRole('link', { name: 'Receipt', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Receipt' })).toBeVisible();
    await expect(page.locator('.receipt')).toContainText(total);
    await expect(page.locator('.receipt')).toContainText('1 Card Street');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download PDF' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^receipt-ATP-\d{6}\.pdf$/);
    const [paper = ''] = (await readPdf(readFileSync(await file.path()))).pages;
    expect(paper).toContain(total);
    expect(paper).toContain('1 Card Street');

    // The seller delivers the documents in another browser; the buyer's page updates live.
    await open(page, `/buyer/sales/${sale.id}`);
    await expect(page.getByRole('link', { name: 'Receipt as PDF' })).toHaveAttribute(
      'href',
      `/receipt/${sale.id}/pdf`,
    );
    await expect(page.getByText('The seller delivers the closing documents.')).toBeVisible();
    await expect(page.locator('.sale-who')).toContainText('Waiting for the seller. Due by');
    await expect(page.locator('.story-coming b')).toHaveText([
      'You confirm the closing',
      'The seller is paid',
    ]);
    // A drawing, which says nothing about the property.
    await expect(page.locator('.sale-place img')).toHaveAttribute('alt', '');
    await expect(page.getByRole('link', { name: 'seller@acre.test' })).toBeVisible();
    // Nothing is there to confirm yet: possible, but last, and behind a warning.
    const acts = page.locator('.sale-acts .btn');
    await expect(acts).toHaveText([
      'Report a problem',
      'Request cancellation',
      'Confirm closing without documents',
    ]);
    await acts.last().click();
    await expect(page.getByRole('alertdialog')).toContainText('even if you never receive the documents');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    const sellerContext = await browser.newContext();
    const seller = await sellerContext.newPage();
    await sellerContext.addCookies(await createSession(scenario.url, 'seller@acre.test', 'agent'));
    await open(seller, `${scenario.url}/agent/sales/${sale.id}`);
    await seller.getByRole('link', { name: 'Mark documents delivered' }).click();
    const dialog = seller.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Mark documents delivered' });
    await send.click();
    await expect(dialog.getByText('Please choose at least one file.')).toBeVisible();
    await expect(dialog.getByLabel('Deed')).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(seller, 'deliver-documents');
    await dialog.getByLabel('Deed').setInputFiles(pdf('Deed.pdf'));
    await dialog.getByLabel('Contract').setInputFiles({ ...pdf('plan.txt'), buffer: Buffer.from('plain') });
    await send.click();
    await expect(dialog.getByText('‘plan.txt’: This is no PDF or Word document.')).toBeVisible();
    await dialog.getByLabel('Contract').setInputFiles([pdf('Contract.pdf'), pdf('Annex.pdf', 'annex')]);
    await send.click();
    await expect(toastOf(seller, 'Documents delivered')).toBeVisible();
    await expect(
      page.getByText('Check the closing documents, then confirm the closing or report a problem.'),
    ).toBeVisible();
    await sellerContext.close();

    // The buyer has them before confirming anything, and can add to them.
    const documents = page.getByRole('region', { name: 'Documents' });
    await expect(documents.locator('li b')).toHaveText(['Deed.pdf', 'Contract.pdf', 'Annex.pdf']);
    await expect(documents.locator('li').first()).toContainText('Deed from the seller');
    const deed = page.waitForEvent('download');
    await documents.getByRole('link', { name: 'Download Deed.pdf' }).click();
    expect(readFileSync(await (await deed).path()).includes('%PDF-1.7')).toBe(true);
    await documents.getByRole('link', { name: 'Add documents' }).click();
    await page.getByRole('dialog').getByLabel('Other documents').setInputFiles(pdf('Mandate.pdf', 'mandate'));
    await page.getByRole('dialog').getByRole('button', { name: 'Add documents' }).click();
    await expect(toastOf(page, 'Documents added')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(documents.locator('li').last()).toContainText('Other from the buyer');
    await expectAccessible(page, 'sale-documents');

    await expect(acts.first()).toHaveText('Confirm closing');
    await page.getByRole('link', { name: 'Confirm closing' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm closing' }).click();
    const done = page.getByRole('region', { name: 'Congratulations on your new property' });
    await expect(done).toContainText('Delivered by the seller on');
    await expect(done).toContainText(total);
    await expect(done.getByRole('link', { name: 'View your receipt' })).toBeVisible();
    await expect(page.getByText('payout')).toHaveCount(0);
    // Made by a job, and shown as soon as they are there.
    const { receipt_number: paidAs } = await scenario.db
      .q()
      .selectFrom('property_sales')
      .select('receipt_number')
      .where('id', '=', sale.id)
      .executeTakeFirstOrThrow();
    const atpNumber = `ATP-${String(paidAs).padStart(6, '0')}`;
    const settlement = page.waitForEvent('download');
    await expect(documents.getByRole('link', { name: `Download Receipt ${atpNumber}.pdf` })).toBeVisible();
    await documents.getByRole('link', { name: `Download Settlement statement ${atpNumber}-S.pdf` }).click();
    const { pages: sheets } = await readPdf(readFileSync(await (await settlement).path()));
    expect(sheets.join(' ')).toContain(total);
    await expect(documents.getByRole('link', { name: 'Add documents' })).toHaveCount(0);
    expect(await saleState(scenario, propertyId)).toBe('completed/completed');
    await open(page, `/property/${propertyId}`);
    await expect(page.locator('.buybox').getByText('Sold', { exact: true })).toBeVisible();
    await expect(page.getByText('You bought this property. The sale is complete.')).toBeVisible();
    const mail = await waitForMail(scenario.dataDir, 'seller@acre.test', '1 Card Street is sold');
    expect(mail.text).toContain('Escrow is released and your payout is next.');
  });

  test('in escrow, the property tells its buyer so and leads to the sale and the conversation', async ({
    page,
    scenario,
    signInAs,
  }) => {
    const propertyId = await scenario.createListing({ address: '9 Honest Street' });
    await signInAs('buyer@acre.test');
    await open(page, `/property/${propertyId}`);
    await expect(buttonOf(page, 'Run Payment Diagnostics')).toBeVisible();
    await page.getByRole('link', { name: 'Inquire About Property' }).click();
    await page.getByRole('dialog').getByLabel('Message').fill('Is the well deep?');
    await page.getByRole('button', { name: 'Send Inquiry' }).click();
    await expect(toastOf(page, 'Inquiry Sent')).toBeVisible();
    await goToCheckout(page, propertyId, CARD);
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await open(page, `/property/${propertyId}`);
    const box = page.locator('.buybox');
    await expect(box).toContainText(
      'You are buying this property. Your payment is held in escrow until the closing.',
    );
    await expect(box).not.toContainText('no longer accepting inquiries');
    await expect(box.getByText('Run Payment Diagnostics')).toHaveCount(0);
    await expect(box.getByRole('link', { name: 'View your purchase' })).toBeVisible();
    await box.getByRole('link', { name: 'Message the seller' }).click();
    await expect(page).toHaveURL(/\/buyer\/transactions\?tab=inquiries&inquiry=/);
    await expect(page.getByRole('main')).toContainText('Is the well deep?');
    await signInAs('buyer2@acre.test');
    await open(page, `/property/${propertyId}`);
    await expect(box).toContainText('This property is in escrow with another buyer.');
    await expect(box.getByText('Run Payment Diagnostics')).toHaveCount(0);
  });

  test('by bank transfer: submitted first, paid when it settles', async ({ page, scenario, signInAs }) => {
    const propertyId = await scenario.createListing({ address: '2 Bank Street', price_cents: 300_000_00 });
    await signInAs('buyer@acre.test');
    await goToCheckout(page, propertyId, CARD);
    await buttonOf(page, 'Pay later (bank transfer settles)').click();
    await expect(page.getByRole('heading', { name: 'Your bank transfer is on its way' })).toBeVisible();
    expect(await saleState(scenario, propertyId)).toBe('processing/pending');
    await open(page, `/property/${propertyId}`);
    await expect(page.getByText('Your payment is on its way. The property is held for you.')).toBeVisible();
    const sale = await scenario.latestSale(propertyId);
    await open(page, `/buyer/transactions?tab=transactions&sale=${sale?.id}`);
    await scenario.settlePayment(sale?.ref ?? '', 'paid');
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    expect(await saleState(scenario, propertyId)).toBe('completed/in_escrow');
  });

  test('by crypto, above the limit of card payments', async ({ page, scenario, signInAs }) => {
    const propertyId = await scenario.createListing({ address: '3 Chain Street', price_cents: 1_250_000_00 });
    await signInAs('buyer@acre.test');
    await open(page, `/property/${propertyId}`);
    await expect(
      page.getByText('By bank transfer, in 2 parts of at most $999,999.99. The first is due within 24 hours'),
    ).toBeVisible();
    await buttonOf(page, CRYPTO).click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await page.getByRole('link', { name: 'Receipt', exact: true }).click();
    await expect(page.locator('.receipt a[href*="sepolia.basescan.org/tx/0x"]')).toBeVisible();
  });

  test('a visitor is asked to sign in and returns to the purchase panel', async ({ page, scenario }) => {
    const propertyId = await scenario.createListing({ address: '4 Door Street' });
    await open(page, `/property/${propertyId}`);
    await buttonOf(page, CARD).click();
    await expect(toastOf(page, 'Authentication Required')).toContainText(
      'Please log in to proceed with the purchase.',
    );
    await expect(page).toHaveURL(/\/buyer\/login\?next=.*intent=purchase/);
    await page.getByLabel('Email').fill('buyer2@acre.test');
    await page.getByLabel('Password', { exact: true }).fill('AcreDemo!2026');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/property/${propertyId}`));
    expect(await scenario.latestSale(propertyId)).toBeNull();
    // What was begun before signing in is asked again, with the total.
    const dialog = page.getByRole('dialog', { name: CARD });
    await expect(dialog).toContainText(/^.*The total is \$[\d,.]+, all fees included\./);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(buttonOf(page, CARD)).toBeFocused();
    await page.reload();
    await dialog.getByRole('button', { name: /^Continue with / }).click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
  });

  test('using only the keyboard', async ({ page, scenario, signInAs }) => {
    const propertyId = await scenario.createListing({ address: '5 Key Street' });
    await signInAs('buyer@acre.test');
    await open(page, `/property/${propertyId}`);
    const press = async (name: string, role: 'button' | 'link' = 'button') => {
      const wanted = page.getByRole(role, { name, exact: true });
      await expect(wanted).toBeVisible();
      for (let tabs = 0; tabs < 60; tabs++) {
        if (await wanted.evaluate((element) => element === document.activeElement)) break;
        await page.keyboard.press('Tab');
      }
      await expect(wanted).toBeFocused();
      await page.keyboard.press('Enter');
    };
    await press(CARD);
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
    await press('Pay');
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await press('View your purchase', 'link');
    await expect(page).toHaveURL(/\/buyer\/sales\//);
    await press('Confirm closing without documents', 'link');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await press('Release the money now');
    await expect(toastOf(page, 'Closing confirmed')).toBeVisible();
    expect(await saleState(scenario, propertyId)).toBe('completed/completed');
  });

  test('without scripts', async ({ browser, scenario, expectConsole }) => {
    expectConsole(422);
    const propertyId = await scenario.createListing({ address: '6 Plain Street' });
    const context = await browser.newContext({ javaScriptEnabled: false });
    await context.addCookies(await createSession(scenario.url, 'buyer@acre.test'));
    const page = await context.newPage();
    await page.goto(`${scenario.url}/property/${propertyId}`);
    await buttonOf(page, CARD).click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await page.getByRole('link', { name: 'View your purchase' }).click();
    await page.getByRole('link', { name: 'Report a problem' }).click();
    await page.getByRole('button', { name: 'Report problem' }).click();
    await expect(page.getByLabel('What is wrong?')).toHaveAccessibleDescription(/Please say what is wrong\./);
    await page.getByLabel('What is wrong?').fill('The key does not turn.');
    await page.getByRole('button', { name: 'Report problem' }).click();
    await expect(page.getByText('The key does not turn.')).toBeVisible();
    await expect(page.getByText('An administrator is settling the problem you reported.')).toBeVisible();
    await page.getByRole('link', { name: 'Withdraw report' }).click();
    await page.getByRole('button', { name: 'Withdraw report' }).click();
    await expect(page.getByText('Problem report withdrawn')).toBeVisible();
    await expect(page.getByText('The seller delivers the closing documents.')).toBeVisible();
    await context.close();
  });

  test('a cancellation by agreement refunds the payment', async ({
    page,
    browser,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(422);
    const propertyId = await scenario.createListing({ address: '7 Second Thought' });
    await signInAs('buyer@acre.test');
    await goToCheckout(page, propertyId, CARD);
    await buttonOf(page, 'Pay').click();
    await page.getByRole('link', { name: 'View your purchase' }).click();
    // What was wrong with a form that was left is not said again.
    await page.getByRole('link', { name: 'Report a problem' }).click();
    const report = page.getByRole('dialog', { name: 'Report a problem' });
    await report.getByRole('button', { name: 'Report problem' }).click();
    await expect(report.getByText('Please say what is wrong.')).toBeVisible();
    // It is opened again before the browser tells that it was closed, which must not close it.
    const closed = report.evaluate(
      (dialog) => new Promise((done) => dialog.addEventListener('close', done, { once: true })),
    );
    await report.getByRole('button', { name: 'Cancel' }).evaluate(async (cancel: HTMLElement) => {
      const link = [...document.querySelectorAll('a')].find((a) => a.textContent === 'Report a problem');
      cancel.click();
      // What was clicked is rendered in a microtask; the browser tells in a task.
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      link?.click();
    });
    await closed;
    await expect(report.getByLabel('What is wrong?')).toBeVisible();
    await expect(report.getByText('Please say what is wrong.')).toBeHidden();
    await report.getByRole('button', { name: 'Cancel' }).click();
    const request = async () => {
      await page.getByRole('link', { name: 'Request cancellation' }).click();
      await page.getByLabel('Why?').fill('A new job elsewhere.');
      await page.getByRole('dialog').getByRole('button', { name: 'Request cancellation' }).click();
      await expect(page.getByText('The seller agrees to the cancellation or declines it.')).toBeVisible();
    };
    await request();
    const sellerContext = await browser.newContext();
    await sellerContext.addCookies(await createSession(scenario.url, 'seller@acre.test', 'agent'));
    const seller = await sellerContext.newPage();
    await open(seller, `${scenario.url}/agent/sales/${(await scenario.latestSale(propertyId))?.id}`);
    await expect(seller.getByText('A new job elsewhere.')).toBeVisible();
    await seller.getByRole('link', { name: 'Decline', exact: true }).click();
    await seller.getByRole('alertdialog').getByRole('button', { name: 'Decline', exact: true }).click();
    // It is offered again, without its dialog.
    await expect(page.locator('.sale-acts .btn', { hasText: 'Request cancellation' })).toBeVisible();
    await expect(page.locator('dialog[open]')).toHaveCount(0);
    await request();
    await seller.getByRole('link', { name: 'Agree to cancellation' }).click();
    await seller.getByRole('alertdialog').getByRole('button', { name: 'Agree to cancellation' }).click();
    await expect.poll(() => saleState(scenario, propertyId), { timeout: 30_000 }).toBe('refunded/cancelled');
    await expect(page.getByText('The sale is over. The whole payment was refunded.')).toBeVisible();
    await open(page, `/property/${propertyId}`);
    await expect(buttonOf(page, CARD)).toBeEnabled();
    await sellerContext.close();
  });

  test('a buyer to whom no documents are delivered in time ends the sale', async ({
    page,
    scenario,
    signInAs,
  }) => {
    const propertyId = await scenario.createListing({ address: '8 Empty Envelope' });
    await signInAs('buyer@acre.test');
    await goToCheckout(page, propertyId, CARD);
    await buttonOf(page, 'Pay').click();
    await page.getByRole('link', { name: 'View your purchase' }).click();
    await expect(page.locator('.sale-who')).toContainText('Waiting for the seller. Due by');
    await expect(page.getByRole('link', { name: 'End the sale' })).toHaveCount(0);
    await scenario.db
      .q()
      .updateTable('property_sales')
      .set({ documents_due_at: new Date(Date.now() - 1000) })
      .where('property_id', '=', propertyId)
      .execute();
    await page.reload();
    await expect(page.getByText('The closing documents are overdue.')).toBeVisible();
    await page.getByRole('link', { name: 'End the sale' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, 'sale-overdue');
    await page.getByLabel('Why?').fill('Nothing came.');
    await page.getByRole('dialog').getByRole('button', { name: 'End the sale' }).click();
    await expect(toastOf(page, 'Sale ended')).toContainText('The whole payment is refunded to you.');
    await expect(page.getByText('Nothing came.')).toBeVisible();
    await expect.poll(() => saleState(scenario, propertyId), { timeout: 30_000 }).toBe('refunded/cancelled');
  });
});
