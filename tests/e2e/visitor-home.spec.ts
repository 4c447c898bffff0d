import type { Page } from '@playwright/test';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { larkspurLane, pathOf } from '#tests/support/fixtures/demo-listings.ts';

test.use(withPictures);

const search = 'Search properties';
const suggested = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');

test.describe('the home page', () => {
  test('shows the hero, the property types and five featured properties, one of them large', {
    tag: '@phone',
  }, async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveTitle('Good ground, fairly traded. · Acre Trading Post');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Good ground, fairly traded.');
    await expect(
      page.getByText('The price you see already includes every buyer fee.', { exact: false }),
    ).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Property types' }).getByRole('link')).toHaveText([
      'Vacant Lot',
      'Single Family',
      'Multi-Family',
      'Commercial',
    ]);
    const featured = page.getByRole('region', { name: 'Featured Properties' });
    await expect(featured.getByRole('article')).toHaveCount(5);
    await expect(featured.locator('.pcard-lead')).toHaveCount(1);
    await expect(featured.getByRole('link', { name: 'Back to Properties' })).toHaveAttribute(
      'href',
      '/properties',
    );
    const lead = featured.getByRole('article').first();
    await expect(lead).toContainText('$757,335');
    await expect(lead).toContainText('Base price $742,000');
    await expect(lead).toContainText('48 Larkspur Lane');
    await expect(lead).toContainText('Cedar Hollow, OR 97031');
    await expect(lead.locator('.facts span')).toHaveText(['4 bd', '3 ba', '2,840 sqft']);
    await expect(lead.getByRole('link', { name: 'View Details of 48 Larkspur Lane' })).toHaveAttribute(
      'href',
      pathOf(larkspurLane),
    );
  });

  test('its hero image loads completely and with high priority', { tag: '@phone' }, async ({ page }) => {
    await page.goto('/');
    const hero = page.locator('.stage img:visible');
    await expect(hero).toHaveAttribute('fetchpriority', 'high');
    await expect
      .poll(() => hero.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(1000);
  });

  test('searches for the typed text, or lists everything without one', async ({ page }) => {
    await open(page, '/');
    await page.getByLabel(search).fill('larkspur');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL('/properties?q=larkspur');
    await expect(page.getByLabel(search)).toHaveValue('larkspur');
    await expect(page.getByRole('article').first()).toContainText('Larkspur');

    await open(page, '/');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL('/properties');
    await expect(page.getByRole('status').getByText('240 properties')).toBeVisible();
  });

  test('a property type links to its list', async ({ page }) => {
    await open(page, '/');
    await page.getByRole('navigation', { name: 'Property types' }).getByText('Vacant Lot').click();
    await expect(page).toHaveURL('/properties?type=vacant-lot');
    await expect(page.getByRole('article').first()).toContainText('Vacant Lot');
  });
});

test.describe('suggestions', () => {
  test('arrow keys select, Enter opens, Escape closes', async ({ page }) => {
    await open(page, '/');
    const field = page.getByRole('combobox', { name: search });
    const options = suggested(page);
    await field.pressSequentially('1');
    await expect(field).toHaveAttribute('aria-expanded', 'false');
    await field.fill('larks');
    await expect(options.first()).toContainText('Larkspur');
    await expect(field).toHaveAttribute('aria-expanded', 'true');
    await field.press('ArrowDown');
    await expect(options.first()).toHaveAttribute('aria-selected', 'true');
    await expect(field).toHaveAttribute(
      'aria-activedescendant',
      (await options.first().getAttribute('id')) ?? '',
    );
    await field.press('ArrowUp');
    await expect(options.first()).toHaveAttribute('aria-selected', 'false');
    await field.press('Escape');
    await expect(options).toHaveCount(0);
    await expect(field).toHaveValue('larks');

    await field.fill('48 larkspur');
    await expect(options.first()).toContainText('48 Larkspur Lane');
    await field.press('ArrowDown');
    await field.press('Enter');
    await expect(page).toHaveURL(pathOf(larkspurLane));
  });

  test('Enter without a selection searches, and a click selects', async ({ page }) => {
    await open(page, '/');
    const field = page.getByRole('combobox', { name: search });
    await field.fill('cedar hollow');
    await expect(suggested(page).first()).toBeVisible();
    await field.press('Enter');
    await expect(page).toHaveURL('/properties?q=cedar+hollow');
    await expect(suggested(page)).toHaveCount(0);

    await open(page, '/');
    await field.fill('vacant');
    await suggested(page)
      .filter({ hasText: /Vacant Lot\s*Type/ })
      .click();
    await expect(page).toHaveURL('/properties?type=vacant-lot');
  });

  test('search works when suggestions fail', async ({ page, expectConsole }) => {
    expectConsole(/api\/suggestions/);
    await page.route('**/api/suggestions*', (route) => route.fulfill({ status: 500, body: 'no' }));
    await open(page, '/');
    const field = page.getByRole('combobox', { name: search });
    const answered = page.waitForResponse('**/api/suggestions*');
    await field.fill('cedar');
    await answered;
    await field.press('Enter');
    await expect(page).toHaveURL('/properties?q=cedar');
  });

  test('a slow response to an earlier text does not replace newer suggestions', async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/suggestions?q=lark', async (route) => {
      await held;
      await route.fulfill({ json: [{ label: 'Stale', detail: 'City', href: '/properties?q=stale' }] });
    });
    await open(page, '/');
    const field = page.getByRole('combobox', { name: search });
    const first = page.waitForRequest('**/api/suggestions?q=lark');
    await field.fill('lark');
    await first;
    await field.fill('301 front');
    await expect(suggested(page).first()).toContainText('301 Front Street');
    release();
    await expect(suggested(page).filter({ hasText: 'Stale' })).toHaveCount(0);
  });
});

test.describe('/#featured', () => {
  const heading = 'Featured Properties';

  test('on a full page load scrolls to the heading and focuses it', async ({ page }) => {
    await page.goto('/#featured');
    await expect(page.getByRole('heading', { name: heading })).toBeFocused();
    await expect(page.getByRole('heading', { name: heading })).toBeInViewport();
  });

  test('works from another route, and again after going back and forward', async ({ page }) => {
    await open(page, '/properties');
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = '/#featured';
      link.textContent = 'to the featured';
      document.querySelector('main h1')?.append(link);
    });
    await page.getByRole('link', { name: 'to the featured' }).click();
    await expect(page.getByRole('heading', { name: heading })).toBeFocused();
    await expect(page.getByRole('heading', { name: heading })).toBeInViewport();
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByLabel(search).focus();
    await page.goBack();
    await expect(page).toHaveURL('/properties');
    await page.goForward();
    await expect(page.getByRole('heading', { name: heading })).toBeFocused();
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the search form searches', async ({ page }) => {
    await page.goto('/');
    await page.getByLabel(search).fill('larkspur');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL('/properties?q=larkspur');
    await expect(page.getByRole('article').first()).toContainText('Larkspur');
  });
});
