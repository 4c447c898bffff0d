import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { demoListing, larkspurLane, pathOf } from '#tests/support/demo-listings.ts';
import { expect, test } from '#tests/support/signed-in.ts';

interface Look {
  name: string;
  path: string;
  /** shown only beside a list on wide screens */
  wide?: boolean;
  status?: number;
  as?: string;
}

const looks: Look[] = [
  { name: 'home', path: '/' },
  { name: 'list', path: '/properties' },
  { name: 'list-signed-in', path: '/properties?q=cedar+hollow', as: 'buyer@acre.test' },
  { name: 'list-corrected', path: '/properties?q=observatry' },
  { name: 'list-empty', path: '/properties?type=vacant-lot&beds=5' },
  { name: 'list-map', path: '/properties?map=1', wide: true },
  { name: 'property', path: pathOf(larkspurLane) },
  { name: 'property-lot', path: pathOf(demoListing('Active', ({ kind }) => kind === 'Vacant Lot')) },
  { name: 'property-in-escrow', path: pathOf(demoListing('escrow')) },
  { name: 'property-inquiry', path: `${pathOf(larkspurLane)}?inquire=1` },
  { name: 'property-not-found', path: pathOf(demoListing('withdrawn')), status: 410 },
  { name: 'not-found', path: '/nowhere', status: 404 },
];

/** What sticks out of the window at the sides; 'far' parts of the row of types may be scrolled to. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Fades are over: half-faded text has half its contrast. */
const settled = (page: Page) =>
  page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));

for (const { name, path, wide, status, as } of looks) {
  const title = `${name}: no axe violation in either theme, nothing sticks out`;
  test(title, { tag: wide ? '@desktop' : [] }, async ({ page, isMobile, enter, expectConsole }, info) => {
    if (status) expectConsole(new RegExp(`status of ${status}`));
    if (as) await enter(as);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.goto(path);
    if (wide) await expect(page.locator('.map-cluster').first()).toBeVisible();
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator('html')).toHaveClass(theme === 'dark' ? /dark/ : /^(?!.*dark)/);
      await settled(page);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(', ')}`),
      ).toEqual([]);
      // For the eye, not for comparison.
      await page.screenshot({
        path: join(info.project.outputDir, 'looks', `${name}-${theme}-${info.project.name}.png`),
        fullPage: !path.includes('='),
      });
    }
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    // 320 px, which is also a 1280 px window at 400 %, and 720 px: 1440 at 200 %.
    for (const width of isMobile ? [320] : [720]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => overflow(page), `${width} px wide`).toBeLessThanOrEqual(0);
    }
  });
}

test('the keyboard passes through a list in reading order, always visibly', { tag: '@desktop' }, async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/properties?q=48+larkspur+lane');
  const stops: string[] = [];
  for (let step = 0; step < 20; step += 1) {
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
    'View Details of 48 Larkspur Lane',
  ]);
});
