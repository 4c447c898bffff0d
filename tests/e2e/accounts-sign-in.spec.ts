import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { createConfirmedAccount, signIn } from '#tests/support/browser/accounts.ts';
import {
  expect,
  open,
  test,
  toastOf,
  toastsLoaded,
  waitForHydration,
} from '#tests/support/browser/signed-in-test.ts';
import { larkspurLane, pathOf } from '#tests/support/fixtures/demo-listings.ts';

const loggedOut = (page: Page) => page.getByRole('button', { name: 'Login' });
const loggedIn = (page: Page) => page.getByRole('button', { name: 'Account' });
const session = async (page: Page) =>
  (await page.context().cookies()).find(({ name, value }) => name.includes('session_token') && value !== '');

const SELLERS_ONLY = 'This account does not have seller access';
const ADMINS_ONLY = 'Unauthorized: Admin access only';
const loginPaths = { buyer: '/buyer/login', agent: '/agent/login', admin: '/admin' };

test.describe('each account at each login', () => {
  test('signs in where its role may', async ({ page, context }) => {
    for (const [role, email, home] of [
      ['buyer', 'buyer@acre.test', '/'],
      ['buyer', 'seller@acre.test', '/'],
      ['buyer', 'admin@acre.test', '/'],
      ['agent', 'seller@acre.test', '/agent/dashboard'],
      ['admin', 'admin@acre.test', '/admin/dashboard'],
    ] as const)
      await test.step(`${email} at ${loginPaths[role]}`, async () => {
        await context.clearCookies();
        await open(page, loginPaths[role]);
        await signIn(page, email, DEMO_PASSWORD);
        await expect(page).toHaveURL(home);
        if (role === 'admin') {
          await expect(toastOf(page, 'Welcome back!')).toContainText('Successfully logged in as admin.');
          await expect(page.getByText(email).first()).toBeVisible();
        } else await expect(loggedIn(page)).toBeVisible();
      });
  });

  test('is refused where its role may not', async ({ page }) => {
    for (const [role, email, message] of [
      ['agent', 'buyer@acre.test', SELLERS_ONLY],
      ['agent', 'admin@acre.test', SELLERS_ONLY],
      ['admin', 'buyer@acre.test', ADMINS_ONLY],
      ['admin', 'seller@acre.test', ADMINS_ONLY],
    ] as const)
      await test.step(`${email} at ${loginPaths[role]}`, async () => {
        await open(page, loginPaths[role]);
        await signIn(page, email, DEMO_PASSWORD);
        await expect(toastOf(page, 'Login failed')).toContainText(message);
        await expect(page).toHaveURL(loginPaths[role]);
        await expect(page.getByLabel('Email')).toHaveValue(email);
        expect(await session(page)).toBeUndefined();
        await page.goto('/');
        await expect(loggedOut(page)).toBeVisible();
      });
  });

  test('a wrong password and an unknown address get the same message', async ({ page }) => {
    await open(page, '/buyer/login');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome Back');
    await expect(page.getByText('Sign in to your buyer account')).toBeVisible();
    for (const email of ['buyer@acre.test', 'nobody@example.test']) {
      await signIn(page, email, 'not the password');
      await expect(toastOf(page, 'Login failed')).toContainText('Invalid email or password');
      await expect(page.locator('.fnote')).toHaveText('Invalid email or password');
      await expect(page.getByLabel('Email')).toHaveValue(email);
      await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
      await page.reload();
      await waitForHydration(page);
    }
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByText('Email is required')).toBeVisible();
    await expect(page.getByText('Password is required')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
  });

  test('a demo account signs in with one key press', async ({ page }) => {
    await open(page, '/agent/login');
    await expect(page).toHaveTitle('Seller Login · Acre Trading Post');
    await page.getByRole('button', { name: 'seller2@acre.test' }).press('Enter');
    await expect(page).toHaveURL('/agent/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Seller Dashboard');
  });

  test('submitting twice at the same moment signs in once', async ({ page }) => {
    await open(page, '/buyer/login');
    await page.getByLabel('Email').fill('buyer2@acre.test');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).evaluate(({ form }: HTMLButtonElement) => {
      form?.requestSubmit();
      form?.requestSubmit();
    });
    await expect(page).toHaveURL('/');
    await expect(loggedIn(page)).toBeVisible();
  });
});

test.describe('after signing in', () => {
  test('the user returns to the requested page', async ({ page }) => {
    await open(page, '/buyer/transactions?tab=watched');
    await expect(page).toHaveURL('/buyer/login?next=%2Fbuyer%2Ftransactions%3Ftab%3Dwatched');
    await signIn(page, 'buyer@acre.test', DEMO_PASSWORD);
    await expect(page).toHaveURL('/buyer/transactions?tab=watched');
    await expect(page).toHaveTitle('My Activity · Acre Trading Post');
  });

  test('the interrupted action is completed', async ({ page, baseURL, dataDir }) => {
    const email = await createConfirmedAccount({ origin: baseURL ?? '', dataDir });
    await open(page, pathOf(larkspurLane));
    const watch = page.getByRole('button', { name: 'Watch 48 Larkspur Lane' });
    await watch.click();
    await expect(toastOf(page, 'Sign in Required')).toContainText(
      'Please sign in to watch properties and receive updates',
    );
    await expect(page).toHaveURL(/\/buyer\/login\?/);
    await signIn(page, email);
    await expect(page).toHaveURL(pathOf(larkspurLane));
    await expect(watch).toHaveAttribute('aria-pressed', 'true');
  });

  test('redirects never leave the site', async ({ page }) => {
    const login = (next: string) => `/buyer/login?next=${encodeURIComponent(next)}`;
    await open(page, login('//evil.example'));
    await page.getByRole('button', { name: 'buyer2@acre.test' }).click();
    await expect(page).toHaveURL('/');
    // A signed-in user is redirected at once.
    for (const next of [
      'https://evil.example/',
      '/\\evil.example',
      '/\t/evil.example',
      '/..//evil.example',
      'javascript:alert(1)',
      '@evil.example',
    ]) {
      await page.goto(login(next));
      await expect(page, next).toHaveURL('/');
    }
    await page.goto(login('/properties?type=commercial'));
    await expect(page).toHaveURL('/properties?type=commercial');
  });

  test('other tabs follow, also after signing out; going back shows nothing', async ({ page, context }) => {
    await open(page, '/admin');
    const other = await context.newPage();
    await open(other, '/properties');
    await expect(loggedOut(other)).toBeVisible();
    // With them comes what listens to other tabs.
    await toastsLoaded(other);
    await signIn(page, 'admin@acre.test', DEMO_PASSWORD);
    await expect(page).toHaveURL('/admin/dashboard');
    await expect(loggedIn(other)).toBeVisible();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/');
    await expect(loggedOut(other)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/admin\?next=/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin Login');
  });

  test('signing out takes back what the page has just asked for an administrator', async ({ page }) => {
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    // Never answered: after the session has ended, it would be refused.
    await page.route('**/api/waiting-work', () => ask());
    await open(page, '/admin');
    await signIn(page, 'admin@acre.test', DEMO_PASSWORD);
    await isAsked;
    const { promise: isTakenBack, resolve: takeBack } = Promise.withResolvers<void>();
    page.on('requestfailed', (request) => request.url().endsWith('/api/waiting-work') && takeBack());
    // The page is there until the answer comes.
    await page.route('**/logout', async (route) => {
      await isTakenBack;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/');
  });
});
