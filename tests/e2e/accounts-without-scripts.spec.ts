import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import {
  createConfirmedAccount,
  createUnconfirmedAccount,
  PASSWORD,
  requestResetLink,
  signIn,
  uniqueEmail,
} from '#tests/support/browser/accounts.ts';
import { linkIn, waitForMail } from '#tests/support/browser/mailbox.ts';
import { expect, test, toastOf } from '#tests/support/browser/signed-in-test.ts';
import { larkspurLane } from '#tests/support/fixtures/demo-listings.ts';

// All account forms without scripts. Errors are documents with a 4xx status, which the browser logs to its console.
test.use({ javaScriptEnabled: false });
test.beforeEach(({ expectConsole }) => expectConsole(401, 403, 422));

const NEW = 'Brass-Rule 31 ledger';
const VERIFY = 'Please check your email to verify your account.';

test('signing up, confirming, signing in and out', async ({ page, dataDir }) => {
  const email = uniqueEmail();
  await page.goto('/buyer/signup?next=%2Fbuyer%2Ftransactions');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(toastOf(page, VERIFY)).toBeVisible();
  await expect(page).toHaveURL('/');
  await page.goto(linkIn(await waitForMail(dataDir, email, 'Confirm your email address'), '/verify-email'));
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(toastOf(page, 'Email confirmed')).toBeVisible();
  await signIn(page, email, 'not the password');
  await expect(toastOf(page, 'Login failed')).toContainText('Invalid email or password');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await signIn(page, email);
  await expect(page).toHaveURL('/buyer/transactions');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Logout' }).press('Enter');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
});

test.describe('without scripts', () => {
  test('requesting another confirmation mail', async ({ page, baseURL }) => {
    const email = await createUnconfirmedAccount(baseURL ?? '');
    await page.goto('/buyer/login');
    await signIn(page, email);
    await expect(toastOf(page, 'Login failed')).toContainText('Email not confirmed');
    await page.getByRole('button', { name: 'Resend' }).click();
    await expect(toastOf(page, VERIFY)).toBeVisible();
    await page.goto('/verify-email');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Resend' }).click();
    await expect(toastOf(page, VERIFY)).toBeVisible();
  });

  test('requesting a password reset and setting a new password', async ({ page, baseURL, dataDir }) => {
    const server = { origin: baseURL ?? '', dataDir };
    const email = await createConfirmedAccount(server);
    await page.goto('/agent/login');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill('nobody@example.test');
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(toastOf(page, 'Password reset email sent')).toBeVisible();
    await page.goto(await requestResetLink(server, email));
    await page.getByLabel('New Password').fill(NEW);
    await page.getByLabel('Confirm Password').fill('another');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await page.getByLabel('New Password').fill(NEW);
    await page.getByLabel('Confirm Password').fill(NEW);
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await page.getByRole('link', { name: 'Go to Login' }).click();
    await signIn(page, email, NEW);
    await expect(page).toHaveURL('/');
  });

  test('changing the password and ending a session', async ({ page, baseURL, dataDir }) => {
    const email = await createConfirmedAccount({ origin: baseURL ?? '', dataDir });
    await page.goto('/buyer/login?next=%2Faccount');
    await signIn(page, email);
    await expect(page).toHaveURL('/account');
    await page.getByLabel('Current Password').fill(PASSWORD);
    await page.getByLabel('New Password').fill(NEW);
    await page.getByLabel('Confirm Password').fill(NEW);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(toastOf(page, 'Password changed')).toBeVisible();
    await page.getByRole('button', { name: /^Sign out .*this browser/ }).click();
    await expect(page).toHaveURL('/buyer/login?next=%2Faccount');
  });

  test('a wrong password at the sellers’ door ends the session, and keeps the email and the way on', async ({
    page,
  }) => {
    await page.goto('/buyer/login');
    await signIn(page, 'buyer@acre.test', DEMO_PASSWORD);
    await expect(page).toHaveURL('/');
    const door = `/agent/login?next=%2Fagent%2Ftours&intent=${encodeURIComponent(`inquire:${larkspurLane.id}`)}`;
    await page.goto(door);
    await signIn(page, 'seller@acre.test', 'not the password');
    await expect(toastOf(page, 'Login failed')).toContainText('Invalid email or password');
    await expect(page.getByText('You are signed in as')).toHaveCount(0);
    await expect(page).toHaveURL(door);
    await expect(page.getByLabel('Email')).toHaveValue('seller@acre.test');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL('/agent/tours');
  });

  test('the other logins', async ({ page }) => {
    await page.goto('/admin');
    await page.getByRole('button', { name: 'admin@acre.test' }).click();
    await expect(page).toHaveURL('/admin/dashboard');
    await expect(toastOf(page, 'Welcome back!')).toContainText('Successfully logged in as admin.');
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.goto('/agent/login');
    await signIn(page, 'buyer@acre.test', DEMO_PASSWORD);
    await expect(toastOf(page, 'Login failed')).toContainText('This account does not have seller access');
  });
});
