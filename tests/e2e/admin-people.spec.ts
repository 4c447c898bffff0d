import { readFile } from 'node:fs/promises';
import { reportInquiry } from '#features/inquiries/commands/report-inquiry.ts';
import { MINUTE } from '#platform/durations.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createAdmin } from '#tests/support/browser/admin-account.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser, giveAuthenticator } from '#tests/support/fixtures/users.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';

/** A seller and a buyer who talk about a new listing; the conversation's id. */
async function conversation({ db }: Scenario) {
  const [buyer, seller] = [await createUser(db, 'buyer'), await createUser(db, 'agent')];
  const property_id = await createListing(db, seller.agentId, { address: '17 Quarrel Court' });
  const { id } = await db
    .q()
    .insertInto('property_inquiries')
    .values({ property_id, user_id: buyer.id, message: 'Is the well deep enough?' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, buyer, seller };
}

test.describe('what administrators do about people', () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('a report arrives while the page is open; its seller is suspended by keyboard', async ({
    page,
    scenario,
  }) => {
    const { id, buyer, seller } = await conversation(scenario);
    await open(page, '/admin/inquiries?tab=reported');
    const badge = page.getByRole('link', { name: /^Inquiries/ });
    const before = Number(/\d+/.exec(await badge.innerText())?.[0] ?? 0);
    const reason = `Insults ${id}`;
    await reportInquiry(testContext(scenario.db, { actor: buyer, now: () => new Date() }), {
      inquiryId: id,
      reason,
    });
    await expect(badge).toContainText(`${before + 1}`);
    const row = page.getByRole('row').filter({ hasText: reason });
    await expect(row).toContainText(seller.name);
    await expectAccessible(page, 'admin-reports');
    await row.getByRole('link', { name: `Suspend: ${seller.name}` }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Suspend ${seller.name}?` });
    await expect(dialog).toContainText('All listings are hidden from buyers and payouts are on hold');
    await expectAccessible(page, 'admin-report-suspend');
    await dialog.getByLabel('Message').focus();
    await page.keyboard.type('Insults are not accepted here.');
    await dialog.getByRole('button', { name: 'Suspend seller' }).focus();
    await page.keyboard.press('Enter');
    await expect(toastOf(page, `${seller.name} is suspended`)).toBeVisible();
    await expect(row).toHaveCount(0);
    await expect(badge).not.toContainText(`${before + 1}`);
    await page.getByRole('tab', { name: 'Decided' }).click();
    await expect(row).toContainText('Suspended');
    await row.getByRole('link', { name: /^View Messages/ }).click();
    const history = page.getByRole('dialog', { name: 'Message History' });
    await expect(history).toContainText('Is the well deep enough?');
    await expect(history).toContainText('No messages found');
    await expectAccessible(page, 'admin-message-history');
  });

  test("a buyer's data is exported and their account erased", async ({ page, scenario }) => {
    const { buyer } = await conversation(scenario);
    await open(page, `/admin/buyers?q=${encodeURIComponent(buyer.email)}`);
    await page.getByRole('link', { name: buyer.name, exact: true }).click();
    const drawer = page.getByRole('dialog', { name: buyer.name, exact: true });
    await drawer.getByRole('link', { name: 'Export data' }).click();
    const asking = page.getByRole('dialog', { name: `Export the data of ${buyer.name}?` });
    await asking.getByRole('button', { name: 'Export data' }).click();
    await expect(asking.getByText('Please give a reason.')).toBeVisible();
    await expect(asking.getByLabel('Reason')).toBeFocused();
    await expectAccessible(page, 'admin-export-data');
    await asking.getByLabel('Reason').fill('Asked by letter.');
    await asking.getByRole('button', { name: 'Export data' }).click();
    await expect(drawer.getByText('The export is ready')).toBeVisible();
    await expectAccessible(page, 'admin-buyer');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      drawer.getByRole('link', { name: 'Download data' }).click(),
    ]);
    const file = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(file.account).toMatchObject({ email: buyer.email });

    await drawer.getByRole('link', { name: 'Erase account' }).click();
    const erasing = page.getByRole('dialog', { name: `Erase the account of ${buyer.name}?` });
    await erasing.getByLabel('Reason').fill('Asked by letter.');
    await erasing.getByLabel(/^Type /).fill('somebody@else.test');
    await erasing.getByRole('button', { name: 'Erase account permanently' }).click();
    await expect(erasing.getByText("This is not the buyer's email address.")).toBeVisible();
    await expectAccessible(page, 'admin-erase');
    await erasing.getByLabel(/^Type /).fill(buyer.email);
    await erasing.getByRole('button', { name: 'Erase account permanently' }).click();
    await expect(toastOf(page, 'Account erased')).toContainText(buyer.email);
    await open(page, `/admin/buyers?q=${encodeURIComponent(buyer.email)}`);
    await expect(page.getByText('No buyers match your search.')).toBeVisible();
  });

  test('the list of administrators says when it cannot be read', async ({ page, scenario, expectConsole }) => {
    expectConsole(503);
    await scenario.db.pool.query('alter table authenticators rename to authenticators_away');
    try {
      await open(page, '/admin/admins');
      await expect(
        page.getByText('Failed to load administrators. Please try again later.'),
      ).toBeVisible();
    } finally {
      await scenario.db.pool.query('alter table authenticators_away rename to authenticators');
    }
  });
});

test.describe('outside of the demo', () => {
  test.use({ environment: { DEMO: 'off' } });

  test('a fresh proof is asked for, and the form is then carried out', async ({ page, scenario, context }) => {
    test.slow();
    const { db, dataDir, url } = scenario;
    const { email, password } = await createAdmin(dataDir);
    const { id } = await db
      .q()
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await giveAuthenticator(db, id);
    const secret = 'only for this market: '.padEnd(48, 'x');
    const [name = '', value = ''] = (await startSession(db, { publicUrl: url, secret }, id)).split(/=(.*)/);
    await db
      .q()
      .updateTable('sessions')
      .set({ proved_at: new Date(Date.now() - 11 * MINUTE) })
      .where('user_id', '=', id)
      .execute();
    await context.addCookies([{ name, value, url }]);
    await open(page, '/admin/admins?do=add');
    const dialog = page.getByRole('dialog', { name: 'Add Administrator' });
    await dialog.getByLabel('Email').fill('second@example.test');
    await dialog.getByLabel('Password', { exact: true }).fill('seven77');
    await dialog.getByRole('button', { name: 'Add Admin' }).click();
    const proof = page.getByRole('dialog', { name: 'Please confirm that it is you' });
    await expect(proof).toContainText('Nothing that you entered is lost.');
    await expectAccessible(page, 'admin-fresh-proof');
    await proof.getByLabel('Password', { exact: true }).fill('not the right one');
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await expect(proof.getByText('The password is incorrect')).toBeVisible();
    await proof.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await expect(toastOf(page, 'Admin Added')).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'second@example.test' })).toBeVisible();
  });
});
