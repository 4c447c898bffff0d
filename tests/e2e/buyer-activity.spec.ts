import type { Page } from '@playwright/test';
import type { Updateable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import { expect, type OwnMarket, open, test, toastOf } from '#tests/support/own-market.ts';

/** Somebody whom the demo market has told nothing yet. */
const QUIET = 'leopold.marsh@example.test';
const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const panel = (page: Page) => page.getByRole('tabpanel');
const items = (page: Page) => panel(page).getByRole('listitem');

/** A house that somebody watches. */
async function watchedHouse(market: OwnMarket, email: string, address: string): Promise<string> {
  const id = await market.house({ address, price_cents: 400_000_00 });
  const q = market.db.q();
  const user = await q.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  await q.insertInto('property_watches').values({ user_id: user.id, property_id: id }).execute();
  return id;
}
const change = ({ db }: OwnMarket, id: string, facts: Updateable<DB['properties']>) =>
  db.q().updateTable('properties').set(facts).where('id', '=', id).execute();

/** Opens the list and waits until it hears of news. */
async function openLive(page: Page): Promise<void> {
  const heard = page.waitForResponse('**/buyer/notifications');
  await open(page, '/buyer/transactions');
  await heard;
}

test.describe('my activity', { tag: '@desktop' }, () => {
  test('news of a watched property arrive, are announced once, and are read by opening them', async ({
    page,
    market,
    enter,
  }) => {
    const house = await watchedHouse(market, QUIET, '5 Falling Lane');
    await enter(QUIET);
    await openLive(page);
    await expect(panel(page)).toContainText('No property updates to show');
    await change(market, house, { price_cents: 380_000_00 });
    const toast = toastOf(page, 'Property Update');
    await expect(toast).toContainText('The price of 5 Falling Lane went down');
    await expect(items(page)).toHaveCount(1);
    await expect(items(page)).toContainText('📉');
    await expect(items(page)).toContainText(/\$400,000 .*\$380,000/);
    await expect(items(page)).toContainText('Price reduction · just now');
    await expect(tab(page, 'Notifications')).toHaveAccessibleName('Notifications 1 unread');

    // A further change within the ten minutes is the same piece of news.
    await toast.getByRole('button', { name: 'Close' }).click();
    await change(market, house, { price_cents: 370_000_00 });
    await expect(items(page)).toContainText('$370,000');
    await expect(items(page)).toHaveCount(1);
    await expect(toast).toHaveCount(0);

    await items(page).getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('5 Falling Lane');
    await page.goBack();
    await expect(panel(page)).toContainText('All read');
    await expect(tab(page, 'Notifications')).toHaveAccessibleName('Notifications');
  });

  test('marks hold or are taken back, one and all', async ({ page, market, enter, expectConsole }) => {
    expectConsole(/ERR_FAILED/);
    const email = 'beatrix.lowe@example.test';
    for (const address of ['6 Rising Lane', '7 Rising Lane'])
      await change(market, await watchedHouse(market, email, address), { price_cents: 410_000_00 });
    await change(market, await watchedHouse(market, email, '8 Taken Lane'), { status: 'withdrawn' });
    await enter(email);
    await openLive(page);
    await expect(panel(page)).toContainText('3 unread');
    const mark = page.getByRole('button', { name: 'Mark as read: The price of 7 Rising Lane went up' });
    await page.route('**/buyer/notifications', (route) => route.abort());
    await mark.click();
    await expect(page.getByRole('alert').getByText('Failed to mark notification as read')).toBeVisible();
    await expect(panel(page)).toContainText('3 unread');
    await page.unroute('**/buyer/notifications');

    await mark.press('Enter');
    await expect(page.getByRole('link', { name: 'The price of 7 Rising Lane went up' })).toBeFocused();
    await expect(panel(page)).toContainText('2 unread');
    // The page of what was withdrawn is closed: the whole row marks it.
    await items(page).filter({ hasText: '8 Taken Lane is now Withdrawn' }).click();
    await expect(tab(page, 'Notifications')).toHaveAccessibleName('Notifications 1 unread');
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await expect(panel(page)).toContainText('All read');
    await page.reload();
    await expect(panel(page)).toContainText('All read');
  });

  test('without the live stream the list is read again every 30 seconds', async ({
    page,
    market,
    enter,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED/);
    const email = 'niels.brandt@example.test';
    const house = await watchedHouse(market, email, '9 Silent Lane');
    await enter(email);
    await page.clock.install();
    await page.route('**/api/events**', (route) => route.abort());
    await open(page, '/buyer/transactions');
    await change(market, house, { status: 'Sold' });
    await expect(panel(page)).toContainText('No property updates to show');
    await page.clock.runFor(31_000);
    await expect(items(page)).toContainText('9 Silent Lane is now Sold');
    await expect(items(page)).toContainText('🏷️');
  });

  test('tabs by keyboard and by the way back; one that fails leaves the others', async ({
    page,
    market,
    enter,
    expectConsole,
  }) => {
    expectConsole(/500/);
    await enter('buyer2@acre.test');
    await open(page, '/buyer/transactions');
    await tab(page, 'Notifications').focus();
    await page.keyboard.press('ArrowRight');
    await expect(tab(page, 'Transactions')).toBeFocused();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/buyer/transactions.data**', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Enter');
    await expect(panel(page)).toContainText('Loading transactions...');
    await expect(tab(page, 'Transactions')).toHaveAttribute('aria-selected', 'true');
    release();
    await expect(panel(page).getByRole('row')).not.toHaveCount(2);
    await expect(page).toHaveURL(/\?tab=transactions$/);

    await tab(page, 'Watched Properties').click();
    await expect(
      panel(page)
        .getByRole('button', { name: /^Watch / })
        .first(),
    ).toHaveAttribute('aria-pressed', 'true');
    await page.goBack();
    await expect(tab(page, 'Transactions')).toHaveAttribute('aria-selected', 'true');
    await expect(panel(page).getByRole('table')).toBeVisible();

    await market.db.pool.query('alter table property_views rename to views_elsewhere');
    await tab(page, 'Recently Viewed').click();
    await expect(panel(page)).toContainText('This part could not be loaded');
    await market.db.pool.query('alter table views_elsewhere rename to property_views');
    await panel(page).getByRole('button', { name: 'Try again' }).click();
    await expect(
      panel(page)
        .getByText(/^Viewed /)
        .first(),
    ).toBeVisible();
  });

  test('a transaction opens its timeline, its property and its receipt', async ({ page, context, enter }) => {
    await enter('buyer@acre.test');
    await open(page, '/buyer/transactions?tab=transactions');
    const rows = panel(page).getByRole('row');
    const paid = rows.filter({ hasText: 'In escrow' }).first();
    await expect(paid).toContainText(/\$[\d,]+\.\d\d/);
    const opened = context.waitForEvent('page');
    await paid.getByRole('link', { name: 'Open receipt in a new tab' }).click();
    const receipt = await opened;
    await expect(receipt.getByRole('heading', { level: 1 })).toHaveText('Receipt');
    await receipt.close();

    const failed = rows.filter({ hasText: 'Failed' }).first();
    await expect(failed.getByRole('button', { name: /Receipt available after payment/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await expect(failed.getByRole('link', { name: /^Open property in a new tab/ })).toHaveAttribute(
      'target',
      '_blank',
    );
    const href = await failed.getByRole('link', { name: /^View details/ }).getAttribute('href');
    await failed.getByRole('cell').nth(2).click();
    await expect(page).toHaveURL(href ?? '');
    await page.goBack();
    await rows
      .filter({ hasText: 'Failed' })
      .first()
      .getByRole('link', { name: /^Try again/ })
      .click();
    await expect(page).toHaveURL(/\/property\//);
  });
});

test.describe('my activity without scripts', { tag: '@desktop' }, () => {
  test.use({ javaScriptEnabled: false });

  test('tabs are links, and marks are forms', async ({ page, market, enter }) => {
    const email = 'calvin.prewitt@example.test';
    await change(market, await watchedHouse(market, email, '10 Plain Lane'), { price_cents: 390_000_00 });
    await enter(email);
    await page.goto('/buyer/transactions?tab=transactions');
    await expect(panel(page)).toContainText('No transactions found');
    await tab(page, 'Notifications').click();
    await expect(page).toHaveURL(/tab=notifications$/);
    const mark = page.getByRole('button', { name: 'Mark as read: The price of 10 Plain Lane went down' });
    await mark.click();
    await expect(page).toHaveURL(/tab=notifications$/);
    await expect(mark).toHaveCount(0);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await expect(panel(page)).toContainText('All read');
  });
});
