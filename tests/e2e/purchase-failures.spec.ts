import type { Page } from '@playwright/test';
import { lateCrypto } from '#gateways/payments/sandbox/banks.ts';
import { letTimePass } from '#gateways/payments/sandbox/time.ts';
import { mailTo } from '#tests/support/mailbox.ts';
import { expect, type OwnMarket, open, sessionOf, test, toastOf } from '#tests/support/own-market.ts';

const CARD = 'Escrow with Card/Bank Transfer';
const CRYPTO = 'Pay with Crypto';
const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const stateOf = async (market: OwnMarket, house: string) => (await market.saleOf(house))?.state;
const salesOf = async ({ db }: OwnMarket, house: string) =>
  (await db.q().selectFrom('property_sales').select('id').where('property_id', '=', house).execute()).length;

async function toCheckout(page: Page, house: string, way = CARD): Promise<string> {
  await open(page, `/property/${house}`);
  await buttonOf(page, way).click();
  await expect(page).toHaveURL(/\/sandbox\/checkout\//);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

test.describe('a purchase that does not go well', { tag: '@desktop' }, () => {
  test.beforeEach(({ enter }) => enter('buyer@acre.test'));

  test('declined: the card may be tried again, a wallet not', async ({ page, market }) => {
    const house = await market.house({ address: '11 Refusal Row' });
    await toCheckout(page, house);
    await buttonOf(page, 'Decline').click();
    await expect(page.getByText('The card was declined. Try another one.')).toBeVisible();
    expect(await stateOf(market, house)).toBe('pending/pending');
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();

    const other = await market.house({ address: '12 Refusal Row' });
    await toCheckout(page, other, CRYPTO);
    await buttonOf(page, 'Decline').click();
    await expect.poll(() => stateOf(market, other)).toBe('failed/cancelled');
    await open(page, `/buyer/sales/${(await market.saleOf(other))?.id}`);
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page).toHaveURL(`/property/${other}`);
    await expect(buttonOf(page, CRYPTO)).toBeEnabled();
  });

  test('expired: nothing was charged, and the property is free again', async ({ page, market }) => {
    const house = await market.house({ address: '13 Sand Glass' });
    await toCheckout(page, house);
    await buttonOf(page, 'Expire').click();
    await expect(page.getByText('This checkout has expired. Nothing was charged.')).toBeVisible();
    await expect.poll(() => stateOf(market, house)).toBe('failed/cancelled');
    await page.getByRole('link', { name: 'Return to the marketplace' }).click();
    await expect(buttonOf(page, CARD)).toBeEnabled();
    await mailTo(market.dataDir, 'buyer@acre.test', 'Your checkout for 13 Sand Glass has expired');
  });

  test('cancelled: whoever leaves the checkout holds the property no longer', async ({ page, market }) => {
    const house = await market.house({ address: '14 Way Out' });
    const ref = await toCheckout(page, house);
    await buttonOf(page, 'Cancel').click();
    await expect(page).toHaveURL(`/property/${house}`);
    await expect(toastOf(page, 'Purchase cancelled')).toBeVisible();
    await expect(buttonOf(page, CARD)).toBeEnabled();
    expect(await stateOf(market, house)).toBe('failed/cancelled');
    await page.goto(`/sandbox/checkout/${ref}`);
    await expect(page.getByText('This checkout was closed. Nothing was charged.')).toBeVisible();
    await expect(buttonOf(page, 'Pay')).toHaveCount(0);
  });

  test('back by the browser: the purchase is still there, to go on with or to cancel', async ({
    page,
    market,
  }) => {
    const house = await market.house({ address: '15 Way Back' });
    await toCheckout(page, house);
    await page.goBack();
    await expect(page.getByText('This property is held for you until')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Continue payment' })).toHaveAttribute(
      'href',
      /sandbox\/checkout/,
    );
    await buttonOf(page, 'Cancel purchase').click();
    await expect(buttonOf(page, CARD)).toBeEnabled();
    expect(await stateOf(market, house)).toBe('failed/cancelled');
  });

  test('paid late: the money goes back by itself', async ({ page, market }) => {
    const house = await market.house({ address: '16 Last Train' });
    const ref = await toCheckout(page, house, CRYPTO);
    await buttonOf(page, 'Expire').click();
    await expect.poll(() => stateOf(market, house)).toBe('failed/cancelled');
    await lateCrypto(market.db, ref, new Date());
    await expect.poll(() => stateOf(market, house)).toBe('completed/cancelled');
    await expect
      .poll(
        async () => {
          await letTimePass(market.db, new Date());
          return stateOf(market, house);
        },
        { timeout: 45_000 },
      )
      .toBe('refunded/cancelled');
    await open(page, `/buyer/sales/${(await market.saleOf(house))?.id}`);
    await expect(page.getByText('Payment arrived too late and is sent back')).toBeVisible();
    await expect(page.getByText('The sale is over. The whole payment was refunded.')).toBeVisible();
    await mailTo(market.dataDir, 'buyer@acre.test', 'We are sending your payment for 16 Last Train back');
  });

  test('two buyers: the second one reads until when the first is at it', async ({
    page,
    browser,
    market,
  }) => {
    const house = await market.house({ address: '17 Rivals Road' });
    const second = await browser.newContext({ baseURL: market.url });
    await second.addCookies(await sessionOf(market.url, 'buyer2@acre.test'));
    const rival = await second.newPage();
    await open(rival, `/property/${house}`);
    await toCheckout(page, house);
    await buttonOf(rival, CRYPTO).click();
    await expect(toastOf(rival, 'Error')).toContainText(
      'Payment processing error: another purchase is in progress',
    );
    await expect(rival.getByText(/Another purchase is in progress until \d{1,2}:\d{2}/)).toBeVisible();
    await expect(buttonOf(rival, CARD)).toBeDisabled();
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await rival.reload();
    await expect(rival.locator('.buybox').getByText('In Escrow', { exact: true })).toBeVisible();
    await expect(buttonOf(rival, CARD)).toBeDisabled();
    expect(await salesOf(market, house)).toBe(1);
    const sale = await market.saleOf(house);
    expect((await second.request.get(`/buyer/sales/${sale?.id}`)).status()).toBe(404);
    expect((await second.request.get(`/receipt/${sale?.id}`)).status()).toBe(404);
    await second.close();
  });

  test('two tabs and a double click are one purchase', async ({ page, context, market }) => {
    const house = await market.house({ address: '18 Double Drive' });
    const tab = await context.newPage();
    await open(tab, `/property/${house}`);
    await open(page, `/property/${house}`);
    await buttonOf(page, CARD).dblclick();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
    await buttonOf(tab, CRYPTO).click();
    await expect(tab).toHaveURL(page.url());
    expect(await salesOf(market, house)).toBe(1);
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await buttonOf(tab, 'Pay').click();
    await expect(tab.getByText('This checkout is paid.')).toBeVisible();
    expect(await stateOf(market, house)).toBe('completed/in_escrow');
  });

  test('a price that changed meanwhile is said, and shown', async ({ page, market }) => {
    const house = await market.house({ address: '19 Moving Mark', price_cents: 500_000_00 });
    await open(page, `/property/${house}`);
    await market.db
      .q()
      .updateTable('properties')
      .set({ price_cents: 510_000_00 })
      .where('id', '=', house)
      .execute();
    await buttonOf(page, CARD).click();
    await expect(toastOf(page, 'Error')).toContainText('Payment processing error: the price has changed');
    await expect(page.locator('.buybox')).toContainText('$510,000');
    expect(await salesOf(market, house)).toBe(0);
    await buttonOf(page, CARD).click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
  });

  test('a seller who is suspended meanwhile sells nothing: what was paid goes back', async ({
    page,
    market,
  }) => {
    const house = await market.house({ address: '20 Gate Street' }, 'seller2@acre.test');
    await toCheckout(page, house);
    const suspend = (status: 'suspended' | 'active') =>
      market.db.q().updateTable('agents').set({ status }).where('email', '=', 'seller2@acre.test').execute();
    await suspend('suspended');
    await buttonOf(page, 'Pay').click();
    await expect(page.getByRole('heading', { name: 'Your payment is on its way back' })).toBeVisible();
    expect(await stateOf(market, house)).toMatch(/^(completed|refunded)\/cancelled$/);
    await suspend('active');
  });

  test('a connection that breaks says so, and the next press goes on', async ({
    page,
    market,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED|Failed to fetch/);
    const house = await market.house({ address: '21 Loose Wire' });
    await open(page, `/property/${house}`);
    await page.route('**/api/payments/*', (route) => route.abort());
    await buttonOf(page, CARD).click();
    await expect(toastOf(page, 'Error')).toContainText('Failed to initiate card payment. Please try again.');
    await page.unroute('**/api/payments/*');
    await buttonOf(page, CARD)
      .or(page.getByRole('button', { name: 'Continue payment' }))
      .click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
    expect(await salesOf(market, house)).toBe(1);
  });

  test('a diagnosis says what is well and what is not', async ({ page, market, context, expectConsole }) => {
    // The healthy answer to the first question is 405 (B-079).
    expectConsole(/405/, /401/);
    const house = await market.house({ address: '22 Stethoscope Street' });
    await open(page, `/property/${house}`);
    await buttonOf(page, 'Run Payment Diagnostics').click();
    await expect(
      page.getByText(/^Last diagnosis: all checks passed, \w{3} \d{1,2}, \d{1,2}:\d{2}/),
    ).toBeVisible();
    await context.clearCookies();
    await buttonOf(page, 'Run Payment Diagnostics').click();
    await expect(toastOf(page, 'Authentication Error')).toBeVisible();
  });
});
