import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test } from '#tests/support/browser/scenario.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

const sizes = (page: Page) => page.getByRole('navigation', { name: 'Rows on a page' });
const sizeLink = (page: Page, size: number) =>
  sizes(page).getByRole('link', { name: `${size} rows on a page` });
const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody tr:not(.tbl-note)');

/** 60 sellers, each with a listing that waits and an inquiry by a buyer of its own; once on a server. */
async function crowd({ db }: Scenario): Promise<void> {
  const { rowCount } = await db.pool.query(`select from properties where address = '1 Crowded Court'`);
  if (rowCount) return;
  for (let number = 1; number <= 60; number += 1) {
    const seller = await createUser(db, 'agent');
    const buyer = await createUser(db, 'buyer');
    const property_id = await createListing(db, seller.agentId, {
      address: `${number} Crowded Court`,
      status: 'pending',
    });
    await db
      .q()
      .insertInto('property_inquiries')
      .values({ property_id, user_id: buyer.id, message: 'Is there a cellar?' })
      .execute();
  }
}

test.describe('how many rows a page of administrators has', () => {
  test.use({ ownServer: 'crowd' });
  test.slow();
  test.beforeEach(async ({ scenario, signInAs }) => {
    await crowd(scenario);
    await signInAs('admin@acre.test', 'admin');
  });

  test('is chosen among three, by keyboard, and kept by search, order and the next pages', async ({
    page,
  }) => {
    await open(page, '/admin/properties');
    await expect(rows(page, 'All Properties')).toHaveCount(25);
    await expect(sizeLink(page, 25)).toHaveAttribute('aria-current', 'true');
    await expectAccessible(page, 'admin-page-sizes');
    await open(page, '/admin/properties?page=2');
    await sizeLink(page, 50).press('Enter');
    await expect(rows(page, 'All Properties')).toHaveCount(50);
    await expect(page).toHaveURL(/\/admin\/properties\?size=50$/);
    await expect(sizeLink(page, 50)).toHaveAttribute('aria-current', 'true');

    await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').press('Enter');
    await expect(page).toHaveURL(/sort=price/);
    await expect(rows(page, 'All Properties')).toHaveCount(50);
    await page.getByRole('link', { name: 'Pending', exact: true }).click();
    await expect(page).toHaveURL(/status=pending/);
    await expect(rows(page, 'All Properties')).toHaveCount(50);
    await page.getByRole('searchbox', { name: 'Search properties' }).fill('crowded court');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/q=crowded/);
    // The address changes a moment before the list, which has as many rows before as after.
    const next = page.getByRole('link', { name: 'Next' });
    await expect(next).toHaveAttribute('href', /q=crowded/);
    await expect(rows(page, 'All Properties')).toHaveCount(50);
    await next.click();
    await expect(rows(page, 'All Properties')).toHaveCount(10);
    await expect(page).toHaveURL(/size=50/);
    await sizeLink(page, 100).click();
    await expect(rows(page, 'All Properties')).toHaveCount(60);
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden();
    await expect(sizeLink(page, 25)).toBeVisible();

    // What is none of the three is ignored.
    await open(page, '/admin/properties?size=1000');
    await expect(rows(page, 'All Properties')).toHaveCount(25);
    await open(page, '/admin/properties?size=50');
    await expectAccessible(page, 'admin-page-sizes-50');
  });

  test('is the same choice in the other lists', async ({ page }) => {
    for (const [path, table, usual] of [
      ['/admin/agents?view=list', 'Sellers', 100],
      ['/admin/buyers', 'Buyers', 25],
      ['/admin/inquiries', 'Property Inquiries', 25],
    ] as const) {
      await open(page, path);
      await expect(sizeLink(page, usual)).toHaveAttribute('aria-current', 'true');
      await sizeLink(page, 50).click();
      await expect(rows(page, table)).toHaveCount(50);
    }
    await test.step('which a search and its end keep', async () => {
      for (const [path, search] of [
        ['/admin/agents?view=list&size=50', 'Search sellers'],
        ['/admin/buyers?size=50', 'Search by name, email or ID'],
      ] as const) {
        await open(page, path);
        await page.getByRole('searchbox', { name: search }).fill('nobody at all');
        await page.keyboard.press('Enter');
        await expect(page).toHaveURL(/[?&]q=nobody/);
        expect(new URL(page.url()).searchParams.get('size')).toBe('50');
        await page.getByRole('link', { name: 'Clear' }).click();
        await expect(page).toHaveURL(
          (url) => !url.searchParams.get('q') && url.searchParams.get('size') === '50',
        );
      }
    });
    await open(page, '/admin/properties?tab=pending');
    const queue = page.getByRole('list', { name: 'Properties waiting for approval' }).getByRole('listitem');
    await expect(queue).toHaveCount(25);
    await sizeLink(page, 50).click();
    await expect(queue).toHaveCount(50);
    await expectAccessible(page, 'admin-review-desk-50');
    await queue.nth(40).getByRole('link').click();
    await expect(queue).toHaveCount(50);
  });
});
