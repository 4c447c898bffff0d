import type { Page, Request } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { holdRequests } from '#tests/support/browser/held-requests.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';

// What is imported would be counted by the tests of the lists.
test.use({ ownServer: 'imports' });

const SELLER = 'hedda.krause@example.test';

/** A portal's file: its own names of columns, a price in words, and one that nobody can read. */
const portalFile = (
  street: string,
) => `SALE TYPE,PROPERTY TYPE,ADDRESS,CITY,STATE OR PROVINCE,ZIP OR POSTAL CODE,PRICE,BEDS,STATUS,SOURCE,MLS#
MLS Listing,Single Family Residential,11 ${street},Dry Creek,TX,78001,$450K,3,Active,Hill Country MLS,${street}-1
MLS Listing,Single Family Residential,12 ${street},Dry Creek,TX,78001,"512,000",4,Active,Hill Country MLS,${street}-2
MLS Listing,Single Family Residential,13 ${street},Dry Creek,TX,78001,call us,2,Active,Hill Country MLS,${street}-3
`;

const upload = (page: Page, name: string, content: string) =>
  page
    .getByLabel('File of listings')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

const figure = (page: Page, label: string) =>
  page.locator('main').getByText(label, { exact: true }).locator('..');

test('a seller imports a portal’s file as it came, and takes it back', async ({ page, signInAs }) => {
  await signInAs(SELLER, 'agent');
  await open(page, '/agent/properties');
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await expect(page).toHaveURL('/agent/import');
  await expectAccessible(page, 'import-upload');
  await upload(page, 'portal.csv', portalFile('Import Trail'));
  await expect(page).toHaveURL(/\/agent\/import\/[\w-]{36}$/);
  await expect(page.getByRole('heading', { level: 1, name: 'portal.csv' })).toBeVisible();
  await expect(page.getByText('$450K')).toBeVisible();
  await expectAccessible(page, 'import-columns');

  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(page.getByText('Nothing is imported yet.')).toBeVisible();
  await expect(page.getByText('Pending until an administrator approves them')).toBeVisible();
  await expect(figure(page, 'Would be added')).toContainText('2');
  await expect(figure(page, 'Would be refused')).toContainText('1');
  await expect(page.getByRole('region', { name: 'Refused rows' })).toContainText('call us');
  await expectAccessible(page, 'import-checked');

  await page.getByRole('button', { name: 'Import 2 properties' }).click();
  await expect(figure(page, 'Added')).toContainText('2');
  await expectAccessible(page, 'import-done');
  await open(page, '/agent/properties?q=import+trail');
  await expect(page.getByRole('row').filter({ hasText: '11 Import Trail' })).toContainText('Pending');
  await page.goBack();

  await page.getByRole('link', { name: 'Undo import' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Undo the whole import?' });
  await expect(dialog).toContainText('2 properties that were added will be removed');
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByText('The import was undone')).toBeVisible();
  await expect(page.getByText('2 properties removed')).toBeVisible();
  await open(page, '/agent/properties?q=import+trail');
  await expect(page.getByRole('row').filter({ hasText: 'Import Trail' })).toHaveCount(0);
});

test('what cannot be read is said where it was chosen, and nothing is kept', async ({
  page,
  signInAs,
  expectConsole,
}) => {
  expectConsole(422);
  expectConsole(/ERR_FAILED/);
  await signInAs(SELLER, 'agent');
  await open(page, '/agent/import');
  await upload(page, 'empty.csv', '');
  await expect(page.getByText('The file is empty.')).toBeVisible();
  await upload(page, 'homes.zip', 'PK\u0003\u0004');
  await expect(page.getByText('The file is a workbook or an archive')).toBeVisible();
  await page.route('**/agent/uploads/import', (route) => route.abort());
  await upload(page, 'portal.csv', portalFile('Lost Trail'));
  await expect(page.getByText('The file could not be sent.')).toBeVisible();
  await expect(page).toHaveURL('/agent/import');
});

test('a file that has been sent meanwhile does not call back who is leaving', async ({ page, signInAs }) => {
  await signInAs(SELLER, 'agent');
  await open(page, '/agent/import');
  const sent = await holdRequests(page, '**/agent/uploads/import');
  const arrive = await holdRequests(page, '**/agent/properties.data*');
  await upload(page, 'slow.csv', portalFile('Slow Trail'));
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await page.getByRole('link', { name: 'My Properties' }).press('Enter');
  const isUpload = (request: Request) => request.url().endsWith('/agent/uploads/import');
  // It fails where the next page's place has been shown meanwhile, which cancels it.
  const ended = Promise.race([
    page.waitForEvent('requestfinished', isUpload),
    page.waitForEvent('requestfailed', isUpload),
  ]);
  sent();
  await ended;
  // What the page does with the answer is done by then.
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
  arrive();
  await expect(page).toHaveURL('/agent/properties');
});

test('a file without a needed column says so beside its field, and is discarded', async ({
  page,
  signInAs,
}) => {
  await signInAs(SELLER, 'agent');
  await open(page, '/agent/import');
  await upload(page, 'county.csv', 'PARCEL,SITUS,OWNER\n02-114,14 County Line Road,Ada\n');
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(page.locator('[aria-invalid=true]').first()).toBeFocused();
  await page.getByRole('link', { name: 'Discard file' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Discard county.csv?' });
  await dialog.getByRole('button', { name: 'Discard file' }).click();
  await expect(page).toHaveURL('/agent/import');
});

/** Two words for property types that are not known, and one that is. */
const kindsFile = (street: string) => `PROPERTY TYPE,ADDRESS,CITY,STATE,ZIP,PRICE
Yurt,21 ${street},Dry Creek,TX,78001,$150K
Yurt,22 ${street},Dry Creek,TX,78001,$160K
Earthship,23 ${street},Dry Creek,TX,78001,$170K
House,24 ${street},Dry Creek,TX,78001,$180K
`;

test('a seller says what the file’s own words for property types mean', async ({
  page,
  signInAs,
  scenario,
  expectConsole,
}) => {
  expectConsole(422);
  await signInAs(SELLER, 'agent');
  await open(page, '/agent/import');
  await upload(page, 'kinds.csv', kindsFile('Kinds Trail'));
  const words = page.getByRole('list', { name: 'Words for property types' });
  await expect(words.getByRole('listitem')).toHaveCount(2);
  await expect(words.getByRole('listitem').filter({ hasText: 'Yurt' })).toContainText('2 rows');
  const yurt = words.getByRole('combobox', { name: 'Yurt' });
  await expect(yurt).toHaveValue('');
  await yurt.selectOption('Vacant Lot');
  await words.getByRole('combobox', { name: 'Earthship' }).selectOption('Commercial');
  await page.getByRole('radio', { name: 'Fill what is blank in the listing' }).check();
  await expectAccessible(page, 'import-types');

  // Meanwhile an administrator switches a type off.
  const commercial = scenario.db.q().updateTable('property_types').where('name', '=', 'Commercial');
  await commercial.set({ is_active: false }).execute();
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(page.getByText('This property type is off. Please choose another one.')).toBeVisible();
  const earthship = words.getByRole('combobox', { name: 'Earthship' });
  await expect(earthship).toBeFocused();
  await expect(earthship).toHaveValue('Commercial');
  await expect(yurt).toHaveValue('Vacant Lot');
  await expect(page.getByRole('radio', { name: 'Fill what is blank in the listing' })).toBeChecked();
  await commercial.set({ is_active: true }).execute();

  await earthship.selectOption('Leave these rows out');
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(figure(page, 'Would be added')).toContainText('3');
  await expect(
    page.getByText('1 row with property types that are not known here is left out.'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Change columns' }).click();
  await expect(yurt).toHaveValue('Vacant Lot');
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByRole('button', { name: 'Import 3 properties' }).click();
  await expect(figure(page, 'Added')).toContainText('3');
  const imported = await scenario.db
    .q()
    .selectFrom('properties as p')
    .innerJoin('property_types as t', 't.id', 'p.type_id')
    .select('t.name')
    .where('p.address', 'like', '2_ Kinds Trail')
    .orderBy('p.address')
    .execute();
  expect(imported.map(({ name }) => name)).toEqual(['Vacant Lot', 'Vacant Lot', 'Single Family']);
});

test('an administrator imports for a seller, as chosen', async ({ page, signInAs }) => {
  await signInAs('admin@acre.test', 'admin');
  await open(page, '/admin/import');
  await upload(page, 'office.csv', portalFile('Office Trail'));
  await expect(page).toHaveURL(/\/admin\/import\/[\w-]{36}$/);
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(page.getByText('Choose whose listings these are.')).toBeVisible();
  await expectAccessible(page, 'import-office');
  await page.getByRole('combobox', { name: 'Seller' }).fill('Hedda');
  await page.getByRole('option', { name: /Hedda Krause/ }).click();
  await page.getByRole('radio', { name: 'Active' }).check();
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(page.getByText('New listings will be Active.')).toBeVisible();
  await page.getByRole('button', { name: 'Import 2 properties' }).click();
  await expect(figure(page, 'Added')).toContainText('2');
  await open(page, '/properties?q=11+office+trail');
  await expect(page.getByRole('article')).toContainText('11 Office Trail');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a file is uploaded by a form', async ({ page, signInAs }) => {
    await signInAs(SELLER, 'agent');
    await page.goto('/agent/import');
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'plain.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(portalFile('Plain Trail')),
    });
    await page.getByRole('button', { name: 'Upload file' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'plain.csv' })).toBeVisible();
  });

  test('a word for a property type is chosen for by the same form', async ({ page, signInAs }) => {
    await signInAs(SELLER, 'agent');
    await page.goto('/agent/import');
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'plain-kinds.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(kindsFile('Plain Kinds Trail')),
    });
    await page.getByRole('button', { name: 'Upload file' }).click();
    await page.getByRole('combobox', { name: 'Yurt' }).selectOption('Vacant Lot');
    await page.getByRole('button', { name: 'Check file' }).click();
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole('button', { name: 'Import 3 properties' })).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.getByRole('link', { name: 'Change columns' }).click();
    await expect(page.getByRole('combobox', { name: 'Yurt' })).toHaveValue('Vacant Lot');
    await expect(page.getByRole('combobox', { name: 'Earthship' })).toHaveValue('');
  });
});
