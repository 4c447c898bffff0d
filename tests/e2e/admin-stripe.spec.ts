import type { Locator, Page } from '@playwright/test';
import { signStripe } from '#gateways/payments/webhook-signature.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test as scenarioTest, toastOf } from '#tests/support/browser/scenario.ts';
import { type FakeStripe, startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';

const PAGE = '/admin/payment-settings';
const BANNER = 'Stripe takes payments with test keys: no real money moves.';

/** Lives as long as the worker: Playwright runs `afterAll` after each test that runs in parallel with others. */
let provider: Promise<FakeStripe> | undefined;
const test = scenarioTest.extend<{ stripe: FakeStripe }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures here
  stripe: async ({}, use) => {
    provider ??= startFakeStripe({ now: () => new Date() });
    await use(await provider);
  },
  environment: async ({ stripe }, use) =>
    use({
      STRIPE_API_BASE: stripe.url,
      STRIPE_CONNECT: 'on',
      STRIPE_CONNECT_WEBHOOK_SECRET: stripe.webhookSecret,
    }),
});

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const badge = (page: Page) => panel(page, 'Connection').getByText(/^(Not )?Connected$/);
const connectCard = (page: Page) =>
  panel(page, 'Other Services')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Stripe Connect' }) });
const testMode = (page: Page) => page.getByRole('switch', { name: 'Test Mode' });

/** Presses a control with the keyboard. */
async function press(control: Locator, key = 'Enter'): Promise<void> {
  await control.press(key);
}

test('Stripe is connected, switched to live and back by keyboard alone', async ({
  page,
  stripe,
  signInAs,
  expectConsole,
}) => {
  test.slow();
  expectConsole(409, 422);
  await signInAs('admin@acre.test', 'admin');
  await open(page, PAGE);
  await expect(badge(page)).toHaveText('Connected');
  await expect(page.getByText('The built-in sandbox stands in for card payments')).toBeVisible();
  await expect(testMode(page)).toBeChecked();
  await expect(page.getByRole('button', { name: 'Configure Webhooks' })).toBeDisabled();
  await expect(page.getByText(BANNER)).toHaveCount(0);
  await expect(connectCard(page)).toContainText('Not configured');
  await expect(connectCard(page)).toContainText('Waits for Stripe keys that can be used.');

  await press(page.getByRole('link', { name: 'Disconnect' }));
  const question = page.getByRole('alertdialog', { name: 'Disconnect Stripe' });
  await press(question.getByRole('button', { name: 'Disconnect' }));
  await expect(toastOf(page, 'Stripe Disconnected')).toBeVisible();
  await expect(badge(page)).toHaveText('Not Connected');
  await expect(testMode(page)).toBeDisabled();
  await press(page.getByRole('button', { name: 'Connect Stripe' }));
  await expect(toastOf(page, 'Stripe Connected')).toBeVisible();

  const keys = panel(page, 'API Keys');
  const box = (name: string) => keys.getByLabel(name, { exact: true });
  await box('Test publishable key').fill('pk_test_51Public');
  await box('Test secret key').fill(stripe.live.secretKey);
  await press(box('Test secret key'));
  await expect(keys.getByText('A test secret key starts with sk_test_ or rk_test_')).toBeVisible();
  await expect(box('Test secret key')).toBeFocused();
  await expect(box('Test publishable key')).toHaveValue('pk_test_51Public');
  await expectAccessible(page, 'payment-settings-refused-key');
  await press(keys.getByRole('button', { name: 'Show test secret key' }));
  await expect(box('Test secret key')).toHaveAttribute('type', 'text');
  await box('Test secret key').fill(stripe.test.secretKey);
  await box('Live secret key').fill(stripe.live.secretKey);
  await press(keys.getByRole('button', { name: 'Save API Keys' }));
  await expect(toastOf(page, 'API Keys Saved')).toBeVisible();
  await expect(box('Test secret key')).toHaveValue('');
  await expect(keys.getByText('Saved: sk_...ripe')).toHaveCount(2);
  await expect(page.getByText(BANNER)).toBeVisible();
  await expect(connectCard(page)).toContainText(/Configured\s*Test mode/);
  await expect(connectCard(page)).toContainText('Sellers who connect Stripe are paid');
  const html = await (await page.request.get(PAGE)).text();
  expect(html).toContain('sk_...ripe');
  expect(html).not.toContain(stripe.test.secretKey);

  await press(testMode(page), 'Space');
  const live = page.getByRole('alertdialog', { name: 'Switch to live mode' });
  await press(live.getByRole('button', { name: 'Go live' }));
  await expect(toastOf(page, 'Error')).toContainText('Configure the webhook of live mode first.');
  await expect(live.getByRole('button', { name: 'Go live' })).not.toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Escape');
  await expect(live).toBeHidden();
  await expect(page).not.toHaveURL(/do=/);
  await press(page.getByRole('button', { name: 'Configure Webhooks' }));
  await expect(toastOf(page, 'Webhooks Configured')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Configure Webhooks' })).toBeDisabled();
  await expectAccessible(page, 'payment-settings-stripe');

  await press(testMode(page), 'Space');
  await press(live.getByRole('button', { name: 'Go live' }));
  await expect(toastOf(page, 'Live Mode Activated')).toContainText(
    'The platform is now using live API keys.',
  );
  await expect(connectCard(page)).toContainText(/Configured\s*Live/);
  await expect(testMode(page)).not.toBeChecked();
  await expect(page.getByText(BANNER)).toHaveCount(0);
  await press(testMode(page), 'Space');
  await expect(toastOf(page, 'Test Mode Activated')).toContainText(
    'The platform is now using test API keys.',
  );
  await expect(testMode(page)).toBeChecked();
});

test('webhooks, payout information and a key that Stripe no longer accepts', async ({
  page,
  stripe,
  signInAs,
  expectConsole,
}) => {
  test.slow();
  expectConsole(503);
  await signInAs('admin@acre.test', 'admin');
  await open(page, PAGE);
  await page.getByLabel('Test secret key', { exact: true }).fill(stripe.other.secretKey);
  await page.getByRole('button', { name: 'Save API Keys' }).click();
  await expect(toastOf(page, 'API Keys Saved')).toBeVisible();
  await page.getByRole('button', { name: 'Configure Webhooks' }).click();
  await expect(toastOf(page, 'Webhooks Configured')).toBeVisible();

  const [endpoint] = [...stripe.other.endpoints.all.keys()];
  const event = { id: 'evt_browser', object: 'event', type: 'refund.updated', livemode: false };
  const body = JSON.stringify({ ...event, data: { object: { id: 're_1', object: 'refund' } } });
  const heard = await page.request.post('/api/webhooks/stripe', {
    data: Buffer.from(body),
    headers: {
      'content-type': 'application/json',
      'stripe-signature': signStripe(body, stripe.other.endpoints.secretOf(endpoint ?? ''), new Date()),
    },
  });
  expect(heard.ok()).toBe(true);
  await open(page, PAGE);
  const webhooks = panel(page, 'Webhooks');
  await expect(webhooks.getByText('Last signed event')).toBeVisible();
  await webhooks.getByRole('button', { name: 'More for the webhook of test mode' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  const rotation = page.getByRole('alertdialog', { name: 'Rotate secret' });
  await rotation.getByRole('button', { name: 'Rotate secret' }).click();
  await expect(toastOf(page, 'Webhook secret rotated')).toBeVisible();
  expect([...stripe.other.endpoints.all.keys()]).not.toContain(endpoint);

  const payout = panel(page, 'Payout Information');
  await expect(payout).toContainText('acct_...ount');
  await expect(payout.getByRole('link', { name: 'Open the Stripe dashboard' })).toHaveAttribute(
    'href',
    'https://dashboard.stripe.com/test/payouts',
  );
  stripe.faultSettings.fault = 401;
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(toastOf(page, 'Error')).toContainText('Stripe does not accept the key.');
  await expect(badge(page)).toHaveText('Not Connected');
  await expectAccessible(page, 'payment-settings-failed');
  stripe.faultSettings.fault = 'reset';
  await page.getByLabel('Test secret key', { exact: true }).fill(stripe.test.secretKey);
  await page.getByRole('button', { name: 'Save API Keys' }).click();
  await expect(toastOf(page, 'Error')).toContainText('Failed to save API keys. Please try again.');
  await expect(page.getByLabel('Test secret key', { exact: true })).toHaveValue(stripe.test.secretKey);
  stripe.faultSettings.fault = null;
  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  await expect(toastOf(page, 'Stripe Connected')).toBeVisible();
  await expect(badge(page)).toHaveText('Connected');
});
