import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/browser.ts';

const gallery = '/dev/ui';
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
const noSidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

async function expectNoAxeViolations(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

for (const theme of ['light', 'dark'] as const) {
  for (const view of [
    '',
    '?view=seller',
    '?view=admin',
    '?view=admin&collapsed',
    '?view=login',
    '?view=404',
  ]) {
    test(`gallery ${view || 'of states'} is sound in ${theme}`, async ({ page, isMobile }) => {
      test.skip(isMobile && !['', '?view=admin'].includes(view), 'the same parts as on wide screens');
      test.slow();
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.goto(gallery + view);
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      await expectNoAxeViolations(page);
      expect(await noSidewaysScroll(page)).toBe(true);
    });
  }
}

test('a menu is worked by keyboard and gives focus back', async ({ page, isMobile }) => {
  await page.goto(gallery);
  const button = page.getByRole('button', { name: isMobile ? 'Menu' : 'Properties', exact: true });
  await button.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('All Properties');
  await page.keyboard.press('m');
  expect(await focused(page)).toBe('Multi-Family');
  await page.keyboard.press('End');
  expect(await focused(page)).toBe(isMobile ? 'Switch theme' : 'Commercial');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('All Properties');
  await page.keyboard.press('Escape');
  await expect(page.locator(':popover-open')).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('following a link closes its menu', async ({ page, isMobile }) => {
  await page.goto(gallery);
  await page.getByRole('button', { name: isMobile ? 'Menu' : 'Properties', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Vacant Lot' }).click();
  await expect(page).toHaveURL(/\/properties\?type=/);
  await expect(page.locator(':popover-open')).toHaveCount(0);
});

test('a menu of deeds skips what is disabled', async ({ page }) => {
  await page.goto(gallery);
  await page.getByRole('button', { name: 'Actions' }).focus();
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('Edit');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('Delete');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Deleted' })).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the menus open and lead on', async ({ page, isMobile }) => {
    await page.goto('/');
    await page.getByRole('button', { name: isMobile ? 'Menu' : 'Properties', exact: true }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Commercial' }).click();
    await expect(page).toHaveURL(/\/properties\?type=/);
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.locator('#menu-account').getByRole('link')).toHaveText([
      'Buyer Login',
      'Create Buyer Account',
      'Seller Login',
      'Admin Login',
    ]);
    await expect(page.getByRole('button', { name: 'Switch theme' })).toHaveCount(0);
  });
});

test('a dialog keeps focus, closes by Escape and by a press outside, and gives focus back', async ({
  page,
}) => {
  await page.goto(gallery);
  const opener = page.getByRole('button', { name: 'Inquire About Property' });
  const dialog = page.getByRole('dialog', { name: 'Send Inquiry to Seller' });
  await opener.click();
  await expect(dialog.getByLabel('Message')).toBeFocused();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await expect(dialog).toBeVisible();
  await page.mouse.click(12, 12);
  await expect(dialog).toBeHidden();
});

test('a confirmation has the focus on Cancel', async ({ page }) => {
  await page.goto(gallery);
  await page.getByRole('button', { name: 'Delete Seller' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Theo Lindqvist?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
});

test('one toast shows, errors are alerts, and the clock stands still for pointer and focus', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto(gallery);
  // The clock of the page moves only when told: what follows does not depend on how busy the machine is.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const cards = page.locator('.toaster .toast');
  const region = (role: 'alert' | 'status') => page.locator(`.toaster [role=${role}]`);
  const close = cards.getByRole('button', { name: 'Close' });

  await page.getByRole('button', { name: 'Show Error' }).click();
  await expect(region('alert')).toContainText('Failed to send message. Please try again.');
  await page.getByRole('button', { name: 'Show Inquiry Sent' }).click();
  await expect(cards).toHaveCount(1);
  await expect(region('status')).toContainText('The seller will get back to you soon.');

  await close.focus();
  await page.clock.runFor(20_000);
  await expect(cards).toHaveCount(1);
  await cards.dispatchEvent('pointerover');
  await close.blur();
  await page.clock.runFor(20_000);
  await expect(cards).toHaveCount(1);
  await cards.dispatchEvent('pointerout');
  await page.clock.runFor(4_000);
  await expect(cards).toHaveCount(1);
  await page.clock.runFor(1_000);
  await expect(cards).toHaveCount(0);
});

test('the carousel moves by button, dot and arrow key, and tells its place', async ({ page }) => {
  await page.goto(gallery);
  const pictures = page.getByRole('group', { name: 'Pictures of 1170 Summit Terrace' }).first();
  await pictures.getByRole('button', { name: 'Next image' }).click();
  await expect(pictures.getByText('Image 2 of 4')).toBeAttached();
  await page.keyboard.press('ArrowRight');
  await expect(pictures.getByText('Image 3 of 4')).toBeAttached();
  await pictures.getByRole('button', { name: 'Image 1', exact: true }).click();
  await pictures.getByRole('button', { name: 'Previous image' }).click();
  await expect(pictures.getByText('Image 4 of 4')).toBeAttached();
  await expect(page.getByRole('group', { name: 'One picture' }).getByRole('button')).toHaveCount(0);
  await expect(page.getByText('No images available')).toBeVisible();
});

test('tabs are one stop and move by arrow keys', async ({ page }) => {
  await page.goto(gallery);
  const tab = (name: string) => page.getByRole('tab', { name });
  await tab('My Inquiries').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab('Notifications')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(tab('Notifications')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Home');
  await expect(tab('Recently Viewed')).toBeFocused();
});

test('a tooltip comes with focus and goes with Escape', async ({ page }) => {
  await page.goto(gallery);
  await page.getByRole('button', { name: 'Tooltip' }).focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toBeHidden();
});

test('the theme follows the system until someone chooses, and the choice stays (B-022)', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${gallery}?view=login`);
  const html = page.locator('html');
  await expect(html).toHaveClass(/dark/);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).not.toHaveClass(/dark/);
  await page.getByRole('button', { name: 'Switch theme' }).first().click();
  await expect(html).toHaveClass(/dark/);
  await page.reload();
  await expect(html).toHaveClass(/dark/);
});

test('Ctrl+B folds the sidebar and is remembered, but not while someone types (B-021)', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'the sidebar is a sheet there');
  await page.goto(`${gallery}?view=admin`);
  const folded = page.locator('.office[data-collapsed]');
  await page.getByRole('button', { name: 'Toggle sidebar' }).focus();
  await page.keyboard.press('Control+b');
  await expect(folded).toHaveCount(1);
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('input')));
  await page.locator('main > input').focus();
  await page.keyboard.press('Control+b');
  await expect(folded).toHaveCount(1);
  const cookies = await page.context().cookies(new URL('/admin/dashboard', page.url()).href);
  const cookie = cookies.find(({ name }) => name === 'acre-sidebar');
  expect(cookie).toMatchObject({ value: 'collapsed', sameSite: 'Lax', path: '/admin' });
});

test('the sidebar of an area is a sheet on phones', async ({ page, isMobile }) => {
  test.skip(!isMobile, 'a column there');
  await page.goto(`${gallery}?view=admin`);
  const side = page.getByRole('navigation', { name: 'Admin' });
  await expect(side).toBeHidden();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(side).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(side).toBeHidden();
});
