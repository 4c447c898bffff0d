import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const TAB = '/admin/payment-settings?tab=schedule';

test('the payout schedule is set by keyboard alone, and says when it pays next', async ({
  page,
  scenario,
  signInAs,
  expectConsole,
}) => {
  test.slow();
  expectConsole(422, 409, 503);
  await signInAs('admin@acre.test', 'admin');
  await open(page, TAB);
  await expect(page.getByRole('tab', { name: 'Payout Schedule' })).toHaveAttribute('aria-selected', 'true');
  const frequency = page.getByLabel('Payout frequency');
  await expect(frequency).toHaveValue('monthly');
  const runs = page.getByRole('region', { name: 'Scheduled payouts' });
  await expect(runs).toContainText('There was nothing to pay. 1 seller was owed less than the minimum.');
  await expectAccessible(page, 'payment-settings-schedule');

  await frequency.focus();
  await page.keyboard.type('Weekly');
  await expect(page.getByText('Every Monday at 02:00 UTC.')).toBeVisible();
  await page.getByLabel('Minimum payout amount').focus();
  await page.keyboard.type('$500');
  await page.getByLabel('Require approval of large runs').focus();
  await page.keyboard.press('Space');
  const approval = page.getByLabel('Require approval above');
  await approval.focus();
  await page.keyboard.type('much');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter an amount from $0 to $10,000,000,000')).toBeVisible();
  await expect(approval).toBeFocused();
  await expect(frequency).toHaveValue('weekly');
  const save = page.getByRole('button', { name: 'Save Payout Settings' });
  await expect(save).not.toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('250000');

  // Another administrator saves meanwhile.
  await scenario.db.pool.query(
    `update platform_settings set setting_value = '{"frequency": "daily", "minimumCents": 0}'
      where setting_name = 'payout_schedule'`,
  );
  // What is read again after the refusal comes while the button has the focus.
  const { promise: isFocused, resolve: read } = Promise.withResolvers<void>();
  await page.route('**/payment-settings.data*', async (route) => {
    if (route.request().method() === 'GET') await isFocused;
    await route.continue();
  });
  await page.keyboard.press('Enter');
  const newer = page.getByRole('alert').filter({ hasText: 'This record was changed by someone else' });
  await expect(newer).toContainText('Saved now: Daily, no minimum, no approval.');
  await expect(frequency).toHaveValue('weekly');
  await expect(save).not.toHaveAttribute('aria-busy', 'true');
  await save.focus();
  read();
  await expect(runs).toContainText(/in \d+ (hour|minute)s?/);
  await page.keyboard.press('Enter');
  await expect(toastOf(page, 'Payout Settings Saved')).toBeVisible();
  await expect(runs).toContainText(/Monday, \w+ \d+, \d{4} at 02:00 UTC/);
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Frequency: Weekly');
  await expect(approval).toHaveValue('250,000');

  await open(page, '/admin/transactions?tab=payouts');
  await expect(page.getByText(/^The schedule makes the next payouts on Monday, /)).toContainText(
    'to sellers who are owed $500 or more in total.',
  );

  await scenario.db.pool.query('alter table scheduled_payouts rename to scheduled_away');
  await open(page, TAB);
  await expect(page.getByText('The payout schedule could not be loaded.')).toBeVisible();
  await expect(save).toHaveCount(0);
  await scenario.db.pool.query('alter table scheduled_away rename to scheduled_payouts');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(frequency).toHaveValue('weekly');
});

test('the payout schedule fits a telephone', { tag: '@phone' }, async ({ page, signInAs }) => {
  await signInAs('admin@acre.test', 'admin');
  await open(page, TAB);
  await expect(page.getByRole('button', { name: 'Save Payout Settings' })).toBeVisible();
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
});
