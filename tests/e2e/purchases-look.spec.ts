import { demoListing, larkspurLane, pathOf, totalOf } from '#tests/support/demo-listings.ts';
import { buyerOf, demoSale, sellerOf } from '#tests/support/demo-sales.ts';
import { expect, open, test } from '#tests/support/signed-in.ts';
import { expectSound } from '#tests/support/sound.ts';

const BUYER = 'buyer@acre.test';
const OTHER = 'buyer2@acre.test';
const held = demoSale(({ deal }) => deal.payment === 'pending');
const paid = demoSale((sale) => sale.deal.escrow === 'in_escrow' && buyerOf(sale) === BUYER);
const failed = demoSale((sale) => sale.deal.payment === 'failed' && buyerOf(sale) === BUYER);
const inCrypto = demoSale(
  (sale) => sale.rail === 'crypto' && sale.deal.paid !== null && [BUYER, OTHER].includes(buyerOf(sale)),
);
const sold = demoSale((sale) => sale.deal.escrow === 'in_escrow' && sellerOf(sale) === 'seller@acre.test');
const mansion = demoListing(
  'Active',
  (listing) => totalOf(listing) > 999_999_99 && listing.seller.row.status === 'active',
);

/** What a narrow screen shows of these is shown by the others too: the same parts with other words. */
const WIDE_ALONE = /^(panel-(held|in-escrow)|sale-failed|outcome-pending|receipt-.*|sandbox-.*)$/;
const tagOf = (name: string) => (WIDE_ALONE.test(name) ? { tag: '@desktop' } : {});

test.describe('the purchase panel, in both themes, wide and narrow', () => {
  test.slow();
  for (const [name, path, email] of [
    ['panel-buyer', pathOf(larkspurLane), BUYER],
    ['panel-beyond-limit', pathOf(mansion), BUYER],
    ['panel-held', pathOf(held.deal.listing), BUYER],
    ['panel-own-open', pathOf(held.deal.listing), OTHER],
    ['panel-in-escrow', pathOf(paid.deal.listing), OTHER],
  ] as const) {
    test(name, tagOf(name), async ({ page, enter }) => {
      if (email) await enter(email, email.startsWith('seller') ? 'agent' : 'buyer');
      await open(page, path);
      await expectSound(page, name);
    });
  }
});

test.describe('the pages of a sale', () => {
  test.slow();
  for (const [name, path, email] of [
    ['sale-pending', `/buyer/sales/${held.id}`, OTHER],
    ['sale-problem', `/buyer/sales/${paid.id}?do=report_problem`, BUYER],
    ['sale-closing', `/buyer/sales/${paid.id}?do=confirm_closing`, BUYER],
    ['sale-failed', `/buyer/sales/${failed.id}`, BUYER],
    ['sale-of-seller', `/agent/sales/${sold.id}`, 'seller@acre.test'],
    ['outcome-paid', `/buyer/transactions?tab=transactions&sale=${paid.id}`, BUYER],
    ['outcome-pending', `/buyer/transactions?tab=transactions&sale=${held.id}`, OTHER],
    ['receipt', `/receipt/${paid.id}`, BUYER],
    ['receipt-crypto', `/receipt/${inCrypto.id}`, buyerOf(inCrypto)],
  ] as const) {
    test(name, tagOf(name), async ({ page, enter }) => {
      await enter(email, email.startsWith('seller') ? 'agent' : 'buyer');
      await open(page, path);
      await expectSound(page, name);
    });
  }

  test('receipt-not-yet', tagOf('receipt-not-yet'), async ({ page, enter, expectConsole }) => {
    expectConsole(/status of 404/);
    await enter(BUYER);
    await open(page, `/receipt/${failed.id}`);
    await expect(page.getByRole('heading', { name: 'Receipt available after payment' })).toBeVisible();
    await expectSound(page, 'receipt-not-yet');
  });
});

test('a receipt on paper is the sheet alone', { tag: '@desktop' }, async ({ page, enter }, info) => {
  await enter(BUYER);
  await open(page, `/receipt/${paid.id}`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ media: 'print', colorScheme });
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('contentinfo')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
    const colours = await page.locator('.receipt').evaluate((sheet) => {
      const { color, backgroundColor } = getComputedStyle(sheet);
      return { color, backgroundColor };
    });
    expect(colours).toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)' });
    const path = `${info.project.outputDir}/looks/receipt-paper-${colorScheme}.png`;
    await page.screenshot({ path, fullPage: true });
  }
});

test.describe('the sandbox checkout', () => {
  test.slow();
  const names = { card: `cs_sandbox_${held.id.replaceAll('-', '')}` };

  test('open, declined', async ({ page }) => {
    await open(page, `/sandbox/checkout/${names.card}`);
    await expectSound(page, 'sandbox-open');
    await page.getByRole('button', { name: 'Decline' }).click();
    await expect(page.locator('.notice')).toContainText('declined');
    await expectSound(page, 'sandbox-declined');
  });

  for (const [name, sale] of [
    ['sandbox-paid', paid],
    ['sandbox-failed', failed],
  ] as const) {
    test(name, tagOf(name), async ({ page }) => {
      const hex = sale.id.replaceAll('-', '');
      await open(page, `/sandbox/checkout/${sale.rail === 'card' ? `cs_sandbox_${hex}` : hex.slice(0, 24)}`);
      await expect(page.getByRole('button', { name: 'Pay' })).toHaveCount(0);
      await expectSound(page, name);
    });
  }
});
