import { demoSale } from '#tests/support/demo-sales.ts';
import { openAccount, PASSWORD } from '#tests/support/newcomer.ts';
import { expect, open, sessionOf, test } from '#tests/support/signed-in.ts';
import { expectSound } from '#tests/support/sound.ts';

const BUYER = 'buyer@acre.test';
const paid = demoSale(({ deal }) => deal.escrow === 'in_escrow' && deal.buyer.email === BUYER);

/** Differs from the table alone by what its own pictures show. */
const tagOf = (name: string) => (name === 'activity-outcome' ? { tag: '@desktop' } : {});

test.describe('my activity, in both themes, wide and narrow', () => {
  test.slow();
  for (const [name, search] of [
    ['activity-recent', '?tab=recent'],
    ['activity-watched', '?tab=watched'],
    ['activity-notifications', ''],
    ['activity-transactions', '?tab=transactions'],
    ['activity-outcome', `?tab=transactions&sale=${paid.id}`],
  ] as const) {
    test(name, tagOf(name), async ({ page, enter }) => {
      await enter(BUYER);
      await open(page, `/buyer/transactions${search}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Activity');
      await expectSound(page, name);
    });
  }

  test('with nothing in it', { tag: '@desktop' }, async ({ page, context, baseURL, dataDir }) => {
    const origin = baseURL ?? '';
    const email = await openAccount({ origin, dataDir });
    await context.addCookies(await sessionOf(origin, email, 'buyer', PASSWORD));
    for (const [tab, words] of [
      ['recent', 'No recently viewed properties'],
      ['watched', 'No watched properties'],
      ['notifications', 'No property updates to show'],
      ['transactions', 'No transactions found'],
    ] as const) {
      await open(page, `/buyer/transactions?tab=${tab}`);
      await expect(page.getByRole('tabpanel')).toContainText(words);
      await expectSound(page, `activity-${tab}-empty`);
    }
  });
});
