import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';

const map = (page: Page): Locator => page.getByRole('region', { name: 'Map of properties' });
const surface = (page: Page): Locator => map(page).locator('.leaflet-container');
const drawing = (page: Page): Locator => map(page).getByRole('region', { name: 'Draw an area' });
const found = (page: Page): Locator => page.locator('.found');
const press = (page: Page, name: string) => map(page).getByRole('button', { name, exact: true }).click();

/** A point of the map, from 0 to 1 to the right and down. */
async function at(page: Page, right: number, down: number): Promise<{ x: number; y: number }> {
  await surface(page).evaluate((element) => element.scrollIntoView({ block: 'start' }));
  const box = await surface(page).boundingBox();
  if (!box) throw new Error('The map has no place');
  return { x: box.x + right * box.width, y: box.y + down * box.height };
}

async function drag(page: Page, line: readonly (readonly [number, number])[]): Promise<void> {
  const [start, ...rest] = await Promise.all(line.map(([right, down]) => at(page, right, down)));
  if (!start) throw new Error('The line has no start');
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  for (const { x, y } of rest) await page.mouse.move(x, y, { steps: 6 });
  await page.mouse.up();
}

test.describe('an area drawn on the map', () => {
  test.beforeEach(async ({ scenario, page }) => {
    for (const [address, latitude, longitude] of [
      ['1 Areafield Lane', 45.02, -121.08],
      ['2 Areafield Lane', 45.08, -121.02],
    ] as const)
      await scenario.createListing({ address, latitude, longitude });
    await open(page, '/properties?map=1&q=areafield&bbox=45,-121.1,45.1,-121');
    await expect(map(page).locator('.leaflet-marker-icon').first()).toBeVisible();
  });

  test('by one line limits the list, stays with a reload, and is removed again', async ({ page }) => {
    const before = Number.parseInt((await found(page).textContent()) ?? '', 10);
    await press(page, 'Draw an area');
    await expect(drawing(page)).toBeVisible();
    // The lower left half, where the first of the two is.
    await drag(page, [
      [0.03, 0.4],
      [0.03, 0.97],
      [0.7, 0.97],
      [0.03, 0.4],
    ]);
    await expect(page).toHaveURL(/area=[\d._-]+/);
    await expect(page).not.toHaveURL(/bbox=/);
    await expect(found(page)).toContainText('in your drawn area');
    await expect(map(page).locator('path.map-area')).toBeVisible();
    const inside = Number.parseInt((await found(page).textContent()) ?? '', 10);
    expect(inside).toBeLessThan(before);
    await expect(page.getByRole('article').filter({ hasText: '1 Areafield Lane' }).first()).toBeVisible();
    await expect(page.getByRole('article').filter({ hasText: '2 Areafield Lane' })).toHaveCount(0);
    await page.reload();
    await expect(map(page).locator('path.map-area')).toBeVisible();
    expect(Number.parseInt((await found(page).textContent()) ?? '', 10)).toBe(inside);
    // Other filters keep the area.
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('largest');
    await expect(page).toHaveURL(/area=.*sort=largest|sort=largest.*area=/);
    await press(page, 'Remove area');
    await expect(page).not.toHaveURL(/area=/);
    await expect(map(page).locator('path.map-area')).toHaveCount(0);
  });

  test('is accessible while it is drawn, refused and shown', async ({ page }) => {
    test.slow();
    await press(page, 'Draw an area');
    await expect(drawing(page)).toBeVisible();
    await expectAccessible(page, 'map-drawing');
    await drawing(page).getByRole('button', { name: 'Done' }).click();
    await expect(drawing(page).getByRole('alert')).toHaveText('A drawn area needs at least 3 corners.');
    await expectAccessible(page, 'map-drawing-refused');
    await open(page, '/properties?map=1&q=areafield&area=45_-121.1_45_-121_45.1_-121.1');
    await expect(map(page).locator('path.map-area')).toBeVisible();
    await expect(map(page).getByRole('button', { name: 'Remove area' })).toBeVisible();
    await expectAccessible(page, 'map-area');
  });

  test('corner by corner, closed on the first one', async ({ page }) => {
    await press(page, 'Draw an area');
    for (const [right, down] of [
      [0.1, 0.5],
      [0.1, 0.9],
      [0.6, 0.9],
      [0.1, 0.5],
    ] as const) {
      const { x, y } = await at(page, right, down);
      await page.mouse.click(x, y);
    }
    await expect(page).toHaveURL(/area=(-?[\d.]+_){5}-?[\d.]+(&|$)/);
  });

  test('by keyboard alone, with what is wrong said and nothing lost', async ({ page }) => {
    await map(page).getByRole('button', { name: 'Draw an area' }).focus();
    await page.keyboard.press('Enter');
    await expect(surface(page)).toBeFocused();
    await expect(drawing(page).getByRole('status')).toHaveText('No corners yet.');
    await page.keyboard.press('Enter');
    await expect(drawing(page).getByRole('status')).toHaveText('1 of up to 60 corners.');
    await drawing(page).getByRole('button', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    await expect(drawing(page).getByRole('alert')).toHaveText('A drawn area needs at least 3 corners.');
    await expect(drawing(page).getByRole('status')).toHaveText('1 of up to 60 corners.');
    await surface(page).focus();
    const steps = async (key: string, corners: number) => {
      for (let step = 0; step < 2; step += 1) {
        const before = await surface(page).locator('.leaflet-map-pane').getAttribute('style');
        await page.keyboard.press(key);
        await expect(surface(page).locator('.leaflet-map-pane')).not.toHaveAttribute('style', before ?? '');
      }
      await page.keyboard.press('Enter');
      await expect(drawing(page).getByRole('status')).toHaveText(`${corners} of up to 60 corners.`);
    };
    await steps('ArrowRight', 2);
    await steps('ArrowDown', 3);
    await steps('ArrowLeft', 4);
    await page.keyboard.press('Backspace');
    await expect(drawing(page).getByRole('status')).toHaveText('3 of up to 60 corners.');
    await drawing(page).getByRole('button', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/area=(-?[\d.]+_){5}-?[\d.]+(&|$)/);
    await expect(drawing(page)).toHaveCount(0);
  });

  test('is given up by Escape, which changes nothing', async ({ page }) => {
    const before = page.url();
    await press(page, 'Draw an area');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect(drawing(page)).toHaveCount(0);
    await expect(map(page).getByRole('button', { name: 'Draw an area' })).toBeFocused();
    expect(page.url()).toBe(before);
  });

  test('that cannot be read is said above the list', async ({ page }) => {
    await open(page, '/properties?area=45_-121_46_-121');
    await expect(found(page)).toContainText(
      'A drawn area needs at least 3 corners. The list is not limited to it.',
    );
  });
});

test.describe('search as I move', () => {
  test('is on at first; switched off, a button searches where the map is', async ({ page }) => {
    await open(page, '/properties?map=1');
    const follow = map(page).getByRole('checkbox', { name: 'Search as I move' });
    await expect(follow).toBeChecked();
    await follow.uncheck();
    await drag(page, [
      [0.2, 0.5],
      [0.6, 0.5],
    ]);
    const here = map(page).getByRole('button', { name: 'Search this area' });
    await expect(here).toBeVisible();
    await expect(page).toHaveURL('/properties?map=1');
    await expectAccessible(page, 'map-search-here');
    await here.click();
    await expect(page).toHaveURL(/bbox=/);
    await expect(here).toHaveCount(0);
    await page.reload();
    await expect(follow).not.toBeChecked();
    await follow.check();
    const before = page.url();
    await drag(page, [
      [0.2, 0.5],
      [0.6, 0.5],
    ]);
    await expect.poll(() => page.url()).not.toBe(before);
  });
});
