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
    const price = map(page).locator('.map-price');
    await expect(price).toHaveCount(5);
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

test('a narrow screen has no map, not even by URL', { tag: '@phone' }, async ({ page, isMobile }) => {
  await page.setViewportSize({ width: isMobile ? 390 : 900, height: 800 });
  const fetched: string[] = [];
  page.on('request', (request) => void fetched.push(request.url()));
  await open(page, '/properties?map=1');
  await expect(page.getByRole('article')).toHaveCount(24);
  await expect(page.getByRole('link', { name: 'Map', exact: true })).toBeHidden();
  await expect(map(page)).toHaveCount(0);
  expect(fetched.filter((url) => mapCode.test(url))).toEqual([]);
});
