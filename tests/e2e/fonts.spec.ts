import type { Page } from '@playwright/test';
import { layoutShift } from '#tests/support/browser/layout-shift.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';

const fontOf = (page: Page) =>
  page.getByRole('heading', { level: 1 }).evaluate((heading) => getComputedStyle(heading).fontFamily);
const untilThere = (page: Page) => expect(page.locator('html.fallback-fonts')).toHaveCount(0);

test('a first visit is painted before its fonts are asked for, and does not move when they come', async ({
  page,
}) => {
  const asked: string[] = [];
  const [styles, fonts] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/assets/*.{css,woff2}', async (route) => {
    const url = route.request().url();
    asked.push(url);
    await (url.endsWith('.css') ? styles : fonts).promise;
    await route.continue();
  });
  await page.goto('/properties', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await expect.poll(() => asked).not.toEqual([]);
  expect(asked.filter((url) => url.endsWith('.woff2'))).toEqual([]);
  styles.resolve();
  await expect.poll(() => fontOf(page)).toMatch(/^"?Fraunces Fallback/);
  fonts.resolve();
  await untilThere(page);
  expect(await fontOf(page)).toMatch(/^"?Fraunces Variable/);
  expect(asked.filter((url) => url.endsWith('.woff2'))).toHaveLength(2);
  expect(await layoutShift(page)).toBeLessThan(0.02);
});

test('a browser that has the fonts asks for them at once', async ({ page }) => {
  await open(page, '/');
  await untilThere(page);
  await page.goto('/properties', { waitUntil: 'commit' });
  await expect(page.locator('link[rel=preload][as=font]')).toHaveCount(2);
  await expect(page.locator('html.fallback-fonts')).toHaveCount(0);
  expect(await fontOf(page)).toMatch(/^"?Fraunces Variable/);
});

test('fonts that do not come, or that no one may remember, change nothing else', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('Denied', 'SecurityError');
      },
    });
  });
  await page.route('**/*.woff2', (route) => route.abort());
  await open(page, '/properties');
  await untilThere(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('text has the web fonts', async ({ page }) => {
    await page.goto('/properties');
    expect(await page.locator('html').getAttribute('class')).toBeNull();
    expect(await fontOf(page)).toMatch(/^"?Fraunces Variable/);
  });
});
