import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { BELL_NAME, createConversation } from '#tests/support/browser/conversations.ts';
import { expect, open, type Scenario, test, toastsLoaded } from '#tests/support/browser/scenario.ts';

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: BELL_NAME });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

async function idOf({ db }: Scenario, email: string): Promise<string> {
  const q = db.q().selectFrom('users').select('id').where('email', '=', email);
  return (await q.executeTakeFirstOrThrow()).id;
}

/** A new listing that this user watches. */
async function createWatched(scenario: Scenario, email: string, address: string): Promise<string> {
  const id = await scenario.createListing({ address, price_cents: 400_000_00 });
  await scenario.db
    .q()
    .insertInto('property_watches')
    .values({ user_id: await idOf(scenario, email), property_id: id })
    .execute();
  return id;
}
const setPrice = ({ db }: Scenario, id: string, dollars: number) =>
  db
    .q()
    .updateTable('properties')
    .set({ price_cents: dollars * 100 })
    .where('id', '=', id)
    .execute();

/** Nothing is new to this user anymore. */
async function clear(scenario: Scenario, email: string): Promise<void> {
  const q = scenario.db.q();
  const id = await idOf(scenario, email);
  await q.deleteFrom('property_notifications').where('user_id', '=', id).execute();
  await q
    .updateTable('inquiry_messages')
    .set({ is_read: true })
    .where('inquiry_id', 'in', (own) =>
      own.selectFrom('property_inquiries').select('id').where('user_id', '=', id),
    )
    .execute();
}

/** One unread message and one unread change of a watched property; the id of that property. */
async function createNews(scenario: Scenario, email: string, place: string): Promise<string> {
  await clear(scenario, email);
  const asked = await scenario.createListing({ address: `11 ${place}` });
  await createConversation(scenario, asked, email, ['Hello', '*The well is deep.']);
  const watched = await createWatched(scenario, email, `12 ${place}`);
  await setPrice(scenario, watched, 380_000);
  return watched;
}

// All tests share one server.
test.describe.configure({ mode: 'default' });

test('a page that cannot load the code for what is live stays usable, and complains of nothing else', async ({
  page,
  signInAs,
  expectConsole,
}) => {
  expectConsole(/^Failed to load resource: net::ERR_FAILED/);
  await signInAs('leopold.marsh@example.test');
  const code = '**/assets/signed-in-*.js';
  const aborted = page.waitForEvent('requestfailed', (request) => /signed-in-/.test(request.url()));
  await page.route(code, (route) => route.abort());
  await page.goto('/privacy');
  await aborted;
  await toastsLoaded(page);
  await page.unroute(code);
  await bell(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Activity' })).toBeVisible();
});

test.describe('the bell', () => {
  test('counts everything unread, like the tabs, and its panel leads to it', async ({
    page,
    scenario,
    signInAs,
  }) => {
    test.slow();
    const email = 'leopold.marsh@example.test';
    const watched = await createNews(scenario, email, 'Bell Lane');
    await signInAs(email);
    await open(page, '/buyer/transactions?tab=recent');
    await expect(bell(page)).toHaveAccessibleName('2 new: 1 unread messages, 1 property update');
    await expect(bell(page)).toHaveText('2');
    await expect(page.getByRole('tab', { name: 'My Inquiries' })).toHaveAccessibleName(
      'My Inquiries 1 unread',
    );
    await expect(page.getByRole('tab', { name: 'Notifications' })).toHaveAccessibleName(
      'Notifications 1 unread',
    );

    await bell(page).press('Enter');
    await expect(bell(page)).toHaveAttribute('aria-expanded', 'true');
    const message = panel(page).getByRole('link', { name: /11 Bell Lane/ });
    const update = panel(page).getByRole('link', { name: /The price of 12 Bell Lane went down/ });
    await expect(message).toContainText('The well is deep.');
    await expect(update).toContainText(/Total price: \$408,495.*\$388,095/);
    // What arrives while it is open is listed at once.
    const another = await createWatched(scenario, email, '13 Bell Lane');
    await setPrice(scenario, another, 420_000);
    await expect(panel(page).getByRole('link', { name: /13 Bell Lane went up/ })).toBeVisible();
    await expect(bell(page)).toHaveText('3');

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await expect(panel(page).getByRole('link', { name: 'All notifications' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(panel(page)).toBeHidden();
    await expect(bell(page)).toBeFocused();

    await bell(page).press(' ');
    await update.click();
    await expect(page).toHaveURL(`/property/${watched}`);
    await expect(panel(page)).toBeHidden();
    await expect(bell(page)).toHaveText('2');

    await bell(page).click();
    await panel(page).getByRole('button', { name: 'Mark all as read' }).click();
    // Messages stay unread until they are opened.
    await expect(bell(page)).toHaveAccessibleName('1 unread messages');
    await expect(panel(page)).toContainText('Messages stay unread until you open them.');
    await bell(page).click();
    await expect(panel(page)).toBeHidden();
    await bell(page).click();
    await message.click();
    await expect(page).toHaveURL(/\/buyer\/transactions\?tab=inquiries&inquiry=/);
    await expect(bell(page)).toHaveAccessibleName('0 unread messages');
    await expect(page.getByRole('tab', { name: 'My Inquiries' })).toHaveAccessibleName('My Inquiries');
  });

  test('says what fails, tries again, and says when nothing is new', async ({
    page,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED/);
    const email = 'imani.barlow@example.test';
    await clear(scenario, email);
    await signInAs(email);
    // An open panel asks by itself once the stream of events is there.
    const live = page.waitForResponse('**/api/unread');
    await open(page, '/');
    await live;
    await page.route('**/bell', (route) => route.abort());
    await bell(page).click();
    await expect(panel(page).getByRole('alert')).toContainText('Failed to load notifications');
    const retry = panel(page).getByRole('button', { name: 'Retry' });
    await expect(retry).not.toHaveAttribute('aria-busy');
    await page.unroute('**/bell');
    await retry.click();
    await expect(panel(page)).toContainText('Nothing new');
  });

  test('is a sheet on a phone', { tag: '@phone' }, async ({ page, scenario, signInAs }, info) => {
    const email = 'edith.carmody@example.test';
    await createNews(scenario, email, `${info.project.name} Sheet Lane`);
    await signInAs(email);
    await open(page, '/properties');
    await bell(page).click();
    await expect(
      panel(page)
        .getByRole('link', { name: /The price of/ })
        .first(),
    ).toBeVisible();
    const [sheet, view] = [await panel(page).boundingBox(), page.viewportSize()];
    if (!sheet || !view) throw new Error('The panel is open');
    expect(sheet.x).toBeGreaterThanOrEqual(0);
    expect(sheet.x + sheet.width).toBeLessThanOrEqual(view.width);
    expect(sheet.y + sheet.height).toBeLessThanOrEqual(view.height);
    if (view.width < 600) expect(sheet.width).toBe(view.width);
    await page.keyboard.press('Escape');
    await expect(panel(page)).toBeHidden();
  });

  test('its panel is accessible in both themes', async ({ page, scenario, signInAs }) => {
    test.slow();
    const email = 'tomasz.wilk@example.test';
    await createNews(scenario, email, 'Theme Lane');
    await signInAs(email);
    await open(page, '/');
    await bell(page).click();
    await expect(panel(page).getByRole('link', { name: /The price of/ })).toBeVisible();
    await expectAccessible(page, 'bell-panel');
  });
});

test.describe('sellers and administrators', () => {
  for (const [email, role, area] of [
    ['seller2@acre.test', 'agent', '/agent'],
    ['admin@acre.test', 'admin', '/admin'],
  ] as const)
    test(`find what they watch, ask and save under ${area}`, async ({ page, scenario, signInAs }) => {
      test.slow();
      await clear(scenario, email);
      const watched = await createWatched(scenario, email, `14 ${role} Lane`);
      await createConversation(scenario, watched, email, ['Hello', '*Good day.']);
      await setPrice(scenario, watched, 390_000);
      await signInAs(email, role);
      await open(page, '/');
      await page.getByRole('button', { name: 'Account' }).click();
      await page.locator('#menu-account').getByRole('link', { name: 'Watched Properties' }).click();
      await expect(page).toHaveURL(`${area}/activity?tab=watched`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Activity');
      await expect(page.getByRole('tabpanel')).toContainText(`14 ${role} Lane`);
      await expect(page.getByRole('tab', { name: 'Transactions' })).toHaveCount(0);
      await expect(page.getByRole('tab', { name: 'Notifications' })).toHaveAccessibleName(
        'Notifications 1 unread',
      );
      await expectAccessible(page, `${role}-activity`);

      await bell(page).click();
      await panel(page)
        .getByRole('link', { name: /Good day/ })
        .click();
      await expect(page).toHaveURL(new RegExp(`${area}/activity\\?tab=inquiries&inquiry=`));
      await page.getByRole('textbox', { name: 'Your message' }).fill('Thank you.');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await expect(page.getByRole('log')).toContainText('Thank you.');
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Saved Searches/ })
        .click();
      await expect(page).toHaveURL(`${area}/saved-searches`);
      await expect(page.getByText('No saved searches yet')).toBeVisible();
      await expectAccessible(page, `${role}-saved-searches`);
    });

  test('who follow the link of a mail sign in at their own door', async ({ page }) => {
    for (const [address, door] of [
      ['/agent/activity?tab=notifications', '/agent/login?next=%2Fagent%2Factivity%3Ftab%3Dnotifications'],
      ['/admin/saved-searches', '/admin?next=%2Fadmin%2Fsaved-searches'],
    ] as const) {
      await open(page, address);
      await expect(page).toHaveURL(door);
    }
  });
});
