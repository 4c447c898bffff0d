import { expect, open, test } from '#tests/support/signed-in.ts';
import { expectSound } from '#tests/support/sound.ts';

const SELLER = 'seller@acre.test';

test.describe("the seller's area, in both themes, wide and narrow", () => {
  test.slow();
  for (const [name, path, title, email] of [
    ['seller-dashboard', '/agent/dashboard', 'Seller Dashboard', SELLER],
    ['seller-properties', '/agent/properties', 'My Properties', SELLER],
    ['seller-transactions', '/agent/transactions', 'My Transactions', SELLER],
    ['seller-settings-stripe', '/agent/settings', 'Payment Settings', SELLER],
    ['seller-settings-paypal', '/agent/settings', 'Payment Settings', 'seller2@acre.test'],
    ['seller-agents', '/agent/agents', 'Manage Sellers', SELLER],
    ['seller-suspended', '/agent/properties', 'My Properties', 'desmond.airey@example.test'],
  ] as const)
    test(name, async ({ page, enter }) => {
      await enter(email, 'agent');
      await open(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      await expectSound(page, name);
    });

  for (const [name, path, button] of [
    ['seller-withdraw', '/agent/properties', 'Withdraw'],
    ['seller-disconnect', '/agent/settings', 'Disconnect'],
  ] as const)
    test(name, async ({ page, enter }) => {
      await enter(SELLER, 'agent');
      await open(page, path);
      await page.getByRole('link', { name: button }).first().click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await expectSound(page, name);
    });

  test('seller-menu', async ({ page, enter, isMobile }) => {
    test.skip(!isMobile, 'the sheet is for narrow screens');
    await enter(SELLER, 'agent');
    await open(page, '/agent/dashboard');
    await page.getByRole('button', { name: 'Seller menu' }).click();
    const side = page.getByRole('navigation', { name: 'Seller' });
    await expect(side.getByRole('link')).toHaveCount(6);
    await expect(side.getByRole('button', { name: 'Logout' })).toBeVisible();
    await expectSound(page, 'seller-menu');
    await side.getByRole('link', { name: 'My Properties' }).click();
    await expect(page).toHaveURL('/agent/properties');
    await expect(side).toBeHidden();
  });
});
