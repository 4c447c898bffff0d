import type { Page } from '@playwright/test';
import type { Updateable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import { expect, open, type Scenario, test, toastOf, toastsLoaded } from '#tests/support/browser/scenario.ts';

const BUYER_WITHOUT_NOTIFICATIONS = 'leopold.marsh@example.test';
const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const panel = (page: Page) => page.getByRole('tabpanel');
const items = (page: Page) => panel(page).getByRole('listitem');

/** Creates a listing that this user watches. */
async function createWatchedListing(scenario: Scenario, email: string, address: string): Promise<string> {
  const id = await scenario.createListing({ address, price_cents: 400_000_00 });
  const q = scenario.db.q();
  const user = await q.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  await q.insertInto('property_watches').values({ user_id: user.id, property_id: id }).execute();
  return id;
}
const updateProperty = ({ db }: Scenario, id: string, facts: Updateable<DB['properties']>) =>
  db.q().updateTable('properties').set(facts).where('id', '=', id).execute();

/** Opens the list and waits for its live updates to be connected. */
async function openLive(page: Page): Promise<void> {
  const heard = page.waitForResponse('**/buyer/notifications');
  await open(page, '/buyer/transactions');
  await heard;
  await toastsLoaded(page);
}

test.describe('my activity', () => {
  test('notifications about a watched property arrive live, show one toast, and are marked as read when opened', async ({
    page,
    scenario,
    signInAs,
  }) => {
    const propertyId = await createWatchedListing(scenario, BUYER_WITHOUT_NOTIFICATIONS, '5 Falling Lane');
    // Other tests may have changed what this buyer watches.
    await scenario.db
      .q()
      .deleteFrom('property_notifications')
      .where((eb) =>
        eb(
          'user_id',
          'in',
          eb.selectFrom('users').select('id').where('email', '=', BUYER_WITHOUT_NOTIFICATIONS),
        ),
      )
      .execute();
    await signInAs(BUYER_WITHOUT_NOTIFICATIONS);
    await openLive(page);
    await expect(panel(page)).toContainText('No property updates to show');
    await updateProperty(scenario, propertyId, { price_cents: 380_000_00 });
    const toast = toastOf(page, 'Property Update');
    await expect(toast).toContainText('The price of 5 Falling Lane went down');
    await toast.getByRole('button', { name: 'Close' }).click();
    await expect(items(page)).toHaveCount(1);
    await expect(items(page)).toContainText('📉');
    await expect(items(page)).toContainText(/Total price: .*\$408,495 .*\$388,095/);
    await expect(items(page)).toContainText('Price reduction · just now');
    await expect(tab(page, 'Notifications')).toHaveAccessibleName('Notifications 1 unread');

    // Another change within ten minutes updates the same notification.
    await updateProperty(scenario, propertyId, { price_cents: 370_000_00 });
    await expect(items(page)).toContainText('$377,895');
    await expect(items(page)).toHaveCount(1);
    await expect(toast).toHaveCount(0);

    await items(page).getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('5 Falling Lane');
    await page.goBack();
    await expect(panel(page)).toContainText('All read');
    await expect(tab(page, 'Notifications')).toHaveAccessibleName('Notifications');
  });

  test('marking as read is rolled back on failure, and works one by one and for all', async ({
    page,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED/);
    const email = 'beatrix.lowe@example.test';
    for (const address of ['6 Rising Lane', '7 Rising Lane'])
      await updateProperty(scenario, await createWatchedListing(scenario, email, address), {
        price_cents: 410_000_00,
      });
    await updateProperty(scenario, await createWatchedListing(scenario, email, '8 Taken Lane'), {
      status: 'withdrawn',
    });
    await signInAs(email);
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
    // A withdrawn property has no public page, so a click on its row only marks it as read.
    await items(page).filter({ hasText: '8 Taken Lane is now Withdrawn' }).click();
    await expect(tab(page, 'Notifications')).toHaveAccessibleName('Notifications 1 unread');
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await expect(panel(page)).toContainText('All read');
    await page.reload();
    await expect(panel(page)).toContainText('All read');
  });

  test('without the live stream the list is polled every 30 seconds', async ({
    page,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED/);
    const email = 'niels.brandt@example.test';
    const propertyId = await createWatchedListing(scenario, email, '9 Silent Lane');
    await signInAs(email);
    await page.clock.install();
    await page.route('**/api/events**', (route) => route.abort());
    await open(page, '/buyer/transactions');
    await updateProperty(scenario, propertyId, { status: 'Sold' });
    await expect(panel(page)).toContainText('No property updates to show');
    await page.clock.runFor(31_000);
    await expect(items(page)).toContainText('9 Silent Lane is now Sold');
    await expect(items(page)).toContainText('🏷️');
  });

  test('tabs work by keyboard and with the back button; one that fails does not affect the others', async ({
    page,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(500);
    await signInAs('buyer2@acre.test');
    await open(page, '/buyer/transactions');
    // Held from the start: the focus alone fetches what a tab will show.
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/buyer/transactions.data**', async (route) => {
      await gate;
      await route.continue();
    });
    await tab(page, 'Notifications').focus();
    await page.keyboard.press('ArrowRight');
    await expect(tab(page, 'Transactions')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(panel(page)).toContainText('Loading transactions...');
    await expect(tab(page, 'Transactions')).toHaveAttribute('aria-selected', 'true');
    release();
    await expect(panel(page).getByRole('row')).not.toHaveCount(2);
    await expect(page).toHaveURL(/\?tab=transactions$/);

    await tab(page, 'Watched Properties').click();
    await expect(panel(page).getByRole('link', { name: 'Back to Properties' })).toHaveAttribute(
      'href',
      '/properties',
    );
    await expect(
      panel(page)
        .getByRole('button', { name: /^Watch / })
        .first(),
    ).toHaveAttribute('aria-pressed', 'true');
    await page.goBack();
    await expect(tab(page, 'Transactions')).toHaveAttribute('aria-selected', 'true');
    await expect(panel(page).getByRole('table')).toBeVisible();

    await scenario.db.pool.query('alter table property_views rename to views_elsewhere');
    await tab(page, 'Recently Viewed').click();
    await expect(panel(page)).toContainText('This section could not be loaded');
    await scenario.db.pool.query('alter table views_elsewhere rename to property_views');
    await panel(page).getByRole('button', { name: 'Retry' }).click();
    await expect(
      panel(page)
        .getByText(/^Viewed /)
        .first(),
    ).toBeVisible();
  });

  test('a transaction opens its timeline, its property and its receipt', async ({
    page,
    context,
    signInAs,
  }) => {
    await signInAs('buyer@acre.test');
    await open(page, '/buyer/transactions?tab=transactions');
    const rows = panel(page).getByRole('row');
    const paid = rows.filter({ hasText: 'In Escrow' }).first();
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
    const href = await failed.getByRole('link', { name: /^View Details/ }).getAttribute('href');
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

test.describe('my activity without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('tabs are links, and marking as read is a form', async ({ page, scenario, signInAs }) => {
    const email = 'calvin.prewitt@example.test';
    await updateProperty(scenario, await createWatchedListing(scenario, email, '10 Plain Lane'), {
      price_cents: 390_000_00,
    });
    await signInAs(email);
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
