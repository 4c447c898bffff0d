import type { Page } from '@playwright/test';
import { larkspurLane, pathOf } from '#tests/support/demo-listings.ts';
import { expect, open, test } from '#tests/support/signed-in.ts';

const fresh = (page: Page) => page.getByRole('region', { name: 'New Properties' });
const viewed = (page: Page) => page.getByRole('region', { name: 'Previously Viewed' });

test('what was viewed moves below the divider', { tag: '@desktop' }, async ({ page, enter }) => {
  const list = '/properties?q=larkspur';
  await enter('niels.brandt@example.test');
  await open(page, list);
  const before = await viewed(page).getByRole('article').count();
  const link = fresh(page).getByRole('article').last().locator('h3 a');
  const [address, path] = [await link.textContent(), await link.getAttribute('href')];
  const recorded = page.waitForResponse(`**${path}/view`);
  await link.click();
  expect((await recorded).status()).toBe(204);
  await page.goBack();
  await expect(viewed(page).getByRole('article')).toHaveCount(before + 1);
  await expect(viewed(page).getByRole('link', { name: address ?? '', exact: true })).toBeVisible();
  await expect(fresh(page).getByRole('link', { name: address ?? '', exact: true })).toHaveCount(0);
  await expect(page.locator('main hr')).toHaveCount(1);
});

test('a part without properties is left out with its heading', { tag: '@desktop' }, async ({
  page,
  enter,
}) => {
  await enter('priscilla.odom@example.test');
  const recorded = page.waitForResponse('**/view');
  await page.goto(pathOf(larkspurLane));
  await recorded;
  await page.goto('/properties?q=48+larkspur+lane');
  await expect(viewed(page).getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'New Properties' })).toHaveCount(0);
  await expect(page.locator('main hr')).toHaveCount(0);
});
