import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/signed-in-test.ts';

test.describe('payouts', () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('are chosen, confirmed with the typed total and processed by keyboard alone, and say what was refused', async ({
    page,
  }) => {
    await open(page, '/admin/transactions?tab=payouts');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transactions & Payouts');
    await expect(page.getByText('Manage commission payouts for completed sales')).toBeVisible();
    const process = page.getByRole('button', { name: 'Process Selected Payouts' });
    await expect(process).toBeDisabled();
    await expectAccessible(page, 'admin-payouts');
    await page.getByLabel('Select all').focus();
    await page.keyboard.press('Space');
    await expect(page.getByRole('status').filter({ hasText: /^\d+ selected$/ })).toBeVisible();
    await process.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Confirm Payouts' });
    await expect(
      dialog.getByText('Seller Yuki Tanabe has not set their preferred payout method'),
    ).toBeVisible();
    await expectAccessible(page, 'admin-confirm-payouts');
    const confirm = dialog.getByRole('button', { name: 'Process Selected Payouts' });
    await confirm.press('Enter');
    const typed = dialog.getByLabel('Type the total to confirm');
    await expect(dialog.getByText(/^Please type the total: \$/)).toBeVisible();
    const total = (await dialog.getByText(/^Please type the total: /).textContent())?.split(': ')[1] ?? '';
    await expect(confirm).not.toHaveAttribute('aria-busy', 'true');
    await typed.focus();
    await page.keyboard.type(total);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/^\d+ Payouts Processed\. \d+ Payouts Failed:$/)).toBeVisible();
    await expect(
      page.getByText(/Seller Yuki Tanabe has not set their preferred payout method/),
    ).toBeVisible();

    await page.getByRole('link', { name: 'Retry the payout to Gabriel Montoya' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Retry payout' }).press('Enter');
    await expect(toastOf(page, 'Payout is pending again')).toBeVisible();
    await expect(page.getByRole('row', { name: /Gabriel Montoya/ }).getByRole('checkbox')).toBeVisible();

    await page.getByText('Not yet payable').click();
    await expect(
      page.getByRole('table', { name: 'Not yet payable' }).getByText('In Escrow').first(),
    ).toBeVisible();
  });

  test('stand on the dashboard, too, and fit a telephone', { tag: '@phone' }, async ({ page }) => {
    await open(page, '/admin/dashboard');
    await expect(page.getByRole('heading', { name: 'Payout Management' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Pending Payouts' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });
});
