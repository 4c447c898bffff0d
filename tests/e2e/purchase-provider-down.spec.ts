import type { Page } from '@playwright/test';
import { expect, open, test, toastOf } from '#tests/support/own-market.ts';

const CARD = 'Escrow with Card/Bank Transfer';
const CRYPTO = 'Pay with Crypto';
const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

// Nobody listens there; the crypto rail keeps its sandbox.
test.use({
  environment: {
    STRIPE_SECRET_KEY: 'sk_test_nobody_answers',
    STRIPE_WEBHOOK_SECRET: 'whsec_nobody_answers',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
  },
});

test.describe('a provider that is down', { tag: '@desktop' }, () => {
  test('is said within seconds, nothing is held, and the other way works', async ({
    page,
    market,
    enter,
    expectConsole,
  }) => {
    // The healthy answer to the first question of a diagnosis is 405 (B-079).
    expectConsole(/503/, /405/);
    await enter('buyer@acre.test');
    const house = await market.house({ address: '31 Silence Square' });
    await open(page, `/property/${house}`);
    const began = Date.now();
    await buttonOf(page, CARD).click();
    await expect(toastOf(page, 'Error')).toContainText(
      'Payment processing error: the payment provider does not answer; nothing was charged, please try again',
    );
    expect(Date.now() - began).toBeLessThan(10_000);
    expect((await market.saleOf(house))?.state).toBe('failed/cancelled');
    await buttonOf(page, 'Run Payment Diagnostics').click();
    await expect(page.getByText(/Last diagnosis: .*Provider reachable/)).toBeVisible();
    await buttonOf(page, CRYPTO).click();
    await expect(page).toHaveURL(/\/sandbox\/checkout\//);
  });
});
