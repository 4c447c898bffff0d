import type { Page, Route } from '@playwright/test';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import {
  createConfirmedAccount,
  PASSWORD,
  requestResetLink,
  signIn,
  uniqueEmail,
} from '#tests/support/browser/accounts.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { withoutTable } from '#tests/support/browser/without-table.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';

// R9: fixed texts of states that no other browser test visits. tests/texts/catalogue.ts lists all of them.

const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test.describe('account forms when the database fails', { tag: '@desktop' }, () => {
  test.slow();
  test.beforeEach(({ expectConsole }) => expectConsole(500));

  test('signing in, signing up and requesting a reset', async ({ page, scenario }) => {
    await open(page, '/buyer/login');
    await withoutTable(scenario, 'rate_limits', async () => {
      await signIn(page, uniqueEmail());
      await expect(
        toastOf(page, 'Login failed').getByText('An unexpected error occurred', { exact: true }),
      ).toBeVisible();
    });
    await open(page, '/buyer/login?forgot=1');
    await withoutTable(scenario, 'rate_limits', async () => {
      await page.getByLabel('Email').fill(uniqueEmail());
      await page.getByRole('button', { name: 'Send Reset Link' }).click();
      await expect(toastOf(page, 'Password reset failed')).toBeVisible();
    });
    await open(page, '/buyer/signup');
    await withoutTable(scenario, 'rate_limits', async () => {
      await page.getByLabel('Email').fill(uniqueEmail());
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign up' }).click();
      await expect(
        toastOf(page, 'Error').getByText('An unexpected error occurred.', { exact: true }),
      ).toBeVisible();
    });
  });

  test('setting a new password', async ({ page, scenario }) => {
    const email = await createConfirmedAccount({ origin: scenario.url, dataDir: scenario.dataDir });
    await open(page, await requestResetLink({ origin: scenario.url, dataDir: scenario.dataDir }, email));
    await page.getByLabel('New Password').fill('Brass-Rule 31 ledger');
    await page.getByLabel('Confirm Password').fill('Brass-Rule 31 ledger');
    await withoutTable(scenario, 'rate_limits', async () => {
      await page.getByRole('button', { name: 'Reset Password' }).click();
      await expect(page.getByText('An unexpected error occurred. Please try again.')).toBeVisible();
    });
  });

  test('registering as a seller', async ({ page, scenario }) => {
    const config = { ...testConfig, publicUrl: scenario.url };
    const actor = { kind: 'system', name: 'invitation' } as const;
    const ctx = testContext(scenario.db, { actor, config, now: () => new Date() });
    const invited = await inviteSeller(ctx, { name: 'Ines Calloway', email: uniqueEmail() });
    if (!invited.ok) throw new Error(invited.reason);
    const link = new URL(invited.link);
    await open(page, link.pathname + link.search);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    await withoutTable(scenario, 'rate_limits', async () => {
      await page.getByRole('button', { name: 'Complete Registration' }).click();
      await expect(toastOf(page, 'Registration failed')).toBeVisible();
    });
  });

  test('saving payment settings', async ({ page, scenario, signInAs }) => {
    await signInAs('seller@acre.test', 'agent');
    await open(page, '/agent/settings');
    await withoutTable(scenario, 'audit_log', async () => {
      await page.getByRole('radio', { name: /PayPal/ }).check();
      await page.getByRole('textbox', { name: 'PayPal Email' }).fill(uniqueEmail());
      await page.getByRole('button', { name: 'Save Payment Settings' }).click();
      await expect(toastOf(page, 'Failed to update payment settings.')).toBeVisible();
    });
  });
});

test.describe('purchases that cannot begin', { tag: '@desktop' }, () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('buyer@acre.test'));
  const CARD_ENDPOINT = '**/api/payments/create-card-payment';

  test('each reason has its text', async ({ page, scenario, expectConsole }) => {
    expectConsole(401, 500, /ERR_FAILED|Failed to fetch/);
    const card = buttonOf(page, 'Escrow with Card/Bank Transfer');
    const openPanel = async (address: string) =>
      open(page, `/property/${await scenario.createListing({ address })}`);
    const error = toastOf(page, 'Error');

    await openPanel('41 Reason Road');
    await withoutTable(scenario, 'commission_settings', async () => {
      await card.click();
      await expect(error).toContainText('Failed to fetch commission settings');
    });
    await openPanel('42 Reason Road');
    await withoutTable(scenario, 'rate_limits', async () => {
      await card.click();
      await expect(error).toContainText('Failed to record transaction');
    });
    await openPanel('43 Reason Road');
    // At once: what the server streams later would write the right total again.
    await card.evaluate((button: HTMLButtonElement) => {
      button.form?.querySelector('input[name=total]')?.setAttribute('value', 'much');
      button.click();
    });
    await expect(error).toContainText('Property information is incomplete');

    await openPanel('44 Reason Road');
    await page.route(CARD_ENDPOINT, (route) => route.fulfill({ json: {} }));
    await card.click();
    await expect(error).toContainText('No checkout URL returned from the server');
    await page.unroute(CARD_ENDPOINT);

    await openPanel('45 Reason Road');
    await page.route('**/api/payments/*', (route) => route.abort());
    await buttonOf(page, 'Pay with Crypto').click();
    await expect(error).toContainText('Failed to initiate crypto payment. Please try again.');
    await page.unroute('**/api/payments/*');

    await openPanel('46 Reason Road');
    // The session ends between the two requests.
    await page.route(CARD_ENDPOINT, async (route) => {
      await page.context().clearCookies();
      await route.continue();
    });
    await card.click();
    await expect(error).toContainText('Authentication required');
  });

  test('diagnostics name what does not answer', async ({ page, scenario, expectConsole }) => {
    expectConsole(405, 500);
    await open(page, `/property/${await scenario.createListing({ address: '47 Reason Road' })}`);
    const check = '**/api/payments/create-crypto-payment';
    await page.route(check, (route) => route.fulfill({ status: 200 }));
    await buttonOf(page, 'Run Payment Diagnostics').click();
    await expect(toastOf(page, 'API Endpoint Check Failed')).toBeVisible();
    await page.unroute(check);
    await page.route('**/api/payment-diagnostics', (route: Route) => route.fulfill({ status: 500 }));
    await buttonOf(page, 'Run Payment Diagnostics').click();
    await expect(toastOf(page, 'Diagnostics Failed')).toBeVisible();
  });
});

test.describe('texts of pages', { tag: '@desktop' }, () => {
  test("all of a seller's inquiries", async ({ page, signInAs }) => {
    await signInAs('seller@acre.test', 'agent');
    await open(page, '/agent/inquiries');
    await expect(page.getByRole('tab', { name: 'All Inquiries' })).toBeVisible();
  });

  test("a buyer's notifications and the tabs beside them", async ({ page, signInAs }) => {
    await signInAs('buyer@acre.test');
    await open(page, '/buyer/transactions');
    await expect(page.getByRole('heading', { name: 'Property Notifications' })).toBeVisible();
    for (const name of [
      'Recently Viewed',
      'Watched Properties',
      'My Inquiries',
      'Notifications',
      'Transactions',
    ])
      await expect(page.getByRole('tab', { name })).toBeVisible();
  });
});
