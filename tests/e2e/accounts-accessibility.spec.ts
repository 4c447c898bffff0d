import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { expectAccessible, expectAllAccessible } from '#tests/support/browser/accessibility.ts';
import {
  createConfirmedAccount,
  createUnconfirmedAccount,
  PASSWORD,
  requestResetLink,
} from '#tests/support/browser/accounts.ts';
import { createSession, expect, open, test } from '#tests/support/browser/signed-in-test.ts';

test.describe('account pages, in both themes, on desktop and mobile', () => {
  test.slow();

  test('signing in and up', async ({ page }) => {
    await expectAllAccessible(page, [
      ['buyer-login', '/buyer/login'],
      ['forgot', '/buyer/login?forgot=1'],
      ['signup', '/buyer/signup'],
      ['seller-login', '/agent/login'],
      ['admin-login', '/admin'],
    ]);
  });

  test('mailed links', async ({ page }) => {
    await expectAllAccessible(page, [
      ['reset-without-token', '/reset-password'],
      ['reset-done', '/reset-password?done=agent'],
      ['confirm', '/verify-email?token=some'],
      ['confirm-refused', '/verify-email'],
      ['unsubscribe-refused', '/unsubscribe'],
    ]);
  });

  test('login with errors, and with an unconfirmed address', async ({ page, baseURL }) => {
    const email = await createUnconfirmedAccount(baseURL ?? '');
    await open(page, '/buyer/login');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByText('Password is required')).toBeVisible();
    await expectAccessible(page, 'login-refused');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByRole('button', { name: 'Resend' })).toBeVisible();
    await expectAccessible(page, 'login-unconfirmed');
  });

  test('a new password, weak and strong', async ({ page, baseURL, dataDir }) => {
    const server = { origin: baseURL ?? '', dataDir };
    await open(page, await requestResetLink(server, await createConfirmedAccount(server)));
    await page.getByLabel('New Password').fill('abcdefgh');
    await expectAccessible(page, 'reset-weak');
    await page.getByLabel('New Password').fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill('other');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await expectAccessible(page, 'reset-mismatch');
  });

  test('an area of another role', async ({ page, signInAs, expectConsole }) => {
    expectConsole(403);
    await signInAs('buyer@acre.test', 'buyer');
    await page.goto('/admin/dashboard'); // nothing in it can be clicked, so there is no sign of hydration to wait for
    await expectAccessible(page, 'refused-office');
    await expectAllAccessible(page, [
      ['refused-seller-area', '/agent/dashboard'],
      ['admin-login-as-buyer', '/admin'],
    ]);
    await signInAs('seller@acre.test', 'agent');
    await expectAllAccessible(page, [['buyer-login-as-seller', '/buyer/transactions']]);
  });

  test('the dashboard of an administrator', async ({ page, signInAs }) => {
    await signInAs('admin@acre.test', 'admin');
    await expectAllAccessible(page, [['admin-dashboard', '/admin/dashboard']]);
  });

  test('account settings', async ({ page, context, baseURL, dataDir }) => {
    const origin = baseURL ?? '';
    const email = await createConfirmedAccount({ origin, dataDir });
    await createSession(origin, email, 'buyer', PASSWORD);
    await context.addCookies(await createSession(origin, email, 'buyer', PASSWORD));
    await open(page, '/account');
    await page.getByLabel('Current Password').fill(DEMO_PASSWORD);
    await expectAccessible(page, 'account');
    await page.getByLabel('Your Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Close account' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectAccessible(page, 'account-closing');
  });
});
