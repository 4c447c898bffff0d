import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, waitForHydration } from '#tests/support/browser/signed-in-test.ts';

const ADMIN = 'admin@acre.test';

test.beforeEach(({ signInAs }) => signInAs(ADMIN, 'admin'));

test('the dashboard shows the marketplace and leads to every property', async ({ page }) => {
  test.slow();
  await open(page, '/admin/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible();
  const stats = page.locator('.stats');
  for (const label of ['Total Sellers', 'Total Properties', 'Total Sales', 'Featured Properties'])
    await expect(stats.getByText(label, { exact: true })).toBeVisible();
  await expect(stats).toContainText(/Total Sales\s*\$[\d,]+\s*\d+ sales/);
  await expect(stats).toContainText(/Featured Properties\s*\d\/5/);
  const overview = page.getByRole('region', { name: 'Commission Overview' });
  await expect(overview).toContainText(/Average Seller Commission Rate\s*\d+\.\d%/);
  await expect(overview).toContainText(/Total Admin Fees\s*\$[\d,]+\.\d\d/);
  await expect(overview).toContainText(/Total Transactions\s*\d+/);
  const payouts = overview.getByRole('table', { name: 'Recent Payouts' });
  await expect(payouts.getByRole('columnheader')).toHaveText([
    'Seller',
    'Sale Amount',
    'Commission Rate',
    'Commission',
    'Status',
    'Date',
  ]);
  await expect(payouts.getByRole('row')).toHaveCount(6);
  await expectAccessible(page, 'admin-dashboard');

  const all = page.getByRole('table', { name: 'All Properties' });
  const price = all.getByRole('columnheader', { name: 'Price' });
  for (const [sort, order] of [
    ['price', 'ascending'],
    ['-price', 'descending'],
    [null, 'none'],
  ] as const) {
    await price.getByRole('button').click();
    await expect(price).toHaveAttribute('aria-sort', order);
    expect(new URL(page.url()).searchParams.get('sort')).toBe(sort);
  }
  await page.getByRole('searchbox', { name: 'Search properties' }).fill('no such property');
  await expect(all.getByText('No properties found')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search properties' }).fill('larkspur');
  await expect(page).toHaveURL(/q=larkspur/);
  const details = all.getByRole('link', { name: 'Details of 48 Larkspur Lane' });
  await details.press('Enter');
  const drawer = page.getByRole('dialog', { name: '48 Larkspur Lane' });
  await expect(drawer.getByRole('heading', { name: 'Facts' })).toBeVisible();
  await expect(page).toHaveURL(/q=larkspur.*details=/);
  await expectAccessible(page, 'admin-dashboard-details');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(details).toBeFocused();
});

test('the search finds records by keyboard alone and says when it fails', async ({ page, expectConsole }) => {
  expectConsole(404, /ERR_FAILED/);
  await open(page, '/admin/nothing-here');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('404');
  const side = page.getByRole('navigation', { name: 'Admin' });
  await expect(side.getByRole('link', { name: 'Properties' })).toContainText(/\d+ pending approval/);

  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search everything' });
  await expect(box).toBeFocused();
  await expect(page.getByText('Type at least three characters.')).toBeVisible();
  await page.route('**/api/office-search*', (route) => route.abort());
  await page.keyboard.type('larkspur');
  await expect(page.getByRole('alert').getByText('The search failed. Please try again.')).toBeVisible();
  await page.unroute('**/api/office-search*');
  await page.getByRole('button', { name: 'Retry' }).press('Enter');
  const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  const first = options.first();
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('group', { name: 'Properties' }).getByRole('option')).not.toHaveCount(0);
  await expectAccessible(page, 'admin-search');

  await box.focus();
  await page.keyboard.press('ArrowUp');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await expect(box).toHaveAttribute('aria-activedescendant', (await first.getAttribute('id')) ?? '');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('nothing like this');
  await expect(page.getByRole('status').getByText('No results for “nothing like this”.')).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('48 larkspur');
  await expect(options).not.toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/properties\?details=/);
  await expect(page.getByRole('dialog', { name: '48 Larkspur Lane' })).toBeVisible();
});

test('the sidebar is a sheet below 768 pixels and folds to icons above', async ({ page }) => {
  await page.setViewportSize({ width: 767, height: 900 });
  await open(page, '/admin/dashboard');
  const side = page.getByRole('navigation', { name: 'Admin' });
  await expect(side).toBeHidden();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(side.getByRole('link', { name: 'Dashboard', exact: true })).toBeVisible();
  expect((await side.boundingBox())?.width).toBe(18 * 16);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 768, height: 900 });
  await expect(side).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeHidden();
  await page.keyboard.press('Control+b');
  await expect.poll(async () => (await side.boundingBox())?.width).toBe(3 * 16);
  await page.reload();
  expect((await side.boundingBox())?.width).toBe(3 * 16);
  await waitForHydration(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await side.getByRole('link', { name: 'Dashboard', exact: true }).focus();
  await expect(page.getByRole('tooltip', { name: 'Dashboard' })).toBeVisible();
});
