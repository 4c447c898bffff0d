import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/signed-in-test.ts';

test.describe('reconciliation', () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('a difference is looked at, refused without a reason, and written off by keyboard alone', async ({
    page,
  }) => {
    await open(page, '/admin/reconciliation');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reconciliation');
    await expectAccessible(page, 'admin-reconciliation');
    const row = page.getByRole('row', { name: /txn_sandbox_demo_2/ });
    await expect(row).toContainText('-$12.40');
    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', {
      name: 'The provider booked something that nothing here explains',
    });
    await expect(drawer.getByRole('region', { name: 'Our books' })).toContainText('$0.00');
    await expect(drawer.getByRole('region', { name: 'The provider' })).toContainText('Adjustment');
    await expectAccessible(page, 'admin-difference');

    await drawer.getByRole('link', { name: 'Write off' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Write off' });
    await expect(dialog.getByText('It is $12.40.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Write off' }).press('Enter');
    await expect(dialog.getByText('Please give a reason.')).toBeVisible();
    await expect(dialog.getByLabel('Reason')).toBeFocused();
    await expectAccessible(page, 'admin-write-off');
    await page.keyboard.type('A rounding of the provider.');
    await dialog.getByRole('button', { name: 'Write off' }).press('Enter');
    await expect(toastOf(page, 'Difference written off')).toBeVisible();
    await expect(drawer.getByText('It was written off')).toBeVisible();
    await expect(drawer.getByText('A rounding of the provider.').first()).toBeVisible();
  });

  test('a write-off that another administrator asked for is approved, and a payment is posted', async ({
    page,
  }) => {
    await open(page, '/admin/reconciliation?kind=unknown_transaction&age=7');
    await page
      .getByRole('link', { name: 'The provider booked something that nothing here explains' })
      .last()
      .click();
    const drawer = page.getByRole('dialog').first();
    await expect(drawer.getByText(/Desmond Achterberg asked to write off \$260.00/)).toBeVisible();
    await drawer.getByRole('link', { name: 'Approve' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
    await expect(toastOf(page, 'Request approved')).toBeVisible();
    await expect(drawer.getByText('Approved by Pauline Ashgrove')).toBeVisible();

    await open(page, '/admin/reconciliation?kind=orphan_charge');
    await page.getByRole('link', { name: 'A payment belongs to no sale' }).last().click();
    await page.getByRole('dialog').getByRole('link', { name: 'Assign' }).click();
    const assign = page.getByRole('dialog', { name: 'Assign' });
    await assign.getByLabel('Sale ID').fill('no sale');
    await assign.getByLabel('Reason').fill('The deposit.');
    await assign.getByRole('button', { name: 'Assign' }).click();
    await expect(
      assign.getByText('The two sides do not agree to the cent. Nothing was changed.'),
    ).toBeVisible();
    await expect(assign.getByLabel('Reason')).toHaveValue('The deposit.');
    await assign.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Post' }).click();
    const post = page.getByRole('dialog', { name: 'Post' });
    await post.getByLabel('Account').selectOption('Suspense (not assigned yet)');
    await post.getByLabel('Reason').fill('Nobody has said yet what it is for.');
    await post.getByRole('button', { name: 'Post' }).click();
    await expect(toastOf(page, 'Difference posted')).toBeVisible();
  });

  test('disputes, runs and balances', async ({ page }) => {
    await open(page, '/admin/reconciliation?tab=disputes');
    await expect(page.getByRole('table', { name: 'Disputes' }).getByText('Chargeback').first()).toBeVisible();
    await page.getByRole('tab', { name: 'Balances' }).click();
    const balances = page.getByRole('table', { name: 'Balances' });
    await expect(balances.getByRole('row', { name: /Sandbox, cards and banks/ })).toContainText('Agrees');
    const money = page.getByRole('table', { name: 'Money for payouts' });
    await expect(money.getByRole('row', { name: /Sandbox, PayPal/ })).toBeVisible();
    await expectAccessible(page, 'admin-reconciliation-balances');
    await page.getByRole('button', { name: 'Reconcile now' }).click();
    await expect(toastOf(page, 'Reconciliation started')).toBeVisible();
    await expect(page).toHaveURL(/tab=runs/);
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByRole('row', { name: /Sandbox, crypto.*Finished/ }).count();
      })
      .toBeGreaterThan(0);
    await expectAccessible(page, 'admin-reconciliation-runs');
  });

  test('nothing is wider than a telephone', { tag: '@phone' }, async ({ page, isMobile }) => {
    test.skip(!isMobile, 'for narrow screens');
    for (const tab of ['breaks', 'disputes', 'runs', 'balances']) {
      await open(page, `/admin/reconciliation?tab=${tab}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
  });
});
