import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { testConfig } from '#tests/support/context.ts';
import { openPayments } from './open.ts';

// Opening asks the database nothing.
const db = {} as Database;
const stripe = { secretKey: 'sk_test_abc', webhookSecret: 'whsec_abc', apiBase: undefined };
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

it('takes the sandbox on both rails when there are no keys', async () => {
  const payments = await open();
  expect(payments.forRail('card')).toMatchObject({ provider: 'sandbox-card', livemode: false });
  expect(payments.forRail('crypto')).toMatchObject({ provider: 'sandbox-crypto', livemode: false });
  for (const provider of ['stripe', 'coinbase', 'paypal', ''])
    expect(() => payments.of(provider)).toThrow(unavailable);
});

it('takes a real provider on the rail that has keys, and still finds the sandbox of running sales', async () => {
  const payments = await open({ stripe });
  expect(payments.forRail('card')).toMatchObject({ provider: 'stripe', rail: 'card', livemode: false });
  expect(payments.forRail('crypto').provider).toBe('sandbox-crypto');
  expect(payments.of('stripe')).toBe(payments.forRail('card'));
  expect(payments.of('sandbox-card').provider).toBe('sandbox-card');
});

it('takes no live money by Coinbase outside production', async () => {
  expect((await open({ coinbase })).forRail('crypto')).toMatchObject({
    provider: 'coinbase',
    livemode: false,
  });
  const production = { production: true, sandboxPayments: false };
  expect((await open({ coinbase, ...production })).forRail('crypto').livemode).toBe(true);
});

it('starts without any provider in production, and says so when one is needed', async () => {
  const payments = await open({ production: true, sandboxPayments: false });
  expect(() => payments.forRail('card')).toThrow(unavailable);
  expect(() => payments.forRail('crypto')).toThrow('No payment provider is configured for crypto payments');
  expect(() => payments.of('sandbox-card')).toThrow(unavailable);
  const shown = await open({ production: true, sandboxPayments: true });
  expect(shown.forRail('card').provider).toBe('sandbox-card');
});
