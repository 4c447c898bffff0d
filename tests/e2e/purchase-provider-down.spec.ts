import type { Page } from '@playwright/test';
import { ANSWER_LIMIT_MS, answerTime } from '#tests/support/browser/answer-time.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const CARD = 'Escrow with Card/Bank Transfer';
const CRYPTO = 'Pay with Crypto';
const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

// No name server knows this name; crypto payments still use the sandbox.
test.use({
  environment: {
    STRIPE_SECRET_KEY: 'sk_test_nobody_answers',
    STRIPE_WEBHOOK_SECRET: 'whsec_nobody_answers',
    STRIPE_API_BASE: 'http://provider.invalid',
  },
});

test.describe('a provider whose name is not found', () => {
  test('is reported within seconds, the property is not held, and the other payment method works', async ({
    page,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    // The first check of the diagnostics expects a 405 from a healthy endpoint.
    expectConsole(503, 405);
    await signInAs('buyer@acre.test');
    const propertyId = await scenario.createListing({ address: '31 Silence Square' });
    await open(page, `/property/${propertyId}`);
    const answered = await answerTime(page, async () => {
      await buttonOf(page, CARD).click();
      await expect(toastOf(page, 'Error')).toContainText(
        'Payment processing error: the payment provider is not responding; nothing was charged, please try again',
        { timeout: 30_000 },
      );
    });
    expect(answered).toBeLessThan(ANSWER_LIMIT_MS);
    expect((await scenario.latestSale(propertyId))?.state).toBe('failed/cancelled');
    await buttonOf(page, 'Run Payment Diagnostics').click();
    await expect(page.getByText(/Last diagnosis: .*Provider reachable/)).toBeVisible();
    await buttonOf(page, CRYPTO).click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
  });

  test('after a payment the buyer is told neither that it arrived nor that it failed', async ({
    page,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(/ERR_FAILED/);
    await signInAs('buyer@acre.test');
    const propertyId = await scenario.createListing({ address: '33 Silence Square' });
    await open(page, `/property/${propertyId}`);
    // The purchase is recorded; its checkout was opened and paid while the name was still known.
    await page.route('**/api/payments/**', (route) => route.abort());
    await buttonOf(page, CARD).click();
    await expect(toastOf(page, 'Error')).toBeVisible();
    const { id } = await scenario.db
      .q()
      .updateTable('property_sales')
      .set({ provider_session_id: 'cs_test_paid' })
      .where('property_id', '=', propertyId)
      .returning('id')
      .executeTakeFirstOrThrow();
    const answered = await answerTime(page, async () => {
      await page.goto(`/buyer/transactions?tab=transactions&sale=${id}`);
      await expect(
        page.getByRole('heading', { name: "We are waiting for the provider's confirmation." }),
      ).toBeVisible({ timeout: 30_000 });
    });
    expect(answered).toBeLessThan(ANSWER_LIMIT_MS);
    await expect(page.getByText('The payment was not completed')).toHaveCount(0);
    expect((await scenario.latestSale(propertyId))?.state).toBe('pending/pending');
  });
});
