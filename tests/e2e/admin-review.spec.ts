import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { signedInContext } from '#tests/support/browser/conversations.ts';
import { photosIn } from '#tests/support/browser/photo-form.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { waitForHydration } from '#tests/support/browser/signed-in-test.ts';

const desk = (page: Page) => page.getByRole('region', { name: 'Pending Approval' });
const shown = (page: Page) => desk(page).getByRole('article');
const waiting = (page: Page, address: string) =>
  desk(page).getByRole('listitem').filter({ hasText: address });

const picture = (background: string) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer();

/** A listing that waits before all others. */
let waitsSince = Date.now();
function newest(scenario: Scenario, address: string, facts: Parameters<Scenario['createListing']>[0] = {}) {
  waitsSince += 60_000;
  const created_at = new Date(waitsSince);
  const title = 'A house for sale';
  return scenario.createListing({ address, title, status: 'pending', created_at, ...facts });
}

test.describe('the review desk', () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('asks for changes by keyboard alone, with a reason and words that its seller reads', async ({
    page,
    scenario,
    browser,
    expectConsole,
  }) => {
    expectConsole(422);
    const id = await newest(scenario, '1 Second Look Lane');
    await open(page, `/admin/properties?tab=pending&listing=${id}`);
    await expect(shown(page).getByRole('heading', { level: 2 })).toHaveText('1 Second Look Lane');
    await shown(page).getByRole('button', { name: 'Request changes' }).press('Enter');
    await expect(page.getByText('Please choose a reason.')).toBeVisible();
    await expect(page.getByText('Please write what the seller has to do.')).toBeVisible();
    await expectAccessible(page, 'admin-request-changes');
    await page.getByLabel('Reason').selectOption('Photos are missing or unclear');
    await page.getByLabel('Message to the seller').focus();
    await page.keyboard.type('Please add one of the kitchen.');
    await shown(page).getByRole('button', { name: 'Request changes' }).press('Enter');
    const toast = toastOf(page, 'Changes requested');
    await expect(toast).toContainText('The seller was notified by email.');
    await expect(waiting(page, '1 Second Look Lane')).toHaveCount(0);
    await page.goto(`/admin/properties?tab=pending&listing=${id}`);
    await expect(shown(page).getByText('Nothing to decide here')).toBeVisible();

    const context = await signedInContext(browser, {
      origin: scenario.url,
      email: 'seller@acre.test',
      role: 'agent',
    });
    const seller = await context.newPage();
    await seller.goto('/agent/properties?q=second+look');
    await expect(
      seller.getByText('Photos are missing or unclear. Please add one of the kitchen.').first(),
    ).toBeVisible();
    await context.close();
  });

  test('shows what a seller changed since the approval, old beside new, and takes the confirmation', async ({
    page,
    scenario,
    browser,
  }) => {
    const id = await newest(scenario, '2 Second Look Lane', { description: 'A quiet house with a garden.' });
    await open(page, `/admin/properties?tab=pending&listing=${id}`);
    await shown(page).getByRole('button', { name: 'Approve' }).press('Enter');
    await expect(toastOf(page, 'approved successfully')).toBeVisible();

    const context = await signedInContext(browser, {
      origin: scenario.url,
      email: 'seller@acre.test',
      role: 'agent',
    });
    const seller = await context.newPage();
    await seller.goto(`/agent/properties/${id}/edit`);
    await waitForHydration(seller);
    await seller
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'porch.png', mimeType: 'image/png', buffer: await picture('#7a9') });
    await expect.poll(() => photosIn(scenario, id)).toHaveLength(1);
    await seller.getByRole('textbox', { name: 'Price' }).fill('700,000');
    await seller.getByRole('textbox', { name: 'Description' }).fill('A quiet house with a pool.');
    await seller.getByRole('button', { name: 'Update Property' }).click();
    await expect(seller).toHaveURL(/\/agent\/properties(\?|$)/);
    await context.close();

    await open(page, `/admin/properties?tab=pending&listing=${id}`);
    await expect(waiting(page, '2 Second Look Lane').getByText('Changed since approval')).toBeVisible();
    const changes = shown(page).getByRole('region', { name: 'Changed since approval' });
    await expect(changes.getByRole('columnheader')).toHaveText(['Field', 'Approved', 'Now']);
    await expect(changes.getByRole('row', { name: /^Price/ }).getByRole('cell')).toHaveText([
      '$742,000.00',
      '$700,000.00',
    ]);
    const description = changes.getByRole('row', { name: /^Description/ });
    await expect(description.locator('del')).toHaveText('garden.');
    await expect(description.locator('ins')).toHaveText('pool.');
    const photos = changes.getByRole('row', { name: /^Photos/ }).getByRole('cell');
    await expect(photos.first()).toHaveText('None');
    await expect(photos.last().getByRole('img', { name: 'Photo 1' })).toBeVisible();
    await expect(photos.last().locator('ins')).toHaveText('New');
    await expectAccessible(page, 'admin-review-changes');
    await shown(page).getByRole('button', { name: 'Approve' }).press('Enter');
    await expect(toastOf(page, 'approved successfully')).toBeVisible();
    await expect(waiting(page, '2 Second Look Lane')).toHaveCount(0);
  });

  test('warns of a possible duplicate, which opens beside it, and can be rejected as one', async ({
    page,
    scenario,
  }) => {
    await scenario.createListing({ address: '3 Second Look Lane' });
    const id = await newest(scenario, '3 Second Look Lane', { price_cents: 699_000_00 });
    await open(page, `/admin/properties?tab=pending&listing=${id}`);
    await expect(waiting(page, '3 Second Look Lane').getByText('Possible duplicate')).toBeVisible();
    const duplicates = shown(page).getByRole('region', { name: 'Possible duplicates' });
    await expect(duplicates).toContainText('Possible duplicate of 3 Second Look Lane');
    await expect(duplicates).toContainText('Same address');
    await expectAccessible(page, 'admin-review-duplicate');
    await duplicates.getByRole('link').press('Enter');
    const drawer = page.getByRole('dialog', { name: '3 Second Look Lane' });
    await expect(drawer).toContainText('$742,000');
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await page.getByLabel('Reason').selectOption('Possible duplicate');
    await page.getByLabel('Message to the seller').fill('It is listed already.');
    await shown(page).getByRole('button', { name: 'Reject' }).press('Enter');
    await expect(toastOf(page, 'Property rejected')).toBeVisible();
  });

  test('follows what others decide and submit, without touching what is being written', async ({
    page,
    scenario,
    browser,
    expectConsole,
  }) => {
    expectConsole(409);
    await newest(scenario, '6 Second Look Lane');
    const changed = await newest(scenario, '7 Second Look Lane', { description: 'As it was read.' });
    await open(page, '/admin/properties?tab=pending');
    const heading = shown(page).getByRole('heading', { level: 2 });
    await expect(heading).toHaveText('7 Second Look Lane');
    await page.getByLabel('Message to the seller').fill('Half a sentence');

    await newest(scenario, '8 Second Look Lane');
    await expect(waiting(page, '8 Second Look Lane')).toBeVisible();
    await expect(heading).toHaveText('7 Second Look Lane');
    const context = await signedInContext(browser, {
      origin: scenario.url,
      email: 'admin2@acre.test',
      role: 'admin',
    });
    const colleague = await context.newPage();
    await open(colleague, '/admin/properties?tab=pending');
    await waiting(colleague, '6 Second Look Lane').getByRole('link').click();
    await expect(shown(colleague).getByRole('heading', { level: 2 })).toHaveText('6 Second Look Lane');
    await shown(colleague).getByRole('button', { name: 'Approve' }).click();
    await expect(waiting(page, '6 Second Look Lane')).toHaveCount(0);
    await expect(page.getByLabel('Message to the seller')).toHaveValue('Half a sentence');

    // What is decided is what was read, although the page has been read again since.
    await scenario.db
      .q()
      .updateTable('properties')
      .set({ description: 'As nobody has read it.' })
      .where('id', '=', changed)
      .execute();
    await newest(scenario, '9 Second Look Lane');
    await expect(waiting(page, '9 Second Look Lane')).toBeVisible();
    await expect(shown(page).getByText('As it was read.')).toBeVisible();
    await shown(page).getByRole('button', { name: 'Approve' }).click();
    await expect(toastOf(page, 'Nothing was decided')).toBeVisible();
    await expect(shown(page).getByText('As nobody has read it.')).toBeVisible();
    await expect(page.getByLabel('Message to the seller')).toHaveValue('Half a sentence');

    await waiting(colleague, '7 Second Look Lane').getByRole('link').click();
    await expect(shown(colleague).getByText('As nobody has read it.')).toBeVisible();
    await shown(colleague).getByRole('button', { name: 'Approve' }).click();
    await expect(shown(page).getByText('Nothing to decide here')).toBeVisible();
    await context.close();
  });
});

test.describe('a queue of more than one page', () => {
  test.use({ ownServer: 'pages of the review desk' });
  test.slow();

  test('is gone through by keyboard from page to page and back', async ({ page, scenario, signInAs }) => {
    const { rows } = await scenario.db.pool.query<{ waiting: number }>(
      `select count(*)::integer as waiting from properties where status = 'pending' and deleted_at is null`,
    );
    for (let number = 1; number <= 27; number += 1)
      await newest(scenario, `${number} Long Queue`, { description: 'Quiet.' });
    await signInAs('admin@acre.test', 'admin');
    expect(rows[0]?.waiting).toBeLessThan(24);
    await open(page, '/admin/properties?tab=pending');
    await waiting(page, '3 Long Queue').last().getByRole('link').press('Enter');
    const heading = shown(page).getByRole('heading', { level: 2 });
    await expect(heading).toHaveText('3 Long Queue');
    await page.keyboard.press('j');
    await expect(heading).toHaveText('2 Long Queue');
    await expect(page).toHaveURL(/page=2/);
    await page.keyboard.press('j');
    await expect(heading).toHaveText('1 Long Queue');
    await page.keyboard.press('k');
    await expect(heading).toHaveText('2 Long Queue');
    await page.keyboard.press('k');
    await expect(heading).toHaveText('3 Long Queue');
    await expect(page).not.toHaveURL(/page=/);
    await page.keyboard.press('k');
    await expect(heading).toHaveText('4 Long Queue');
  });

  test('is approved as a whole, after all of it was selected', async ({ page, scenario, signInAs }) => {
    const ids: string[] = [];
    for (let number = 1; number <= 27; number += 1)
      ids.push(await newest(scenario, `${number} Whole Queue`, { description: 'Quiet.' }));
    await signInAs('admin@acre.test', 'admin');
    await open(page, '/admin/properties?tab=pending');
    const selected = desk(page).getByRole('status').filter({ hasText: 'selected' });
    const everything = desk(page).getByRole('button', { name: /^Select all \d+$/ });
    const box = (address: string) =>
      desk(page).getByRole('checkbox', { name: `Select ${address}`, exact: true });
    await desk(page).getByRole('checkbox', { name: 'Select all', exact: true }).check();
    await expect(selected).toHaveText('25 selected');
    const label = await everything.textContent();
    await everything.press('Enter');
    const count = Number(label?.replace('Select all ', ''));
    expect(count).toBeGreaterThanOrEqual(27);
    await expect(selected).toHaveText(`${count} selected`);
    await expect(everything).toHaveCount(0);
    await expectAccessible(page, 'admin-review-all-selected');

    await box('27 Whole Queue').uncheck();
    await expect(selected).toHaveText('24 selected');
    await expect(page).not.toHaveURL(/select=/);
    await box('27 Whole Queue').check();
    // Cleared while it is being selected, it stays so.
    const held = Promise.withResolvers<void>();
    const isAll = (url: URL) => url.searchParams.get('select') === 'all';
    await page.route(isAll, async (route) => {
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    await everything.click();
    await desk(page).getByRole('button', { name: 'Clear Selection' }).click();
    await expect(selected).toHaveCount(0);
    held.resolve();
    await page.unroute(isAll);
    await expect(page).not.toHaveURL(/select=/);
    await expect(box('27 Whole Queue')).not.toBeChecked();

    await desk(page).getByRole('checkbox', { name: 'Select all', exact: true }).check();
    await everything.click();
    await desk(page).getByRole('link', { name: 'Page 2' }).click();
    await expect(box('2 Whole Queue')).toBeChecked();
    await desk(page).getByRole('button', { name: 'Approve Selected' }).click();
    await expect(toastOf(page, 'properties approved successfully')).toBeVisible();
    await expect(selected).toHaveCount(0);
    const { rows } = await scenario.db.pool.query(
      `select from properties where id = any($1) and status = 'Active'`,
      [ids],
    );
    expect(rows).toHaveLength(27);
  });
});
