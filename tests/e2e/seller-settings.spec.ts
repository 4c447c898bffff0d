import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { linkIn, waitForMail } from '#tests/support/browser/mailbox.ts';
import { revalidate } from '#tests/support/browser/revalidate.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const SELLER = 'seller@acre.test';
const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody tr:not(.tbl-note)');

test('payment settings: PayPal with a confirmed address, and Stripe with an account only', async ({
  page,
  scenario,
  signInAs,
}) => {
  const email = `paypal-${Date.now()}@example.test`;
  await signInAs('yuki.tanabe@example.test', 'agent');
  await open(page, '/agent/settings');
  await expect(page.getByText('Payouts are not set', { exact: true })).toBeVisible();
  await page.getByRole('radio', { name: /Stripe Connect/ }).check();
  await expect(page.getByRole('button', { name: 'Connect with Stripe' })).toBeVisible();

  await page.getByRole('radio', { name: /PayPal/ }).check();
  const save = page.getByRole('button', { name: 'Save Payment Settings' });
  await save.click();
  await expect(page.getByText('PayPal email is required')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'PayPal Email' })).toBeFocused();
  await page.getByRole('textbox', { name: 'PayPal Email' }).fill(email);
  await save.click();
  await expect(toastOf(page, 'Payment settings updated')).toBeVisible();
  await expect(page.getByText('Pending Payout Setup')).toBeVisible();
  await expect(page.getByText('Payouts are on hold')).toBeVisible();

  const mail = await waitForMail(scenario.dataDir, email, 'Confirm your PayPal email');
  await waitForMail(scenario.dataDir, 'yuki.tanabe@example.test', 'Your payout settings were changed');
  await open(page, linkIn(mail, '/agent/settings'));
  await page.getByRole('button', { name: 'Confirm PayPal email' }).click();
  await expect(toastOf(page, 'PayPal email confirmed')).toBeVisible();
  await expect(page.getByText('Pending Payout Setup')).toHaveCount(0);
  await expect(page.getByText('Payouts are on hold')).toBeVisible();
});

test('the commission history has pages of its own, with the property of each sale', {
  tag: '@phone',
}, async ({ page, scenario, signInAs }) => {
  await scenario.createListing({ address: '31 Ledger Lane' });
  // Purchases that were given up, so that one property may have many.
  await scenario.db.pool.query(`
    insert into property_sales (property_id, buyer_id, agent_id, sale_price_cents, admin_percentage,
      agent_commission_cents, payment_method, provider, stripe_payment_status, escrow_status, idempotency_key, created_at)
    select p.id, (select id from users where email = 'buyer@acre.test'), p.agent_id, p.price_cents, 20, 100, 'card',
      'sandbox-card', 'failed', 'cancelled', 'ledger lane ' || n, now() - interval '20 years' - n * interval '1 day'
    from properties p, generate_series(1, 30) n where p.address = '31 Ledger Lane'`);
  await signInAs(SELLER, 'agent');
  await open(page, '/agent/settings');
  const table = page.getByRole('table', { name: 'Commission History' });
  await expect(table.getByRole('columnheader')).toHaveText([
    'Date',
    'Property',
    'Sale Amount',
    'Commission',
    'Status',
  ]);
  await expect(rows(page, 'Commission History')).toHaveCount(25);
  const pages = page.getByRole('navigation', { name: 'Pages of the commission history' });
  await pages.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL('/agent/settings?page=2');
  await expect(rows(page, 'Commission History').last()).toContainText('31 Ledger Lane');
  await expect(pages).toBeInViewport();
  await expectAccessible(page, 'seller-commission-history');
  await rows(page, 'Commission History').last().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: '31 Ledger Lane' })).toBeVisible();
});

test('payment settings that were changed elsewhere are not replaced unseen, and nothing typed is lost', async ({
  page,
  context,
  scenario,
  signInAs,
  expectConsole,
}) => {
  expectConsole(409);
  await scenario.db.q().deleteFrom('rate_limits').execute();
  const [theirs, mine] = ['theirs', 'mine'].map((who) => `${who}-${Date.now()}@example.test`);
  await signInAs('hedda.krause@example.test', 'agent');
  const save = async (on: Page, email = '') => {
    await on.getByRole('radio', { name: /PayPal/ }).check();
    await on.getByRole('textbox', { name: 'PayPal Email' }).fill(email);
    await on.getByRole('button', { name: 'Save Payment Settings' }).click();
  };
  await open(page, '/agent/settings');
  const other = await context.newPage();
  await open(other, '/agent/settings');
  await save(other, theirs);
  await expect(toastOf(other, 'Payment settings updated')).toBeVisible();
  await save(page, mine);
  const notice = page.getByRole('alert').filter({ hasText: 'This record was changed by someone else' });
  await expect(notice).toContainText(`Payouts go to PayPal (${theirs}) now.`);
  await expect(page.getByRole('textbox', { name: 'PayPal Email' })).toHaveValue(mine ?? '');
  await expectAccessible(page, 'seller-settings-newer');

  // What is typed after that stays too, while the page is brought up to date.
  await page.getByRole('textbox', { name: 'PayPal Email' }).fill(`later-${mine}`);
  const unconfirmed = page.getByText('Not confirmed yet.');
  await expect(unconfirmed).toBeVisible();
  await scenario.db
    .q()
    .updateTable('agents')
    .set({ paypal_confirmed_at: new Date() })
    .where('paypal_email', '=', theirs ?? '')
    .execute();
  await revalidate(page);
  await expect(unconfirmed).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'PayPal Email' })).toHaveValue(`later-${mine}`);
  await expect(notice).toBeVisible();
  await page.getByRole('textbox', { name: 'PayPal Email' }).fill(mine ?? '');
  await page.getByRole('button', { name: 'Save Payment Settings' }).click();
  await expect(toastOf(page, 'Payment settings updated')).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'PayPal Email' })).toHaveValue(mine ?? '');

  await save(other, `third-${theirs}`);
  await other.getByRole('link', { name: 'keep what is saved' }).click();
  await expect(other.getByRole('textbox', { name: 'PayPal Email' })).toHaveValue(mine ?? '');
  await expect(other.getByText('This record was changed by someone else')).toHaveCount(0);
});

test('a connected Stripe account is disconnected after a confirmation', async ({
  page,
  scenario,
  signInAs,
}) => {
  await signInAs('ruth.okafor@example.test', 'agent');
  await scenario.db
    .q()
    .updateTable('property_sales')
    .set({ payout_status: 'completed' })
    .where('payout_status', '=', 'processing')
    .execute();
  await open(page, '/agent/settings');
  await expect(page.getByText('✓ Connected')).toBeVisible();
  await page.getByRole('link', { name: 'Disconnect' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(toastOf(page, 'Stripe disconnected')).toBeVisible();
  await expect(page.getByText('Payouts are not set', { exact: true })).toBeVisible();
  await expect(rows(page, 'Commission History').first()).toBeVisible();
});
