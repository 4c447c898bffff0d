import { readFile } from 'node:fs/promises';
import { reportInquiry } from '#features/inquiries/commands/report-inquiry.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

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

  test('reports arrive while the page is open; one is closed, one warned about, one suspended for by keyboard', async ({
    page,
    scenario,
  }) => {
    // What happens between the reading of the page and the begin of the stream is shown, too.
    const { promise: missed, resolve: begin } = Promise.withResolvers<void>();
    await page.route('**/api/events**', async (route) => {
      await missed;
      await route.continue();
    });
    await open(page, '/admin/inquiries?tab=reported');
    const badge = page.getByRole('link', { name: /^Inquiries/ }).getByText(/^\d+ reported$/);
    const before = Number.parseInt((await badge.textContent()) ?? '', 10);
    /** Reports a new conversation: its row in the queue, and the name of its seller. */
    const reported = async () => {
      const { id, buyer, seller } = await conversation(scenario);
      const reason = `Insults ${id}`;
      const ctx = testContext(scenario.db, { actor: buyer, now: () => new Date() });
      await reportInquiry(ctx, { inquiryId: id, reason });
      return { row: page.getByRole('row').filter({ hasText: reason }), name: seller.name };
    };
    const [harmless, rude] = [await reported(), await reported()];
    begin();
    for (const { row, name } of [harmless, rude]) await expect(row).toContainText(name);
    const insulting = await reported();
    await expect(badge).toHaveText(`${before + 3} reported`);
    await expect(insulting.row).toContainText(insulting.name);
    await expectAccessible(page, 'admin-reports');

    await harmless.row.getByRole('link', { name: `Close: ${harmless.name}` }).click();
    const closing = page.getByRole('dialog', { name: 'Close this report?' });
    await closing.getByRole('button', { name: 'Close report' }).click();
    await expect(toastOf(page, 'Report closed')).toBeVisible();

    await rude.row.getByRole('link', { name: `Warn: ${rude.name}` }).click();
    const warning = page.getByRole('dialog', { name: `Warn ${rude.name}?` });
    await warning.getByRole('button', { name: 'Send warning' }).click();
    await expect(warning.getByText('Please say why.')).toBeVisible();
    await expect(warning.getByLabel('Message')).toBeFocused();
    await warning.getByLabel('Message').fill('Please stay polite.');
    await warning.getByRole('button', { name: 'Send warning' }).click();
    await expect(toastOf(page, `${rude.name} was warned`)).toBeVisible();

    await insulting.row.getByRole('link', { name: `Suspend: ${insulting.name}` }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Suspend ${insulting.name}?` });
    await expect(dialog).toContainText('All listings are hidden from buyers and payouts are on hold');
    await expectAccessible(page, 'admin-report-suspend');
    await dialog.getByLabel('Message').focus();
    await page.keyboard.type('Insults are not accepted here.');
    await dialog.getByRole('button', { name: 'Suspend seller' }).focus();
    await page.keyboard.press('Enter');
    await expect(toastOf(page, `${insulting.name} is suspended`)).toBeVisible();
    await expect(badge).toHaveText(`${before} reported`);

    await page.getByRole('tab', { name: 'Decided' }).click();
    await expect(harmless.row).toContainText('Closed');
    await expect(rude.row).toContainText('Warned');
    await expect(insulting.row).toContainText('Suspended');
    await insulting.row.getByRole('link', { name: /^View Messages/ }).click();
    const history = page.getByRole('dialog', { name: 'Message History' });
    await expect(history).toContainText('Is the well deep enough?');
    await expect(history).toContainText('No messages found');
    await expectAccessible(page, 'admin-message-history');
  });

  test('the details of a buyer lead to each sale, and to the lists of all sales and inquiries', async ({
    page,
    scenario,
  }) => {
    const { db } = scenario;
    const [buyer, seller] = [await createUser(db, 'buyer'), await createUser(db, 'agent')];
    for (let number = 1; number <= 11; number += 1) {
      const property_id = await createListing(db, seller.agentId, { address: `${number} Patron Place` });
      const [created_at, last_message_at] = [new Date(2026, 0, number), new Date(2026, 0, number)];
      await db
        .q()
        .insertInto('property_inquiries')
        .values({ property_id, user_id: buyer.id, message: 'Is it quiet?', created_at, last_message_at })
        .execute();
      await db
        .q()
        .insertInto('property_sales')
        .values({
          property_id,
          buyer_id: buyer.id,
          agent_id: seller.agentId ?? '',
          sale_price_cents: 1000_00,
          admin_percentage: 20,
          agent_commission_cents: 800_00,
          payment_method: 'card',
          provider: 'sandbox-card',
          idempotency_key: `patron ${number}`,
          created_at,
        })
        .execute();
    }
    const details = `/admin/buyers?details=${buyer.id}`;
    await open(page, details);
    const drawer = page.getByRole('dialog', { name: buyer.name, exact: true });
    await expect(drawer.getByText('The newest 10 of 11')).toHaveCount(2);
    await expectAccessible(page, 'admin-buyer-sales');
    await drawer.getByRole('link', { name: '11 Patron Place' }).first().click();
    await expect(page).toHaveURL(/\/admin\/transactions\?sale=/);
    await expect(page.getByRole('dialog', { name: '11 Patron Place' })).toBeVisible();

    await open(page, details);
    await drawer.getByRole('link', { name: 'All purchases' }).click();
    await expect(page.getByText(`11 transactions by ${buyer.name}`)).toBeVisible();
    // The filter stays beside another one.
    await page.getByRole('combobox', { name: 'Mode' }).selectOption('Live');
    await expect(page).toHaveURL(/mode=live/);
    await expect(page).toHaveURL(new RegExp(`buyer=${buyer.id}`));
    await page.getByRole('link', { name: 'Clear' }).click();
    await expect(page).not.toHaveURL(/buyer=/);

    await open(page, details);
    await drawer.getByRole('link', { name: 'All inquiries' }).click();
    await expect(page.getByText('11 inquiries', { exact: true })).toBeVisible();
  });

  test('a buyer is found and suspended, their data exported and their account erased', async ({
    page,
    scenario,
  }) => {
    const { buyer } = await conversation(scenario);
    await open(page, '/admin/buyers');
    const search = async (q: string) => {
      const field = page.getByRole('searchbox', { name: 'Search by name, email or ID' });
      await field.fill(q);
      await field.press('Enter');
    };
    await search(buyer.email.toUpperCase());
    await expect(page.getByRole('table', { name: 'Buyers' }).locator('tbody tr')).toHaveCount(1);
    await page.getByRole('link', { name: buyer.name, exact: true }).click();
    const drawer = page.getByRole('dialog', { name: buyer.name, exact: true });
    await expect(drawer.getByRole('link', { name: '17 Quarrel Court' })).toBeVisible();
    await drawer.getByRole('link', { name: 'Suspend buyer' }).click();
    const suspending = page.getByRole('dialog', { name: `Suspend ${buyer.name}?` });
    await suspending.getByLabel('Reason').fill('Sends advertising.');
    await suspending.getByRole('button', { name: 'Suspend buyer' }).click();
    await expect(toastOf(page, `${buyer.name} is suspended`)).toBeVisible();
    await expect(drawer.getByText('Sends advertising.').first()).toBeVisible();
    await expect(drawer.getByRole('link', { name: 'Reinstate buyer' })).toBeVisible();

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
    await search(buyer.email);
    await expect(page.getByText('No buyers match your search.')).toBeVisible();
  });
});
