import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { DAY } from '#platform/durations.ts';
import { publish } from '#platform/events/events.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createPayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';

const PAYOUTS = '/admin/transactions?tab=payouts';

// What is pending elsewhere would be in the lists.
test.use({ ownServer: 'payout runs' });
test.slow();

test.beforeEach(async ({ scenario, signInAs }) => {
  await scenario.db.pool.query(`
    update property_sales set frozen_at = now() where payout_status = 'pending';
    update payout_runs set status = 'expired', finished_at = now() where finished_at is null;
    update payout_runs set finished_at = now() - interval '2 days' where finished_at is not null;
    delete from platform_settings where setting_name = 'payout_approval_cents'`);
  await signInAs('admin@acre.test', 'admin');
});

/** Sales of a new seller at $10,000.00 whose risk hold is over; the seller is owed $8,000.00 for each. */
async function payableSales({ db }: Scenario, count: number): Promise<{ agentId: string }> {
  // The server's jobs are at it, too, so that its time is the only one.
  const clock = testClock(new Date().toISOString());
  const payouts = await createPayoutScenario(db, { clock });
  await payouts.setUpStripe();
  const { saleScenario } = payouts;
  for (let n = 1; n <= count; n += 1) {
    const listing = await saleScenario.createListing({ price_cents: 10_000_00, address: `${n} Payout Road` });
    const saleId = await saleScenario.createPaidSale(listing);
    await saleScenario.act(saleScenario.buyer, saleId, 'confirm_closing');
  }
  const agentId = saleScenario.seller.agentId ?? '';
  await db
    .q()
    .updateTable('property_sales')
    .set({ released_at: new Date(Date.now() - 10 * DAY) })
    .where('agent_id', '=', agentId)
    .execute();
  return { agentId };
}

/** A page of another administrator. */
async function colleaguePage(browser: Browser, { db, url }: Scenario): Promise<{ name: string; page: Page }> {
  const { id, name } = await createUser(db, 'admin');
  const secret = 'only for this market: '.padEnd(48, 'x');
  const [cookie = '', value = ''] = (await startSession(db, { publicUrl: url, secret }, id)).split(/=(.*)/);
  await db.q().updateTable('sessions').set({ proved_at: new Date() }).where('user_id', '=', id).execute();
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' });
  await context.addCookies([{ name: cookie, value, url }]);
  return { name, page: await context.newPage() };
}

const reviewButton = (page: Page) => page.getByRole('button', { name: 'Process Selected Payouts' });
/** Those of the sales made here: the demo market has others. */
const rowsByHand = (page: Page) =>
  page.getByRole('table', { name: 'Payouts by hand' }).getByRole('row', { name: /Payout Road/ });
const confirmDialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm Payouts' });

test('twenty payouts are processed by keyboard alone', async ({ page, scenario }) => {
  await payableSales(scenario, 20);
  await open(page, PAYOUTS);
  await page.getByLabel('Select all').focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('status').filter({ hasText: '20 selected' })).toBeVisible();
  await reviewButton(page).focus();
  await page.keyboard.press('Enter');
  const dialog = confirmDialog(page);
  await dialog.getByLabel('Type the total to confirm').focus();
  await page.keyboard.type('$160,000.00');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('20 Payouts Processed').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('No pending payouts found')).toBeVisible();
});

test('a form that is sent before the answer to the last one was read to its end leaves no complaint', async ({
  page,
  scenario,
}) => {
  await payableSales(scenario, 2);
  await open(page, PAYOUTS);
  await page.getByLabel('Select all').check();
  // The first answer never ends, and the page that is read after it never comes.
  await page.evaluate(() => {
    const send = window.fetch;
    let [answered, read] = [false, false];
    window.fetch = async (to, init) => {
      const isData = new URL(String(to), location.href).pathname.endsWith('.data');
      if (isData && init?.method === 'POST' && !answered) {
        answered = true;
        const answer = await send(to, init);
        const { status, headers } = answer;
        const body = await answer.arrayBuffer();
        return new Response(
          new ReadableStream({
            start(stream) {
              stream.enqueue(new Uint8Array(body));
              init.signal?.addEventListener('abort', () => stream.error(init.signal?.reason));
            },
          }),
          { status, headers },
        );
      }
      if (isData && answered && !read) {
        read = true;
        return new Promise((_, fail) =>
          init?.signal?.addEventListener('abort', () => fail(init.signal?.reason)),
        );
      }
      return send(to, init);
    };
  });
  await reviewButton(page).click();
  await confirmDialog(page).getByRole('button', { name: 'Process Selected Payouts' }).click();
  await expect(page.getByText('2 Payouts Processed').first()).toBeVisible({ timeout: 60_000 });
});

test('all that match are selected, not only those of the page', async ({ page, scenario, expectConsole }) => {
  expectConsole(503);
  await payableSales(scenario, 27);
  await open(page, PAYOUTS);
  const boxes = page.getByRole('table', { name: 'Pending Payouts' }).getByRole('checkbox');
  await expect(boxes).toHaveCount(26);
  await page.getByLabel('Select all').check();
  const selected = (count: number) => page.getByRole('status').filter({ hasText: `${count} selected` });
  await expect(selected(25)).toBeVisible();
  await page.getByRole('button', { name: 'Select all 27' }).click();
  await expect(selected(27)).toBeVisible();
  await expect(page.locator('.bulk .money')).toHaveText('$216,000.00');
  await expectAccessible(page, 'admin-payouts-all-selected');
  // Leaving one out selects what is on the page.
  await boxes.nth(1).uncheck();
  await expect(selected(24)).toBeVisible();
  await boxes.nth(1).check();
  await page.route('**/api/pending-sum*', (route) => route.fulfill({ status: 503 }));
  const refused = page.waitForResponse('**/api/pending-sum*');
  await page.getByRole('button', { name: 'Select all 27' }).click();
  await refused;
  await expect(selected(27)).toBeVisible();
  await expect(page.locator('.bulk .money')).toBeHidden();
  await reviewButton(page).click();
  const dialog = confirmDialog(page);
  await expect(dialog).toContainText('27 commission payouts will be sent');
  await dialog.getByLabel('Type the total to confirm').fill('216,000.00');
  await dialog.getByRole('button', { name: 'Process Selected Payouts' }).click();
  await expect(page.getByText('27 Payouts Processed').first()).toBeVisible({ timeout: 60_000 });
});

test('those that wait in a run are left out when all are selected', async ({ page, scenario }) => {
  await payableSales(scenario, 27);
  await scenario.db.pool.query(`
    with run as (insert into payout_runs (idempotency_key, origin, status, payout_count, total_cents, requested_at,
        approval_limit_cents, expires_at)
      values ('waits', 'administrator', 'awaiting_approval', 1, 800000, now(), 0, now() + interval '1 day') returning id)
    insert into payout_run_items (run_id, sale_id, position, agent_id, method, amount_cents, status)
      select run.id, s.id, 1, s.agent_id, 'stripe', 800000, 'waiting' from run, property_sales s
      where s.payout_status = 'pending' and s.frozen_at is null order by s.created_at desc limit 1`);
  await open(page, PAYOUTS);
  await page.getByLabel('Select all').check();
  const selected = (count: number) => page.getByRole('status').filter({ hasText: `${count} selected` });
  await expect(selected(24)).toBeVisible();
  await page.getByRole('button', { name: 'Select all 26' }).click();
  await expect(selected(26)).toBeVisible();
  await expect(page.locator('.bulk .money')).toHaveText('$208,000.00');
  await reviewButton(page).click();
  const dialog = confirmDialog(page);
  await expect(dialog).toContainText('26 commission payouts will be sent');
  await expect(dialog.getByText('left out')).toBeHidden();
});

test('a selection holds across pages, without what is no longer pending', async ({ page, scenario }) => {
  await payableSales(scenario, 27);
  await open(page, PAYOUTS);
  const table = page.getByRole('table', { name: 'Pending Payouts' });
  const boxes = table.getByRole('checkbox');
  const selected = (count: number) => page.getByRole('status').filter({ hasText: `${count} selected` });
  const sum = page.locator('.bulk .money');
  const pages = page.getByRole('navigation', { name: 'Pages of pending payouts' });
  await boxes.nth(1).check();
  await boxes.nth(2).check();
  const paid = await boxes.nth(1).getAttribute('value');
  await pages.getByRole('link', { name: 'Page 2', exact: true }).click();
  await expect(boxes).toHaveCount(3);
  await expect(selected(2)).toBeVisible();
  await boxes.nth(2).check();
  await expect(selected(3)).toBeVisible();
  await expect(sum).toHaveText('$24,000.00');
  await reviewButton(page).click();
  const dialog = confirmDialog(page);
  await expect(dialog).toContainText('3 commission payouts will be sent');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // One of the first page is frozen meanwhile.
  await scenario.db.pool.query('update property_sales set frozen_at = now() where id = $1', [paid]);
  await publish(testContext(scenario.db), {
    audience: 'role:admin',
    type: 'payouts.changed',
    payload: { run: randomUUID() },
  });
  await expect(selected(2)).toBeVisible();
  await expect(sum).toHaveText('$16,000.00');
  await pages.getByRole('link', { name: 'Page 1', exact: true }).click();
  await expect(table.getByRole('checkbox', { checked: true })).toHaveCount(1);
  await expect(selected(2)).toBeVisible();
  await reviewButton(page).click();
  await expect(dialog).toContainText('2 commission payouts will be sent');
  await dialog.getByRole('button', { name: 'Process Selected Payouts' }).click();
  await expect(page.getByText('2 Payouts Processed').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('.bulk')).toHaveCount(0);
});

test('what would be paid is no longer shown once the page is left', async ({ page, scenario }) => {
  await payableSales(scenario, 27);
  await open(page, PAYOUTS);
  const pages = page.getByRole('navigation', { name: 'Pages of pending payouts' });
  await pages.getByRole('link', { name: 'Page 2', exact: true }).click();
  await expect(page).toHaveURL(/payouts-page=2/);
  // The address changes before the page does: two of the 27 and the box of all.
  await expect(page.getByRole('table', { name: 'Pending Payouts' }).getByRole('checkbox')).toHaveCount(3);
  await page.getByLabel('Select all').check();
  await reviewButton(page).click();
  await expect(confirmDialog(page)).toBeVisible();
  await page.goBack();
  await expect(page).not.toHaveURL(/payouts-page=2/);
  await expect(confirmDialog(page)).toBeHidden();
});

test('above the threshold a second administrator declines or approves', async ({
  page,
  scenario,
  browser,
  expectConsole,
}) => {
  expectConsole(422);
  await payableSales(scenario, 1);
  await scenario.db.pool.query(
    `insert into platform_settings (setting_name, setting_value) values ('payout_approval_cents', '0')`,
  );
  const colleague = await colleaguePage(browser, scenario);
  const ask = async () => {
    await open(page, PAYOUTS);
    await page.getByLabel('Select all').check();
    await reviewButton(page).click();
    const dialog = confirmDialog(page);
    await expect(dialog.getByText('A second administrator must approve')).toBeVisible();
    // Other payouts change meanwhile, and the page follows them behind the dialog.
    const followed = page.waitForResponse(/transactions\.data/);
    await publish(testContext(scenario.db), {
      audience: 'role:admin',
      type: 'payouts.changed',
      payload: { run: randomUUID() },
    });
    await followed;
    const confirm = dialog.getByRole('button', { name: 'Process Selected Payouts' });
    await confirm.click();
    await expect(
      dialog.getByText('Please choose another administrator to approve these payouts.'),
    ).toBeVisible();
    await expectAccessible(page, 'admin-payouts-second-administrator');
    await dialog.getByLabel('Second administrator').selectOption({ label: colleague.name });
    await confirm.click();
    await expect(toastOf(page, 'Waiting for approval')).toBeVisible();
    await expect(page.getByText('1 payout of $8,000.00 in total wait for approval')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Approve', exact: true })).toHaveCount(0);
  };
  await ask();
  await expectAccessible(page, 'admin-payouts-waiting');
  await open(colleague.page, PAYOUTS);
  await colleague.page.getByRole('link', { name: 'Decline', exact: true }).click();
  const declining = colleague.page.getByRole('dialog', { name: 'Decline payouts' });
  await declining.getByRole('button', { name: 'Decline payouts' }).click();
  await expect(declining.getByText('Please say why.')).toBeVisible();
  await expectAccessible(colleague.page, 'admin-payouts-decline');
  await declining.getByLabel('Reason').fill('Not today.');
  await declining.getByRole('button', { name: 'Decline payouts' }).click();
  await expect(toastOf(colleague.page, 'Payouts declined')).toBeVisible();
  await expect(page.getByText(`${colleague.name}: Not today.`)).toBeVisible();

  await ask();
  await open(colleague.page, PAYOUTS);
  await colleague.page.getByRole('link', { name: 'Approve', exact: true }).click();
  const approving = colleague.page.getByRole('dialog', { name: 'Approve payouts' });
  await expect(approving).toContainText('$8,000.00');
  await expectAccessible(colleague.page, 'admin-payouts-approve');
  await approving.getByRole('button', { name: 'Approve payouts' }).click();
  // Its toast gives way to the one about the result.
  await expect(approving).toBeHidden();
  await expect(page.getByText('1 Payouts Processed').first()).toBeVisible({ timeout: 60_000 });
  await colleague.page.context().close();
});

test('what is paid by hand is recorded by one administrator and confirmed by another, or was not made', async ({
  page,
  scenario,
  browser,
  expectConsole,
}) => {
  expectConsole(422);
  const { agentId } = await payableSales(scenario, 2);
  // Whoever has left is paid by hand.
  await scenario.db
    .q()
    .updateTable('agents')
    .set({ archived_at: new Date() })
    .where('id', '=', agentId)
    .execute();
  const colleague = await colleaguePage(browser, scenario);
  await open(page, PAYOUTS);
  await page.getByLabel('Select all').check();
  await reviewButton(page).click();
  const dialog = confirmDialog(page);
  await expect(dialog.getByText('Record only')).toBeVisible();
  await expect(dialog).toContainText('2 payouts are made by hand');
  await expectAccessible(page, 'admin-payouts-record-only');
  await dialog.getByRole('button', { name: 'Process Selected Payouts' }).click();
  const byHand = rowsByHand(page);
  await expect(byHand).toHaveCount(2, { timeout: 60_000 });
  await expectAccessible(page, 'admin-payouts-by-hand');

  await byHand
    .getByRole('link', { name: /^Enter reference/ })
    .first()
    .click();
  const recording = page.getByRole('dialog', { name: 'Enter the bank reference' });
  const save = recording.getByRole('button', { name: 'Save reference' });
  await save.click();
  await expect(recording.getByLabel('Bank reference')).toHaveAttribute('aria-invalid', 'true');
  await recording.getByLabel('Bank reference').fill('WIRE-0042');
  await save.click();
  await expect(toastOf(page, 'Bank reference saved')).toBeVisible();
  await expect(byHand.getByRole('link', { name: /^Confirm/ })).toHaveCount(0);

  await open(colleague.page, PAYOUTS);
  const theirs = rowsByHand(colleague.page);
  await expect(theirs.getByText('WIRE-0042')).toBeVisible();
  await theirs.getByRole('link', { name: /^Confirm/ }).click();
  const confirming = colleague.page.getByRole('alertdialog').or(colleague.page.getByRole('dialog'));
  await expect(confirming).toContainText('with the reference WIRE-0042');
  await expectAccessible(colleague.page, 'admin-payouts-confirm-by-hand');
  await confirming.getByRole('button', { name: 'Confirm payout' }).click();
  await expect(toastOf(colleague.page, 'Payout confirmed')).toBeVisible();
  // What is confirmed may still come back.
  await expect(theirs.getByRole('link', { name: /^Came back/ })).toHaveCount(1);
  await expect(theirs.getByRole('link', { name: /^Not made/ })).toHaveCount(1);

  await theirs.getByRole('link', { name: /^Not made/ }).click();
  const failing = colleague.page.getByRole('dialog', { name: 'Payout not made' });
  await failing.getByLabel('Reason').fill('The bank account was closed.');
  await failing.getByRole('button', { name: 'Payout not made' }).click();
  await expect(toastOf(colleague.page, 'Payout not made')).toBeVisible();
  await expect(colleague.page.getByRole('table', { name: 'Failed payouts' })).toContainText(
    'The bank account was closed.',
  );
  await theirs.getByRole('link', { name: /^Came back/ }).click();
  const returning = colleague.page.getByRole('dialog', { name: 'Payout came back' });
  await returning.getByLabel('Reason').fill('The bank returned it.');
  await returning.getByRole('button', { name: 'Payout came back' }).click();
  await expect(toastOf(colleague.page, 'Payout came back')).toBeVisible();
  await expect(theirs).toHaveCount(0);
  await colleague.page.context().close();
});
