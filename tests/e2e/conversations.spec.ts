import type { Page } from '@playwright/test';
import { browserOf, inboxOf, talkAbout } from '#tests/support/conversations.ts';
import { openAccount, PASSWORD } from '#tests/support/newcomer.ts';
import { expect, open, sessionOf, test, toastOf } from '#tests/support/own-market.ts';
import { expectSound } from '#tests/support/sound.ts';

const SELLER = 'seller@acre.test';
const [BUYER, STRANGER, WRITER, READER] = [
  'leopold.marsh@example.test',
  'imani.barlow@example.test',
  'edith.carmody@example.test',
  'tomasz.wilk@example.test',
] as const;
const INBOX = '/buyer/transactions?tab=inquiries';
const FAILED = 'Failed to send message. Please try again.';

/** Remembers in a page when a text came into sight, in milliseconds of the machine's clock. */
const watchFor = (page: Page, text: string) =>
  page.evaluate((awaited) => {
    const seen = () => document.querySelector('.msgs')?.textContent?.includes(awaited);
    new MutationObserver((_, observer) => {
      if (!seen()) return;
      observer.disconnect();
      document.body.dataset.seenAt = String(Date.now());
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, text);

/** The bell's number, as its name tells it. */
const unreadOf = async (page: Page): Promise<number> =>
  Number.parseInt((await inboxOf(page).bell.getAttribute('aria-label')) ?? '', 10);

// One market for all of them.
test.describe.configure({ mode: 'default' });

test.describe('a conversation', { tag: '@desktop' }, () => {
  test('goes to and fro live between two browsers, and a third sees nothing', async ({ browser, market }) => {
    test.slow();
    const address = '14 Speaking Lane';
    const house = await market.house({ address });
    // With PostgreSQL the seller stands at another process than the buyer.
    const beside = await market.neighbour();
    const contexts = await Promise.all([
      browserOf(browser, { origin: market.url, email: BUYER }),
      browserOf(browser, { origin: beside, email: SELLER, door: 'agent' }),
      browserOf(browser, { origin: beside, email: STRANGER }),
    ]);
    const [buyer, seller, stranger] = await Promise.all(contexts.map((context) => context.newPage()));
    if (!buyer || !seller || !stranger) throw new Error('There are three browsers');
    await Promise.all([open(seller, '/agent/inquiries'), open(stranger, INBOX), open(buyer, INBOX)]);
    const strangersBell = await unreadOf(stranger);
    const [sellersBell, buyersBell] = [await unreadOf(seller), await unreadOf(buyer)];

    await open(buyer, `/property/${house}`);
    await buyer.getByRole('link', { name: 'Inquire About Property' }).click();
    await buyer.getByRole('dialog').getByLabel('Message').fill('Is the well deep?');
    await buyer.getByRole('button', { name: 'Send Inquiry' }).click();
    await expect(toastOf(buyer, 'Inquiry Sent')).toBeVisible();

    // It is there without a reload: in the list, on the bell, in the sidebar and on the tab.
    const there = inboxOf(seller);
    await expect(there.row(address)).toContainText('Is the well deep?');
    await expect(there.row(address)).toHaveClass(/inq-unread/);
    await expect(there.row(address)).toContainText('Pending');
    await expect(there.bell).toHaveAccessibleName(`${sellersBell + 1} unread messages`);
    await expect(seller.getByRole('navigation', { name: 'Seller' })).toContainText(
      `${sellersBell + 1} unread`,
    );
    await expect(seller.getByRole('tab', { name: 'Needs Response' })).toContainText(String(sellersBell + 1));
    await there.row(address).click();
    await expect(there.bubble('Is the well deep?')).toBeVisible();
    await expect(there.box).toHaveAttribute('placeholder', 'Type your reply...');
    await expect(there.send).toHaveAttribute('aria-disabled', 'true');
    await there.box.fill('Forty feet.');
    await there.box.press('Enter');
    await there.box.pressSequentially('Never dry.');
    await there.box.press('Control+Enter');
    await expect(there.box).toHaveValue('');
    await expect(there.bubble('Forty feet.\nNever dry.')).toBeVisible();
    await expect(there.row(address)).toContainText('Resolved');
    await expect(there.bell).toHaveAccessibleName(`${sellersBell} unread messages`);

    const here = inboxOf(buyer);
    await expect(here.bell).toHaveAccessibleName(`${buyersBell + 1} unread messages`);
    await here.bell.click();
    await expect(buyer).toHaveURL(INBOX);
    await expect(here.row(address)).toHaveClass(/inq-unread/);
    await expect(there.messages).not.toContainText('Seen');
    await here.row(address).click();
    await expect(here.bubble('Never dry.')).toBeVisible();
    await expect(here.box).toHaveAttribute('placeholder', 'Type your message to the agent...');
    await expect(here.bell).toHaveAccessibleName(`${buyersBell} unread messages`);
    await expect(here.row(address)).not.toHaveClass(/inq-unread/);
    await expect(there.messages).toContainText('Seen');

    // From the answer that it is stored to the other's screen; the machine has other work too, so the best counts.
    const waited: number[] = [];
    for (const [from, to, text] of [
      [here, seller, 'May we come on Sunday?'],
      [there, buyer, 'Sunday is fine.'],
      [here, seller, 'At ten?'],
      [there, buyer, 'Ten it is.'],
    ] as const) {
      await watchFor(to, text);
      const sender = from === here ? buyer : seller;
      const stored = sender.waitForResponse(
        (answer) =>
          answer.url().includes('/inquiries/') && (answer.request().postData() ?? '').includes('do=reply'),
      );
      await from.box.fill(text);
      await from.send.click();
      await stored;
      const at = Date.now();
      await expect(inboxOf(to).bubble(text)).toBeVisible();
      waited.push(Number(await to.evaluate(() => document.body.dataset.seenAt)) - at);
      await expect(from.messages).toContainText(/Seen$/);
    }
    expect(Math.min(...waited), `milliseconds: ${waited.join(', ')}`).toBeLessThan(100);
    await expect(here.bubble('At ten?')).toHaveCount(1);

    await expect(inboxOf(stranger).row(address)).toHaveCount(0);
    expect(await unreadOf(stranger)).toBe(strangersBell);
    const id = new URL(buyer.url()).searchParams.get('inquiry') ?? '';
    expect((await contexts[2]?.request.get(`${beside}/inquiries/${id}`))?.status()).toBe(404);
    for (const context of contexts) await context.close();
  });

  test('what did not get through is kept, tried again and arrives once', async ({
    page,
    market,
    enter,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to fetch/);
    const id = await talkAbout(market, await market.house({ address: '15 Failing Lane' }), WRITER, ['Hello']);
    const stored = async () =>
      (
        await market.db
          .q()
          .selectFrom('inquiry_messages')
          .select('message')
          .where('inquiry_id', '=', id)
          .orderBy('created_at')
          .execute()
      ).map(({ message }) => message);
    await enter(WRITER);
    await open(page, `${INBOX}&inquiry=${id}`);
    const { box, send, bubble } = inboxOf(page);
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

    // Stored, but its answer is lost, and nothing else tells of it: the second try finds the first one's message.
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
    await expect(bubble('Sent twice')).toHaveCount(1);
    expect(await stored()).toEqual(['Written in the cellar', 'Sent twice']);

    await box.fill('Half a th');
    await page.reload();
    await expect(box).toHaveValue('Half a th');
  });

  test('tabs of one browser share one stream, which goes on in the next one without gap or repeat', async ({
    context,
    page,
    market,
    enter,
  }) => {
    const id = await talkAbout(market, await market.house({ address: '16 Shared Lane' }), READER, ['Hello']);
    const streams: string[] = [];
    context.on('request', (request) => {
      if (request.url().includes('/api/events')) streams.push(new URL(request.url()).search);
    });
    await enter(READER);
    const first = page;
    const connected = context.waitForEvent('request', (request) => request.url().includes('/api/events'));
    await open(first, INBOX);
    await connected;
    const second = await context.newPage();
    await open(second, `${INBOX}&inquiry=${id}`);
    const seller = await browserOf(context.browser() as NonNullable<ReturnType<typeof context.browser>>, {
      origin: market.url,
      email: SELLER,
      door: 'agent',
    });
    const say = async (message: string) => {
      const form = { do: 'reply', message, key: message };
      const headers = { origin: market.url };
      const answer = await seller.request.post(`/inquiries/${id}`, { form, headers });
      expect(await answer.json()).toMatchObject({ ok: true });
    };
    await say('One');
    await expect(inboxOf(second).bubble('One')).toBeVisible();
    await expect(inboxOf(first).row('16 Shared Lane')).toContainText('One');
    expect(streams).toEqual(['']);
    await first.close();
    await say('Two');
    await expect(inboxOf(second).bubble('Two')).toHaveCount(1);
    await say('Three');
    await expect(inboxOf(second).bubble('Three')).toHaveCount(1);
    expect(streams).toEqual(['', expect.stringMatching(/^\?after=\d+/)]);
    await seller.close();
  });

  test('long ones open older pages in place; properties that are gone, links, reports and blocks', async ({
    page,
    market,
    enter,
  }) => {
    const house = await market.house({ address: '17 Lengthy Lane' });
    const texts = Array.from({ length: 130 }, (_, at) => `${at % 2 ? '*' : ''}Word ${at + 1}.`);
    const id = await talkAbout(market, house, BUYER, [
      'The first word.',
      ...texts,
      '*See https://county.test/plat?lot=7. <b>Bold</b>',
    ]);
    await enter(BUYER);
    await open(page, `${INBOX}&inquiry=${id}`);
    const { messages, bubble, box } = inboxOf(page);
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
    // What comes live meanwhile moves the page under an open menu; then it is opened again.
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

    await market.db
      .q()
      .updateTable('properties')
      .set({ deleted_at: new Date() })
      .where('id', '=', house)
      .execute();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Property no longer available' })).toBeVisible();
    await expect(bubble('county.test')).toBeVisible();
    await expect(box).toHaveCount(0);
  });
});

test.describe('a conversation without scripts', { tag: '@desktop' }, () => {
  test.use({ javaScriptEnabled: false });

  test('is opened, read and answered', async ({ page, market, enter }) => {
    const house = await market.house({ address: '18 Plain Lane' });
    const id = await talkAbout(market, house, STRANGER, ['Hello', '*Good day.']);
    await enter(STRANGER);
    await page.goto(INBOX);
    const { row, bell, bubble, box, send } = inboxOf(page);
    await expect(bell).toHaveAccessibleName('1 unread messages');
    await row('18 Plain Lane').click();
    await expect(bubble('Good day.')).toBeInViewport();
    await expect(bell).toHaveAccessibleName('0 unread messages');
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

test.describe('the inbox, in both themes, wide and narrow', () => {
  test.slow();
  for (const [name, email, door] of [
    ['inbox-buyer', 'buyer@acre.test', 'buyer'],
    ['inbox-seller', SELLER, 'agent'],
  ] as const) {
    test(name, async ({ page, enter }, { project }) => {
      await enter(email, door);
      await open(page, door === 'buyer' ? INBOX : '/agent/inquiries');
      await expectSound(page, name);
      const rows = page.getByRole('navigation', { name: 'Inquiries' }).getByRole('link');
      await rows.first().click();
      await expect(page.getByRole('log')).toBeInViewport();
      await expectSound(page, `${name}-thread`);
      const back = page.getByRole('link', { name: 'All inquiries' });
      await expect(back).toBeVisible({ visible: project.name === 'mobile' });
      if (project.name !== 'mobile') return;
      await expect(rows.first()).toBeHidden();
      await back.click();
      await expect(rows.first()).toBeVisible();
    });
  }

  test('inbox-empty', { tag: '@desktop' }, async ({ page, context, market }) => {
    const origin = market.url;
    const email = await openAccount({ origin, dataDir: market.dataDir });
    await context.addCookies(await sessionOf(origin, email, 'buyer', PASSWORD));
    await open(page, INBOX);
    await expect(page.getByRole('tabpanel')).toContainText('No inquiries yet.');
    await expectSound(page, 'inbox-empty');
  });
});
