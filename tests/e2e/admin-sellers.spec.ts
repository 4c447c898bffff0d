import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { uniqueEmail } from '#tests/support/browser/accounts.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';

const ADMIN = 'admin@acre.test';
const cardOf = (page: Page, name: string) => page.getByRole('article', { name });

/** Presses Tab until the element has the focus. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let tabs = 0; tabs < 80; tabs++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(wanted).toBeFocused();
}

/** Does the work while the database lacks something, so that whatever needs it fails. */
async function without({ db }: Scenario, rename: string, back: string, work: () => Promise<void>) {
  await db.pool.query(rename);
  try {
    await work();
  } finally {
    await db.pool.query(back);
  }
}
const withoutTable = (scenario: Scenario, table: string, work: () => Promise<void>) =>
  without(
    scenario,
    `alter table ${table} rename to ${table}_away`,
    `alter table ${table}_away rename to ${table}`,
    work,
  );

test.describe("the administrators' page of sellers", { tag: '@desktop' }, () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs(ADMIN, 'admin'));

  test('by keyboard alone a seller is invited, and another suspended and reactivated', async ({ page }) => {
    const email = uniqueEmail();
    await open(page, '/admin/agents');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Sellers');
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveText('DashboardSellers');
    const add = async () => {
      await reach(page, page.getByRole('link', { name: 'Add Seller' }));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Add Seller' });
      for (const [label, text] of [
        ['Name', 'Ottilie Keyes'],
        ['Email', email],
        ['Phone (optional)', '425 555 0148'],
      ] as const) {
        await reach(page, dialog.getByLabel(label));
        await page.keyboard.type(text);
      }
      await reach(page, dialog.getByRole('button', { name: 'Add Seller' }));
      await page.keyboard.press('Enter');
      return dialog;
    };
    await add();
    await expect(toastOf(page, 'Seller Added')).toContainText('An invitation email has been sent.');
    const invited = cardOf(page, 'Ottilie Keyes');
    for (const text of ['Pending', 'Not Registered', 'Pending Payout Setup', '(425) 555-0148', 'Not set'])
      await expect(invited.getByText(text, { exact: true }).first()).toBeVisible();
    await expect(invited).toContainText(/Invitation: (queued|sent)/);
    const again = await add();
    await expect(toastOf(page, 'Duplicate Email')).toContainText(
      'A seller with this email address already exists',
    );
    await expect(again.getByLabel('Email')).toBeFocused();
    await page.keyboard.press('Escape');

    await open(page, '/admin/agents?q=Tanabe');
    const card = cardOf(page, 'Yuki Tanabe');
    for (const [link, title, toast, status] of [
      ['Suspend', 'Suspend Agent', 'Seller suspended successfully', 'Suspended'],
      ['Reactivate', 'Reactivate Agent', 'Seller reactivated successfully', 'Active'],
    ] as const) {
      await reach(page, card.getByRole('link', { name: `${link} Yuki Tanabe` }));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: title });
      await expect(dialog.getByRole('listitem').first()).toBeVisible();
      await reach(page, dialog.getByLabel('Reason'));
      await page.keyboard.type('Listings without photographs of their own.');
      await reach(page, dialog.getByRole('button', { name: title }));
      await page.keyboard.press('Enter');
      await expect(toastOf(page, toast)).toBeVisible();
      await expect(card.getByText(status, { exact: true })).toBeVisible();
    }
  });

  test('commission, phone, invitations, payment settings and history, in both views', async ({ page }) => {
    await open(page, '/admin/agents?q=Montoya');
    const card = cardOf(page, 'Gabriel Montoya');
    const rate = card.getByLabel('Commission rate');
    await rate.fill('101');
    await rate.blur();
    await expect(card.getByText('Commission rate must be between 0 and 100')).toBeVisible();
    await rate.fill('6');
    await expect(
      card.getByText('Seller receives $6,000.00, platform keeps $94,000.00 of a $100,000 sale'),
    ).toBeVisible();
    await expect(card.getByText('Below 50 percent the platform keeps more')).toBeVisible();
    await rate.fill('');
    await expect(card.getByText('Seller receives $80,000.00')).toBeVisible();
    await card.getByRole('button', { name: 'Save' }).click();
    await expect(toastOf(page, 'Commission Rate Updated')).toBeVisible();
    await expect(card.getByText('80% (default)')).toBeVisible();
    await card.getByRole('button', { name: /Send password reset/ }).click();
    await expect(toastOf(page, 'Password Reset Link Sent')).toBeVisible();
    await card.getByRole('link', { name: /Edit the phone/ }).click();
    const phone = page.getByRole('dialog', { name: 'Edit Phone' });
    await phone.getByLabel('Phone').fill('12');
    await phone.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Enter a phone number with its area code')).toBeVisible();
    await phone.getByLabel('Phone').fill('+1 575.555.0199');
    await phone.getByRole('button', { name: 'Save' }).click();
    await expect(toastOf(page, 'Seller phone number updated successfully')).toBeVisible();
    await expect(card.getByText('(575) 555-0199')).toBeVisible();
    await card.getByRole('tab', { name: 'Payment Settings' }).click();
    await expect(card.getByText('Stripe account')).toBeVisible();
    await card.getByRole('tab', { name: 'Commission History' }).click();
    await expect(card.getByRole('table', { name: 'Commission History' })).toBeVisible();
    await card.getByRole('link', { name: /^\d/ }).first().waitFor();

    await open(page, '/admin/agents?q=invited%40acre');
    await cardOf(page, 'Ines Calloway')
      .getByRole('button', { name: /Resend invitation/ })
      .click();
    await expect(toastOf(page, 'Invitation Resent')).toBeVisible();

    await page.getByRole('tab', { name: 'List View' }).click();
    const table = page.getByRole('table', { name: 'Sellers' });
    await expect(table).toBeVisible();
    await page.getByRole('link', { name: 'Clear' }).click();
    await expect(page).not.toHaveURL(/q=/);
    await expect(table.getByRole('link', { name: 'Edit commission of Gabriel Montoya' })).toBeVisible();
    for (const way of ['ascending', 'descending', 'none']) {
      await table.getByRole('button', { name: 'Commission Rate' }).click();
      await expect(table.getByRole('columnheader', { name: 'Commission Rate' })).toHaveAttribute(
        'aria-sort',
        way,
      );
    }
    await table.getByRole('link', { name: 'Edit commission of Gabriel Montoya' }).click();
    await page.getByRole('dialog', { name: 'Edit Commission' }).getByLabel('Commission rate').fill('78');
    await page.keyboard.press('Enter');
    await expect(toastOf(page, 'Seller commission rate updated successfully')).toBeVisible();
    await table.getByRole('link', { name: 'Gabriel Montoya', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'Gabriel Montoya' });
    await expect(drawer.getByText('Changed the commission rate').first()).toBeVisible();
    await page.keyboard.press('Escape');

    await table.getByRole('link', { name: 'Delete Theo Lindqvist' }).click();
    await expect(page.getByRole('alertdialog', { name: 'Delete Seller' })).toContainText(
      'in progress or not paid out yet',
    );
    await page.keyboard.press('Escape');
    await table.getByRole('link', { name: 'Delete Ines Calloway' }).click();
    await page
      .getByRole('alertdialog', { name: 'Delete Seller' })
      .getByRole('button', { name: 'Delete Seller' })
      .click();
    await expect(toastOf(page, 'Seller deleted successfully')).toBeVisible();
    await expect(table.getByText('Ines Calloway')).toHaveCount(0);
  });

  test('says so when there is nobody, or something fails', async ({ page, scenario, expectConsole }) => {
    expectConsole(500, 503);
    await without(
      scenario,
      "update agents set archived_at = '2001-01-01' where archived_at is null",
      "update agents set archived_at = null where archived_at = '2001-01-01'",
      async () => {
        await open(page, '/admin/agents');
        await expect(page.getByText('No Sellers Found')).toBeVisible();
        await expect(page.getByText('Click Add Seller')).toBeVisible();
      },
    );
    await withoutTable(scenario, 'commission_settings', async () => {
      for (const view of ['', '&view=list']) {
        await open(page, `/admin/agents?q=Okafor${view}`);
        await expect(page.getByText('Failed to load sellers. Please try again later.')).toBeVisible();
        await expect(page.getByText(/Error fetching sellers \(reference \w+\)/)).toBeVisible();
      }
    });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('cell', { name: 'Ruth Okafor', exact: true })).toBeVisible();
    await open(page, '/admin/agents?q=nothing+like+it');
    await expect(page.getByText('No sellers match your search.')).toBeVisible();

    await open(page, '/admin/agents?q=Okafor');
    const card = cardOf(page, 'Ruth Okafor');
    await without(
      scenario,
      'alter table property_sales rename column payout_date to payout_date_away',
      'alter table property_sales rename column payout_date_away to payout_date',
      async () => {
        await card.getByRole('tab', { name: 'Commission History' }).click();
        await expect(card.getByText('Error fetching transactions')).toBeVisible();
      },
    );
    await card.getByRole('tab', { name: 'Details' }).click();
    const dialogButton = (name: string) => page.locator('dialog[open]').getByRole('button', { name });
    await withoutTable(scenario, 'audit_log', async () => {
      await card.getByLabel('Commission rate').fill('70');
      await card.getByRole('button', { name: 'Save' }).click();
      await expect(toastOf(page, 'Error')).toContainText('Failed to update commission rate');
      await card.getByRole('button', { name: /Send password reset/ }).click();
      await expect(toastOf(page, 'Error')).toContainText('Failed to resend invitation email: ');
      await card.getByRole('link', { name: 'Suspend Ruth Okafor' }).click();
      await page.getByLabel('Reason').fill('To see it fail');
      await dialogButton('Suspend Agent').click();
      await expect(toastOf(page, 'Error')).toContainText('Failed to update seller status');
      await dialogButton('Cancel').click();
      await page.getByRole('link', { name: 'Add Seller' }).click();
      await page.getByLabel('Name').fill('Ottilie Keyes');
      await page.getByLabel('Email').fill(uniqueEmail());
      await dialogButton('Add Seller').click();
      await expect(toastOf(page, 'Error')).toContainText('Failed to add seller: ');
      await dialogButton('Cancel').click();
      await open(page, '/admin/agents?view=list&q=Penrose');
      await page.getByRole('link', { name: /Edit commission/ }).click();
      await page.locator('dialog[open]').getByLabel('Commission rate').fill('70');
      await dialogButton('Save').click();
      await expect(toastOf(page, 'Error')).toContainText('Failed to update seller commission rate');
    });
  });

  test('is accessible, in both views and in its dialogs', async ({ page, scenario }) => {
    const { rows } = await scenario.db.pool.query("select id from agents where name = 'Ruth Okafor'");
    const id = String(rows[0]?.id);
    for (const [name, path] of [
      ['sellers-full', '/admin/agents'],
      ['sellers-list', '/admin/agents?view=list'],
      ['sellers-history', `/admin/agents?q=Okafor&seller=${id}&tab=history`],
      ['sellers-payment', `/admin/agents?q=Okafor&seller=${id}&tab=payment`],
      ['sellers-add', '/admin/agents?q=Okafor&do=add'],
      ['sellers-suspend', `/admin/agents?q=Okafor&do=suspend&id=${id}`],
      ['sellers-details', `/admin/agents?view=list&q=Okafor&details=${id}`],
    ] as const)
      await test.step(name, async () => {
        await open(page, path);
        await expectAccessible(page, name);
      });
  });
});
