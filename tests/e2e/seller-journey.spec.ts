import type { Browser, Page } from '@playwright/test';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { linkIn, waitForMail } from '#tests/support/browser/mailbox.ts';
import {
  createSession,
  expect,
  open,
  type Scenario,
  test,
  toastOf,
} from '#tests/support/browser/scenario.ts';
import { statusOf } from '#tests/support/browser/signed-in-test.ts';
import { sampleFiles } from '#tests/support/files/photos.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';

test.use(withPictures);

const NEW_SELLER = { email: 'wanda.quill@example.test', name: 'Wanda Quill', password: 'Quiet lanes 1987!' };
const ADDRESS = '3127 Quillwood Lane';
const DEED = { name: 'Deed.pdf', mimeType: 'application/pdf', buffer: pdfFile };
/** Damaged or unsupported files: each is rejected with a message. */
const REFUSED = [
  'bomb.gif',
  'broken-heic.heic',
  'broken-stream.png',
  'claims-64250x64250.jpg',
  'corrupt-header.jpg',
  'truncated.jpg',
];

const system = (scenario: Scenario) =>
  testContext(scenario.db, { actor: { kind: 'system', name: 'test' }, now: () => new Date() });

async function pageOf(
  browser: Browser,
  scenario: Scenario,
  email: string,
  role: 'agent' | 'buyer',
): Promise<Page> {
  const context = await browser.newContext({ baseURL: scenario.url, locale: 'en-US' });
  await context.addCookies(await createSession(scenario.url, email, role));
  return context.newPage();
}

/** Registers through the mailed link, up to the dashboard. */
async function register(page: Page, scenario: Scenario): Promise<void> {
  const invited = await inviteSeller(system(scenario), NEW_SELLER);
  expect(invited.ok).toBe(true);
  const mail = await waitForMail(scenario.dataDir, NEW_SELLER.email, 'Your invitation to sell');
  const link = linkIn(mail, '/agent/register');
  await open(page, link);
  await expect(page.getByRole('heading', { name: 'Complete Your Seller Registration' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(NEW_SELLER.email);
  await page.getByLabel('Password', { exact: true }).fill(NEW_SELLER.password);
  await page.getByLabel('Confirm Password').fill(NEW_SELLER.password);
  await page.getByRole('button', { name: 'Complete Registration' }).click();
  await expect(page).toHaveURL('/agent/dashboard');
}

async function fillForm(page: Page): Promise<void> {
  const texts = {
    'Property Title': 'Garden house on Heron Way',
    Address: `${ADDRESS}, Hood River, OR 97031`,
    Bedrooms: '3',
    'Square Feet': '1840',
    Description: 'Low, quiet rooms around a walled garden. The carport takes two cars and a canoe.',
  };
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label).fill(text);
  await page.getByLabel('Price', { exact: true }).fill('615000');
  await page.getByLabel('Bathrooms', { exact: true }).fill('2');
  await page.getByLabel('Property Type').selectOption({ label: 'Single Family' });
}

test('from the invitation to the pending payout, with no access for another seller', async ({
  page,
  browser,
  scenario,
  expectConsole,
}) => {
  test.setTimeout(240_000);
  // The last one comes from Playwright's tracer, which tries to record the previews.
  expectConsole(422, 413, 415, /Connecting to 'blob:/);
  const [photos, awkward] = [sampleFiles('photos'), sampleFiles('awkward-photos')];
  await register(page, scenario);

  await page.getByRole('link', { name: 'Add New Property' }).first().click();
  await fillForm(page);
  await page.locator('input[aria-label="Main Property Image"]').setInputFiles(photos.slice(0, 1));
  await page.locator('input[aria-label="Additional Images"]').setInputFiles([...photos.slice(1), ...awkward]);
  const refused = page.getByRole('list', { name: 'Files that were not accepted' });
  for (const name of REFUSED) await expect(refused).toContainText(name, { timeout: 120_000 });
  const additional = page.getByRole('list', { name: 'Additional photos' });
  await expect(additional.getByRole('progressbar')).toHaveCount(0, { timeout: 120_000 });
  await expect(additional.getByText(/Waiting|Uploading|Processing/)).toHaveCount(0, { timeout: 120_000 });
  const kept = 1 + (await additional.getByRole('listitem').count());
  expect(kept + (await refused.getByRole('alert').count())).toBe(photos.length + awkward.length);

  await page.getByRole('button', { name: 'Submit Property Listing' }).click();
  // Not without a word about those that were not accepted.
  const question = page.getByRole('alertdialog', { name: 'Submit without these photos?' });
  await expect(question).toContainText(`${REFUSED.length} photos were not accepted:`);
  await question.getByRole('button', { name: 'Submit without them' }).click();
  await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
  await expect(page).toHaveURL('/agent/properties');
  const row = page.getByRole('row').filter({ hasText: ADDRESS });
  await expect(row).toContainText('Pending');
  const listing = await scenario.db
    .q()
    .selectFrom('properties')
    .select(['id', 'agent_id'])
    .where('address', 'like', `${ADDRESS}%`)
    .executeTakeFirstOrThrow();
  const { id } = listing;
  const others = await pageOf(browser, scenario, 'seller2@acre.test', 'agent');
  await expectNoAccess(others, scenario, id);

  expect(await approveListing(system(scenario), { propertyId: id })).toEqual({ ok: true });
  const buyer = await pageOf(browser, scenario, 'buyer@acre.test', 'buyer');
  await open(buyer, `/property/${id}`);
  await expect(buyer.getByRole('heading', { level: 1 })).toHaveText(ADDRESS);
  const main = buyer.locator('.carousel img, .gallery img').first();
  await expect(main).toHaveAttribute('width', /\d+/);
  await expect(main).toHaveAttribute('height', /\d+/);

  await buyer.getByRole('link', { name: 'Inquire About Property' }).click();
  await buyer.getByRole('dialog').getByLabel('Message').fill('Does the carport take a van?');
  await buyer.getByRole('button', { name: 'Send Inquiry' }).click();
  await expect(toastOf(buyer, 'Inquiry Sent')).toBeVisible();
  await open(page, '/agent/inquiries');
  await page.getByText('Does the carport take a van?').click();
  await page.getByPlaceholder('Type your reply...').fill('A small one.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText(/You · \d/)).toBeVisible();

  await open(buyer, `/property/${id}`);
  await buyer.getByRole('button', { name: 'Escrow with Card/Bank Transfer', exact: true }).click();
  await buyer.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(buyer.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  await open(page, '/agent/transactions');
  const sale = page.getByRole('row').filter({ hasText: ADDRESS });
  await expect(sale).toContainText('$615,000.00');
  await sale.getByRole('link', { name: ADDRESS }).click();
  await expect(page).toHaveURL(/\/agent\/sales\//);
  const saleId = page.url().split('/').pop() ?? '';
  expect(await statusOf(others.request, sellerPaths.sale(saleId))).toBe(404);
  await page.getByRole('link', { name: 'Mark documents delivered' }).click();
  await page.getByRole('dialog').getByLabel('Deed').setInputFiles(DEED);
  await page.getByRole('dialog').getByRole('button', { name: 'Mark documents delivered' }).click();
  await expect(toastOf(page, 'Documents delivered')).toBeVisible();
  await open(buyer, `/buyer/sales/${saleId}`);
  await buyer.getByRole('link', { name: 'Confirm closing' }).click();
  await buyer.getByRole('alertdialog').getByRole('button', { name: 'Confirm closing' }).click();
  await expect(buyer.getByRole('heading', { name: 'Congratulations on your new property' })).toBeVisible();
  await open(page, `/agent/sales/${saleId}`);
  await expect(page.getByText('Your payout is next.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your proceeds' }).locator('dl')).toHaveText(
    /Sale price\$615,000\.00Platform's share \(20%\)-\$123,000\.00Your proceeds\$492,000\.00/,
  );
  await expect(page.getByRole('link', { name: 'Message the buyer' })).toBeVisible();
  const pending = page.locator('.stats > *').filter({ hasText: 'Pending Payouts' });
  await open(page, '/agent/dashboard');
  await expect(pending).toContainText('$492,000.00');
  await expect(pending).toContainText('1 sale waiting for payout');
  await open(page, '/agent/transactions');
  await expect(pending).toContainText('1 sale waiting for payout');
  await expect(page.getByRole('region', { name: 'How your proceeds add up' }).locator('dl')).toHaveText(
    /Sale prices of 1 closed sale\$615,000\.00Platform's share-\$123,000\.00Your proceeds\$492,000\.00/,
  );
  await expect(page.getByRole('row').filter({ hasText: ADDRESS })).toContainText('Pending');

  await open(others, '/agent/transactions');
  await expect(others.getByText(ADDRESS)).toHaveCount(0);
  await Promise.all([others.context().close(), buyer.context().close()]);
});

/** Expects that another seller cannot read or change the listing through any page or action. */
async function expectNoAccess(others: Page, scenario: Scenario, id: string): Promise<void> {
  const http = others.request;
  const before = await scenario.db.q().selectFrom('properties').selectAll().where('id', '=', id).execute();
  const pictures = scenario.db
    .q()
    .selectFrom('property_images')
    .selectAll()
    .where('property_id', '=', id)
    .orderBy('id');
  const photos = await pictures.execute();
  expect(photos.length).toBeGreaterThan(10);
  const headers = { origin: scenario.url, 'sec-fetch-site': 'same-origin' };
  for (const path of [
    sellerPaths.editProperty(id),
    sellerPaths.photos({ propertyId: id }),
    paths.property(id),
  ])
    expect([path, await statusOf(http, path)]).toEqual([path, 404]);
  const actions: Record<string, string>[] = [
    { intent: 'delete', photo: String(photos[1]?.id) },
    { intent: 'main', photo: String(photos[1]?.id) },
    { intent: 'arrange', ids: photos.map((photo) => photo.id).join(',') },
  ];
  for (const form of actions)
    expect((await http.post(sellerPaths.photos({ propertyId: id }), { headers, form })).status()).toBe(404);
  const upload = sellerPaths.photoUpload({ propertyId: id }, { key: crypto.randomUUID(), position: 0 });
  expect((await http.post(upload, { headers, data: Buffer.from('picture') })).status()).toBe(404);
  for (const form of [
    { intent: 'withdraw', id },
    { intent: 'delete', id },
    { intent: 'relist', id },
  ])
    await http.post(sellerPaths.properties(), { headers, form });
  expect(
    (await http.post(sellerPaths.editProperty(id), { headers, form: { title: 'Mine now' } })).status(),
  ).toBe(404);
  expect(await scenario.db.q().selectFrom('properties').selectAll().where('id', '=', id).execute()).toEqual(
    before,
  );
  expect(await pictures.execute()).toEqual(photos);
  await open(others, '/agent/properties');
  await expect(others.getByText(ADDRESS)).toHaveCount(0);
}
