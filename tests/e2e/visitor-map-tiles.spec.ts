import type { Page } from '@playwright/test';
import { expect, open, test } from '#tests/support/browser/scenario.ts';
import { serveRanges, worldOfWater } from '#tests/support/pmtiles.ts';

const { url, server } = await serveRanges(worldOfWater());
test.afterAll(() => void server.close());

/** The color in the middle of the first tile that is drawn; '' before. */
const colorOfTile = (page: Page): Promise<string> =>
  page
    .getByRole('region', { name: 'Map of properties' })
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const [red, green, blue, alpha] = canvas.getContext('2d')?.getImageData(128, 128, 1, 1).data ?? [];
      return alpha ? `${red},${green},${blue}` : '';
    });

test.describe('the outlines of the states', () => {
  test('have counties and towns from near', async ({ page }) => {
    const map = page.getByRole('region', { name: 'Map of properties' });
    await open(page, '/properties?map=1');
    await expect(map.locator('.map-state').first()).toBeVisible();
    await expect(map.locator('.map-town').first()).toBeVisible();
    await expect(map.locator('.map-county')).toHaveCount(0);
    await open(page, '/properties?map=1&bbox=43.6,-121.9,44.5,-120.8');
    await expect(map.locator('.map-town').filter({ hasText: /^Bend$/ })).toBeVisible();
    // The first of them is that of the country, which has no lines.
    await expect(map.locator("path.map-county:not([d='M0 0'])").first()).toBeVisible();
    await expect(map.locator('.leaflet-control-attribution')).toContainText('Towns © GeoNames (CC BY 4.0)');
  });
});

test.describe('streets of a PMTiles file', () => {
  test.use({ ownServer: 'pmtiles', environment: { MAP_TILES_URL: url } });

  test('are drawn in the colors of the page, and loaded only with the map', async ({ page }) => {
    const fetched: string[] = [];
    page.on('request', (request) => void fetched.push(request.url()));
    await open(page, '/properties');
    await page.waitForLoadState('networkidle');
    expect(fetched.filter((one) => /pmtiles|vector-tiles/.test(one))).toEqual([]);
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await expect.poll(() => colorOfTile(page)).toMatch(/\d/);
    const light = await colorOfTile(page);
    expect(fetched.filter((one) => one.startsWith(url)).length).toBeGreaterThan(0);
    await page.evaluate(() => document.documentElement.classList.toggle('dark'));
    await expect.poll(() => colorOfTile(page)).not.toBe(light);
    await expect(page.locator('.leaflet-control-attribution')).toHaveText('© OpenStreetMap contributors');
  });
});

test.describe('a PMTiles file that cannot be read', () => {
  test.use({
    ownServer: 'no pmtiles',
    environment: { MAP_TILES_URL: `${url.replace('region', 'x')}.pmtiles` },
  });

  test('leaves the pins, and says so', async ({ page, expectConsole }) => {
    expectConsole(/pmtiles/);
    await page.route('**/*.pmtiles', (route) => route.fulfill({ status: 404, body: '' }));
    await open(page, '/properties?map=1');
    const map = page.getByRole('region', { name: 'Map of properties' });
    await expect(map.getByRole('alert')).toBeVisible();
    await expect(map.locator('.leaflet-marker-icon').first()).toBeVisible();
  });
});
