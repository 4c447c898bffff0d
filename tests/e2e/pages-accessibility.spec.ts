import { expectAccessible, expectAllAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, larkspurLane, pathOf } from '#tests/support/fixtures/demo-listings.ts';

test.describe('public pages, in both themes, on desktop and mobile', () => {
  test('home and not found', async ({ page, expectConsole }) => {
    expectConsole(404, 410);
    await expectAllAccessible(page, [
      ['home', '/'],
      ['not-found', '/nowhere'],
      ['property-not-found', pathOf(demoListing('withdrawn'))],
    ]);
  });

  test('the list', async ({ page, signInAs }) => {
    await expectAllAccessible(page, [
      ['list', '/properties'],
      ['list-corrected', '/properties?q=observatry'],
      ['list-empty', '/properties?type=vacant-lot&beds=5'],
    ]);
    await signInAs('buyer@acre.test');
    await expectAllAccessible(page, [['list-signed-in', '/properties?q=cedar+hollow']]);
  });

  test('an empty list with its cause', async ({ page }) => {
    await expectAllAccessible(page, [
      ['list-empty-area', '/properties?bbox=0,0,1,1'],
      ['list-empty-prices', '/properties?min=900&max=100'],
    ]);
  });

  test('a property', async ({ page }) => {
    await expectAllAccessible(page, [
      ['property', pathOf(larkspurLane)],
      ['property-lot', pathOf(demoListing('Active', ({ kind }) => kind === 'Vacant Lot'))],
      ['property-in-escrow', pathOf(demoListing('escrow'))],
      ['property-inquiry', `${pathOf(larkspurLane)}?inquire=1`],
      ['property-report', `${pathOf(larkspurLane)}/report`],
    ]);
  });
});

test('the list with its map, and the map in its place, are accessible in both themes', async ({ page }) => {
  await open(page, '/properties?map=1');
  await expect(page.locator('.map-cluster').first()).toBeVisible();
  await expectAccessible(page, 'list-map');
});

test('Tab moves through a list in reading order with a visible focus', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/properties?q=48+larkspur+lane');
  const stops: string[] = [];
  for (let step = 0; step < 19; step += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const marked = [element, ...element.querySelectorAll('*')].flatMap((one) => [
        getComputedStyle(one),
        getComputedStyle(one, '::after'),
      ]);
      const ring = marked.some(
        (style) => style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
      );
      const shadow =
        getComputedStyle(element.closest('.herosearch, .field-icon') ?? element).boxShadow !== 'none';
      return {
        name: element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '',
        seen: ring || shadow,
      };
    });
    expect(stop.seen, `focus on ${stop.name}`).toBe(true);
    stops.push(stop.name);
  }
  expect(stops).toEqual([
    'Skip to content',
    'Acre Trading Post',
    expect.stringContaining('Properties'),
    'Switch theme',
    'Login',
    'Back',
    'All Properties',
    'Vacant Lot',
    'Single Family',
    'Multi-Family',
    'Commercial',
    'Search properties',
    'Filters',
    'Sort',
    'Map',
    'Clear filters',
    'Save this search',
    'Watch 48 Larkspur Lane',
    '48 Larkspur Lane',
  ]);
});
