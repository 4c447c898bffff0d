import type { Page } from '@playwright/test';
import { expect, open, test, toastOf } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, pathOf } from '#tests/support/fixtures/demo-listings.ts';

const wagon = demoListing('Active', ({ row }) => row.address === '84 Wagon Street');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Send Inquiry to Seller' });
const box = (page: Page) => dialog(page).getByLabel('Message');
const send = (page: Page) => dialog(page).getByRole('button', { name: 'Send Inquiry' });
const opener = (page: Page) => page.getByRole('link', { name: 'Inquire About Property' });
const posts = (page: Page) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /property\/[^/]+\.data/.test(request.url())) sent.push(request.url());
  });
  return sent;
};

test.describe('an inquiry', () => {
  test('a visitor has to sign in, and the text is kept', async ({ page }) => {
    await open(page, pathOf(wagon));
    await opener(page).click();
    await box(page).fill('Is the back room heated?');
    await send(page).click();
    await expect(page).toHaveURL(/\/buyer\/login\?next=/);
    await page.getByLabel('Email').fill('greta.nyland@example.test');
    await page.getByLabel('Password', { exact: true }).fill('AcreDemo!2026');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(box(page)).toHaveValue('Is the back room heated?');
    await send(page).click();
    const toast = toastOf(page, 'Inquiry Sent');
    await expect(toast).toContainText('The seller will get back to you soon.');
    await expect(dialog(page)).toBeHidden();
    await expect(page).toHaveURL(pathOf(wagon));
    // The address changes before the page does, which closes what its old address had opened.
    await expect(async () => {
      if (await dialog(page).isHidden()) await opener(page).click();
      await expect(box(page)).toHaveValue('', { timeout: 1_000 });
    }).toPass();
  });

  test('cannot be sent empty, and a double click sends it once', async ({ page, signInAs }) => {
    await signInAs('omar.haddad@example.test');
    const sent = posts(page);
    await open(page, pathOf(wagon));
    await opener(page).click();
    await expect(send(page)).toHaveAttribute('aria-disabled', 'true');
    await box(page).fill('   \n ');
    await expect(send(page)).toHaveAttribute('aria-disabled', 'true');
    await box(page).fill('How old is the roof?');
    await expect(send(page)).not.toHaveAttribute('aria-disabled', 'true');
    await send(page).dblclick();
    await expect(toastOf(page, 'Inquiry Sent')).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  test('a network failure shows an error and keeps the text; the retry succeeds', async ({
    page,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(502, /ERR_FAILED|Failed to fetch/);
    await signInAs('abel.thornton@example.test');
    await open(page, pathOf(wagon));
    await opener(page).click();
    await box(page).fill('May we see it on Sunday?');
    const failing = /property\/[^/]+\.data/;
    await page.route(failing, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await send(page).click();
    await expect(
      page.getByRole('alert').getByText('Failed to send message. Please try again.'),
    ).toBeVisible();
    await expect(box(page)).toHaveValue('May we see it on Sunday?');
    await expect(box(page)).toHaveAttribute('aria-invalid', 'true');
    await page.unroute(failing);
    await page.route(failing, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 502, body: 'bad gateway' })
        : route.continue(),
    );
    // The first failure's text still shows: only the answer tells that the second try has failed too.
    const refused = page.waitForResponse((response) => response.status() === 502);
    await send(page).click();
    await refused;
    await expect(send(page)).not.toHaveAttribute('aria-busy', 'true');
    await expect(box(page)).toHaveValue('May we see it on Sunday?');
    await expect(dialog(page).getByText('Failed to send message. Please try again.').first()).toBeVisible();
    await page.unroute(failing);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await opener(page).click();
    await expect(box(page)).toHaveValue('May we see it on Sunday?');
    await expect(box(page)).not.toHaveAttribute('aria-invalid', 'true');
    await send(page).click();
    await expect(toastOf(page, 'Inquiry Sent')).toBeVisible();
  });

  test('closes on Escape, restores the focus and keeps the text', async ({ page, signInAs }) => {
    await signInAs('calvin.prewitt@example.test');
    await open(page, pathOf(wagon));
    await opener(page).press('Enter');
    await expect(box(page)).toBeFocused();
    await page.keyboard.type('Half a sent');
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();
    await page.reload();
    await opener(page).click();
    await expect(box(page)).toHaveValue('Half a sent');
    await box(page).fill('x'.repeat(4100));
    await expect(box(page)).toHaveValue('x'.repeat(4000));
    await expect(dialog(page).getByText('4000 / 4000')).toBeVisible();
  });
});

test.describe('an inquiry without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('is sent from a form on the page', async ({ page, signInAs }) => {
    await signInAs('rosalind.achebe@example.test');
    await page.goto(pathOf(wagon));
    await opener(page).click();
    await expect(page).toHaveURL(`${pathOf(wagon)}?inquire=1`);
    await page.getByRole('textbox', { name: 'Message' }).fill('Does the sign come with it?');
    await page.getByRole('button', { name: 'Send Inquiry' }).press('Enter');
    await expect(page).toHaveURL(pathOf(wagon));
    await expect(page.locator('.toast-still')).toContainText('The seller will get back to you soon.');
  });
});
