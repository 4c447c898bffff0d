import type { Page } from '@playwright/test';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { publicListings } from '#tests/support/fixtures/demo-listings.ts';

test.use(withPictures);

const map = (page: Page) => page.getByRole('region', { name: 'Map of properties' });
const clusters = (page: Page) => map(page).locator('.map-cluster');
const total = async (page: Page) =>
  Number.parseInt((await page.locator('.found span').textContent()) ?? '', 10);
const mapCode = /listing-map|leaflet|states-10m/i;

test.describe('the map', () => {
  test('is loaded only on demand', async ({ page }) => {
    const fetched: string[] = [];
    page.on('request', (request) => void fetched.push(request.url()));
    await open(page, '/properties');
    await page.waitForLoadState('networkidle');
    expect(fetched.filter((url) => mapCode.test(url))).toEqual([]);
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await expect(page).toHaveURL('/properties?map=1');
    await expect(clusters(page).first()).toBeVisible();
    expect(fetched.filter((url) => mapCode.test(url)).length).toBeGreaterThan(0);
    const shown = await clusters(page).allTextContents();
    expect(shown.map(Number).reduce((sum, one) => sum + one, 0)).toBe(publicListings.length);
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await expect(map(page)).toHaveCount(0);
    await expect(page).toHaveURL('/properties');
  });

  test('a click on a cluster zooms in, narrows the list and adds the bounds to the URL', async ({ page }) => {
    await open(page, '/properties?map=1&type=single-family');
    const all = await total(page);
    const cluster = clusters(page).filter({ hasText: /^\d\d/ }).first();
    await expect(cluster).toBeVisible();
    await cluster.click();
    await expect(page).toHaveURL(/bbox=/);
    await expect(page).toHaveURL(/type=single-family/);
    await expect.poll(() => total(page)).toBeLessThan(all);
    const kept = await total(page);
    await page.reload();
    await expect(clusters(page).or(map(page).locator('.map-price')).first()).toBeVisible();
    expect(await total(page)).toBe(kept);
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL('/properties?map=1');
    await expect.poll(() => total(page)).toBe(publicListings.length);
  });

  test('dragging updates the list', async ({ page }) => {
    await open(page, '/properties?map=1');
    await expect(clusters(page).first()).toBeVisible();
    const box = await map(page).boundingBox();
    if (!box) throw new Error('The map has no place');
    await page.mouse.move(box.x + 60, box.y + 120);
    await page.mouse.down();
    await page.mouse.move(box.x + 460, box.y + 160, { steps: 8 });
    await page.mouse.up();
    await expect(page).toHaveURL(/bbox=/);
    await expect.poll(() => total(page)).toBeLessThan(publicListings.length);
  });

  test('works by keyboard: a cluster zooms in, a price opens its property', async ({ page }) => {
    await open(page, '/properties?map=1');
    const cluster = map(page)
      .getByRole('button', { name: /^\d+ properties$/ })
      .first();
    await cluster.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/bbox=/);
    await expect(map(page).locator('.leaflet-container')).toBeFocused();

    await open(page, '/properties?map=1&q=larkspur');
    await map(page).getByRole('button', { name: '5 properties' }).focus();
    await page.keyboard.press('Enter');
    const price = map(page).locator('.map-price');
    await expect(price.first()).toHaveAccessibleName(/Larkspur Lane, \$[\d,]+$/);
    await price.first().focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/property\//);
  });

  test('shows an error when its markers fail to load', async ({ page, expectConsole }) => {
    expectConsole(/api\/map/);
    await page.route('**/api/map*', (route) => route.abort());
    await open(page, '/properties?map=1');
    await expect(map(page).getByRole('alert')).toHaveText(
      'The map could not be loaded. Move it to try again.',
    );
    await expect(page.getByRole('article')).toHaveCount(24);
  });
});

test.describe('the map in a window without room for both', { tag: '@phone' }, () => {
  test('takes the place of the list, in the URL and by the back button', async ({ page, isMobile }) => {
    await page.setViewportSize({ width: isMobile ? 390 : 900, height: 800 });
    const fetched: string[] = [];
    page.on('request', (request) => void fetched.push(request.url()));
    await open(page, '/properties?type=commercial');
    const view = page.getByRole('navigation', { name: 'View' });
    await expect(view.getByRole('link', { name: 'List' })).toHaveAttribute('aria-current', 'true');
    await expect(view).toBeInViewport();
    await expect(page.getByRole('article').first()).toBeVisible();
    expect(fetched.filter((url) => mapCode.test(url))).toEqual([]);

    await view.getByRole('link', { name: 'Map' }).click();
    await expect(page).toHaveURL('/properties?type=commercial&map=1');
    await expect(clusters(page).first()).toBeInViewport();
    await expect(page.getByRole('article').first()).toBeHidden();
    await expect(view.getByRole('link', { name: 'Map' })).toHaveAttribute('aria-current', 'true');
    await clusters(page).first().click();
    await expect(page).toHaveURL(/bbox=/);
    await expect(page.locator('.found')).toContainText('in this map area');
    await page.reload();
    await expect(map(page)).toBeInViewport();

    await view.getByRole('link', { name: 'List' }).click();
    await expect(page).toHaveURL(/bbox=/);
    await expect(page.getByRole('article').first()).toBeVisible();
    await expect(map(page)).toHaveCount(0);
    await page.getByRole('link', { name: 'Search everywhere' }).click();
    await expect(page).toHaveURL('/properties?type=commercial');
    await page.goBack();
    await page.goBack();
    await expect(map(page)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/properties?type=commercial');
    await expect(page.getByRole('article').first()).toBeVisible();
  });
});

test.describe('gestures on the map', () => {
  test('the wheel scrolls the page, and says once how to zoom; with Ctrl it zooms', async ({ page }) => {
    await open(page, '/properties?map=1');
    await expect(clusters(page).first()).toBeVisible();
    await map(page).hover({ position: { x: 300, y: 400 } });
    await page.mouse.wheel(0, 200);
    // First, because it is said for four seconds and once.
    await expect(map(page).getByRole('status')).toHaveText('Hold Ctrl while you scroll to zoom the map.');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(200);
    await expect(page).toHaveURL('/properties?map=1');
    await expect(map(page).getByRole('status')).toBeEmpty();
    await page.mouse.wheel(0, -100);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(100);
    await expect(map(page).getByRole('status')).toBeEmpty();

    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    await expect(page).toHaveURL(/bbox=/);
  });

  test('one finger scrolls the page, and a hint says that two move the map', { tag: '@phone' }, async ({
    page,
  }) => {
    await open(page, '/properties?map=1');
    await expect(clusters(page).first()).toBeVisible();
    const surface = map(page).locator('.leaflet-container');
    expect(await surface.evaluate((element) => getComputedStyle(element).touchAction)).toBe('pan-x pan-y');
    await surface.evaluate((element) => {
      const finger = new Touch({ identifier: 1, target: element, clientX: 50, clientY: 50 });
      element.dispatchEvent(new TouchEvent('touchmove', { touches: [finger], bubbles: true }));
    });
    await expect(map(page).getByRole('status')).toHaveText('Use two fingers to move the map.');
  });

  test('the map follows the URL to the whole country', async ({ page }) => {
    await open(page, '/properties?map=1&bbox=45,-123,46,-121');
    await expect(page.locator('.found')).toContainText('in this map area');
    await page.getByRole('link', { name: 'Search everywhere' }).click();
    await expect(page).toHaveURL('/properties?map=1');
    await expect
      .poll(async () =>
        (await clusters(page).allTextContents()).map(Number).reduce((sum, one) => sum + one, 0),
      )
      .toBe(publicListings.length);
    await expect(page).toHaveURL('/properties?map=1');
  });
});
