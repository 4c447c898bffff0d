import type { Page } from '@playwright/test';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import { payExpiredCrypto } from '#gateways/payments/sandbox/settlement.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { holdRequests } from '#tests/support/browser/held-requests.ts';
import { waitForMail } from '#tests/support/browser/mailbox.ts';
import {
  createSession,
  expect,
  open,
  type Scenario,
  test,
  toastOf,
} from '#tests/support/browser/scenario.ts';

const CARD = 'Escrow with Card/Bank Transfer';
const CRYPTO = 'Pay with Crypto';
const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const saleState = async (scenario: Scenario, propertyId: string) =>
  (await scenario.latestSale(propertyId))?.state;
const countSales = async ({ db }: Scenario, propertyId: string) =>
  (await db.q().selectFrom('property_sales').select('id').where('property_id', '=', propertyId).execute())
    .length;

async function goToCheckout(page: Page, propertyId: string, method = CARD): Promise<string> {
  await open(page, `/property/${propertyId}`);
  await buttonOf(page, method).click();
  await expect(page).toHaveURL(/\/sandbox\/checkout\//);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

test.describe('a purchase that fails', () => {
  test.beforeEach(({ signInAs }) => signInAs('buyer@acre.test'));

  test('declined: a card payment can be retried, a crypto payment cannot', async ({ page, scenario }) => {
    const propertyId = await scenario.createListing({ address: '11 Refusal Row' });
    await goToCheckout(page, propertyId);
    await buttonOf(page, 'Decline').click();
    await expect(page.getByText('The card was declined. Try another one.')).toBeVisible();
    expect(await saleState(scenario, propertyId)).toBe('pending/pending');
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();

    const otherPropertyId = await scenario.createListing({ address: '12 Refusal Row' });
    await goToCheckout(page, otherPropertyId, CRYPTO);
    await buttonOf(page, 'Decline').click();
    await expect.poll(() => saleState(scenario, otherPropertyId)).toBe('failed/cancelled');
    await open(page, `/buyer/sales/${(await scenario.latestSale(otherPropertyId))?.id}`);
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page).toHaveURL(`/property/${otherPropertyId}`);
    await expect(buttonOf(page, CRYPTO)).toBeEnabled();
  });

  test('expired: nothing was charged, and the property is available again', async ({ page, scenario }) => {
    const propertyId = await scenario.createListing({ address: '13 Sand Glass' });
    await goToCheckout(page, propertyId);
    await buttonOf(page, 'Expire').click();
    await expect(page.getByText('This checkout has expired. Nothing was charged.')).toBeVisible();
    await expect.poll(() => saleState(scenario, propertyId)).toBe('failed/cancelled');
    await page.getByRole('link', { name: 'Return to the marketplace' }).click();
    await expect(buttonOf(page, CARD)).toBeEnabled();
    await waitForMail(scenario.dataDir, 'buyer@acre.test', 'Your checkout for 13 Sand Glass has expired');
  });

  test('cancelled: leaving the checkout releases the property', async ({ page, scenario }) => {
    const propertyId = await scenario.createListing({ address: '14 Way Out' });
    const ref = await goToCheckout(page, propertyId);
    await buttonOf(page, 'Cancel').click();
    await expect(page).toHaveURL(`/property/${propertyId}`);
    await expect(toastOf(page, 'Purchase cancelled')).toBeVisible();
    await expect(buttonOf(page, CARD)).toBeEnabled();
    expect(await saleState(scenario, propertyId)).toBe('failed/cancelled');
    await page.goto(`/sandbox/checkout/${ref}`);
    await expect(page.getByText('This checkout was closed. Nothing was charged.')).toBeVisible();
    await expect(buttonOf(page, 'Pay')).toHaveCount(0);
  });

  test('back button: the purchase can be continued or cancelled', async ({ page, scenario }) => {
    const propertyId = await scenario.createListing({ address: '15 Way Back' });
    await goToCheckout(page, propertyId);
    await page.goBack();
    await expect(page.getByText('This property is held for you until')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Continue payment' })).toHaveAttribute(
      'href',
      /sandbox\/checkout/,
    );
    await buttonOf(page, 'Cancel purchase').click();
    await expect(buttonOf(page, CARD)).toBeEnabled();
    expect(await saleState(scenario, propertyId)).toBe('failed/cancelled');
  });

  test('paid late: the payment is refunded automatically', async ({ page, scenario }) => {
    const propertyId = await scenario.createListing({ address: '16 Last Train' });
    const ref = await goToCheckout(page, propertyId, CRYPTO);
    await buttonOf(page, 'Expire').click();
    await expect.poll(() => saleState(scenario, propertyId)).toBe('failed/cancelled');
    await payExpiredCrypto(scenario.db, ref, new Date());
    await expect.poll(() => saleState(scenario, propertyId)).toBe('completed/cancelled');
    await expect
      .poll(
        async () => {
          await processDue(scenario.db, new Date());
          return saleState(scenario, propertyId);
        },
        { timeout: 45_000 },
      )
      .toBe('refunded/cancelled');
    await open(page, `/buyer/sales/${(await scenario.latestSale(propertyId))?.id}`);
    await expect(page.getByText('Payment arrived too late, refund on its way')).toBeVisible();
    await expect(page.getByText('The sale is over. The whole payment was refunded.')).toBeVisible();
    await waitForMail(
      scenario.dataDir,
      'buyer@acre.test',
      'We are sending your payment for 16 Last Train back',
    );
  });

  test('two buyers: the second sees until when the property is held', async ({ page, browser, scenario }) => {
    const propertyId = await scenario.createListing({ address: '17 Rivals Road' });
    const second = await browser.newContext({ baseURL: scenario.url });
    await second.addCookies(await createSession(scenario.url, 'buyer2@acre.test'));
    const rival = await second.newPage();
    await open(rival, `/property/${propertyId}`);
    await goToCheckout(page, propertyId);
    await buttonOf(rival, CRYPTO).click();
    await expect(toastOf(rival, 'Error')).toContainText(
      'Payment processing error: another purchase is in progress',
    );
    await expect(rival.getByText(/Another purchase is in progress until .*\d{1,2}:\d{2}/)).toBeVisible();
    await expect(buttonOf(rival, CARD)).toBeDisabled();
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await rival.reload();
    await expect(rival.locator('.buybox').getByText('In Escrow', { exact: true })).toBeVisible();
    await expect(buttonOf(rival, CARD)).toBeDisabled();
    expect(await countSales(scenario, propertyId)).toBe(1);
    const sale = await scenario.latestSale(propertyId);
    expect((await second.request.get(`/buyer/sales/${sale?.id}`)).status()).toBe(404);
    expect((await second.request.get(`/receipt/${sale?.id}`)).status()).toBe(404);
    await second.close();
  });

  test('two tabs and a double click are one purchase', async ({ page, context, scenario }) => {
    const propertyId = await scenario.createListing({ address: '18 Double Drive' });
    const tab = await context.newPage();
    await open(tab, `/property/${propertyId}`);
    await open(page, `/property/${propertyId}`);
    await buttonOf(page, CARD).dblclick();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
    await buttonOf(tab, CRYPTO).click();
    await expect(tab).toHaveURL(page.url());
    expect(await countSales(scenario, propertyId)).toBe(1);
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await buttonOf(tab, 'Pay').click();
    await expect(tab.getByText('This checkout is paid.')).toBeVisible();
    expect(await saleState(scenario, propertyId)).toBe('completed/in_escrow');
  });

  test('a price that changed in the meantime is reported and shown', async ({ page, scenario }) => {
    const propertyId = await scenario.createListing({ address: '19 Moving Mark', price_cents: 500_000_00 });
    await open(page, `/property/${propertyId}`);
    await scenario.db
      .q()
      .updateTable('properties')
      .set({ price_cents: 510_000_00 })
      .where('id', '=', propertyId)
      .execute();
    await buttonOf(page, CARD).click();
    await expect(toastOf(page, 'Error')).toContainText('Payment processing error: the price has changed');
    await expect(page.locator('.buybox')).toContainText('$510,000');
    expect(await countSales(scenario, propertyId)).toBe(0);
    const dialog = page.getByRole('dialog', { name: CARD });
    await expect(dialog).toContainText(
      /The price has changed: the total was \$5.+ and is now \$5.+\. Nothing/,
    );
    await expectAccessible(page, 'changed price');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await expect(buttonOf(page, CARD)).toBeFocused();
    await scenario.db
      .q()
      .updateTable('properties')
      .set({ price_cents: 520_000_00 })
      .where('id', '=', propertyId)
      .execute();
    await buttonOf(page, CARD).click();
    await dialog.getByRole('button', { name: /^Continue with \$5[\d,.]+$/ }).click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
  });

  test('when the seller is suspended during checkout, the payment is refunded', async ({
    page,
    scenario,
  }) => {
    const propertyId = await scenario.createListing({ address: '20 Gate Street' }, 'seller2@acre.test');
    await goToCheckout(page, propertyId);
    const suspend = (status: 'suspended' | 'active') =>
      scenario.db
        .q()
        .updateTable('agents')
        .set({ status })
        .where('email', '=', 'seller2@acre.test')
        .execute();
    await suspend('suspended');
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Your payment is on its way back' })).toBeVisible();
    expect(await saleState(scenario, propertyId)).toMatch(/^(completed|refunded)\/cancelled$/);
    await suspend('active');
  });

  test('a broken connection shows an error, and the next click continues', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED|Failed to fetch/);
    const propertyId = await scenario.createListing({ address: '21 Loose Wire' });
    await open(page, `/property/${propertyId}`);
    await page.route('**/api/payments/*', (route) => route.abort());
    await buttonOf(page, CARD).click();
    await expect(toastOf(page, 'Error')).toContainText('Failed to initiate card payment. Please try again.');
    await page.unroute('**/api/payments/*');
    await buttonOf(page, CARD)
      .or(page.getByRole('button', { name: 'Continue payment' }))
      .click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
    expect(await countSales(scenario, propertyId)).toBe(1);
  });

  test('whoever goes on to another page meanwhile is not taken to the checkout', async ({
    page,
    scenario,
  }) => {
    const propertyId = await scenario.createListing({ address: '22 Change Of Mind' });
    await open(page, `/property/${propertyId}`);
    const goOn = await holdRequests(page, '**/api/payments/*');
    const opening = page.waitForRequest('**/api/payments/*');
    await buttonOf(page, CARD).click();
    await opening;
    await page.getByRole('contentinfo').getByRole('link', { name: 'Vacant Lot' }).click();
    await expect(page).toHaveURL(/\/properties\?type=/);
    const checkouts: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/sandbox/checkout/')) checkouts.push(request.url());
    });
    const answer = page.waitForResponse('**/api/payments/*');
    goOn();
    await (await answer).finished();
    await page.goBack();
    await expect(page.getByText('This property is held for you until')).toBeVisible();
    expect(checkouts).toEqual([]);
    await page.getByRole('link', { name: 'Continue payment' }).click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
  });

  test('payment diagnostics report what works and what does not', async ({
    page,
    scenario,
    context,
    expectConsole,
  }) => {
    // The first check expects a 405 from a healthy endpoint.
    expectConsole(405, 401);
    const propertyId = await scenario.createListing({ address: '22 Stethoscope Street' });
    await open(page, `/property/${propertyId}`);
    await buttonOf(page, 'Run Payment Diagnostics').click();
    await expect(
      page.getByText(/^Last diagnosis: all checks passed, \w{3} \d{1,2}, \d{1,2}:\d{2}/),
    ).toBeVisible();
    await context.clearCookies();
    await buttonOf(page, 'Run Payment Diagnostics').click();
    await expect(toastOf(page, 'Authentication Error')).toBeVisible();
  });
});
