import type { Page } from '@playwright/test';
import { HOUR } from '#platform/durations.ts';
import { axeViolations, expectAccessible } from '#tests/support/browser/accessibility.ts';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';

test.use(withPictures);

const gallery = '/dev/ui';
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');

for (const view of ['', '?view=seller', '?view=admin', '?view=admin&collapsed', '?view=login', '?view=404'])
  test(`gallery ${view || 'of states'} is accessible and fits the window in both themes`, async ({
    page,
  }) => {
    test.slow();
    await page.goto(gallery + view);
    await expectAccessible(page, `gallery${view.replaceAll(/\W/g, '-')}`);
  });

test('a menu works by keyboard and restores the focus', { tag: '@phone' }, async ({ page, isMobile }) => {
  await open(page, gallery);
  const button = page.getByRole('button', { name: isMobile ? 'Menu' : 'Properties', exact: true });
  await button.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('All Properties');
  await page.keyboard.press('m');
  await expect.poll(() => focused(page)).toBe('Multi-Family');
  await page.keyboard.press('End');
  await expect.poll(() => focused(page)).toBe(isMobile ? 'Switch theme' : 'Commercial');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('All Properties');
  await page.keyboard.press('Escape');
  await expect(page.locator(':popover-open')).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('following a link closes its menu', { tag: '@phone' }, async ({ page, isMobile }) => {
  await open(page, gallery);
  await page.getByRole('button', { name: isMobile ? 'Menu' : 'Properties', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Vacant Lot' }).click();
  await expect(page).toHaveURL(/\/properties\?type=/);
  await expect(page.locator(':popover-open')).toHaveCount(0);
});

test('a menu of actions skips disabled items', async ({ page }) => {
  await open(page, gallery);
  await page.getByRole('button', { name: 'Actions' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Edit');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Delete');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Deleted' })).toBeVisible();
});

test.describe('without scripts', { tag: '@phone' }, () => {
  test.use({ javaScriptEnabled: false });

  test('the menus open and their links work', async ({ page, isMobile }) => {
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

test.describe('a drawer without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('is a section of the page, and a link closes it', async ({ page }) => {
    await page.goto(gallery);
    await page.getByRole('link', { name: 'Details of 5 Quarry Hill' }).click();
    const drawer = page.getByRole('dialog', { name: '5 Quarry Hill' });
    await expect(drawer.getByText('Abel Renner')).toBeVisible();
    await expect(drawer).toHaveCSS('position', 'static');
    await drawer.getByRole('link', { name: 'Close' }).click();
    await expect(drawer).toHaveCount(0);
  });
});

test('a dialog traps the focus, closes on Escape and on an outside click, and restores the focus', async ({
  page,
}) => {
  await open(page, gallery);
  const opener = page.getByRole('button', { name: 'Inquire About Property' });
  const dialog = page.getByRole('dialog', { name: 'Send Inquiry to Seller' });
  await opener.click();
  await expect(dialog.getByLabel('Message')).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await expect(dialog).toBeVisible();
  await page.mouse.click(12, 12);
  await expect(dialog).toBeHidden();
});

test('a dialog dims the whole window and moves nothing', async ({ browser, baseURL }) => {
  // The tests' browser hides scrollbars unless a page draws its own.
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const style = new CSSStyleSheet();
      style.replaceSync('html::-webkit-scrollbar { width: 15px }');
      document.adoptedStyleSheets = [style];
    });
  });
  await open(page, `${baseURL}${gallery}`);
  const measure = () =>
    page.evaluate(() => ({
      window: innerWidth,
      page: document.documentElement.clientWidth,
      content: document.body.getBoundingClientRect().width,
    }));
  const before = await measure();
  await page.getByRole('button', { name: 'Inquire About Property' }).click();
  await expect(page.getByRole('dialog', { name: 'Send Inquiry to Seller' })).toBeVisible();
  const during = await measure();
  expect(during.page).toBe(during.window);
  expect(during.content).toBe(before.content);
  await context.close();
});

test('a drawer is opened and closed by the URL, traps the focus and returns it', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  await open(page, gallery);
  const opener = page.getByRole('link', { name: 'Details of 5 Quarry Hill' });
  const drawer = page.getByRole('dialog', { name: '5 Quarry Hill' });
  await opener.press('Enter');
  await expect(page).toHaveURL(/\?details=facts$/);
  await expect(drawer.getByText('Abel Renner')).toBeVisible();
  await expect(drawer.getByRole('link', { name: 'Close' })).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  const box = await drawer.boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(width);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(height);
  if (isMobile) expect(box?.width).toBe(width);
  await drawer.getByRole('tab', { name: 'Sale' }).click();
  await expect(page).toHaveURL(/\?details=sale$/);
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(page).not.toHaveURL(/details/);
  await expect(opener).toBeFocused();
  await page.goBack();
  await expect(drawer).toBeVisible();
  await page.mouse.click(4, 4);
  await expect(drawer).toBeHidden();
  await expect(page).not.toHaveURL(/details/);
});

test('a confirmation dialog focuses Cancel', async ({ page }) => {
  await open(page, gallery);
  await page.getByRole('button', { name: 'Delete Seller' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Theo Lindqvist?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
});

test('one toast shows at a time, errors are alerts, and its timer pauses on hover and focus', async ({
  page,
}) => {
  await page.clock.install();
  await open(page, gallery);
  // The page's clock is controlled, so the test does not depend on the speed of the machine.
  await page.clock.pauseAt(Date.now() + HOUR);
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
  await cards.dispatchEvent('pointermove');
  await close.blur();
  await page.clock.runFor(20_000);
  await expect(cards).toHaveCount(1);
  await cards.dispatchEvent('pointerout');
  await page.clock.runFor(4_000);
  await expect(cards).toHaveCount(1);
  await page.clock.runFor(1_000);
  await expect(cards).toHaveCount(0);
});

test('a toast that appears under a resting pointer still closes itself', async ({ page }) => {
  await page.clock.install();
  await open(page, gallery);
  await page.clock.pauseAt(Date.now() + HOUR);
  const cards = page.locator('.toaster .toast');
  const show = page.getByRole('button', { name: 'Show Error' });
  await show.press('Enter');
  const box = await cards.boundingBox();
  await page.clock.runFor(5_000);
  await expect(cards).toHaveCount(0);
  await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 20);
  await show.press('Enter');
  await expect(cards).toHaveCount(1);
  await page.clock.runFor(5_000);
  await expect(cards).toHaveCount(0);
});

test('the carousel moves by button, dot and arrow key, and announces its position', async ({ page }) => {
  await open(page, gallery);
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

// Whoever looks at the list is in it, so that no page shows it empty.
test('a list without administrators says how to add one', async ({ page }) => {
  await open(page, gallery);
  await expect(page.getByText('No Administrators Found')).toBeVisible();
  await expect(page.getByText('Click Add Admin to create an administrator account.')).toBeVisible();
});

test('tabs are one tab stop and move with the arrow keys', async ({ page }) => {
  await open(page, gallery);
  const tab = (name: string) => page.getByRole('tab', { name });
  await tab('My Inquiries').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab('Notifications')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(tab('Notifications')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Home');
  await expect(tab('Recently Viewed')).toBeFocused();
});

test('a tooltip shows on focus and hides on Escape', async ({ page }) => {
  await open(page, gallery);
  await page.getByRole('button', { name: 'Tooltip' }).focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toBeHidden();
});

test('the theme follows the system until the user chooses one, and the choice persists', async ({ page }) => {
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

test('Ctrl+B collapses the sidebar persistently, but not while the user is typing', async ({ page }) => {
  await open(page, `${gallery}?view=admin`);
  const collapsed = page.locator('.office[data-collapsed]');
  await page.getByRole('button', { name: 'Toggle sidebar' }).focus();
  await page.keyboard.press('Control+b');
  await expect(collapsed).toHaveCount(1);
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('input')));
  await page.locator('main > input').focus();
  await page.keyboard.press('Control+b');
  await expect(collapsed).toHaveCount(1);
  const cookies = await page.context().cookies(new URL('/admin/dashboard', page.url()).href);
  const cookie = cookies.find(({ name }) => name === 'acre-sidebar');
  expect(cookie).toMatchObject({ value: 'collapsed', sameSite: 'Lax', path: '/admin' });
});

test('the sidebar is a sheet on phones', { tag: '@phone' }, async ({ page, isMobile }) => {
  test.skip(!isMobile, 'a column there');
  await open(page, `${gallery}?view=admin`);
  const side = page.getByRole('navigation', { name: 'Admin' });
  await expect(side).toBeHidden();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(side).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(side).toBeHidden();
});
