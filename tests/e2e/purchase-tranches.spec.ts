import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';

const CARD = 'Escrow with Card/Bank Transfer';

test.describe('buying above the limit of one payment', { tag: '@server' }, () => {
  test('by bank transfer in three parts', async ({ page, scenario, signInAs }) => {
    const propertyId = await scenario.createListing({
      address: '9 Long Lane',
      price_cents: 2_400_000_00,
    });
    await signInAs('buyer@acre.test');
    await open(page, `/property/${propertyId}`);
    await expect(
      page.getByText('By bank transfer, in 3 parts of at most $999,999.99. The first is due within 24 hours'),
    ).toBeVisible();
    await page.getByRole('button', { name: CARD, exact: true }).click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\/cus_/);
    const checkout = page.getByRole('region', { name: 'Checkout' });
    await expect(checkout).toContainText('Sandbox Bank');
    await expect(checkout).toContainText('$0.00 has arrived');
    await expectAccessible(page, 'transfer-instructions');
    await page.getByRole('button', { name: 'Send a transfer' }).click();
    await expect(checkout).toContainText('$999,999.99 has arrived');
    await page.getByRole('link', { name: 'Return to the marketplace' }).click();
    await expect(page.getByRole('heading', { name: 'Part of your payment has arrived' })).toBeVisible();
    expect((await scenario.latestSale(propertyId))?.state).toBe('processing/pending');

    await open(page, `/property/${propertyId}`);
    await expect(page.getByText(/\$999,999\.99 has arrived, and \$[\d,.]+ is still due/)).toBeVisible();
    await page.getByRole('link', { name: 'Transfer instructions' }).click();
    await page.getByRole('button', { name: 'Send the rest' }).click();
    await expect(page.getByText('This checkout is paid.')).toBeVisible();
    await expect(
      page.getByRole('list', { name: 'Transfers that have arrived' }).getByRole('listitem'),
    ).toHaveCount(3);
    await page.getByRole('link', { name: 'Return to the marketplace' }).click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    expect((await scenario.latestSale(propertyId))?.state).toBe('completed/in_escrow');
    await page.getByRole('link', { name: 'View your purchase' }).click();
    await expect(page.getByText('Part of the payment received')).toHaveCount(1);
  });
});
