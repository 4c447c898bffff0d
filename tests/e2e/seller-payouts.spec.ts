import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const SELLER = 'gabriel.montoya@example.test';

test('a seller whose account needs something finishes it, comes back, and reads the statement', async ({
  page,
  scenario,
  signInAs,
}) => {
  await signInAs(SELLER, 'agent');
  await open(page, '/agent/settings');
  await expect(page.getByText('Action required')).toBeVisible();
  await expect(page.getByText('Please upload a picture of an identity document.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue with Stripe' })).toBeVisible();
  await expectAccessible(page, 'seller-payouts-action-required');

  const { stripe_account_id: ref } = await scenario.db
    .q()
    .selectFrom('agents')
    .select('stripe_account_id')
    .where('email', '=', SELLER)
    .executeTakeFirstOrThrow();
  await decideAccount(scenario.db, ref ?? '', { active: true }, new Date());
  await open(page, '/agent/settings/stripe/return');
  await expect(toastOf(page, 'Stripe connected')).toBeVisible();
  await expect(page.getByText('✓ Connected')).toBeVisible();

  await open(page, '/agent/transactions');
  const statements = page.getByRole('link', { name: 'Statements' });
  await statements.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Statements' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Statement as PDF' })).toBeVisible();
  await expectAccessible(page, 'seller-statements');
});
