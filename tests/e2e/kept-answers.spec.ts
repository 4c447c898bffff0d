import type { Page } from '@playwright/test';
import { DAY } from '#platform/durations.ts';
import { createConversation, inboxPage } from '#tests/support/browser/conversations.ts';
import { revalidate } from '#tests/support/browser/revalidate.ts';
import { expect, open, type Scenario, test } from '#tests/support/browser/scenario.ts';
import { waitForHydration } from '#tests/support/browser/signed-in-test.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

// What is wrong with a form stays said, and what was typed stays, while the page is brought up to date. Each test waits for
// changed data to be shown, since the page could still show its former state before.

const SELLER = 'seller@acre.test';
const BUYER = 'leopold.marsh@example.test';
const ADMIN = 'admin@acre.test';

test.beforeEach(({ expectConsole }) => expectConsole(409, 422));

const move = ({ db }: Scenario, propertyId: string, address: string) =>
  db.q().updateTable('properties').set({ address }).where('id', '=', propertyId).execute();

const sellerId = async ({ db }: Scenario) => {
  const own = db.q().selectFrom('agents').select('id').where('email', '=', SELLER);
  return (await own.executeTakeFirstOrThrow()).id;
};

for (const [email, role, area] of [
  [SELLER, 'agent', 'agent'],
  [ADMIN, 'admin', 'admin'],
] as const)
  test(`the columns of a file of an import: ${role}`, async ({ page, scenario, signInAs }) => {
    await signInAs(email, role);
    await open(page, `/${area}/import`);
    await page.getByLabel('File of listings').setInputFiles({
      name: `kept-${role}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from('PARCEL,SITUS,OWNER\n02-114,14 County Line Road,Ada\n'),
    });
    const [address, price] = ['address', 'price'].map((field) => page.locator(`[name="map.${field}"]`));
    if (!address || !price) throw new Error('There are two fields');
    await address.selectOption('#3');
    await page.getByRole('button', { name: 'Check file' }).click();
    const problem = page.getByText('Choose the column with the price.');
    await expect(problem).toBeVisible();
    await price.selectOption('#1');
    await scenario.db
      .q()
      .updateTable('listing_imports')
      .set({ file_name: `renamed-${role}.csv` })
      .where('file_name', '=', `kept-${role}.csv`)
      .execute();
    await revalidate(page);
    await expect(page.getByRole('heading', { level: 1, name: `renamed-${role}.csv` })).toBeVisible();
    await expect(problem).toBeVisible();
    await expect(address).toHaveValue('#3');
    await expect(price).toHaveValue('#1');
  });

test('an inquiry that was refused before the scripts came', async ({ page, scenario, signInAs }) => {
  const property = await scenario.createListing({ address: '61 Kept Lane' });
  await signInAs(BUYER);
  await open(page, `/property/${property}?inquire=1`);
  const dialog = page.getByRole('dialog', { name: 'Send Inquiry to Seller' });
  await Promise.all([
    page.waitForEvent('load'),
    dialog.locator('form[method=post]').evaluate((form: HTMLFormElement) => form.submit()),
  ]);
  await waitForHydration(page);
  await expect(dialog.getByText('Please write a message.')).toBeVisible();
  await move(scenario, property, '62 Kept Lane');
  await revalidate(page);
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toContainText('62 Kept Lane');
  await expect(dialog.getByText('Please write a message.')).toBeVisible();
  await dialog.getByLabel('Message').fill('Is it still for sale?');
  await dialog.getByRole('button', { name: 'Send Inquiry' }).click();
  await expect(dialog).toBeHidden();
});

test('the answer to a request for a tour', async ({ page, scenario, signInAs }) => {
  const property = await scenario.createListing({ address: '51 Kept Lane' });
  const starts = new Date(Math.ceil(Date.now() / DAY + 3) * DAY);
  const { rows } = await scenario.db.pool.query(
    `insert into tours (property_id, agent_id, buyer_id, starts_at, time_zone, key)
     select $1, $2, id, $3, 'America/Los_Angeles', 'kept' from users where email = $4 returning id`,
    [property, await sellerId(scenario), starts, BUYER],
  );
  await signInAs(SELLER, 'agent');
  await open(page, `/agent/tours?do=propose&id=${rows[0]?.id}`);
  const dialog = page.getByRole('dialog', { name: 'Propose another time' });
  await dialog.getByRole('button', { name: 'Propose this time' }).click();
  await expect(dialog.getByText('Please choose a day and a time.')).toBeVisible();
  await move(scenario, property, '52 Kept Lane');
  await revalidate(page);
  await expect(dialog.getByText(/^52 Kept Lane/)).toBeVisible();
  await expect(dialog.getByText('Please choose a day and a time.')).toBeVisible();
});

test('what an administrator decides about a sale and about a reported conversation', async ({
  page,
  scenario,
  signInAs,
}) => {
  const { db } = scenario;
  const saleScenario = await createSaleScenario(db, {
    clock: { now: () => new Date(), advance: () => undefined },
  });
  const property = await scenario.createListing({ address: '53 Kept Lane' });
  const saleId = await saleScenario.createPaidSale(property);
  await signInAs(ADMIN, 'admin');
  await open(page, `/admin/transactions?sale=${saleId}&do=release`);
  await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
  await expect(page.getByText('Please give a reason.')).toBeVisible();
  await move(scenario, property, '54 Kept Lane');
  await revalidate(page);
  const release = page.getByRole('dialog', { name: 'Release the escrow of 54 Kept Lane' });
  await expect(release.getByText('Please give a reason.')).toBeVisible();

  const inquiryId = await createConversation(scenario, property, BUYER, ['Hello?']);
  const { rows } = await db.pool.query(
    `insert into inquiry_reports (inquiry_id, reported_by, reason)
     select $1, id, 'It is rude.' from users where email = $2 returning id`,
    [inquiryId, SELLER],
  );
  await open(page, `/admin/inquiries?tab=reported&report=${rows[0]?.id}&do=warned`);
  await page.getByRole('button', { name: 'Send warning' }).click();
  await expect(page.getByText('Please say why.')).toBeVisible();
  await db.pool.query(`update inquiry_reports set reason = 'It is kept.' where id = $1`, [rows[0]?.id]);
  await revalidate(page);
  await expect(page.getByText('It is kept.')).toBeVisible();
  await expect(page.getByText('Please say why.')).toBeVisible();
});

test('what a seller proves, discloses, and sets', async ({ page, scenario, signInAs }) => {
  test.slow();
  const { db } = scenario;
  const agent_id = await sellerId(scenario);
  const property = await scenario.createListing({ address: '55 Kept Lane' });
  await signInAs(SELLER, 'agent');
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text });

  await open(page, `/agent/properties/${property}/ownership`);
  await page.getByRole('button', { name: 'Upload proof' }).click();
  await expect(page.getByText('Please enter the parcel number.')).toBeVisible();
  await move(scenario, property, '56 Kept Lane');
  await revalidate(page);
  await expect(heading('Ownership of 56 Kept Lane')).toBeVisible();
  await expect(page.getByText('Please enter the parcel number.')).toBeVisible();

  await open(page, `/agent/properties/${property}/disclosures`);
  await page.getByRole('button', { name: 'Upload disclosure' }).click();
  await expect(page.getByText('Choose the document to upload.')).toBeVisible();
  await move(scenario, property, '57 Kept Lane');
  await revalidate(page);
  await expect(heading('Disclosures of 57 Kept Lane')).toBeVisible();
  await expect(page.getByText('Choose the document to upload.')).toBeVisible();

  await db.q().deleteFrom('tour_days').where('agent_id', '=', agent_id).execute();
  await open(page, '/agent/tours/hours');
  await page.getByLabel('Monday from').selectOption('5:00 PM');
  await page.getByLabel('Monday to').selectOption('9:00 AM');
  await page.getByRole('button', { name: 'Save weekly hours' }).click();
  const wrongSpan = page
    .getByRole('group', { name: 'Monday' })
    .getByText('Please choose an end that is after the start.');
  await expect(wrongSpan).toBeVisible();
  const day = new Date(Date.now() + 5 * DAY).toISOString().slice(0, 10);
  await db.q().insertInto('tour_days').values({ agent_id, day }).execute();
  await revalidate(page);
  await expect(page.getByRole('button', { name: /^Remove / })).toBeVisible();
  await expect(wrongSpan).toBeVisible();
  await db.q().deleteFrom('tour_days').where('agent_id', '=', agent_id).execute();

  await open(page, '/agent/quick-replies?do=add');
  await page.getByRole('button', { name: 'Save Quick Reply' }).click();
  await expect(page.getByText('Text is required')).toBeVisible();
  await db.q().insertInto('quick_replies').values({ agent_id, name: 'Kept', text: 'It is kept.' }).execute();
  await revalidate(page);
  await expect(page.getByText('It is kept.')).toBeVisible();
  await expect(page.getByText('Text is required')).toBeVisible();
  await db.q().deleteFrom('quick_replies').where('name', '=', 'Kept').execute();
});

/** Holds the scripts of the page back until they are let through. */
async function holdScripts(page: Page): Promise<() => void> {
  let arrive = () => {};
  const scripts = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/*.js', async (route) => {
    await scripts;
    await route.continue();
  });
  return arrive;
}

test('a message that was sent before the scripts came, until another one is sent', async ({
  page,
  scenario,
  signInAs,
}) => {
  const property = await scenario.createListing({ address: '58 Kept Lane' });
  const id = await createConversation(scenario, property, BUYER, ['Is it free?']);
  await signInAs(SELLER, 'agent');
  const letScriptsCome = await holdScripts(page);
  await page.goto(`/agent/inquiries?inquiry=${id}`, { waitUntil: 'commit' });
  const { row, box, send, bubble } = inboxPage(page);
  await box.fill('   ');
  await send.click({ noWaitAfter: true });
  const problem = page.locator('.reply-note').getByText('Please write a message.');
  await expect(problem).toBeVisible();
  letScriptsCome();
  await waitForHydration(page);
  await move(scenario, property, '59 Kept Lane');
  await revalidate(page);
  await expect(row('59 Kept Lane')).toBeVisible();
  await expect(problem).toBeVisible();
  await box.fill('Yes, it is.');
  await send.click();
  await expect(bubble('Yes, it is.')).toBeVisible();
  await expect(problem).toHaveCount(0);
});
