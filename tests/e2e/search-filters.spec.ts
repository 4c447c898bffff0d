import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, waitForHydration } from '#tests/support/browser/signed-in-test.ts';
import { publicListings, totalOf } from '#tests/support/fixtures/demo-listings.ts';

test.slow();

const cards = (page: Page) => page.getByRole('article');
const word = (count: number) => `${count} ${count === 1 ? 'property' : 'properties'}`;
const show = (page: Page) => page.getByRole('button', { name: /^Show .*propert(y|ies)$/ });
const chip = (page: Page, label: string) => page.getByRole('link', { name: `Remove ${label}` });

const large = publicListings.filter(({ row }) => Number(row.square_feet ?? 0) >= 3_000);
const largeAndYoung = large.filter(({ row }) => Number(row.year_built ?? 0) >= 1_990);

test('the panel counts while filters are chosen, and each filter is a chip', { tag: '@phone' }, async ({
  page,
}) => {
  await open(page, '/properties');
  await page.getByText('Filters', { exact: true }).click();
  await expect(show(page)).toHaveText('Show properties');
  await page.getByLabel('Minimum square feet').fill('3,000');
  await expect(show(page)).toHaveText(`Show ${word(large.length)}`);
  await page.getByLabel('Built since').fill('1990');
  await expect(show(page)).toHaveText(`Show ${word(largeAndYoung.length)}`);
  await expectAccessible(page, 'filter-panel');
  await show(page).press('Enter');
  await expect(page).toHaveURL(/sqft-min=3%2C000&year-min=1990/);
  await expect(page.locator('.found')).toContainText(word(largeAndYoung.length));
  await expect(page.getByText('Filters (2)')).toBeVisible();
  await expectAccessible(page, 'filter-chips');
  await chip(page, 'Built since 1990').press('Enter');
  await expect(page).toHaveURL('/properties?sqft-min=3%2C000');
  await expect(page.locator('.found')).toContainText(word(large.length));
  await chip(page, 'From 3,000 sqft').click();
  await expect(page).toHaveURL('/properties');
  await expect(page.locator('.understood')).toHaveCount(0);
});

test('amenities, lot size in acres and keywords, kept when the page is loaded again', async ({ page }) => {
  await open(page, '/properties');
  await page.getByText('Filters', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Garage' }).focus();
  await page.keyboard.press('Space');
  await page.getByLabel('Minimum lot size').fill('0.1 acres');
  const counted = page.waitForResponse((answer) => {
    const { pathname, searchParams } = new URL(answer.url());
    return pathname === '/api/count' && searchParams.get('keywords') === 'quiet';
  });
  await page.getByRole('textbox', { name: 'Keywords' }).fill('quiet');
  const { total } = (await (await counted).json()) as { total: number };
  await expect(show(page)).toHaveText(new RegExp(`^Show ${total} propert`));
  const text = (await show(page).textContent()) ?? '';
  await show(page).click();
  await expect(page).toHaveURL(/lot-min=0\.1\+acres&.*keywords=quiet&amenity=garage|amenity=garage/);
  await expect(page.locator('.found')).toContainText(text.replace('Show ', ''));
  await page.reload();
  await waitForHydration(page);
  await expect(chip(page, 'Garage')).toBeVisible();
  await expect(chip(page, '“quiet”')).toBeVisible();
  await expect(chip(page, 'Lot from 0.1 acres')).toBeVisible();
  await page.getByText('Filters (3)').click();
  await expect(page.getByRole('checkbox', { name: 'Garage' })).toBeChecked();
  await expect(page.getByLabel('Minimum lot size')).toHaveValue('0.1 acres');
  await page.getByRole('textbox', { name: 'Keywords' }).press('Escape');
  await expect(page.getByText('Filters (3)')).toBeFocused();
  await chip(page, 'Garage').click();
  await expect(page.getByText('Filters (2)')).toBeVisible();
});

test('bounds that were swapped are said, in both themes, on desktop and mobile', async ({ page }) => {
  await open(page, '/properties?sqft-min=4000&sqft-max=2000&min=1000');
  await expect(page.locator('.found')).toContainText(
    'Your minimum square feet was above your maximum, so we swapped them.',
  );
  await expect(chip(page, '2,000 to 4,000 sqft')).toBeVisible();
  await expectAccessible(page, 'filters-swapped');
});

test('suggestions name places with their counts, find swapped letters, and offer recent searches', async ({
  page,
}) => {
  const field = page.getByLabel('Search properties');
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
  const larkspur = publicListings.filter(({ row }) => row.address.includes('Larkspur'));
  const recent = Promise.withResolvers<void>();
  await page.route('**/recent-searches-*.js', async (route) => {
    await recent.promise;
    await route.continue();
  });
  await open(page, '/properties');
  await field.fill('cedar hol');
  const there = publicListings.filter(({ row }) => row.city === 'Cedar Hollow').length;
  await expect(options.first()).toHaveText(`Cedar Hollow, ORCity · ${there}`);
  // Recent searches that arrive late take nothing away.
  const late = page.waitForResponse('**/recent-searches-*.js');
  recent.resolve();
  await (await late).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(options.first()).toHaveText(`Cedar Hollow, ORCity · ${there}`);
  await field.fill('larkspru la');
  await expect(options.first()).toContainText('Larkspur Lane, Cedar Hollow, OR 97031');
  await expectAccessible(page, 'suggestions');
  await field.fill('larkspur');
  await field.press('Enter');
  await expect(page.locator('.found')).toContainText(word(larkspur.length));
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(field).toHaveValue('');
  await field.focus();
  await expect(options).toHaveText(['larkspurRecent search', 'Clear recent searches']);
  await expectAccessible(page, 'recent-searches');
  await field.press('ArrowDown');
  await field.press('Enter');
  await expect(page).toHaveURL('/properties?q=larkspur');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(field).toHaveValue('');
  await field.blur();
  await field.focus();
  await page.getByRole('option', { name: 'Clear recent searches' }).click();
  await field.blur();
  await field.focus();
  await expect(options).toHaveCount(0);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('the panel is a form, and bounds are swapped too', async ({ page }) => {
    await page.goto('/properties');
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Minimum price').fill('900000');
    await page.getByLabel('Maximum price').fill('300000');
    await page.getByRole('checkbox', { name: 'Fireplace' }).check();
    await page.getByRole('button', { name: 'Show properties' }).click();
    await expect(page.locator('.found')).toContainText('so we swapped them.');
    await expect(chip(page, '$300,000 to $900,000')).toBeVisible();
    await chip(page, 'Fireplace').click();
    const within = publicListings.filter((one) => totalOf(one) >= 300_000_00 && totalOf(one) <= 900_000_00);
    await expect(page.locator('.found')).toContainText(word(within.length));
    await expect(cards(page)).toHaveCount(Math.min(24, within.length));
  });
});

test('watched properties are compared side by side, at least two and at most four', async ({
  page,
  signInAs,
}) => {
  await signInAs('buyer@acre.test');
  await open(page, '/buyer/transactions?tab=watched');
  await page.getByText('Compare properties').click();
  const boxes = page.getByRole('group', { name: 'Choose two to four properties' }).getByRole('checkbox');
  await boxes.first().check();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByText('Choose at least two properties to compare.')).toBeVisible();
  await expect(boxes.first()).toBeFocused();
  await expectAccessible(page, 'compare-refused');
  for (const at of [1, 2, 3]) await boxes.nth(at).check();
  await expect(page.getByText('Four properties are chosen, the most that can be compared.')).toBeVisible();
  await expect(boxes.nth(4)).toBeDisabled();
  await boxes.nth(3).uncheck();
  await page.getByRole('button', { name: 'Compare', exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/buyer\/compare\?property=/);
  const region = page.getByRole('region', { name: 'Comparison' });
  await expect(region.getByRole('columnheader')).toHaveCount(4);
  await expect(region.getByRole('row', { name: /^Price \$/ }).getByRole('cell')).toHaveCount(3);
  await region.focus();
  await expect(region).toBeFocused();
  await expectAccessible(page, 'comparison');
  await region
    .getByRole('link', { name: /^Remove / })
    .first()
    .click();
  await expect(region.getByRole('columnheader')).toHaveCount(3);
  await region
    .getByRole('link', { name: /^Remove / })
    .first()
    .click();
  await expect(page.getByText('Choose two to four properties')).toBeVisible();
  await expectAccessible(page, 'comparison-empty');
  await page.goto('/buyer/compare?property=00000000-0000-4000-8000-000000000000&property=x');
  await expect(page.getByText('Choose two to four properties')).toBeVisible();
});
