import type { Page } from '@playwright/test';
import { BELL_NAME } from '#tests/support/browser/conversations.ts';
import { createSession, expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { larkspurLane, pathOf } from '#tests/support/fixtures/demo-listings.ts';

const propertiesButton = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('button').first();
const propertiesMenu = (page: Page) => page.locator('#menu-props');
const accountMenu = (page: Page) => page.locator('#menu-account');
const types = ['Vacant Lot', 'Single Family', 'Multi-Family', 'Commercial'];
const loginLinks: [string, string][] = [
  ['Buyer Login', '/buyer/login'],
  ['Create Buyer Account', '/buyer/signup'],
  ['Seller Login', '/agent/login'],
  ['Admin Login', '/admin'],
];

test.describe('the menus', () => {
  test('Properties: links to all properties and the four types', async ({ page }) => {
    await open(page, '/');
    await expect(propertiesMenu(page)).toBeHidden();
    await propertiesButton(page).click();
    await expect(propertiesMenu(page).getByRole('link')).toHaveText(['All Properties', ...types]);
    await propertiesMenu(page).getByText('Multi-Family').click();
    await expect(page).toHaveURL('/properties?type=multi-family');
    await expect(propertiesMenu(page)).toBeHidden();
  });

  test('Login: links to the three logins and the sign-up', async ({ page }) => {
    await open(page, '/');
    await page.getByRole('button', { name: 'Login' }).click();
    const links = accountMenu(page).getByRole('link');
    await expect(links).toHaveText(loginLinks.map(([label]) => label));
    for (const [index, [, path]] of loginLinks.entries())
      await expect(links.nth(index)).toHaveAttribute('href', path);
    await page.mouse.click(10, 800);
    await expect(accountMenu(page)).toBeHidden();
  });

  test('by keyboard: arrows, first letters, and Escape restores the focus', async ({ page }) => {
    await open(page, '/');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.locator('header .brand')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(propertiesButton(page)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(propertiesMenu(page).getByText('All Properties')).toBeFocused();
    await page.keyboard.press('s');
    await expect(propertiesMenu(page).getByText('Single Family')).toBeFocused();
    await page.keyboard.press('End');
    await expect(propertiesMenu(page).getByText('Commercial')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(propertiesMenu(page)).toBeHidden();
    await expect(propertiesButton(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(propertiesMenu(page)).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(propertiesMenu(page).getByText('All Properties')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/properties');
  });

  for (const [email, role, place, href, bell] of [
    [
      'buyer@acre.test',
      'buyer',
      'My Activity',
      '/buyer/transactions',
      /^\/buyer\/transactions(\?tab=inquiries)?$/,
    ],
    ['seller@acre.test', 'agent', 'Seller Dashboard', '/agent/dashboard', /^\/agent\/inquiries$/],
    ['admin@acre.test', 'admin', 'Admin Dashboard', '/admin/dashboard', /^\/admin\/activity$/],
  ] as const) {
    test(`the account of ${email}: ${place} and Logout`, async ({ page, signInAs }) => {
      await signInAs(email, role);
      await open(page, '/');
      await page.getByRole('button', { name: 'Account' }).click();
      const links = accountMenu(page).getByRole('link');
      await expect(links).toHaveText([place, 'Watched Properties', 'Saved Searches', 'Account settings']);
      await expect(links.first()).toHaveAttribute('href', href);
      await expect(links.last()).toHaveAttribute('href', '/account');
      await expect(accountMenu(page).getByRole('button')).toHaveText(['Logout']);
      await expect(page.getByRole('button', { name: 'Login' })).toHaveCount(0);
      const bellLink = page.getByRole('link', { name: BELL_NAME });
      await expect(bellLink).toHaveAttribute('href', bell);
    });
  }
});

test.describe('signing out', () => {
  test('signs out other tabs, and the back button shows nothing of the account', async ({
    page,
    context,
    baseURL,
  }) => {
    await context.addCookies(await createSession(baseURL ?? '', 'buyer2@acre.test'));
    await open(page, '/buyer/transactions');
    const other = await context.newPage();
    await open(other, pathOf(larkspurLane));
    await expect(other.getByRole('button', { name: 'Account' })).toBeVisible();

    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
    await expect(other.getByRole('button', { name: 'Login' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/buyer\/login/);
    await expect(page.getByText('buyer2@acre.test')).toHaveCount(1);
  });
});

test.describe('the theme', () => {
  test("follows the system, then the user's choice, without a flash", async ({ page, context }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(page, '/');
    await expect(page.locator('html')).toHaveClass(/dark/);
    await page.getByRole('button', { name: 'Switch theme' }).click();
    await expect(page.locator('html')).not.toHaveClass(/dark/);
    // Before the first paint there is no body yet, and the class must already be set.
    await context.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return;
        observer.disconnect();
        Object.assign(window, { atFirst: document.documentElement.className });
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    expect(await page.evaluate(() => (window as { atFirst?: string }).atFirst)).toBe('js');
    const other = await context.newPage();
    await other.emulateMedia({ colorScheme: 'dark' });
    await open(other, '/properties');
    await expect(other.locator('html')).not.toHaveClass(/dark/);
    await other.getByRole('button', { name: 'Switch theme' }).click();
    await expect(page.locator('html')).toHaveClass(/dark/);
  });
});

test('the footer links to the types, the logins and the operator', async ({ page }) => {
  await page.goto('/properties');
  const foot = page.getByRole('contentinfo');
  await expect(foot.getByRole('link')).toHaveText([
    /Acre Trading Post/,
    'All Properties',
    ...types,
    ...loginLinks.map(([label]) => label),
    'Terms of Service',
    'Privacy Policy',
    'Verify a Document',
    'support@acre.test',
  ]);
});

test('the skip link skips the navigation', async ({ page }) => {
  await page.goto('/properties');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Back', exact: true })).toBeFocused();
});

test.describe('menus without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('open, and their links work', async ({ page, context, baseURL }) => {
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Switch theme' })).toBeHidden();
    await propertiesButton(page).click();
    await propertiesMenu(page).getByText('Commercial').click();
    await expect(page).toHaveURL('/properties?type=commercial');
    await context.addCookies(await createSession(baseURL ?? '', 'buyer2@acre.test'));
    await page.goto('/');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Logout' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  });
});
