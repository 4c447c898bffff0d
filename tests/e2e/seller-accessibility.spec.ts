import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';

const SELLER = 'seller@acre.test';

test.describe('the seller area, in both themes, on desktop and mobile', () => {
  test.slow();
  for (const [email, pages] of [
    [
      SELLER,
      [
        ['seller-dashboard', '/agent/dashboard', 'Seller Dashboard'],
        ['seller-properties', '/agent/properties', 'My Properties'],
        ['seller-transactions', '/agent/transactions', 'My Transactions'],
        ['seller-settings-stripe', '/agent/settings', 'Payment Settings'],
        ['seller-agents', '/agent/agents', 'Manage Sellers'],
      ],
    ],
    ['seller2@acre.test', [['seller-settings-paypal', '/agent/settings', 'Payment Settings']]],
    ['desmond.airey@example.test', [['seller-suspended', '/agent/properties', 'My Properties']]],
  ] as const)
    test(`the pages of ${email}`, async ({ page, signInAs }) => {
      await signInAs(email, 'agent');
      for (const [name, path, title] of pages)
        await test.step(name, async () => {
          await open(page, path);
          await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
          await expectAccessible(page, name);
        });
    });

  for (const [name, path, button] of [
    ['seller-withdraw', '/agent/properties', 'Withdraw'],
    ['seller-disconnect', '/agent/settings', 'Disconnect'],
  ] as const)
    test(name, async ({ page, signInAs }) => {
      await signInAs(SELLER, 'agent');
      await open(page, path);
      await page.getByRole('link', { name: button }).first().click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await expectAccessible(page, name);
    });

  test('seller-menu', { tag: '@phone' }, async ({ page, signInAs, isMobile }) => {
    test.skip(!isMobile, 'the sheet is for narrow screens');
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/dashboard');
    await page.getByRole('button', { name: 'Seller menu' }).click();
    const side = page.getByRole('navigation', { name: 'Seller' });
    await expect(side.getByRole('link')).toHaveCount(6);
    await expect(side.getByRole('button', { name: 'Logout' })).toBeVisible();
    await expectAccessible(page, 'seller-menu');
    await side.getByRole('link', { name: 'My Properties' }).click();
    await expect(page).toHaveURL('/agent/properties');
    await expect(side).toBeHidden();
  });
});
