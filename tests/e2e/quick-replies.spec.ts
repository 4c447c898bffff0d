import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createConversation, inboxPage, signedInContext } from '#tests/support/browser/conversations.ts';
import { holdRequests } from '#tests/support/browser/held-requests.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';

const SELLER = 'seller@acre.test';
const BUYER = 'leopold.marsh@example.test';
const PAGE = '/agent/quick-replies';

// All tests share one server.
test.describe.configure({ mode: 'default' });

/** The demo seller's quick replies are these, and no other. */
async function setReplies({ db }: Scenario, replies: Readonly<Record<string, string>>): Promise<void> {
  const q = db.q();
  const { id } = await q
    .selectFrom('agents')
    .select('id')
    .where('email', '=', SELLER)
    .executeTakeFirstOrThrow();
  await q.deleteFrom('quick_replies').where('agent_id', '=', id).execute();
  const rows = Object.entries(replies).map(([name, text]) => ({ agent_id: id, name, text }));
  if (rows.length > 0) await q.insertInto('quick_replies').values(rows).execute();
}

const dialog = (page: Page) => page.getByRole('dialog');
const save = (page: Page) => page.getByRole('button', { name: 'Save Quick Reply' });
const item = (page: Page, name: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name });

test('are added, refused beside the field, changed and deleted, by keyboard alone', async ({
  page,
  scenario,
  signInAs,
}) => {
  await setReplies(scenario, {});
  await signInAs(SELLER, 'agent');
  await open(page, PAGE);
  await expect(page.getByText('No quick replies yet')).toBeVisible();
  await expectAccessible(page, 'quick-replies-empty');
  await page.getByRole('link', { name: 'Add your first quick reply' }).press('Enter');
  await dialog(page).getByLabel('Name').fill('Viewing');
  await save(page).press('Enter');
  await expect(dialog(page).getByText('Text is required')).toBeVisible();
  await expect(dialog(page).getByLabel('Name')).toHaveValue('Viewing');
  await dialog(page).getByLabel('Text').fill('Dear {buyer}, you can see {property} on Sunday.');
  await expectAccessible(page, 'quick-replies-dialog');
  await save(page).press('Enter');
  await expect(toastOf(page, 'Quick reply saved')).toBeVisible();
  await expect(page).toHaveURL(PAGE);
  await expect(item(page, 'Viewing')).toContainText('Dear {buyer}, you can see {property} on Sunday.');

  await page.getByRole('link', { name: 'Edit Viewing' }).press('Enter');
  await dialog(page).getByLabel('Name').fill('Visit');
  await save(page).press('Enter');
  await expect(item(page, 'Visit')).toBeVisible();
  await expectAccessible(page, 'quick-replies');
  await page.getByRole('link', { name: 'Delete Visit' }).press('Enter');
  await expect(page.getByRole('alertdialog', { name: 'Delete Visit?' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete Quick Reply' }).press('Enter');
  await expect(toastOf(page, 'Quick reply deleted')).toBeVisible();
  await expect(page.getByText('No quick replies yet')).toBeVisible();
});

test('a dialog that is closed in the moment of a refusal stays closed', async ({
  page,
  scenario,
  signInAs,
}) => {
  await setReplies(scenario, {});
  await signInAs(SELLER, 'agent');
  await open(page, PAGE);
  await page.getByRole('link', { name: 'Add your first quick reply' }).click();
  await dialog(page).getByLabel('Name').fill('Viewing');
  const goOn = await holdRequests(page, '**/quick-replies.data');
  // Between the router's knowing that the form was refused and the page's showing it.
  await page.evaluate(() => {
    const replaceState = history.replaceState.bind(history);
    history.replaceState = (...args) => {
      history.replaceState = replaceState;
      replaceState(...args);
      document.querySelector<HTMLDialogElement>('dialog:modal')?.close();
    };
    const { showModal } = HTMLDialogElement.prototype;
    HTMLDialogElement.prototype.showModal = function show() {
      document.documentElement.dataset.shown = 'again';
      showModal.call(this);
    };
  });
  const closing = page.waitForRequest('**/quick-replies.data');
  await save(page).click();
  await closing;
  goOn();
  await expect(page).toHaveURL(PAGE);
  await expect(page.locator('dialog[open]')).toHaveCount(0);
  await expect(page.locator('html')).not.toHaveAttribute('data-shown');
  await page.getByRole('link', { name: 'Add your first quick reply' }).click();
  await expect(dialog(page)).toBeVisible();
});

test('changed in another tab are not replaced unseen, and nothing typed is lost', async ({
  page,
  context,
  scenario,
  signInAs,
}) => {
  await setReplies(scenario, { Garden: 'Large.' });
  await signInAs(SELLER, 'agent');
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await open(tab, PAGE);
    await tab.getByRole('link', { name: 'Edit Garden' }).click();
    await expect(dialog(tab)).toBeVisible();
  }
  await dialog(other).getByLabel('Text').fill('Small.');
  await save(other).click();
  await expect(item(other, 'Garden')).toContainText('Small.');
  await dialog(page).getByLabel('Text').fill('Medium.');
  // The page's own copy is still the older one when the form is sent again.
  const { promise: sentAgain, resolve: readOn } = Promise.withResolvers<void>();
  await page.route(`**${PAGE}.data**`, async (route) => {
    if (route.request().method() === 'GET') await sentAgain;
    await route.continue();
  });
  await save(page).click();
  await expect(
    dialog(page).getByText('This quick reply was changed elsewhere. Save again to replace it with yours.'),
  ).toBeVisible();
  await expect(dialog(page).getByLabel('Text')).toHaveValue('Medium.');
  const saved = page.waitForResponse((response) => response.request().method() === 'POST');
  await save(page).click();
  await saved;
  readOn();
  await expect(item(page, 'Garden')).toContainText('Medium.');
});

test('are put into an answer with the names of the buyer and the property', async ({
  page,
  scenario,
  signInAs,
}) => {
  const address = '31 Answering Lane';
  const propertyId = await scenario.createListing({ address });
  const inquiryId = await createConversation(scenario, propertyId, BUYER, ['Is it free?']);
  await setReplies(scenario, {});
  await signInAs(SELLER, 'agent');
  const thread = `/agent/inquiries?inquiry=${inquiryId}`;
  await open(page, thread);
  await expect(page.getByRole('link', { name: 'Add quick replies' })).toHaveAttribute('href', PAGE);
  await setReplies(scenario, {
    Free: 'Yes, {property} is free, {buyer}.',
    Long: 'x'.repeat(2000),
  });
  await open(page, thread);
  const { box, send, bubble } = inboxPage(page);
  const menu = page.getByRole('button', { name: 'Quick replies' });
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'Free' }).press('Enter');
  const free = `Yes, ${address} is free, Leopold Marsh.`;
  await expect(box).toHaveValue(free);
  await expect(box).toBeFocused();
  // A second one follows what is typed, and what would not fit changes nothing.
  await box.fill('Good morning!');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Free' }).click();
  await expect(box).toHaveValue(`Good morning!\n${free}`);
  await box.fill('y'.repeat(2500));
  await menu.click();
  await page.getByRole('menuitem', { name: 'Long' }).click();
  await expect(toastOf(page, 'The message would be too long with this quick reply.')).toBeVisible();
  await expect(box).toHaveValue('y'.repeat(2500));
  await box.fill(free);
  await send.click();
  await expect(bubble(free)).toBeVisible();
});

test('are not offered to buyers', async ({ page, scenario, signInAs }) => {
  const propertyId = await scenario.createListing({ address: '32 Answering Lane' });
  const inquiryId = await createConversation(scenario, propertyId, BUYER, ['Is it free?']);
  await signInAs(BUYER);
  await open(page, `/buyer/transactions?tab=inquiries&inquiry=${inquiryId}`);
  await expect(inboxPage(page).box).toBeVisible();
  await expect(page.getByText(/quick repl/i)).toHaveCount(0);
});

test('are put into an answer without scripts', async ({ browser, scenario }) => {
  const propertyId = await scenario.createListing({ address: '33 Answering Lane' });
  const inquiryId = await createConversation(scenario, propertyId, BUYER, ['Is it free?']);
  await setReplies(scenario, { Free: 'Yes, {buyer}.' });
  const context = await signedInContext(
    browser,
    { origin: scenario.url, email: SELLER, role: 'agent' },
    { javaScriptEnabled: false },
  );
  const page = await context.newPage();
  await page.goto(`/agent/inquiries?inquiry=${inquiryId}`);
  await page.getByRole('button', { name: 'Quick replies' }).click();
  await page.getByRole('menuitem', { name: 'Free' }).click();
  await expect(inboxPage(page).box).toHaveValue('Yes, Leopold Marsh.');
  await inboxPage(page).send.click();
  await expect(inboxPage(page).bubble('Yes, Leopold Marsh.')).toBeVisible();
  await context.close();
});
