import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { openPayments } from './open.ts';

// Opening sends no query.
const db = {} as Database;
const stripe = {
  secretKey: 'sk_test_abc',
  webhookSecret: 'whsec_abc',
  apiBase: undefined,
  publishableKey: undefined,
};
const coinbase = {
  keyId: 'organizations/1/apiKeys/2',
  keySecret: generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
  webhookSecret: 'webhook secret',
  apiBase: undefined,
};
const open = (change: Partial<typeof testConfig> = {}) => openPayments({ ...testConfig, ...change }, db);
const unavailable = expect.objectContaining({ name: 'PaymentError', code: 'unavailable' });

it('uses the sandbox for both payment methods when there are no keys', async () => {
  const payments = await open();
  expect(payments.forMethod('card')).toMatchObject({ provider: 'sandbox-card', livemode: false });
  expect(payments.forMethod('crypto')).toMatchObject({ provider: 'sandbox-crypto', livemode: false });
  for (const provider of ['stripe', 'coinbase', 'paypal', ''])
    expect(() => payments.of(provider)).toThrow(unavailable);
});

it('prefers a real provider that has keys, and still finds the sandbox of running sales', async () => {
  const payments = await open({ stripe });
  expect(payments.forMethod('card')).toMatchObject({ provider: 'stripe', method: 'card', livemode: false });
  expect(payments.forMethod('crypto').provider).toBe('sandbox-crypto');
  expect(payments.of('stripe')).toBe(payments.forMethod('card'));
  expect(payments.of('sandbox-card').provider).toBe('sandbox-card');
});

it('concludes nothing about a payment from keys of another mode or account', async () => {
  const payments = await open({ stripe });
  const bound = { livemode: false, account: 'sandbox' };
  expect(payments.of('sandbox-card', bound).provider).toBe('sandbox-card');
  expect(payments.of('stripe', { livemode: false, account: null })).toBe(payments.of('stripe'));
  expect(() => payments.of('stripe', { livemode: true, account: null })).toThrow(unavailable);
  const elsewhere = payments.of('sandbox-card', { ...bound, account: 'another' });
  await expect(elsewhere.getCheckout('cs_1')).rejects.toMatchObject({ code: 'unavailable' });
});

it('never uses live Coinbase outside production', async () => {
  expect((await open({ coinbase })).forMethod('crypto')).toMatchObject({
    provider: 'coinbase',
    livemode: false,
  });
  const production = { production: true, sandboxPayments: false };
  expect((await open({ coinbase, ...production })).forMethod('crypto').livemode).toBe(true);
});

it('starts without any provider in production, and fails when one is needed', async () => {
  const payments = await open({ production: true, sandboxPayments: false });
  expect(() => payments.forMethod('card')).toThrow(unavailable);
  expect(() => payments.forMethod('crypto')).toThrow('No payment provider is configured for crypto payments');
  expect(() => payments.of('sandbox-card')).toThrow(unavailable);
  const shown = await open({ production: true, sandboxPayments: true });
  expect(shown.forMethod('card').provider).toBe('sandbox-card');
});
