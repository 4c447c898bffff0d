import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { openAccount, openUnconfirmed, PASSWORD, resetLinkFor } from '#tests/support/newcomer.ts';
import { expect, open, sessionOf, test } from '#tests/support/signed-in.ts';
import { expectSound } from '#tests/support/sound.ts';

test.describe('in both themes, wide and narrow', () => {
  test.slow();

  for (const [name, path] of [
    ['buyer-login', '/buyer/login'],
    ['forgot', '/buyer/login?forgot=1'],
    ['signup', '/buyer/signup'],
    ['seller-login', '/agent/login'],
    ['admin-login', '/admin'],
    ['reset-without-token', '/reset-password'],
    ['reset-done', '/reset-password?done=agent'],
    ['confirm', '/verify-email?token=some'],
    ['confirm-refused', '/verify-email'],
    ['unsubscribe-refused', '/unsubscribe'],
  ] as const) {
    test(name, async ({ page }) => {
      await open(page, path);
      await expectSound(page, name);
    });
  }

  test('login refused, and not confirmed', async ({ page, baseURL }) => {
    const email = await openUnconfirmed(baseURL ?? '');
    await open(page, '/buyer/login');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByText('Password is required')).toBeVisible();
    await expectSound(page, 'login-refused');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByRole('button', { name: 'Resend' })).toBeVisible();
    await expectSound(page, 'login-unconfirmed');
  });

  test('a new password, weak and strong', async ({ page, baseURL, dataDir }) => {
    const place = { origin: baseURL ?? '', dataDir };
    await open(page, await resetLinkFor(place, await openAccount(place)));
    await page.getByLabel('New Password').fill('abcdefgh');
    await expectSound(page, 'reset-weak');
    await page.getByLabel('New Password').fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill('other');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await expectSound(page, 'reset-mismatch');
  });

  for (const [name, path, email, door] of [
    ['activity', '/buyer/transactions', 'buyer@acre.test', 'buyer'],
    ['seller-dashboard', '/agent/dashboard', 'seller@acre.test', 'agent'],
    ['admin-dashboard', '/admin/dashboard', 'admin@acre.test', 'admin'],
    ['refused-seller-area', '/agent/dashboard', 'buyer@acre.test', 'buyer'],
    ['refused-office', '/admin/dashboard', 'buyer@acre.test', 'buyer'],
    ['buyer-login-as-seller', '/buyer/transactions', 'seller@acre.test', 'agent'],
    ['admin-login-as-buyer', '/admin', 'buyer@acre.test', 'buyer'],
  ] as const) {
    test(name, async ({ page, enter, expectConsole }) => {
      if (name.startsWith('refused')) expectConsole(/status of 403/);
      await enter(email, door);
      await page.goto(path);
      await expectSound(page, name);
    });
  }

  test('account settings', async ({ page, context, baseURL, dataDir }) => {
    const origin = baseURL ?? '';
    const email = await openAccount({ origin, dataDir });
    await sessionOf(origin, email, 'buyer', PASSWORD);
    await context.addCookies(await sessionOf(origin, email, 'buyer', PASSWORD));
    await open(page, '/account');
    await page.getByLabel('Current Password').fill(DEMO_PASSWORD);
    await expectSound(page, 'account');
    await page.getByLabel('Your Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Close account' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectSound(page, 'account-closing');
  });
});
