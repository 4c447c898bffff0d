import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createConfirmedAccount, PASSWORD } from '#tests/support/browser/accounts.ts';
import { createSession, expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { demoSale } from '#tests/support/fixtures/demo-sales.ts';

const BUYER = 'buyer@acre.test';
const paid = demoSale(({ plan }) => plan.escrow === 'in_escrow' && plan.buyer.email === BUYER);

test.describe('my activity, in both themes, on desktop and mobile', () => {
  test.slow();
  test('tabs', async ({ page, signInAs }) => {
    await signInAs(BUYER);
    for (const [name, search] of [
      ['activity-recent', '?tab=recent'],
      ['activity-watched', '?tab=watched'],
      ['activity-notifications', ''],
      ['activity-transactions', '?tab=transactions'],
      ['activity-outcome', `?tab=transactions&sale=${paid.id}`],
    ] as const)
      await test.step(name, async () => {
        await open(page, `/buyer/transactions${search}`);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Activity');
        await expectAccessible(page, name);
      });
  });

  test('empty', async ({ page, context, baseURL, dataDir }) => {
    const origin = baseURL ?? '';
    const email = await createConfirmedAccount({ origin, dataDir });
    await context.addCookies(await createSession(origin, email, 'buyer', PASSWORD));
    for (const [tab, message] of [
      ['recent', 'No recently viewed properties'],
      ['watched', 'No watched properties'],
      ['notifications', 'No property updates to show'],
      ['transactions', 'No transactions found'],
    ] as const) {
      await open(page, `/buyer/transactions?tab=${tab}`);
      await expect(page.getByRole('tabpanel')).toContainText(message);
      await expectAccessible(page, `activity-${tab}-empty`);
    }
  });
});
