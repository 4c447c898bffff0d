import { ANSWER_LIMIT_MS, answerTime } from '#tests/support/browser/answer-time.ts';
import { expect, open, test as scenarioTest, toastOf } from '#tests/support/browser/scenario.ts';
import { type FakeCoinbase, startFakeCoinbase } from '#tests/support/providers/coinbase/fake-coinbase.ts';
import { providerFaults } from '#tests/support/providers/provider-faults.ts';

// R6 with the provider of crypto payments. Every fault of the card provider is in purchase-provider-faults.spec.ts.

const NOT_CHARGED =
  'Payment processing error: the payment provider is not responding; nothing was charged, please try again';
/** Only ends a wait for what never comes. */
const PATIENCE_MS = 30_000;
const CHECKOUT = /^https:\/\/payments\.coinbase\.com\//;

/** Lives as long as the worker: Playwright runs `afterAll` after each test that runs in parallel with others. */
let provider: Promise<FakeCoinbase> | undefined;

const test = scenarioTest.extend<{ coinbase: FakeCoinbase }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures here
  coinbase: async ({}, use) => {
    provider ??= startFakeCoinbase({ now: () => new Date() });
    await use(await provider);
  },
  // Coinbase's keys are refused without an https address, and that without a mail server.
  environment: async ({ coinbase }, use) =>
    use({
      PUBLIC_URL: 'https://localhost',
      SMTP_URL: 'smtp://127.0.0.1:9',
      COINBASE_KEY_ID: coinbase.keys.ed25519.keyId,
      COINBASE_KEY_SECRET: coinbase.keys.ed25519.keySecret,
      COINBASE_WEBHOOK_SECRET: coinbase.webhookSecret,
      COINBASE_API_BASE: coinbase.sandbox.base,
    }),
});

test('a crypto provider that fails, before the payment and after it: a word in time and no claim that is not so', async ({
  page,
  scenario,
  coinbase,
  signInAs,
  expectConsole,
}) => {
  test.slow();
  expectConsole(503);
  await page.route(CHECKOUT, (route) => route.fulfill({ contentType: 'text/html', body: 'The checkout' }));
  await signInAs('buyer@acre.test');
  const propertyId = await scenario.createListing({ address: '40 Chain Court' });
  const latestState = async () => (await scenario.latestSale(propertyId))?.state;
  await open(page, `/property/${propertyId}`);
  const buy = page.getByRole('button', { name: 'Pay with Crypto', exact: true });

  coinbase.faultSettings.fault = 'reset';
  const refused = await answerTime(page, async () => {
    await buy.click();
    await expect(toastOf(page, 'Error')).toContainText(NOT_CHARGED, { timeout: PATIENCE_MS });
  });
  expect(refused).toBeLessThan(ANSWER_LIMIT_MS);
  expect(await latestState()).toBe('failed/cancelled');

  coinbase.faultSettings.fault = null;
  await buy.click();
  await expect(page).toHaveURL(CHECKOUT);
  const sale = await scenario.latestSale(propertyId);
  coinbase.sandbox.account.pay(sale?.ref ?? '');
  for (const [name, fault] of providerFaults)
    await test.step(`after the payment it ${name}`, async () => {
      coinbase.faultSettings.fault = fault;
      const asked = coinbase.requests.length;
      const answered = await answerTime(page, async () => {
        await page.goto(`${scenario.url}/buyer/transactions?tab=transactions&sale=${sale?.id}`);
        await expect(
          page.getByRole('heading', { name: "We are waiting for the provider's confirmation." }),
        ).toBeVisible({ timeout: PATIENCE_MS });
      });
      expect(answered).toBeLessThan(ANSWER_LIMIT_MS);
      expect(coinbase.requests.length).toBeGreaterThan(asked);
      expect(await latestState()).toBe('pending/pending');
    });

  coinbase.faultSettings.fault = null;
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  expect(await latestState()).toBe('completed/in_escrow');
});
