import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/browser/scenario.ts';
import { larkspurLane, pathOf } from '#tests/support/fixtures/demo-listings.ts';

/** Keeps files back until the functions that are returned are called. */
async function heldBack(page: Page, files: RegExp): Promise<(() => void)[]> {
  const arrivals: (() => void)[] = [];
  await page.route(files, async (route) => {
    await new Promise<void>((arrive) => arrivals.push(arrive));
    await route.continue();
  });
  return arrivals;
}

/** Waits until the page is hydrated, and whatever follows that has been drawn. */
async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main a') ?? {}).some((key) => key.startsWith('__reactProps')),
  );
  // Two frames later.
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
      }),
  );
}

test('what the server rendered stays while its code is on its way, and works once it is there', async ({
  page,
}) => {
  const arrivals = await heldBack(page, /\/assets\/(?:result-count|save-search)-[^/]*\.js$/);
  await page.goto('/properties?q=48+larkspur+lane');
  const clear = page.getByRole('link', { name: 'Clear filters' });
  const save = page.getByRole('link', { name: 'Save this search' });
  await hydrated(page);
  await expect.poll(() => arrivals.length).toBe(2);
  expect(await clear.isVisible()).toBe(true);
  expect(await save.isVisible()).toBe(true);
  for (const arrive of arrivals) arrive();
  await clear.click();
  await expect(page).toHaveURL(/\/properties$/);
  await expect(clear).toBeHidden();
});

test('so do the facts, the price and the buttons of a property', async ({ page }) => {
  const arrivals = await heldBack(page, /\/assets\/(?:buy-box|detail-facts)-[^/]*\.js$/);
  await page.goto(pathOf(larkspurLane));
  const heading = page.getByRole('heading', { level: 1 });
  const price = page.getByRole('region', { name: 'Price' });
  await hydrated(page);
  await expect.poll(() => arrivals.length).toBe(2);
  expect(await heading.textContent()).toBe('48 Larkspur Lane');
  expect(await price.getByRole('button', { name: 'Escrow with Card/Bank Transfer' }).isVisible()).toBe(true);
  for (const arrive of arrivals) arrive();
  const inquire = price.getByRole('link', { name: 'Inquire About Property' });
  await expect
    .poll(() => inquire.evaluate((link) => Object.keys(link).some((key) => key.startsWith('__reactProps'))))
    .toBe(true);
  await inquire.click();
  await expect(page.getByRole('dialog', { name: 'Send Inquiry to Seller' })).toBeVisible();
  await expect(page).toHaveURL(pathOf(larkspurLane));
});

test('scripts are asked for after the page is drawn', async ({ page }) => {
  const html = await (await page.request.get('/properties')).text();
  expect(html).toMatch(/<script[^>]* type="module"/);
  expect(html).not.toContain('<link rel="modulepreload"');
  expect(html).not.toMatch(/^import /m);
});
