import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { createAdmin } from '#tests/support/admin.ts';
import { linkIn, mailTo } from '#tests/support/mailbox.ts';
import { openAccount, PASSWORD, resetLinkFor, signIn } from '#tests/support/newcomer.ts';
import { expect, open, sessionOf, takenOver, test, toastOf } from '#tests/support/signed-in.ts';

const NEW = 'Brass-Rule 31 ledger';
const notice = (page: Page) => page.getByRole('main').getByRole('alert');
const saveButton = (page: Page) => page.getByRole('button', { name: 'Reset Password' });

async function choose(page: Page, password: string, confirm = password): Promise<void> {
  await page.getByLabel('New Password').fill(password);
  await page.getByLabel('Confirm Password').fill(confirm);
  await saveButton(page).click();
}

test.describe('a forgotten password', { tag: '@desktop' }, () => {
  for (const [path, title, text] of [
    ['/buyer/login', 'Welcome Back', 'Please check your email for the reset link'],
    ['/agent/login', 'Seller Login', 'Please check your email for the reset link'],
    ['/admin', 'Admin Login', 'Please check your email for the reset link.'],
  ] as const) {
    test(`at ${path}: asked for, there and back`, async ({ page }) => {
      await open(page, path);
      await page.getByRole('link', { name: 'Forgot password?' }).click();
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toHaveText('Reset Password');
      await expect(page).toHaveTitle('Reset Password · Acre Trading Post');
      await expect(page.getByText('Enter your email to receive a password reset link')).toBeVisible();
      await page.getByRole('link', { name: 'Back to login' }).click();
      await expect(heading).toHaveText(title);
      await page.getByRole('link', { name: 'Forgot password?' }).click();
      await page.getByRole('button', { name: 'Send Reset Link' }).click();
      await expect(page.getByText('Email is required')).toBeVisible();
      await page.getByLabel('Email').fill('nobody@example.test');
      await page.getByLabel('Email').press('Enter');
      await expect(toastOf(page, 'Password reset email sent').locator('p')).toHaveText(text);
      await expect(heading).toHaveText(title);
    });
  }

  test('is replaced by the mailed link, once; everyone signed in is signed out', async ({
    page,
    browser,
    baseURL,
    dataDir,
  }) => {
    const origin = baseURL ?? '';
    const email = await openAccount({ origin, dataDir });
    const elsewhere = await browser.newContext({ baseURL: origin });
    await elsewhere.addCookies(await sessionOf(origin, email, 'buyer', PASSWORD));
    const other = await elsewhere.newPage();
    await open(other, '/buyer/transactions');
    await expect(other).toHaveTitle('My Activity · Acre Trading Post');

    await open(page, '/buyer/login?forgot=1');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(toastOf(page, 'Password reset email sent')).toBeVisible();
    const link = linkIn(await mailTo(dataDir, email, 'Reset your password'), '/reset-password');
    await open(page, link);
    await expect(page).toHaveURL('/reset-password');
    await expect(page.getByText('only reachable through the link in the password reset email')).toBeVisible();

    await choose(page, 'seven77');
    await expect(page.getByText('Password must be at least 8 characters')).toBeVisible();
    await choose(page, NEW, `${NEW}!`);
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
    await choose(page, NEW);
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

  test('without a token nothing can be sent', async ({ page }) => {
    await open(page, '/reset-password');
    await expect(notice(page)).toContainText('No valid reset token found. Please request a new reset link.');
    await expect(saveButton(page)).toBeDisabled();
  });

  test('a link that ends while one is typing says so', async ({ page, baseURL, dataDir }) => {
    const place = { origin: baseURL ?? '', dataDir };
    const email = await openAccount(place);
    const link = await resetLinkFor(place, email);
    await open(page, link);
    const second = await page.context().newPage();
    await open(second, link);
    await choose(second, NEW);
    await expect(second.getByRole('link', { name: 'Go to Login' })).toBeVisible();
    // The other page has forgotten the token in the meantime; it comes again from a program.
    await page
      .context()
      .addCookies([
        { name: 'acre-reset', value: new URL(link, baseURL).searchParams.get('token') ?? '', url: baseURL },
      ]);
    await choose(page, NEW);
    await expect(toastOf(page, 'Error updating password')).toContainText(
      'Failed to authenticate. Please request a new reset link.',
    );
    await expect(notice(page)).toContainText('Failed to authenticate. Please request a new reset link.');
  });

  test('a link with its token behind the hash works too', async ({ page, baseURL, dataDir }) => {
    const place = { origin: baseURL ?? '', dataDir };
    const email = await openAccount(place);
    const token = new URL(await resetLinkFor(place, email), baseURL).searchParams.get('token');
    await open(page, `/reset-password#access_token=${token}&type=recovery`);
    await expect(page).toHaveURL('/reset-password');
    await choose(page, NEW);
    await expect(page.getByRole('link', { name: 'Go to Login' })).toBeVisible();
  });

  test("a seller's leads to the sellers' door", async ({ page, baseURL, dataDir }) => {
    const email = 'yuki.tanabe@example.test';
    await open(page, await resetLinkFor({ origin: baseURL ?? '', dataDir }, email));
    await choose(page, NEW);
    await page.getByRole('link', { name: 'Go to Login' }).click();
    await expect(page).toHaveURL('/agent/login');
    await signIn(page, email, NEW);
    await expect(page).toHaveURL('/agent/dashboard');
  });
});

test('a new administrator replaces the one-time password first', { tag: '@desktop' }, async ({
  page,
  dataDir,
}) => {
  const { email, password } = await createAdmin(dataDir);
  await open(page, '/admin');
  await signIn(page, email, password);
  await expect(page).toHaveURL('/reset-password');
  await takenOver(page);
  await choose(page, NEW);
  await page.getByRole('link', { name: 'Go to Login' }).click();
  await expect(page).toHaveURL('/admin');
  await signIn(page, email, password);
  await expect(toastOf(page, 'Login failed')).toContainText('Invalid email or password');
  await signIn(page, email, NEW);
  await expect(page).toHaveURL('/admin/dashboard');
  await expect(toastOf(page, 'Welcome back!')).toBeVisible();
});

test.describe("one's own password and sessions", { tag: '@desktop' }, () => {
  test('a session elsewhere is listed and ended', async ({ page, browser, baseURL, dataDir }) => {
    const origin = baseURL ?? '';
    const email = await openAccount({ origin, dataDir });
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
    await other.goto('/account');
    await expect(other).toHaveURL('/buyer/login?next=%2Faccount');
    await elsewhere.close();
  });

  test('the password is changed by who knows it', async ({ page, context, baseURL, dataDir }) => {
    const origin = baseURL ?? '';
    const email = await openAccount({ origin, dataDir });
    const before = await sessionOf(origin, email, 'buyer', PASSWORD);
    await context.addCookies(await sessionOf(origin, email, 'buyer', PASSWORD));
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
