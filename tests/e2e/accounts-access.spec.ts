import type { Page } from '@playwright/test';
import { createSession, expect, open, test } from '#tests/support/browser/signed-in-test.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('signed out, each area redirects to its login', async ({ page }) => {
  for (const [path, loginPath, title] of [
    ['/buyer/transactions', '/buyer/login', 'Welcome Back'],
    ['/agent/dashboard', '/agent/login', 'Seller Login'],
    ['/admin/dashboard', '/admin', 'Admin Login'],
    ['/account', '/buyer/login', 'Welcome Back'],
  ] as const) {
    await page.goto(path);
    await expect(page).toHaveURL(`${loginPath}?next=${encodeURIComponent(path)}`);
    await expect(heading(page)).toHaveText(title);
    await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(loginPath === '/admin' ? 0 : 1);
  }
});

test.describe('signed in with another role', () => {
  test('a page for buyers asks a seller to sign out first', async ({ page, context, baseURL }) => {
    await context.addCookies(await createSession(baseURL ?? '', 'seller2@acre.test', 'agent'));
    await open(page, '/buyer/transactions');
    await expect(page).toHaveURL('/buyer/login?next=%2Fbuyer%2Ftransactions');
    const notice = page.getByRole('main').getByRole('status').first();
    await expect(notice).toContainText('You are signed in as a seller – sign out to use a buyer account');
    await expect(notice).toContainText('seller2@acre.test');
    await notice.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  });

  for (const [path, email, logout] of [
    ['/agent/dashboard', 'buyer@acre.test', 'menu'],
    ['/agent/dashboard', 'admin@acre.test', 'menu'],
    ['/admin/dashboard', 'buyer@acre.test', 'side'],
    ['/admin/dashboard', 'seller@acre.test', 'side'],
  ] as const) {
    test(`${path} shows ${email} only a logout`, async ({ page, context, baseURL, expectConsole }) => {
      expectConsole(403);
      await context.addCookies(await createSession(baseURL ?? '', email));
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(403);
      expect(await answer?.text()).not.toContain('Dashboard</h1>');
      await expect(page).toHaveURL(path);
      await expect(page).toHaveTitle('Not available for this account · Acre Trading Post');
      const main = page.getByRole('main');
      await expect(main.getByRole('status')).toHaveText('Not available for this account');
      await expect(main.locator(':scope > *:not(.side-open)')).toHaveCount(1);
      await expect(
        page.getByRole('navigation', { name: /Seller|Admin/ }).getByRole('link', { name: 'Dashboard' }),
      ).toHaveCount(0);
      if (logout === 'menu') await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).click();
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
    });
  }

  test('the admin login shows who is signed in, without a redirect loop', async ({ page, signInAs }) => {
    await signInAs('buyer@acre.test');
    await open(page, '/admin');
    await expect(page).toHaveURL('/admin');
    await expect(heading(page)).toHaveText('Admin Login');
    const notice = page.getByRole('main').getByRole('status').first();
    await expect(notice).toContainText('You are signed in as a buyer');
    await expect(notice).toContainText('buyer@acre.test');
    await open(page, '/admin/');
    await expect(heading(page)).toHaveText('Admin Login');
  });

  test('a page is replaced when another account signs in in another tab', async ({
    page,
    context,
    baseURL,
  }) => {
    await context.addCookies(await createSession(baseURL ?? '', 'seller2@acre.test', 'agent'));
    await open(page, '/agent/dashboard');
    const other = await context.newPage();
    await open(other, '/buyer/login');
    await other.getByRole('button', { name: 'buyer2@acre.test' }).click();
    await expect(other).toHaveURL('/');
    await expect(page).toHaveTitle('Not available for this account · Acre Trading Post');
    await expect(heading(page)).toHaveText('Not available for this account');
    await expect(page.getByText('Seller Dashboard')).toHaveCount(0);
  });
});

test('already signed in, each login redirects to the start of its area', async ({
  page,
  context,
  signInAs,
}) => {
  for (const [loginPath, email, role, home] of [
    ['/buyer/login', 'buyer@acre.test', 'buyer', '/'],
    ['/buyer/signup', 'buyer@acre.test', 'buyer', '/'],
    ['/agent/login', 'seller@acre.test', 'agent', '/agent/dashboard'],
    ['/admin', 'admin@acre.test', 'admin', '/admin/dashboard'],
    ['/admin/', 'admin@acre.test', 'admin', '/admin/dashboard'],
  ] as const) {
    await context.clearCookies();
    await signInAs(email, role);
    await page.goto(loginPath);
    await expect(page).toHaveURL(home);
  }
});
