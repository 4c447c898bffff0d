import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import {
  createConfirmedAccount,
  PASSWORD,
  requestResetLink,
  signIn,
  uniqueEmail,
} from '#tests/support/browser/accounts.ts';
import { createAdmin } from '#tests/support/browser/admin-account.ts';
import { linkIn, waitForMail } from '#tests/support/browser/mailbox.ts';
import {
  createSession,
  expect,
  open,
  test,
  toastOf,
  waitForHydration,
} from '#tests/support/browser/signed-in-test.ts';

const NEW = 'Brass-Rule 31 ledger';
const notice = (page: Page) => page.getByRole('main').getByRole('alert');
const saveButton = (page: Page) => page.getByRole('button', { name: 'Reset Password' });

async function submitPassword(page: Page, password: string, confirm = password): Promise<void> {
  await page.getByLabel('New Password').fill(password);
  await page.getByLabel('Confirm Password').fill(confirm);
  await saveButton(page).click();
}

test.describe('a forgotten password', () => {
  for (const [path, title, text] of [
    ['/buyer/login', 'Welcome Back', 'Please check your email for the reset link'],
    ['/agent/login', 'Seller Login', 'Please check your email for the reset link'],
    ['/admin', 'Admin Login', 'Please check your email for the reset link.'],
  ] as const) {
    test(`at ${path}: opening, cancelling and submitting the form`, async ({ page }) => {
      await open(page, path);
      await page.getByRole('link', { name: 'Forgot password?' }).click();
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toHaveText('Reset Password');
      await expect(page).toHaveTitle('Reset Password · Acre Trading Post');
      await expect(page.getByText('Enter your email to receive a password reset link')).toBeVisible();
      await page.getByRole('link', { name: 'Back to login' }).click();
      await expect(heading).toHaveText(title);
      await page.getByRole('link', { name: 'Forgot password?' }).click();
      const send = page.getByRole('button', { name: 'Send Reset Link' });
      await send.click();
      await expect(page.getByText('Email is required')).toBeVisible();
      await expect(send).not.toHaveAttribute('aria-busy'); // until then it takes no second submission
      await page.getByLabel('Email').fill('nobody@example.test');
      await page.getByLabel('Email').press('Enter');
      await expect(toastOf(page, 'Password reset email sent').locator('p')).toHaveText(text);
      await expect(heading).toHaveText(title);
    });
  }

  test('is replaced through the mailed link, which works once; all sessions are signed out', async ({
    page,
    browser,
    baseURL,
    dataDir,
  }) => {
    const origin = baseURL ?? '';
    const email = await createConfirmedAccount({ origin, dataDir });
    const elsewhere = await browser.newContext({ baseURL: origin });
    await elsewhere.addCookies(await createSession(origin, email, 'buyer', PASSWORD));
    const other = await elsewhere.newPage();
    await open(other, '/buyer/transactions');
    await expect(other).toHaveTitle('My Activity · Acre Trading Post');

    await open(page, '/buyer/login?forgot=1');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(toastOf(page, 'Password reset email sent')).toBeVisible();
    const link = linkIn(await waitForMail(dataDir, email, 'Reset your password'), '/reset-password');
    await open(page, link);
    await expect(page).toHaveURL('/reset-password');
    await expect(page.getByText('only reachable through the link in the password reset email')).toBeVisible();

    await submitPassword(page, 'seven77');
    await expect(page.getByText('Password must be at least 8 characters')).toBeVisible();
    await submitPassword(page, NEW, `${NEW}!`);
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await expect(page.getByLabel('Confirm Password')).toBeFocused();
    for (const [typed, word] of [
      ['abcdefgh', 'Weak'],
      ['Abcdefgh', 'Medium'],
      [NEW, 'Strong'],
    ] as const) {
      await page.getByLabel('New Password').fill(typed);
      await expect(page.getByText(`Password strength: ${word}`)).toBeVisible();
    }
    await submitPassword(page, NEW);
    await page.getByRole('link', { name: 'Go to Login' }).click();
    await expect(page).toHaveURL('/buyer/login');
    await signIn(page, email, PASSWORD);
    await expect(toastOf(page, 'Login failed')).toContainText('Invalid email or password');
    await signIn(page, email, NEW);
    await expect(page).toHaveURL('/');

    await other.reload();
    await expect(other).toHaveURL('/buyer/login?next=%2Fbuyer%2Ftransactions');
    await open(other, link);
    await expect(notice(other)).toContainText('Failed to authenticate. Please request a new reset link.');
    await expect(saveButton(other)).toBeDisabled();
    await notice(other).getByRole('link', { name: 'Send Reset Link' }).click();
    await expect(other).toHaveURL('/buyer/login?forgot=1');
    await elsewhere.close();
  });

  test('the form cannot be submitted without a token', async ({ page }) => {
    await open(page, '/reset-password');
    await expect(notice(page)).toContainText('No valid reset token found. Please request a new reset link.');
    await expect(saveButton(page)).toBeDisabled();
  });

  test('a link that becomes invalid while the user is typing shows an error', async ({
    page,
    baseURL,
    dataDir,
  }) => {
    const server = { origin: baseURL ?? '', dataDir };
    const email = await createConfirmedAccount(server);
    const link = await requestResetLink(server, email);
    await open(page, link);
    const second = await page.context().newPage();
    await open(second, link);
    await submitPassword(second, NEW);
    await expect(second.getByRole('link', { name: 'Go to Login' })).toBeVisible();
    // The second page has cleared the token cookie, so it is set again.
    await page
      .context()
      .addCookies([
        { name: 'acre-reset', value: new URL(link, baseURL).searchParams.get('token') ?? '', url: baseURL },
      ]);
    await submitPassword(page, NEW);
    await expect(toastOf(page, 'Error updating password')).toContainText(
      'Failed to authenticate. Please request a new reset link.',
    );
    await expect(notice(page)).toContainText('Failed to authenticate. Please request a new reset link.');
  });

  test('a link with its token in the hash works too', async ({ page, baseURL, dataDir }) => {
    const server = { origin: baseURL ?? '', dataDir };
    const email = await createConfirmedAccount(server);
    const token = new URL(await requestResetLink(server, email), baseURL).searchParams.get('token');
    await open(page, `/reset-password#access_token=${token}&type=recovery`);
    await expect(page).toHaveURL('/reset-password');
    await submitPassword(page, NEW);
    await expect(page.getByRole('link', { name: 'Go to Login' })).toBeVisible();
  });

  test('a reset for a seller leads to the seller login', async ({ page, baseURL, dataDir }) => {
    const email = 'yuki.tanabe@example.test';
    await open(page, await requestResetLink({ origin: baseURL ?? '', dataDir }, email));
    await submitPassword(page, NEW);
    await page.getByRole('link', { name: 'Go to Login' }).click();
    await expect(page).toHaveURL('/agent/login');
    await signIn(page, email, NEW);
    await expect(page).toHaveURL('/agent/dashboard');
  });
});

test('a new administrator must replace the one-time password first', async ({ page, dataDir }) => {
  const { email, password } = await createAdmin(dataDir);
  await open(page, '/admin');
  await signIn(page, email, password);
  await expect(page).toHaveURL('/reset-password?forced=1&role=admin');
  await waitForHydration(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose a password of your own');
  await expect(page.getByText('Your password was set for you.')).toBeVisible();
  await expect(page.getByText('This page is only reachable through')).toHaveCount(0);
  await expectAccessible(page, 'reset-forced');
  await submitPassword(page, NEW);
  await page.getByRole('link', { name: 'Go to Login' }).click();
  await expect(page).toHaveURL('/admin');
  await signIn(page, email, password);
  await expect(toastOf(page, 'Login failed')).toContainText('Invalid email or password');
  await signIn(page, email, NEW);
  await expect(page).toHaveURL('/admin/dashboard');
  await expect(toastOf(page, 'Welcome back!')).toBeVisible();
});

test.describe('password and sessions in the account settings', () => {
  test('a session in another browser is listed and can be signed out', async ({
    page,
    browser,
    baseURL,
    dataDir,
  }) => {
    const origin = baseURL ?? '';
    const email = await createConfirmedAccount({ origin, dataDir });
    const elsewhere = await browser.newContext({
      baseURL: origin,
      userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0',
    });
    const other = await elsewhere.newPage();
    await open(other, '/buyer/login');
    await signIn(other, email);
    await expect(other).toHaveURL('/');

    await open(page, '/buyer/login?next=%2Faccount');
    await signIn(page, email);
    await expect(page).toHaveURL('/account');
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect(sessions).toHaveCount(2);
    await expect(sessions.filter({ hasText: 'This browser' })).toHaveCount(1);
    await page.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
    await expect(toastOf(page, 'Signed out')).toBeVisible();
    await expect(sessions).toHaveCount(1);
    // The other browser notices without being touched.
    await expect(other.getByRole('button', { name: 'Login' })).toBeVisible();

    await open(other, '/buyer/login?next=%2Faccount');
    await signIn(other, email);
    await expect(other).toHaveURL('/account');
    await page.reload();
    await waitForHydration(page);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await expect(toastOf(page, 'Signed out everywhere else')).toContainText('1 session was ended.');
    await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);
    await expect(other).toHaveURL('/buyer/login?next=%2Faccount');
    await elsewhere.close();
  });

  test('a session that ends while its page is loaded is noticed once live events arrive', async ({
    page,
    browser,
    baseURL,
    dataDir,
  }) => {
    const origin = baseURL ?? '';
    const email = await createConfirmedAccount({ origin, dataDir });
    const cookies = await createSession(origin, email, 'buyer', PASSWORD);
    await page.context().addCookies(cookies);
    const { promise: ended, resolve: begin } = Promise.withResolvers<void>();
    await page.route('**/api/events**', async (route) => {
      await ended;
      await route.continue();
    });
    await open(page, '/');
    await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible();
    const elsewhere = await browser.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
    await elsewhere.addCookies(cookies);
    const answer = await elsewhere.request.post('/logout', { maxRedirects: 0 });
    expect(answer.status()).toBe(302);
    begin();
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
    await elsewhere.close();
  });

  test('what was done is said once, also when its page is left before it has loaded', async ({
    page,
    context,
    baseURL,
    dataDir,
  }) => {
    const origin = baseURL ?? '';
    const email = await createConfirmedAccount({ origin, dataDir });
    await context.addCookies(await createSession(origin, email, 'buyer', PASSWORD));
    await open(page, '/account');
    await page.route(
      ({ pathname }) => pathname === '/account.data',
      async (route) => {
        if (route.request().method() !== 'GET') return route.fallback();
        await route.fetch();
        await page.getByRole('link', { name: 'Acre Trading Post' }).first().click();
      },
    );
    const panel = page.getByRole('region', { name: 'Name and email' });
    await panel.getByLabel('Name', { exact: true }).fill('Ada King');
    await panel.getByRole('button', { name: 'Save name' }).click();
    await expect(page).toHaveURL('/');
    await expect(toastOf(page, 'Name changed')).toBeVisible();
    await toastOf(page, 'Name changed').getByRole('button').click();
    await expect
      .poll(() => context.cookies().then((all) => all.map(({ name }) => name)))
      .not.toContain('acre-flash');
    await open(page, '/');
    await expect(toastOf(page)).toHaveCount(0);
  });

  test('the name changes at once, the address by the link that is mailed to the new one', async ({
    page,
    context,
    baseURL,
    dataDir,
  }) => {
    const origin = baseURL ?? '';
    const email = await createConfirmedAccount({ origin, dataDir });
    const next = uniqueEmail();
    await context.addCookies(await createSession(origin, email, 'buyer', PASSWORD));
    await open(page, '/account');
    const panel = page.getByRole('region', { name: 'Name and email' });
    await panel.getByLabel('Name', { exact: true }).fill('Ada King');
    await panel.getByRole('button', { name: 'Save name' }).click();
    await expect(toastOf(page, 'Name changed')).toBeVisible();
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await expect(page.locator('#menu-account')).toContainText('Ada King');
    await page.keyboard.press('Escape');

    await panel.getByLabel('New email').fill(next);
    await panel.getByLabel('Password', { exact: true }).fill('Not the password 1');
    await panel.getByRole('button', { name: 'Change email' }).click();
    await expect(panel.getByText('The current password is incorrect')).toBeVisible();
    await expect(panel.getByLabel('New email')).toHaveValue(next);
    await panel.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await panel.getByRole('button', { name: 'Change email' }).click();
    await expect(toastOf(page, 'Please confirm your new email address')).toContainText(next);
    const mail = await waitForMail(dataDir, next, 'Confirm your new email address');
    await open(page, linkIn(mail, '/account/email'));
    await expectAccessible(page, 'confirm a new email');
    await page.getByRole('button', { name: 'Confirm email address' }).click();
    await expect(page).toHaveURL('/account');
    await expect(panel.getByText(`Now ${next}.`)).toBeVisible();
    await waitForMail(dataDir, email, 'Your email address was changed');
    await expectAccessible(page, 'account settings');
  });

  test('changing the password requires the current one', async ({ page, context, baseURL, dataDir }) => {
    const origin = baseURL ?? '';
    const email = await createConfirmedAccount({ origin, dataDir });
    const before = await createSession(origin, email, 'buyer', PASSWORD);
    await context.addCookies(await createSession(origin, email, 'buyer', PASSWORD));
    await open(page, '/account');
    const change = page.getByRole('button', { name: 'Change password' });
    const current = page.getByLabel('Current Password');
    await current.fill(DEMO_PASSWORD);
    await page.getByLabel('New Password').fill(NEW);
    await page.getByLabel('Confirm Password').fill(NEW);
    await change.click();
    await expect(current).toHaveAttribute('aria-invalid', 'true');
    await expect(current).toBeFocused();
    await current.fill(PASSWORD);
    await change.click();
    await expect(toastOf(page, 'Password changed')).toContainText('All other sessions were signed out.');
    await page.reload();
    await expect(page).toHaveURL('/account');
    await context.clearCookies();
    await context.addCookies(before);
    await page.reload();
    await expect(page).toHaveURL('/buyer/login?next=%2Faccount');
  });
});
