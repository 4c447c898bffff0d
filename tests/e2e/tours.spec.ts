import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { signedInContext } from '#tests/support/browser/conversations.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { waitForHydration } from '#tests/support/browser/signed-in-test.ts';

const SELLER = 'seller@acre.test';
const [BUYER, SECOND] = ['leopold.marsh@example.test', 'imani.barlow@example.test'] as const;

// All tests share one server.
test.describe.configure({ mode: 'default' });

/** The hours of the demo seller on every day; none without them. Tours of earlier tests hold no time. */
async function setHours({ db }: Scenario, hours: { starts: number; ends: number } | null): Promise<void> {
  const q = db.q();
  await q.deleteFrom('tours').execute();
  const { id } = await q
    .selectFrom('agents')
    .select('id')
    .where('email', '=', SELLER)
    .executeTakeFirstOrThrow();
  await q.deleteFrom('tour_hours').where('agent_id', '=', id).execute();
  await q.deleteFrom('tour_days').where('agent_id', '=', id).execute();
  if (!hours) return;
  await q
    .insertInto('tour_hours')
    .values([0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ agent_id: id, weekday, ...hours })))
    .execute();
}

const DAYTIME = { starts: 540, ends: 1020 };
const times = (page: Page) => page.getByRole('radio');
const ask = (page: Page) => page.getByRole('button', { name: 'Ask for this tour' });
const row = (page: Page, address: string) => page.getByRole('listitem').filter({ hasText: address });
const tourPage = (id: string) => `/property/${id}/tour`;

/** Three days from now, as a date field takes it. */
const inThreeDays = () => new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);

test('a tour is asked for, confirmed, moved and cancelled between a buyer and a seller, live', async ({
  browser,
  scenario,
}) => {
  test.slow();
  await setHours(scenario, null);
  const address = '21 Visiting Lane';
  const propertyId = await scenario.createListing({ address });
  const contexts = await Promise.all([
    signedInContext(browser, { origin: scenario.url, email: BUYER }),
    signedInContext(browser, { origin: scenario.url, email: SELLER, role: 'agent' }),
  ]);
  const [buyer, seller] = await Promise.all(contexts.map((context) => context.newPage()));
  if (!buyer || !seller) throw new Error('There are two browsers');

  await test.step('the seller sets hours; a wrong span is said beside it and nothing is lost', async () => {
    await open(seller, '/agent/inquiries');
    await seller.getByRole('link', { name: 'Tours', exact: true }).click();
    await seller.getByRole('link', { name: 'Tour hours', exact: true }).click();
    for (const day of ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'])
      await seller.getByLabel(`${day} from`).selectOption('9:00 AM');
    for (const day of ['Sunday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'])
      await seller.getByLabel(`${day} to`).selectOption('5:00 PM');
    const save = seller.getByRole('button', { name: 'Save weekly hours' });
    await save.click();
    await expect(
      seller
        .getByRole('group', { name: 'Monday' })
        .getByText('Please choose an end that is after the start.'),
    ).toBeVisible();
    await expect(seller.getByLabel('Friday to')).toHaveValue('1020');
    await seller.getByLabel('Monday to').selectOption('Midnight');
    await save.click();
    await expect(toastOf(seller, 'Tour hours saved')).toBeVisible();
    await seller.getByLabel('Day', { exact: true }).fill(inThreeDays());
    await seller.getByRole('button', { name: 'Save this day' }).click();
    await expect(toastOf(seller, 'Day saved')).toBeVisible();
    await seller.getByRole('button', { name: /^Remove / }).click();
    await expect(toastOf(seller, 'Day removed')).toBeVisible();
    await open(seller, '/agent/tours');
  });

  await test.step('the buyer asks', async () => {
    await open(buyer, `/property/${propertyId}`);
    await buyer.getByRole('link', { name: 'Ask for a tour' }).click();
    await expect(buyer.getByRole('heading', { level: 1 })).toHaveText('Ask for a tour');
    await buyer.getByLabel('Note to the seller').fill('We love the garden.');
    await ask(buyer).click();
    await expect(buyer.getByText('Please choose a day and a time.')).toBeVisible();
    await expect(buyer.getByLabel('Note to the seller')).toHaveValue('We love the garden.');
    // By keyboard: the last free time of the first day.
    await times(buyer).nth(20).press('Space');
    // Keys are pressed at once, also on a button that is busy with the answer before.
    await expect(ask(buyer)).not.toHaveAttribute('aria-busy');
    await ask(buyer).press('Enter');
    await expect(buyer).toHaveURL(/\/buyer\/tours$/);
    await expect(toastOf(buyer, 'Tour requested')).toBeVisible();
    await expect(row(buyer, address)).toContainText('Waiting for the seller');
  });

  await test.step('the seller sees it without reloading and confirms', async () => {
    await expect(row(seller, address)).toContainText('Needs Your Answer');
    await expect(row(seller, address)).toContainText('We love the garden.');
    await row(seller, address)
      .getByRole('button', { name: /^Confirm/ })
      .click();
    await expect(toastOf(seller, 'Tour confirmed')).toBeVisible();
    await expect(row(buyer, address)).toContainText('Confirmed');
    const [download] = await Promise.all([
      buyer.waitForEvent('download'),
      row(buyer, address)
        .getByRole('link', { name: /^Add to calendar/ })
        .click(),
    ]);
    const file = await readFile(await download.path(), 'utf8');
    expect(file).toContain('METHOD:REQUEST');
    expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:Tour: ${address}`);
  });

  await test.step('the seller proposes another time, which the buyer confirms', async () => {
    await row(seller, address)
      .getByRole('link', { name: /^Propose another time/ })
      .click();
    const dialog = seller.getByRole('dialog', { name: 'Propose another time' });
    await dialog.getByLabel('Message').fill('The roofer comes.');
    await dialog.getByRole('button', { name: 'Propose this time' }).click();
    await expect(dialog.getByText('Please choose a day and a time.')).toBeVisible();
    await expect(dialog.getByLabel('Message')).toHaveValue('The roofer comes.');
    await dialog.getByLabel('Day').fill(inThreeDays());
    await dialog.getByLabel('Time', { exact: true }).selectOption('7:30 PM');
    await dialog.getByRole('button', { name: 'Propose this time' }).click();
    await expect(dialog).toBeHidden();
    await expect(row(seller, address)).toContainText('Waiting for the buyer');
    await expect(row(buyer, address)).toContainText('Needs Your Answer');
    await expect(row(buyer, address)).toContainText('7:30 PM');
    await expect(row(buyer, address)).toContainText('The roofer comes.');
    await row(buyer, address)
      .getByRole('button', { name: /^Confirm/ })
      .click();
    await expect(row(buyer, address)).toContainText('Confirmed');
    await expect(row(seller, address)).toContainText('Confirmed');
  });

  await test.step('the buyer cancels, and the bell of the seller says so', async () => {
    await row(buyer, address)
      .getByRole('link', { name: /^Cancel tour/ })
      .click();
    const dialog = buyer.getByRole('dialog', { name: 'Cancel this tour?' });
    await dialog.getByLabel('Reason').fill('We found another home.');
    await dialog.getByRole('button', { name: 'Cancel tour' }).click();
    await expect(dialog).toBeHidden();
    await expect(row(buyer, address)).toContainText('Cancelled by You');
    await expect(row(seller, address)).toContainText('Cancelled');
    await expect(row(seller, address)).toContainText('We found another home.');
    await seller.goto('/agent/activity?tab=notifications');
    const news = seller.getByRole('link', { name: new RegExp(`^Tour cancelled: ${address}`) }).first();
    await expect(news).toHaveAttribute('href', '/agent/tours');
  });
  await Promise.all(contexts.map((context) => context.close()));
});

/** Presses Tab until a control has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 150; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead there');
}

test('a tour is asked for by keyboard alone, from the page of the property', async ({
  page,
  scenario,
  signInAs,
}) => {
  test.slow();
  await setHours(scenario, DAYTIME);
  const address = '25 Visiting Lane';
  await signInAs(SECOND);
  await open(page, `/property/${await scenario.createListing({ address })}`);
  await tabTo(page, page.getByRole('link', { name: 'Ask for a tour' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ask for a tour');
  await waitForHydration(page);
  const [first, second] = [times(page).first(), times(page).nth(1)];
  await tabTo(page, first);
  await page.keyboard.press('ArrowRight');
  await expect(second).toBeFocused();
  await expect(second).toBeChecked();
  await tabTo(page, page.getByLabel('Note to the seller'));
  await page.keyboard.type('Is Sunday fine, too?');
  await tabTo(page, ask(page));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/buyer\/tours$/);
  await expect(row(page, address)).toContainText('Is Sunday fine, too?');
});

test('a time that was taken meanwhile is refused beside the times, and the note stays', async ({
  browser,
  scenario,
}) => {
  await setHours(scenario, DAYTIME);
  const propertyId = await scenario.createListing({ address: '22 Visiting Lane' });
  const contexts = await Promise.all(
    [BUYER, SECOND].map((email) => signedInContext(browser, { origin: scenario.url, email })),
  );
  const [first, second] = await Promise.all(contexts.map((context) => context.newPage()));
  if (!first || !second) throw new Error('There are two browsers');
  await Promise.all([first, second].map((page) => open(page, tourPage(propertyId))));
  const taken = await times(first).nth(20).inputValue();
  for (const page of [first, second]) await page.locator(`input[value="${taken}"]`).check({ force: true });
  await second.getByLabel('Note to the seller').fill('On Sunday, please.');
  await ask(first).click();
  await expect(first).toHaveURL(/\/buyer\/tours$/);
  await ask(second).click();
  await expect(second.getByText('This time is no longer free. Please choose another one.')).toBeVisible();
  await expect(second.getByLabel('Note to the seller')).toHaveValue('On Sunday, please.');
  await expect(second.locator(`[value="${taken}"]`)).toHaveCount(0);
  await times(second).nth(20).check({ force: true });
  await ask(second).click();
  await expect(second).toHaveURL(/\/buyer\/tours$/);
  // The first buyer has one already, and is shown it.
  await open(first, tourPage(propertyId));
  await expect(first.getByText('It is not confirmed yet.')).toBeVisible();
  await expect(times(first)).toHaveCount(0);
  await Promise.all(contexts.map((context) => context.close()));
});

test('what is news while the server cannot be reached is shown once it can', async ({
  browser,
  scenario,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/);
  await setHours(scenario, DAYTIME);
  const address = '26 Visiting Lane';
  const propertyId = await scenario.createListing({ address });
  const contexts = await Promise.all([
    signedInContext(browser, { origin: scenario.url, email: BUYER }),
    signedInContext(browser, { origin: scenario.url, email: SELLER, role: 'agent' }),
  ]);
  const [buyer, seller] = await Promise.all(contexts.map((context) => context.newPage()));
  if (!buyer || !seller) throw new Error('There are two browsers');
  await open(buyer, tourPage(propertyId));
  await open(seller, '/agent/tours');
  const session = '**/api/session';
  let failures = 0;
  await seller.route(session, (route) => {
    failures += 1;
    return route.abort();
  });
  await times(buyer).nth(20).check({ force: true });
  await ask(buyer).click();
  await expect(buyer).toHaveURL(/\/buyer\/tours$/);
  await expect.poll(() => failures).toBeGreaterThan(0);
  await expect(row(seller, address)).toHaveCount(0);
  await seller.unroute(session);
  await expect(row(seller, address)).toBeVisible();
  await Promise.all(contexts.map((context) => context.close()));
});

test('a seller without hours offers no tours', async ({ page, scenario, signInAs }) => {
  await setHours(scenario, null);
  const propertyId = await scenario.createListing({ address: '23 Visiting Lane' });
  await signInAs(BUYER);
  await open(page, `/property/${propertyId}`);
  await expect(page.getByRole('link', { name: 'Report this listing' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ask for a tour' })).toHaveCount(0);
  await open(page, tourPage(propertyId));
  await expect(page.getByText('The seller has no free times in the next two weeks.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Send an inquiry' })).toBeVisible();
});

test('a visitor signs in to ask, and the chosen time is still chosen', async ({ page, scenario }) => {
  await setHours(scenario, DAYTIME);
  const propertyId = await scenario.createListing({ address: '24 Visiting Lane' });
  await open(page, tourPage(propertyId));
  const chosen = (await times(page).nth(20).getAttribute('value')) ?? '';
  await times(page).nth(20).check({ force: true });
  await page.getByRole('button', { name: 'Sign in to ask for this tour' }).click();
  await expect(page).toHaveURL(/\/buyer\/login\?next=/);
  await page.getByLabel('Email').fill('greta.nyland@example.test');
  await page.getByLabel('Password', { exact: true }).fill('AcreDemo!2026');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.locator(`input[value="${chosen}"]`)).toBeChecked();
  await ask(page).click();
  await expect(page).toHaveURL(/\/buyer\/tours$/);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a tour is asked for and declined', async ({ browser, page, scenario, signInAs }) => {
    await setHours(scenario, DAYTIME);
    const address = '25 Visiting Lane';
    const propertyId = await scenario.createListing({ address });
    await signInAs(BUYER);
    await page.goto(`/property/${propertyId}`);
    await page.getByRole('link', { name: 'Ask for a tour' }).click();
    await times(page).nth(20).check({ force: true });
    await ask(page).click();
    await expect(page).toHaveURL(/\/buyer\/tours$/);
    await expect(row(page, address)).toContainText('Waiting for the seller');
    const context = await signedInContext(
      browser,
      { origin: scenario.url, email: SELLER, role: 'agent' },
      { javaScriptEnabled: false },
    );
    const seller = await context.newPage();
    await seller.goto('/agent/tours');
    await row(seller, address)
      .getByRole('link', { name: /^Decline/ })
      .click();
    await seller.getByLabel('Reason').fill('The house is being painted.');
    await seller.getByRole('button', { name: 'Decline tour' }).click();
    await expect(row(seller, address)).toContainText('Declined');
    await page.reload();
    await expect(row(page, address)).toContainText('The house is being painted.');
    await context.close();
  });
});

test('its pages are accessible in both themes, on desktop and mobile', async ({
  browser,
  page,
  scenario,
  signInAs,
}) => {
  test.slow();
  await setHours(scenario, DAYTIME);
  const [address, other] = ['26 Visiting Lane', '27 Visiting Lane'];
  const propertyId = await scenario.createListing({ address });
  await signInAs(BUYER);
  await open(page, tourPage(propertyId));
  await expectAccessible(page, 'tour-request');
  await times(page).nth(20).check({ force: true });
  await ask(page).click();
  await expect(row(page, address)).toContainText('Waiting for the seller');
  await expectAccessible(page, 'tours-buyer');
  await open(page, tourPage(propertyId));
  await expectAccessible(page, 'tour-open');
  await open(page, `/property/${await scenario.createListing({ address: other })}`);
  await expect(page.getByRole('link', { name: 'Ask for a tour' })).toBeVisible();

  const context = await signedInContext(browser, { origin: scenario.url, email: SELLER, role: 'agent' });
  const seller = await context.newPage();
  await open(seller, '/agent/tours');
  await expectAccessible(seller, 'tours-seller');
  await row(seller, address)
    .getByRole('link', { name: /^Propose another time/ })
    .click();
  await expect(seller.getByRole('dialog')).toBeVisible();
  await expectAccessible(seller, 'tours-propose');
  await open(seller, '/agent/tours/hours');
  await expectAccessible(seller, 'tour-hours');
  await context.close();
});
