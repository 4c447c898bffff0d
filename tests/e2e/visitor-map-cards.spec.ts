import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';

const map = (page: Page): Locator => page.getByRole('region', { name: 'Map of properties' });
const pin = (page: Page, address: string): Locator =>
  map(page).getByRole('button', { name: new RegExp(`^${address}, `) });
const preview = (page: Page): Locator => map(page).getByRole('article');
const card = (page: Page, address: string): Locator =>
  page.locator('.listing-results').getByRole('article').filter({ hasText: address });

test.describe('cards and pins', () => {
  test.use({ ownServer: 'map cards' });
  let made = false;
  test.beforeEach(async ({ scenario, page }) => {
    if (!made) {
      made = true;
      for (const [address, latitude, longitude] of [
        ['1 Cardfield Lane', 45, -121],
        ['2 Cardfield Lane', 45.4, -121.6],
        ['3 Cardfield Lane', 45.6, -120.5],
      ] as const)
        await scenario.createListing({ address, latitude, longitude, bedrooms: 3 });
    }
    await open(page, '/properties?map=1&q=cardfield&bbox=44.8,-122,45.8,-120.2');
    await expect(pin(page, '1 Cardfield Lane')).toBeVisible();
  });

  test('mark each other, and a pin shows what it stands for', async ({ page }) => {
    await pin(page, '2 Cardfield Lane').hover();
    await expect(preview(page)).toContainText('2 Cardfield Lane');
    await expect(preview(page)).toContainText('3 bd');
    await expect(card(page, '2 Cardfield Lane')).toHaveAttribute('data-looked-at', '');
    await expect(card(page, '1 Cardfield Lane')).not.toHaveAttribute('data-looked-at', '');
    // The mouse may go to the preview and open the property there.
    await preview(page).hover();
    await expect(preview(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(preview(page)).toHaveCount(0);

    await card(page, '3 Cardfield Lane').hover();
    await expect(pin(page, '3 Cardfield Lane')).toHaveClass(/map-lit/);
    // The list scrolls to what has the focus, away below a resting mouse.
    await page.mouse.move(0, 0);
    await card(page, '1 Cardfield Lane').getByRole('link', { name: '1 Cardfield Lane' }).first().focus();
    await expect(pin(page, '1 Cardfield Lane')).toHaveClass(/map-lit/);
    await expect(pin(page, '3 Cardfield Lane')).not.toHaveClass(/map-lit/);
    await expectAccessible(page, 'map-with-tools');
  });

  test('are reached by keyboard: one stop, then the arrow keys, with the preview', async ({ page }) => {
    const pins = map(page).locator('.leaflet-marker-icon');
    await expect(pins).toHaveCount(3);
    expect(
      await pins.evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex === 0).length),
    ).toBe(1);
    await pins.first().focus();
    const seen = new Set<string>();
    for (let step = 0; step < 3; step += 1) {
      const name = (await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '';
      seen.add(name);
      await expect(preview(page)).toContainText(name.replace(/,.*/, ''));
      await page.keyboard.press('ArrowRight');
    }
    expect(seen.size).toBe(3);
    await page.keyboard.press('End');
    const last = (await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '';
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(last.replace(/,.*/, ''));
  });

  test('are left by keyboard: what is chosen in the list then stays', async ({ page }) => {
    const everywhere = page.getByRole('link', { name: 'Search everywhere' });
    const first = map(page).locator('.leaflet-marker-icon').first();
    await first.focus();
    await page.keyboard.press('Shift+Tab');
    await expect(first).not.toBeFocused();
    await everywhere.focus();
    const markers = page.waitForResponse((response) => response.url().includes('/api/map'));
    await page.keyboard.press('Enter');
    await expect(everywhere).toHaveCount(0);
    await markers;
    await expect(page).toHaveURL((url) => !url.searchParams.has('bbox'));
    // By an arrow key the map itself is moved, which limits the list again.
    await map(page).locator('.leaflet-container').focus();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL((url) => url.searchParams.has('bbox'));
  });

  test('on a telephone the list is a sheet over the map', { tag: '@phone' }, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    const first = card(page, '1 Cardfield Lane');
    await expect(first).toBeHidden();
    const handle = page.getByRole('button', { name: 'Show list' });
    await handle.click();
    await expect(first).toBeVisible();
    await expect(page.getByRole('button', { name: 'Hide list' })).toHaveAttribute('aria-expanded', 'true');
    await expect(map(page)).toBeVisible();
    await expectAccessible(page, 'map-sheet');
    await page.keyboard.press('Escape');
    await expect(first).toBeHidden();
    // Drawn up by its handle.
    const box = await handle.boundingBox();
    if (!box) throw new Error('The handle has no place');
    await page.mouse.move(box.x + 100, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 100, box.y - 90, { steps: 4 });
    await page.mouse.up();
    await expect(first).toBeVisible();
    await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'List' }).click();
    await expect(handle).toHaveCount(0);
    await expect(first).toBeVisible();
  });
});
