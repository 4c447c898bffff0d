import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import type { Scenario } from '#tests/support/browser/scenario.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const ONBOARDING = /\/sandbox\/onboarding\/[0-9a-f]{48}$/;
const COMPLETE = 'Complete the setup';

/** Presses a button by keyboard. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name });
  await button.focus();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
}

/** The links to the provider's page have become too old. */
const expireLinks = ({ db }: Scenario) =>
  db
    .q()
    .updateTable('sandbox_onboarding_links')
    .set({ expires_at: new Date(0) })
    .execute();

test('a seller connects Stripe by keyboard, hears what is missing, and saves it as the way to be paid', {
  tag: '@phone',
}, async ({ page, signInAs }) => {
  await signInAs('silas.penrose@example.test', 'agent');
  await open(page, '/agent/settings');
  await page.getByRole('radio', { name: /PayPal/ }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('radio', { name: /Stripe Connect/ })).toBeChecked();
  await press(page, 'Connect with Stripe');
  await expect(page).toHaveURL(ONBOARDING);
  await expect(page.getByText('Sandbox – no real money moves')).toBeVisible();
  await expect(page.getByText('Silas Penrose')).toBeVisible();
  await expectAccessible(page, 'sandbox-onboarding');
  await press(page, 'Submit without an identity document');

  await expect(page).toHaveURL('/agent/settings');
  await expect(toastOf(page, 'Action required')).toBeVisible();
  await page.getByRole('radio', { name: /Stripe Connect/ }).check();
  await expect(page.getByText('Upload a photo of an identity document.')).toBeVisible();
  await expect(page.getByText('✓ Connected')).toHaveCount(0);
  await press(page, 'Continue with Stripe');
  await expect(page.getByText('Upload a photo of an identity document.')).toBeVisible();
  await press(page, COMPLETE);

  await expect(toastOf(page, 'Stripe connected')).toBeVisible();
  await page.getByRole('radio', { name: /Stripe Connect/ }).check();
  await expect(page.getByText('✓ Connected')).toBeVisible();
  await press(page, 'Save Payment Settings');
  await expect(toastOf(page, 'Payment settings updated')).toBeVisible();
  await expect(page.getByText('To be paid here, choose Stripe Connect')).toHaveCount(0);
});

test('a seller whose account needs something finishes it on the page of a new link, and reads the statement', async ({
  page,
  scenario,
  signInAs,
}) => {
  await signInAs('gabriel.montoya@example.test', 'agent');
  await open(page, '/agent/settings');
  await expect(page.getByText('Action required')).toBeVisible();
  await expect(page.getByText('Please upload a picture of an identity document.')).toBeVisible();
  await expectAccessible(page, 'seller-payouts-action-required');
  await press(page, 'Continue with Stripe');
  await expect(page).toHaveURL(ONBOARDING);

  // Too long on the page: what is done there counts for nothing, and the way leads on to a new link.
  const first = page.url();
  await expireLinks(scenario);
  await press(page, COMPLETE);
  await expect(page).not.toHaveURL(first);
  await expect(page).toHaveURL(ONBOARDING);
  const second = page.url();
  await expireLinks(scenario);
  await open(page, second);
  await expect(page).not.toHaveURL(second);
  await expect(page).toHaveURL(ONBOARDING);
  await press(page, COMPLETE);
  await expect(page).toHaveURL('/agent/settings');
  await expect(toastOf(page, 'Stripe connected')).toBeVisible();
  await expect(page.getByText('✓ Connected')).toBeVisible();

  await press(page, 'Open Stripe');
  await expect(page.getByText('This account can receive payouts.')).toBeVisible();
  await expectAccessible(page, 'sandbox-account');

  await open(page, '/agent/transactions');
  const statements = page.getByRole('link', { name: 'Statements' });
  await statements.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Statements' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Statement as PDF' })).toBeVisible();
  await expectAccessible(page, 'seller-statements');
});

test('developers fill the balance that pays sellers', async ({ page }) => {
  await open(page, '/dev/payouts');
  const balances = page.getByRole('region', { name: 'Balances' });
  await balances.getByRole('textbox', { name: 'Amount in dollars' }).fill('1,234.56');
  await balances.getByRole('button', { name: 'Add funds' }).click();
  await expect(balances.getByText('$1,234.56 available')).toBeVisible();
  await expectAccessible(page, 'dev-payouts');
});
