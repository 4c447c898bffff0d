import type { Page, Request } from '@playwright/test';
import { createConversation, inboxPage, signedInContext } from '#tests/support/browser/conversations.ts';
import { expect, open, test, toastOf, toastsLoaded } from '#tests/support/browser/scenario.ts';
import { waitForHydration } from '#tests/support/browser/signed-in-test.ts';

const SELLER = 'seller@acre.test';
const [BUYER, STRANGER, WRITER, READER] = [
  'leopold.marsh@example.test',
  'imani.barlow@example.test',
  'edith.carmody@example.test',
  'tomasz.wilk@example.test',
] as const;
const INBOX = '/buyer/transactions?tab=inquiries';
/** How often a server asks the database for events that it was not told of (`platform/events/hub.ts`). */
const POLL_MS = 30_000;
const FAILED = 'Failed to send message. Please try again.';

/** Records in the page when a text appears, as a Unix time in milliseconds. */
const watchFor = (page: Page, text: string) =>
  page.evaluate((awaited) => {
    const seen = () => document.querySelector('.msgs')?.textContent?.includes(awaited);
    new MutationObserver((_, observer) => {
      if (!seen()) return;
      observer.disconnect();
      document.body.dataset.seenAt = String(Date.now());
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, text);

/** The unread count in the bell's accessible name. */
const unreadOf = async (page: Page): Promise<number> =>
  Number.parseInt((await inboxPage(page).bell.getAttribute('aria-label')) ?? '', 10);

/** A name of the bell that begins with this number. */
const counting = (count: number) => new RegExp(`^${count} `);

// All tests share one server.
test.describe.configure({ mode: 'default' });

test.describe('a conversation', { tag: '@server' }, () => {
  test('is exchanged live between two browsers, and a third user sees nothing', async ({
    browser,
    scenario,
  }) => {
    test.slow();
    const address = '14 Speaking Lane';
    const propertyId = await scenario.createListing({ address });
    // With PostgreSQL the seller uses another server process than the buyer.
    const secondOrigin = await scenario.secondServer();
    const contexts = await Promise.all([
      signedInContext(browser, { origin: scenario.url, email: BUYER }),
      signedInContext(browser, { origin: secondOrigin, email: SELLER, role: 'agent' }),
      signedInContext(browser, { origin: secondOrigin, email: STRANGER }),
    ]);
    const [buyer, seller, stranger] = await Promise.all(contexts.map((context) => context.newPage()));
    if (!buyer || !seller || !stranger) throw new Error('There are three browsers');
    await Promise.all([open(seller, '/agent/inquiries'), open(stranger, INBOX), open(buyer, INBOX)]);
    const strangersBell = await unreadOf(stranger);
    const [sellersBell, buyersBell] = [await unreadOf(seller), await unreadOf(buyer)];

    await open(buyer, `/property/${propertyId}`);
    await buyer.getByRole('link', { name: 'Inquire About Property' }).click();
    await buyer.getByRole('dialog').getByLabel('Message').fill('Is the well deep?');
    await buyer.getByRole('button', { name: 'Send Inquiry' }).click();
    await expect(toastOf(buyer, 'Inquiry Sent')).toBeVisible();

    // It appears without a reload: in the list, on the bell, in the sidebar and on the tab.
    const sellerInbox = inboxPage(seller);
    await expect(sellerInbox.row(address)).toContainText('Is the well deep?');
    await expect(sellerInbox.row(address)).toHaveClass(/inq-unread/);
    await expect(sellerInbox.row(address)).toContainText('Pending');
    await expect(sellerInbox.bell).toHaveAccessibleName(counting(sellersBell + 1));
    await expect(seller.getByRole('navigation', { name: 'Seller' })).toContainText(
      `${sellersBell + 1} pending`,
    );
    await expect(seller.getByRole('tab', { name: 'Needs Response' })).toContainText(String(sellersBell + 1));
    await sellerInbox.row(address).click();
    await expect(sellerInbox.bubble('Is the well deep?')).toBeVisible();
    await expect(sellerInbox.box).toHaveAttribute('placeholder', 'Type your reply...');
    await expect(sellerInbox.send).toHaveAttribute('aria-disabled', 'true');
    await sellerInbox.box.fill('Forty feet.');
    await sellerInbox.box.press('Enter');
    await sellerInbox.box.pressSequentially('Never dry.');
    await sellerInbox.box.press('Control+Enter');
    await expect(sellerInbox.box).toHaveValue('');
    await expect(sellerInbox.bubble('Forty feet.\nNever dry.')).toBeVisible();
    await expect(sellerInbox.row(address)).toContainText('Resolved');
    await seller.getByRole('button', { name: /^Resolved: / }).focus();
    await expect(seller.getByRole('tooltip')).toHaveText(
      'The seller has answered. A new message from the buyer makes it pending again.',
    );
    await expect(sellerInbox.bell).toHaveAccessibleName(counting(sellersBell));

    const buyerInbox = inboxPage(buyer);
    await expect(buyerInbox.bell).toHaveAccessibleName(counting(buyersBell + 1));
    await buyerInbox.bell.click();
    await buyer
      .getByRole('dialog', { name: 'Notifications' })
      .getByRole('link', { name: /^See all: .* messages$/ })
      .click();
    await expect(buyer).toHaveURL(INBOX);
    await expect(buyerInbox.row(address)).toHaveClass(/inq-unread/);
    await expect(sellerInbox.messages).not.toContainText('Seen');
    await buyerInbox.row(address).click();
    await expect(buyerInbox.bubble('Never dry.')).toBeVisible();
    await expect(buyerInbox.box).toHaveAttribute('placeholder', 'Type your message to the agent...');
    await expect(buyerInbox.bell).toHaveAccessibleName(counting(buyersBell));
    await expect(buyerInbox.row(address)).not.toHaveClass(/inq-unread/);
    await expect(sellerInbox.messages).toContainText('Seen');

    const seenAt: number[] = [];
    for (const [from, to, text] of [
      [buyerInbox, seller, 'May we come on Sunday?'],
      [sellerInbox, buyer, 'Sunday is fine.'],
      [buyerInbox, seller, 'At ten?'],
      [sellerInbox, buyer, 'Ten it is.'],
    ] as const) {
      await watchFor(to, text);
      await from.box.fill(text);
      await from.send.click();
      await expect(inboxPage(to).bubble(text)).toBeVisible();
      seenAt.push(Number(await to.evaluate(() => document.body.dataset.seenAt)));
      await expect(from.messages).toContainText(/Seen$/);
    }
    // Each text is sent after the one before was seen, so without live delivery each would wait for a poll of its own.
    const [toSeller = 0, toBuyer = 0, againToSeller = 0, againToBuyer = 0] = seenAt;
    for (const between of [againToSeller - toSeller, againToBuyer - toBuyer])
      expect(between, 'milliseconds between two deliveries').toBeLessThan(POLL_MS);
    await expect(buyerInbox.bubble('At ten?')).toHaveCount(1);

    await expect(inboxPage(stranger).row(address)).toHaveCount(0);
    expect(await unreadOf(stranger)).toBe(strangersBell);
    const id = new URL(buyer.url()).searchParams.get('inquiry') ?? '';
    expect((await contexts[2]?.request.get(`${secondOrigin}/inquiries/${id}`))?.status()).toBe(404);
    for (const context of contexts) await context.close();
  });

  test('a message that could not be sent is kept, retried and delivered once', async ({
    page,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to fetch/);
    const id = await createConversation(
      scenario,
      await scenario.createListing({ address: '15 Failing Lane' }),
      WRITER,
      ['Hello'],
    );
    const stored = async () =>
      (
        await scenario.db
          .q()
          .selectFrom('inquiry_messages')
          .select('message')
          .where('inquiry_id', '=', id)
          .orderBy('created_at')
          .execute()
      ).map(({ message }) => message);
    await signInAs(WRITER);
    // An event would deliver the stored message before it can be retried.
    await page.route('**/api/events**', (route) => route.abort());
    await open(page, `${INBOX}&inquiry=${id}`);
    const { box, send, bubble } = inboxPage(page);
    await toastsLoaded(page);
    await page.context().setOffline(true);
    await box.fill('Written in the cellar');
    await send.click();
    await expect(bubble('Written in the cellar')).toContainText(FAILED);
    await expect(toastOf(page, FAILED)).toBeVisible();
    await expect(box).toHaveValue('');
    await page.context().setOffline(false);
    await page.reload();
    await expect(bubble('Written in the cellar')).toContainText(FAILED);
    await bubble('Written in the cellar').getByRole('button', { name: 'Retry' }).click();
    await expect(bubble('Written in the cellar')).toContainText(/You · \d/);
    expect(await stored()).toEqual(['Written in the cellar']);

    // The message is stored but the response is lost: the retry must find the stored message.
    const replies = (url: URL) => [`/inquiries/${id}`, '/healthz'].includes(url.pathname);
    let tries = 0;
    await page.route(replies, async (route) => {
      const sent = route.request().method() === 'POST';
      if (sent) tries += 1;
      if (tries > 1) return route.continue();
      if (sent) await route.fetch();
      await route.abort();
    });
    await box.fill('Sent twice');
    await send.click();
    await expect(bubble('Sent twice')).toContainText(FAILED);
    await bubble('Sent twice').getByRole('button', { name: 'Retry' }).click();
    await expect(bubble('Sent twice')).toContainText(/You · \d/);
    await page.unroute(replies);
    await page.reload();
    await waitForHydration(page);
    await expect(bubble('Sent twice')).toHaveCount(1);
    expect(await stored()).toEqual(['Written in the cellar', 'Sent twice']);

    await box.fill('Half a th');
    await page.reload();
    await expect(box).toHaveValue('Half a th');
  });

  test('tabs of one browser share one stream, and another tab takes it over without gaps or repeats', async ({
    context,
    page,
    scenario,
    signInAs,
  }) => {
    const id = await createConversation(
      scenario,
      await scenario.createListing({ address: '16 Shared Lane' }),
      READER,
      ['Hello'],
    );
    const streams: string[] = [];
    context.on('request', (request) => {
      if (request.url().includes('/api/events')) streams.push(new URL(request.url()).search);
    });
    await signInAs(READER);
    const first = page;
    const connected = context.waitForEvent('request', (request) => request.url().includes('/api/events'));
    await open(first, INBOX);
    await connected;
    const second = await context.newPage();
    await open(second, `${INBOX}&inquiry=${id}`);
    const seller = await signedInContext(
      context.browser() as NonNullable<ReturnType<typeof context.browser>>,
      {
        origin: scenario.url,
        email: SELLER,
        role: 'agent',
      },
    );
    const reply = async (message: string) => {
      const form = { intent: 'reply', message, key: message };
      const headers = { origin: scenario.url };
      const answer = await seller.request.post(`/inquiries/${id}`, { form, headers });
      expect(await answer.json()).toMatchObject({ ok: true });
    };
    await reply('One');
    await expect(inboxPage(second).bubble('One')).toBeVisible();
    await expect(inboxPage(first).row('16 Shared Lane')).toContainText('One');
    expect(streams).toEqual(['']);
    await first.close();
    await reply('Two');
    await expect(inboxPage(second).bubble('Two')).toHaveCount(1);
    await reply('Three');
    await expect(inboxPage(second).bubble('Three')).toHaveCount(1);
    expect(streams).toEqual(['', expect.stringMatching(/^\?after=\d+/)]);
    await seller.close();
  });

  test('older messages load in place; links, reports, blocks and deleted properties work', async ({
    page,
    scenario,
    signInAs,
  }) => {
    const propertyId = await scenario.createListing({ address: '17 Lengthy Lane' });
    const texts = Array.from({ length: 130 }, (_, at) => `${at % 2 ? '*' : ''}Word ${at + 1}.`);
    const id = await createConversation(scenario, propertyId, BUYER, [
      'The first word.',
      ...texts,
      '*See https://county.test/plat?lot=7. <b>Bold</b>',
    ]);
    await signInAs(BUYER);
    await open(page, `${INBOX}&inquiry=${id}`);
    const { messages, bubble, box } = inboxPage(page);
    const last = bubble('county.test');
    await expect(last).toBeInViewport();
    await expect(last).toContainText('<b>Bold</b>');
    await expect(last.getByRole('link')).toHaveAttribute('href', 'https://county.test/plat?lot=7');
    const older = messages.getByRole('link', { name: 'Show older messages' });
    for (const shown of [101, 132]) {
      await older.scrollIntoViewIfNeeded();
      const mark = messages.locator('.msg').first();
      const text = (await mark.locator('.bub').textContent()) ?? '';
      const before = await bubble(text).first().boundingBox();
      await older.press('Enter');
      await expect(messages.locator('.msg')).toHaveCount(shown === 101 ? 100 : shown);
      const after = await messages.locator('.msg', { hasText: text }).first().boundingBox();
      expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(60);
    }
    await expect(older).toHaveCount(0);
    await expect(bubble('The first word.')).toHaveCount(1);

    const more = page.getByRole('button', { name: 'More about this conversation' });
    await more.click();
    // A live update may close the menu; then it is opened again.
    await expect(async () => {
      const report = page.getByRole('menuitem', { name: 'Report conversation' });
      if (!(await report.isVisible())) await more.click();
      await report.click({ timeout: 2_000 });
    }).toPass();
    const report = page.getByRole('dialog', { name: 'Report conversation' });
    await report.getByLabel('What is wrong?').fill('Asks for money outside.');
    await report.getByRole('button', { name: 'Report conversation' }).click();
    await expect(toastOf(page, 'Conversation reported')).toBeVisible();
    await expect(report).toBeHidden();
    await more.click();
    await expect(page.getByRole('menuitem', { name: 'Conversation reported' })).toBeDisabled();
    await page.getByRole('menuitem', { name: /^Block / }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Block / })
      .click();
    await expect(toastOf(page, 'Blocked')).toBeVisible();
    await expect(box).toHaveCount(0);
    await page.getByRole('button', { name: /^Unblock / }).click();
    await expect(box).toBeVisible();

    await scenario.db
      .q()
      .updateTable('properties')
      .set({ deleted_at: new Date() })
      .where('id', '=', propertyId)
      .execute();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Property no longer available' })).toBeVisible();
    await expect(bubble('county.test')).toBeVisible();
    await expect(box).toHaveCount(0);
  });
});

test('a late response does not bring an older state of a conversation back', async ({
  page,
  scenario,
  signInAs,
}) => {
  const propertyId = await scenario.createListing({ address: '19 Tardy Lane' });
  const id = await createConversation(scenario, propertyId, BUYER, ['Hello']);
  await signInAs(BUYER);
  await open(page, `${INBOX}&inquiry=${id}`);
  const { box, bubble } = inboxPage(page);
  const post = async (intent: string, fields = {}) => {
    const headers = { origin: scenario.url, accept: 'application/json' };
    const answer = await page.request.post(`/inquiries/${id}`, { form: { intent, ...fields }, headers });
    expect(await answer.json()).toMatchObject({ ok: true });
  };
  // Responses that say 'blocked' are held back until the block has been removed and shown as removed.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const late: Request[] = [];
  await page.route(`**/inquiries/${id}`, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    if ((await response.json()).blockedByMe) {
      late.push(route.request());
      await held;
    }
    await route.fulfill({ response });
  });
  await post('block');
  await expect(box).toHaveCount(0);
  await expect.poll(() => late.length).toBeGreaterThan(0);
  await post('unblock');
  await expect(box).toBeVisible();
  await page.evaluate(() =>
    new MutationObserver(() => {
      if (document.querySelector('.reply-off')) document.body.dataset.blockedAgain = 'yes';
    }).observe(document.body, { childList: true, subtree: true }),
  );
  release();
  for (const request of late) await (await request.response())?.finished();
  // Shown after the late responses were.
  await post('reply', { message: 'One more thing', key: 'one more thing' });
  await expect(bubble('One more thing')).toBeVisible();
  await expect(page.locator('body')).not.toHaveAttribute('data-blocked-again');
});

test.describe('a conversation without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('can be opened, read and answered', async ({ page, scenario, signInAs }) => {
    const propertyId = await scenario.createListing({ address: '18 Plain Lane' });
    const id = await createConversation(scenario, propertyId, STRANGER, ['Hello', '*Good day.']);
    await signInAs(STRANGER);
    await page.goto(INBOX);
    const { row, bell, bubble, box, send } = inboxPage(page);
    await expect(bell).toHaveAccessibleName(/1 unread messages/);
    await row('18 Plain Lane').click();
    await expect(bubble('Good day.')).toBeInViewport();
    await expect(bell).not.toHaveAccessibleName(/1 unread messages/);
    await box.fill('Is it free?');
    await send.click();
    await expect(page).toHaveURL(`${INBOX}&inquiry=${id}`);
    await expect(bubble('Is it free?')).toBeVisible();
    await page.getByRole('button', { name: 'More about this conversation' }).click();
    await page.getByRole('menuitem', { name: 'Report conversation' }).click();
    await page.getByLabel('What is wrong?').fill('Rude.');
    await page.getByRole('button', { name: 'Report conversation' }).click();
    await expect(page.locator('.toast-still')).toContainText('Conversation reported');
  });
});
