import { expectAccessible, expectAllAccessible, takePicture } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, larkspurLane, pathOf, totalOf } from '#tests/support/fixtures/demo-listings.ts';
import { buyerOf, demoSale, sellerOf } from '#tests/support/fixtures/demo-sales.ts';

const BUYER = 'buyer@acre.test';
const OTHER = 'buyer2@acre.test';
const pendingSale = demoSale(({ plan }) => plan.payment === 'pending');
const paid = demoSale((sale) => sale.plan.escrow === 'in_escrow' && buyerOf(sale) === BUYER);
const failed = demoSale((sale) => sale.plan.payment === 'failed' && buyerOf(sale) === BUYER);
const inCrypto = demoSale(
  (sale) =>
    sale.paymentMethod === 'crypto' && sale.plan.paid !== null && [BUYER, OTHER].includes(buyerOf(sale)),
);
const sold = demoSale((sale) => sale.plan.escrow === 'in_escrow' && sellerOf(sale) === 'seller@acre.test');
const mansion = demoListing(
  'Active',
  (listing) => totalOf(listing) > 999_999_99 && listing.seller.row.status === 'active',
);

test.describe('the purchase panel, in both themes, on desktop and mobile', () => {
  test.slow();
  test('to a buyer', async ({ page, signInAs }) => {
    await signInAs(BUYER);
    await expectAllAccessible(page, [
      ['panel-buyer', pathOf(larkspurLane)],
      ['panel-beyond-limit', pathOf(mansion)],
    ]);
    await signInAs(OTHER);
    await expectAllAccessible(page, [['panel-own-open', pathOf(pendingSale.plan.listing)]]);
  });

  test('of a property that is held or sold', async ({ page, signInAs }) => {
    await signInAs(BUYER);
    await expectAllAccessible(page, [['panel-held', pathOf(pendingSale.plan.listing)]]);
    await signInAs(OTHER);
    await expectAllAccessible(page, [['panel-in-escrow', pathOf(paid.plan.listing)]]);
  });
});

test.describe('the pages of a sale', () => {
  test.slow();
  test('to its buyer', async ({ page, signInAs }) => {
    await signInAs(BUYER);
    await expectAllAccessible(page, [
      ['sale-problem', `/buyer/sales/${paid.id}?do=report_problem`],
      ['sale-closing', `/buyer/sales/${paid.id}?do=confirm_closing`],
      ['outcome-paid', `/buyer/transactions?tab=transactions&sale=${paid.id}`],
      ['receipt', `/receipt/${paid.id}`],
    ]);
    await signInAs(OTHER);
    await expectAllAccessible(page, [['sale-pending', `/buyer/sales/${pendingSale.id}`]]);
  });

  test('to its seller', async ({ page, signInAs }) => {
    await signInAs('seller@acre.test', 'agent');
    await expectAllAccessible(page, [['sale-of-seller', `/agent/sales/${sold.id}`]]);
  });

  test('failed, pending and in crypto', async ({ page, signInAs }) => {
    await signInAs(BUYER);
    await expectAllAccessible(page, [['sale-failed', `/buyer/sales/${failed.id}`]]);
    await signInAs(OTHER);
    await expectAllAccessible(page, [
      ['outcome-pending', `/buyer/transactions?tab=transactions&sale=${pendingSale.id}`],
    ]);
    await signInAs(buyerOf(inCrypto));
    await expectAllAccessible(page, [['receipt-crypto', `/receipt/${inCrypto.id}`]]);
  });

  test('receipt-not-yet', async ({ page, signInAs, expectConsole }) => {
    expectConsole(404);
    await signInAs(BUYER);
    await open(page, `/receipt/${failed.id}`);
    await expect(page.getByRole('heading', { name: 'Receipt available after payment' })).toBeVisible();
    await expectAccessible(page, 'receipt-not-yet');
  });
});

test('a printed receipt shows only the receipt', async ({ page, signInAs }) => {
  await signInAs(BUYER);
  await open(page, `/receipt/${paid.id}`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ media: 'print', colorScheme });
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('contentinfo')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
    const colors = await page.locator('.receipt').evaluate((sheet) => {
      const { color, backgroundColor } = getComputedStyle(sheet);
      return { color, backgroundColor };
    });
    expect(colors).toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)' });
    await takePicture(page, `receipt-paper-${colorScheme}`);
  }
});

test.describe('the sandbox checkout', () => {
  test.slow();
  const names = { card: `cs_sandbox_${pendingSale.id.replaceAll('-', '')}` };

  test('open, declined', async ({ page }) => {
    await open(page, `/sandbox/checkout/${names.card}`);
    await expectAccessible(page, 'sandbox-open');
    await page.getByRole('button', { name: 'Decline' }).click();
    await expect(page.locator('.notice')).toContainText('declined');
    await expectAccessible(page, 'sandbox-declined');
  });

  for (const [name, sale] of [
    ['sandbox-paid', paid],
    ['sandbox-failed', failed],
  ] as const) {
    test(name, async ({ page }) => {
      const hex = sale.id.replaceAll('-', '');
      await open(
        page,
        `/sandbox/checkout/${sale.paymentMethod === 'card' ? `cs_sandbox_${hex}` : hex.slice(0, 24)}`,
      );
      await expect(page.getByRole('button', { name: 'Pay' })).toHaveCount(0);
      await expectAccessible(page, name);
    });
  }
});
