import type { Page } from '@playwright/test';
import { ANSWER_LIMIT_MS, answerTime } from '#tests/support/browser/answer-time.ts';
import {
  expect,
  open,
  type Scenario,
  test as scenarioTest,
  toastOf,
} from '#tests/support/browser/scenario.ts';
import { providerFaults as faults } from '#tests/support/providers/provider-faults.ts';
import { type FakeStripe, startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';

// R6 as a buyer meets it: a word within ten seconds, what was typed is kept, and nothing is claimed that is not so.

const CARD = 'Escrow with Card/Bank Transfer';
const NOT_CHARGED =
  'Payment processing error: the payment provider is not responding; nothing was charged, please try again';
/** Only ends a wait for what never comes. */
const PATIENCE_MS = 30_000;
const MINUTES = 60_000;
const CHECKOUT = /^https:\/\/checkout\.stripe\.com\//;

/** By how much the provider's clock is wrong, as a test says. */
let clockOffsetMs = 0;
/** Lives as long as the worker: Playwright runs `afterAll` after each test that runs in parallel with others. */
let provider: Promise<FakeStripe> | undefined;

const test = scenarioTest.extend<{ stripe: FakeStripe }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures here
  stripe: async ({}, use) => {
    provider ??= startFakeStripe({ now: () => new Date(Date.now() + clockOffsetMs) });
    await use(await provider);
  },
  environment: async ({ stripe }, use) =>
    use({
      STRIPE_SECRET_KEY: stripe.test.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_BASE: stripe.url,
      BANK_DEBIT_MAX: '6000',
    }),
});

test.beforeEach(async ({ page, signInAs }) => {
  clockOffsetMs = 0;
  await page.route(CHECKOUT, (route) => route.fulfill({ contentType: 'text/html', body: 'The checkout' }));
  await signInAs('buyer@acre.test');
});
test.afterEach(async ({ stripe }) => {
  stripe.faultSettings.fault = null;
  stripe.queuedFaults.length = 0;
});

const buy = (page: Page) => page.getByRole('button', { name: CARD, exact: true });
const question = (page: Page) =>
  page.getByRole('dialog', { name: 'Send Inquiry to Seller' }).getByLabel('Message');
const stateOf = async (scenario: Scenario, propertyId: string) =>
  (await scenario.latestSale(propertyId))?.state;

async function openCheckout(page: Page, scenario: Scenario, address: string): Promise<string> {
  const propertyId = await scenario.createListing({ address });
  await open(page, `/property/${propertyId}`);
  await buy(page).click();
  await expect(page).toHaveURL(CHECKOUT);
  return propertyId;
}

test('above what may come from a bank account, the buyer reads so and is asked for a card alone', async ({
  page,
  scenario,
  stripe,
}) => {
  const propertyId = await openCheckout(page, scenario, '6 Debit Drive');
  const { ref } = (await scenario.latestSale(propertyId)) ?? {};
  expect(stripe.test.account.session(ref ?? '').methods).toEqual(['card']);
  const another = await scenario.createListing({ address: '8 Debit Drive' });
  await open(page, `/property/${another}`);
  await expect(buy(page)).toBeEnabled();
  await expect(buy(page)).toHaveAccessibleDescription(
    'By card. Payments from a bank account are limited to $6,000.00.',
  );
});

for (const [index, [name, fault]] of faults.entries())
  test(`a provider that ${name}: a word in time, the property stays free, and what was typed is kept`, async ({
    page,
    scenario,
    stripe,
    expectConsole,
  }) => {
    expectConsole(503);
    const propertyId = await scenario.createListing({ address: `${index + 1} Broken Bridge` });
    await open(page, `/property/${propertyId}`);
    await page.getByRole('link', { name: 'Inquire About Property' }).click();
    await question(page).fill('Is the bridge open in winter?');
    await page.keyboard.press('Escape');
    stripe.faultSettings.fault = fault;
    const answered = await answerTime(page, async () => {
      await buy(page).click();
      await expect(toastOf(page, 'Error')).toContainText(NOT_CHARGED, { timeout: PATIENCE_MS });
    });
    expect(answered).toBeLessThan(ANSWER_LIMIT_MS);
    expect(await stateOf(scenario, propertyId)).toBe('failed/cancelled');
    await page.getByRole('link', { name: 'Inquire About Property' }).click();
    await expect(question(page)).toHaveValue('Is the bridge open in winter?');
    await page.keyboard.press('Escape');

    stripe.faultSettings.fault = null;
    await buy(page).click();
    await expect(page).toHaveURL(CHECKOUT);
    expect(await stateOf(scenario, propertyId)).toBe('pending/pending');
  });

test.describe('a buyer who has paid and comes back', () => {
  test('while the provider fails in any way: is told neither that it arrived nor that it failed', async ({
    page,
    scenario,
    stripe,
  }) => {
    test.slow();
    const propertyId = await openCheckout(page, scenario, '20 Patience Place');
    const sale = await scenario.latestSale(propertyId);
    stripe.test.actors.pay(sale?.ref ?? '');
    for (const [name, fault] of faults)
      await test.step(`it ${name}`, async () => {
        stripe.faultSettings.fault = fault;
        const asked = stripe.requests.length;
        const answered = await answerTime(page, async () => {
          await page.goto(`/buyer/transactions?tab=transactions&sale=${sale?.id}`);
          await expect(
            page.getByRole('heading', { name: "We are waiting for the provider's confirmation." }),
          ).toBeVisible({ timeout: PATIENCE_MS });
        });
        expect(answered).toBeLessThan(ANSWER_LIMIT_MS);
        expect(stripe.requests.length).toBeGreaterThan(asked);
        await expect(page.getByText('The payment was not completed')).toHaveCount(0);
        expect(await stateOf(scenario, propertyId)).toBe('pending/pending');
      });

    stripe.faultSettings.fault = null;
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    expect(await stateOf(scenario, propertyId)).toBe('completed/in_escrow');
  });

  for (const [name, offset] of [
    ['ten minutes fast', 10 * MINUTES],
    ['ten minutes slow', -10 * MINUTES],
  ] as const)
    test(`with a provider whose clock is ${name}: sees the payment, though its messages are refused`, async ({
      page,
      scenario,
      stripe,
      request,
    }) => {
      clockOffsetMs = offset;
      const propertyId = await openCheckout(page, scenario, '30 Clock Tower');
      const sale = await scenario.latestSale(propertyId);
      const ref = sale?.ref ?? '';
      stripe.test.actors.pay(ref);
      const { rawBody, headers } = stripe.signedWebhook(stripe.latestEvent(stripe.test, ref));
      const told = await request.post('/api/webhooks/stripe', {
        data: Buffer.from(rawBody),
        headers: Object.fromEntries(headers),
      });
      expect(told.status()).toBe(400);
      expect(await stateOf(scenario, propertyId)).toBe('pending/pending');
      await page.goto(`/buyer/transactions?tab=transactions&sale=${sale?.id}`);
      await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
      expect(await stateOf(scenario, propertyId)).toBe('completed/in_escrow');
    });
});
