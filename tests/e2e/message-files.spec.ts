import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '#platform/project-root.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createConversation, inboxPage, signedInContext } from '#tests/support/browser/conversations.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';

const BUYER = 'edith.carmody@example.test';
const SELLER = 'seller@acre.test';
const PLAN = { name: 'Ground floor.pdf', mimeType: 'application/pdf', buffer: pdfFile };

// All tests share one server.
test.describe.configure({ mode: 'default' });

test('a PDF file is sent, read by the other side and kept from others; what is no such file is refused', async ({
  browser,
  page,
  scenario,
  signInAs,
}) => {
  test.slow();
  const propertyId = await scenario.createListing({ address: '31 Paper Lane' });
  const inquiry = await createConversation(scenario, propertyId, BUYER, ['Is there a plan?', '*There is.']);
  await signInAs(BUYER);
  await open(page, `/buyer/transactions?tab=inquiries&inquiry=${inquiry}`);
  await page.getByRole('link', { name: 'Send a photo or PDF' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Send a photo or PDF');
  await expectAccessible(page, 'send-file');
  await page.getByRole('textbox', { name: 'Message' }).fill('Like this one?');
  const send = page.getByRole('button', { name: 'Send file' });
  await send.click();
  await expect(page.getByText('Please choose a photo or a PDF file.')).toBeVisible();
  await page.getByLabel('File').setInputFiles({ ...PLAN, buffer: Buffer.from('MZ, a program') });
  await send.click();
  await expect(
    page.getByText('Please choose a photo (JPEG, PNG, WebP or HEIC) or a PDF file.'),
  ).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Like this one?');
  await page.getByLabel('File').setInputFiles(PLAN);
  await send.click();
  await expect(toastOf(page, 'File sent')).toBeVisible();
  await expect(inboxPage(page).bubble('Like this one?')).toContainText('Ground floor.pdf');
  await expectAccessible(page, 'thread-with-file');

  const context = await signedInContext(browser, { origin: scenario.url, email: SELLER, role: 'agent' });
  const seller = await context.newPage();
  await open(seller, `/agent/inquiries?inquiry=${inquiry}`);
  const link = seller.getByRole('link', { name: /^Ground floor\.pdf/ });
  const [download] = await Promise.all([seller.waitForEvent('download'), link.click()]);
  expect(await readFile(await download.path())).toEqual(pdfFile);
  const path = (await link.getAttribute('href')) ?? '';
  await context.close();
  const stranger = await signedInContext(browser, {
    origin: scenario.url,
    email: 'imani.barlow@example.test',
  });
  expect((await stranger.request.get(path)).status()).toBe(404);
  await stranger.close();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a photo is sent and kept as WebP', async ({ page, scenario, signInAs }) => {
    const propertyId = await scenario.createListing({ address: '32 Paper Lane' });
    const inquiry = await createConversation(scenario, propertyId, BUYER, ['Is there a photo?']);
    await signInAs(BUYER);
    await page.goto(`/buyer/transactions?tab=inquiries&inquiry=${inquiry}`);
    await page.getByRole('link', { name: 'Send a photo or PDF' }).click();
    await page.getByLabel('File').setInputFiles(join(projectRoot, 'tests/fixtures/photos/porch.jpg'));
    await page.getByRole('button', { name: 'Send file' }).click();
    await expect(page).toHaveURL(/inquiry=/);
    const photo = page.getByRole('link', { name: /^porch\.webp/ });
    await expect(photo).toBeVisible();
    // The browser of tests loads no pictures.
    const shown = await page.request.get((await photo.locator('img').getAttribute('src')) ?? '');
    expect([shown.status(), shown.headers()['content-type']]).toEqual([200, 'image/webp']);
  });
});
