import { generateKeyPairSync } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { buyerOf, demoSale } from '#tests/support/fixtures/demo-sales.ts';
import { giveAuthenticator } from '#tests/support/fixtures/users.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';

const BUYER = 'buyer@acre.test';
const paid = demoSale((sale) => sale.plan.escrow === 'in_escrow' && buyerOf(sale) === BUYER);
const { d: seed, x: point } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
const keySecret = Buffer.concat([seed, point].map((part) => Buffer.from(part ?? '', 'base64url')));

const PUBLIC_URL = 'https://localhost';
const APP_SECRET = 'only for this test: '.padEnd(48, 'x');

// A production server whose only provider moves no real money. No call of it is answered.
test.use({
  environment: {
    ACRE_UNDECLARED: 'off',
    DEMO: 'off',
    LIMITS: '',
    PUBLIC_URL,
    APP_SECRET,
    SMTP_URL: 'smtp://127.0.0.1:9',
    COINBASE_KEY_ID: 'a key',
    COINBASE_KEY_SECRET: keySecret.toString('base64'),
    COINBASE_WEBHOOK_SECRET: 'a secret',
    COINBASE_API_BASE: 'http://127.0.0.1:9/sandbox/api/v1',
  },
});

/** Signs in without a password: the published one no longer opens the account. */
async function signIn(page: Page, { db }: Scenario, email: string): Promise<string> {
  const { id } = await db
    .q()
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const session = await startSession(db, { publicUrl: PUBLIC_URL, secret: APP_SECRET }, id);
  const [name = '', value = ''] = session.split('=');
  await page.context().addCookies([{ name, value, domain: 'localhost', path: '/', secure: true }]);
  return id;
}

test('in test mode pages say so, and only named test buyers can purchase', async ({ page, scenario }) => {
  const propertyId = await scenario.createListing({ address: '41 Rehearsal Road' });
  await signIn(page, scenario, BUYER);
  await open(page, `/property/${propertyId}`);
  const crypto = page.getByRole('button', { name: 'Pay with Crypto' });
  await expect(crypto).toBeDisabled();
  await expect(crypto).toHaveAccessibleDescription(
    'Payments are in test mode. Only named test buyers can purchase.',
  );
  await scenario.db
    .q()
    .insertInto('platform_settings')
    .values({ setting_name: 'test_buyers', setting_value: JSON.stringify([BUYER]) })
    .execute();
  await page.reload();
  await expect(crypto).toBeEnabled();
  const banner = page.getByRole('status').filter({ hasText: 'No real money moves in this purchase.' });
  await expect(banner).toBeVisible();
  await expectAccessible(page, 'test-mode-panel');
  await open(page, `/buyer/sales/${paid.id}`);
  await expect(banner).toBeVisible();
  await expectAccessible(page, 'test-mode-sale');
  await open(page, `/buyer/transactions?tab=transactions&sale=${paid.id}`);
  await expect(banner).toBeVisible();
  await open(page, `/receipt/${paid.id}`);
  await expect(page.getByText('Test mode – no real money')).toBeVisible();
});

test('in test mode lists name it, and totals leave it out', async ({ page, scenario }) => {
  await signIn(page, scenario, BUYER);
  await open(page, '/buyer/transactions?tab=transactions');
  const purchases = page.getByRole('table', { name: 'Transactions' }).getByRole('row');
  await expect(purchases.nth(1)).toContainText('Test mode');
  await page.context().clearCookies();
  await giveAuthenticator(scenario.db, await signIn(page, scenario, 'admin@acre.test'));
  await open(page, '/admin/dashboard');
  await expect(page.getByRole('main')).toContainText(/Total Sales\s*\$0\s*0 sales/);
  for (const list of ['Recent Payouts', 'Pending Payouts'])
    await expect(page.getByRole('table', { name: list }).getByRole('row').nth(1)).toContainText('Test mode');
  await expectAccessible(page, 'test-mode-dashboard');
  await open(page, '/admin/properties?tab=escrow');
  await expect(page.getByRole('table', { name: 'In Escrow' }).getByRole('row').nth(1)).toContainText(
    'Test mode',
  );
});

test('without Stripe Connect sellers cannot choose it', async ({ page, scenario, expectConsole }) => {
  expectConsole(422);
  await signIn(page, scenario, 'yuki.tanabe@example.test');
  await open(page, '/agent/settings');
  await page.getByRole('radio', { name: /Stripe Connect/ }).check();
  await page.getByRole('button', { name: 'Connect with Stripe' }).click();
  await expect(toastOf(page, 'Coming Soon')).toContainText('Stripe integration will be available soon.');
  await page.getByRole('button', { name: 'Save Payment Settings' }).click();
  await expect(page.getByText('Stripe payouts are not available yet. Choose PayPal.')).toBeVisible();
  await expect(page.getByText('We send them by hand')).toBeVisible();
});
