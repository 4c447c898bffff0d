import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { holdRequests } from '#tests/support/browser/held-requests.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const ADMIN = 'admin@acre.test';
const rows = (page: Page) =>
  page.getByRole('table', { name: 'All Properties' }).locator('tbody tr:not(.tbl-note)');
const desk = (page: Page) => page.getByRole('region', { name: 'Pending Approval' });
const shown = (page: Page) => desk(page).getByRole('article').getByRole('heading', { level: 2 });

test('all properties: counts, and at most five featured ones, by keyboard', async ({
  page,
  scenario,
  signInAs,
}) => {
  await scenario.createListing({ address: '1 Featherstone Lane', created_at: new Date() });
  await signInAs(ADMIN, 'admin');
  await open(page, '/admin/properties');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Properties');
  for (const label of ['Total Properties', 'Active', 'Pending', 'In Escrow'])
    await expect(page.locator('.stats')).toContainText(label);
  await expect(rows(page)).toHaveCount(25);
  await expect(rows(page).first()).toContainText('1 Featherstone Lane');
  await expectAccessible(page, 'admin-properties');

  const featured = page.getByRole('switch', { name: 'Featured: 1 Featherstone Lane' });
  await featured.focus();
  await page.keyboard.press('Space');
  await expect(toastOf(page, 'Maximum featured properties reached')).toBeVisible();
  await expect(featured).toHaveAttribute('aria-checked', 'false');
  // They can be on any page of the whole list.
  await page.getByRole('link', { name: 'Featured', exact: true }).click();
  await expect(rows(page)).toHaveCount(5);
  const other = page.getByRole('switch', { name: /^Featured/, checked: true }).first();
  await other.focus();
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Property unfeatured')).toBeVisible();
  await expect(rows(page)).toHaveCount(4);
  await open(page, '/admin/properties');
  await featured.focus();
  await page.keyboard.press('Space');
  await expect(toastOf(page, 'Property featured')).toBeVisible();
  await expect(featured).toHaveAttribute('aria-checked', 'true');
  await page.getByRole('link', { name: 'Featured', exact: true }).click();
  await expect(page).toHaveURL(/featured=1/);
  await expect(page.getByRole('switch', { name: /^Featured/, checked: true })).toHaveCount(5);
});

test('all properties: order, search and details', async ({ page, scenario, signInAs }) => {
  await scenario.createListing({ address: '3 Featherstone Lane' });
  await signInAs(ADMIN, 'admin');
  await open(page, '/admin/properties');
  await page.getByRole('button', { name: 'Price' }).focus();
  for (const order of ['ascending', 'descending', 'none']) {
    await page.keyboard.press('Enter');
    await expect(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', order);
  }
  await page.getByRole('searchbox', { name: 'Search properties' }).pressSequentially('3 featherstone');
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=3\+featherstone/);
  await page.getByRole('link', { name: 'Details of 3 Featherstone Lane' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: '3 Featherstone Lane' });
  await expect(drawer).toContainText('Facts');
  await expect(drawer.getByRole('link', { name: 'View public page' })).toBeVisible();
  await expect(drawer.getByRole('heading', { name: 'History' })).toBeVisible();
  await expectAccessible(page, 'admin-property-details');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  // A link that was pressed before the search began is followed.
  const release = await holdRequests(page, '**/admin/agents.data*');
  const since = await page.evaluate(() => performance.now());
  await page.getByRole('searchbox', { name: 'Search properties' }).fill('never searched');
  await page.getByRole('navigation').getByRole('link', { name: 'Sellers', exact: true }).press('Enter');
  await page.waitForFunction((then) => performance.now() > then + 600, since);
  release();
  await expect(page).toHaveURL('/admin/agents');
  await open(page, '/admin/properties');
  await page.getByRole('searchbox', { name: 'Search properties' }).fill('nothing like it');
  await expect(page.getByText('No properties found')).toBeVisible();
  await page.getByRole('link', { name: 'Featured', exact: true }).click();
  await expect(page).toHaveURL(/featured=1/);
  await page.getByRole('searchbox', { name: 'Search properties' }).fill('');
  await expect(rows(page)).not.toHaveCount(0);
  await expect(page.getByRole('switch', { name: /^Featured/, checked: false })).toHaveCount(0);
  await page.getByRole('tab', { name: 'In Escrow' }).click();
  await expect(page.getByRole('columnheader', { name: 'Days' })).toBeVisible();
  await page
    .getByRole('table', { name: 'In Escrow' })
    .getByRole('link', { name: /^View / })
    .first()
    .click();
  await expect(page).toHaveURL(/\/admin\/transactions\?sale=/);
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a search that begins while something else is being loaded does not undo it', async ({
  page,
  scenario,
  signInAs,
}) => {
  test.slow();
  await scenario.createListing({ address: '2 Hummingbird Lane' });
  await signInAs(ADMIN, 'admin');
  await open(page, '/admin/properties');
  const search = page.getByRole('searchbox', { name: 'Search properties' });
  const afterPause = async (act: () => Promise<void>) => {
    const since = await page.evaluate(() => performance.now());
    await act();
    await page.waitForFunction((then) => performance.now() > then + 700, since);
  };
  const releaseOrder = await holdRequests(page, '**/admin/properties.data?*sort=*');
  await afterPause(async () => {
    await page.getByRole('button', { name: 'Price' }).press('Enter');
    await search.fill('hummingbird');
  });
  releaseOrder();
  await expect(page).toHaveURL(/q=hummingbird/);
  await expect(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/sort=/);

  await afterPause(async () => {
    await search.fill('humming');
    await page.getByRole('link', { name: 'Details of 2 Hummingbird Lane' }).first().press('Enter');
  });
  await expect(page.getByRole('dialog', { name: '2 Hummingbird Lane' })).toBeVisible();
  await page.keyboard.press('Escape');

  const releaseTab = await holdRequests(page, '**/admin/properties.data?*tab=escrow*');
  await afterPause(async () => {
    await search.fill('never searched');
    await page.getByRole('tab', { name: 'In Escrow' }).press('Enter');
  });
  releaseTab();
  await expect(page.getByRole('columnheader', { name: 'Days' })).toBeVisible();
});

test('the review desk by keyboard alone: ten are approved, one is rejected, and a selection is approved', async ({
  page,
  scenario,
  signInAs,
}) => {
  for (let number = 1; number <= 13; number += 1)
    await scenario.createListing({
      address: `${number} Keyboard Court`,
      status: 'pending',
      created_at: new Date(Date.now() + number * 1000),
    });
  await signInAs(ADMIN, 'admin');
  await open(page, '/admin/properties?tab=pending');
  await expect(shown(page)).toHaveText('13 Keyboard Court');
  await expectAccessible(page, 'admin-review-desk');
  await page.getByRole('tab', { name: /Pending Approval/ }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(desk(page).getByRole('checkbox', { name: 'Select all' })).toBeFocused();
  for (let number = 13; number > 3; number -= 1) {
    await expect(shown(page)).toHaveText(`${number} Keyboard Court`);
    await page.keyboard.press('a');
  }
  await expect(shown(page)).toHaveText('3 Keyboard Court');
  await expect(toastOf(page, '1 properties approved successfully')).toBeVisible();

  await page.keyboard.press('r');
  await expect(page.getByLabel('Reason')).toBeFocused();
  await page.keyboard.type('Possible');
  await page.keyboard.press('Tab');
  await page.keyboard.type('It is listed already.');
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Property rejected')).toBeVisible();
  await expect(shown(page)).toHaveText('2 Keyboard Court');

  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await expect(shown(page)).toHaveText('1 Keyboard Court');
  await page.keyboard.press('x');
  await expect(desk(page)).toContainText('2 selected');
  await page.getByRole('button', { name: 'Approve Selected' }).press('Enter');
  await expect(toastOf(page, '2 properties approved successfully')).toBeVisible();
});
