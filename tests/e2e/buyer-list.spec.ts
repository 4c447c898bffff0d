import type { Page } from '@playwright/test';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { larkspurLane, pathOf } from '#tests/support/fixtures/demo-listings.ts';

test.use(withPictures);

const newSection = (page: Page) => page.getByRole('region', { name: 'New Properties' });
const viewedSection = (page: Page) => page.getByRole('region', { name: 'Previously Viewed' });

test('viewed properties move below the divider', async ({ page, signInAs }) => {
  const list = '/properties?q=larkspur';
  await signInAs('niels.brandt@example.test');
  await open(page, list);
  const before = await viewedSection(page).getByRole('article').count();
  const link = newSection(page).getByRole('article').last().locator('h3 a');
  const [address, path] = [await link.textContent(), await link.getAttribute('href')];
  const recorded = page.waitForResponse(`**${path}/view`);
  await link.click();
  expect((await recorded).status()).toBe(204);
  await page.goBack();
  await expect(viewedSection(page).getByRole('article')).toHaveCount(before + 1);
  await expect(viewedSection(page).getByRole('link', { name: address ?? '', exact: true })).toBeVisible();
  await expect(newSection(page).getByRole('link', { name: address ?? '', exact: true })).toHaveCount(0);
  await expect(page.locator('main hr')).toHaveCount(1);
});

test('a section without properties is hidden with its heading', async ({ page, signInAs }) => {
  await signInAs('priscilla.odom@example.test');
  const recorded = page.waitForResponse('**/view');
  await page.goto(pathOf(larkspurLane));
  await recorded;
  await page.goto('/properties?q=48+larkspur+lane');
  await expect(viewedSection(page).getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'New Properties' })).toHaveCount(0);
  await expect(page.locator('main hr')).toHaveCount(0);
});
