import { expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { openPayouts } from './open.ts';

// Without Stripe Connect opening sends no query.
const db = {} as Database;
const paypal = {
  mode: 'sandbox' as const,
  clientId: 'client',
  clientSecret: 'secret',
  webhookId: '8PT597110X687430LKGECATA',
  apiBase: undefined,
};
const open = (change: Partial<typeof testConfig> = {}) => openPayouts({ ...testConfig, ...change }, db);
const unavailable = expect.objectContaining({ name: 'PaymentError', code: 'unavailable' });

it('uses the sandbox for both methods when there are no keys', async () => {
  const payouts = await open();
  expect(payouts.forMethod('stripe')).toMatchObject({ provider: 'sandbox-connect', livemode: false });
  expect(payouts.forMethod('paypal')).toMatchObject({ provider: 'sandbox-paypal', livemode: false });
  for (const provider of ['stripe', 'stripe-connect', 'paypal', ''])
    expect(() => payouts.of(provider)).toThrow(unavailable);
});

it('prefers PayPal where it is configured, and still finds the sandbox of payouts under way', async () => {
  const payouts = await open({ paypal });
  expect(payouts.forMethod('paypal')).toMatchObject({ provider: 'paypal', livemode: false });
  expect(payouts.of('sandbox-paypal').provider).toBe('sandbox-paypal');
  expect(() => payouts.of('paypal', { livemode: true, account: null })).toThrow(unavailable);
});

it('has no provider for a method without keys where nothing stands in: those payouts are made by hand', async () => {
  const payouts = await open({ paypal, sandboxPayments: false });
  expect(payouts.forMethod('stripe')).toBeNull();
  expect(payouts.forMethod('paypal')?.provider).toBe('paypal');
});

it('is live with live keys of PayPal only', async () => {
  const payouts = await open({ paypal: { ...paypal, mode: 'live' } });
  expect(payouts.forMethod('paypal')?.livemode).toBe(true);
});
