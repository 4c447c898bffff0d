import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { waitForMail } from '#tests/support/browser/mailbox.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const press = async (page: Page, name: string, role: 'button' | 'link' = 'button') => {
  const control = page.getByRole(role, { name });
  await control.focus();
  await page.keyboard.press('Enter');
};

test('a seller connects an account by keyboard: action required, then connected, then its own page', async ({
  page,
  scenario,
  signInAs,
}) => {
  const email = 'yuki.tanabe@example.test';
  await signInAs(email, 'agent');
  await open(page, '/agent/settings');
  await page.getByRole('radio', { name: /Stripe Connect/ }).check();
  // Nothing could ever be paid to an account that is not there.
  await press(page, 'Save Payment Settings');
  await expect(page.getByText('Connect your Stripe account first.')).toBeVisible();
  await press(page, 'Connect with Stripe');
  await expect(page).toHaveURL(/\/sandbox\/onboarding\//);
  await scenario.db.q().deleteFrom('rate_limits').execute();

  // Given up at the provider: it still asks for something.
  await open(page, '/agent/settings/stripe/return');
  await expect(toastOf(page, 'Action required')).toBeVisible();
  await expect(page.getByText('Complete the setup of the payout account.')).toBeVisible();
  await expect(page.getByText('Pending Payout Setup')).toBeVisible();
  await expectAccessible(page, 'seller-payouts-action-required');
  await waitForMail(scenario.dataDir, email, 'Your payout settings were changed');
});
