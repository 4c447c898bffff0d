import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { type SavedKeysChange, saveStripeKeySet } from '#tests/support/fixtures/saved-stripe-keys.ts';
import { openPayments, type ReloadablePayments } from './open.ts';
import { signStripe } from './webhook-signature.ts';

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
const unavailable = expect.objectContaining({ name: 'PaymentError', code: 'unavailable' });

await describeOnDatabase('payment providers', (openDatabase) => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase();
  });
  beforeEach(async () => {
    await db.q().deleteFrom('stripe_key_sets').execute();
  });
  afterAll(() => db.close());
  const opened: ReloadablePayments[] = [];
  afterEach(() => {
    for (const payments of opened.splice(0)) payments.close();
  });
  async function open(change: Partial<typeof testConfig> = {}, onFault?: (fault: unknown) => void) {
    const payments = await openPayments({ ...testConfig, ...change }, db, onFault && { onFault });
    opened.push(payments);
    return payments;
  }

  const save = (account: string, key: string, endpoint: string, change: SavedKeysChange = {}) =>
    saveStripeKeySet(db, { account, key, endpoint, ...change });

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

  it.each([{ stripe }, {}])('knows how much may come from a bank account: %o', async (keys) => {
    expect((await open({ ...keys, bankDebitMaxCents: 6_000_00 })).forMethod('card').limits).toMatchObject({
      maxCents: 99_999_999,
      bankDebitMaxCents: 6_000_00,
    });
  });

  it('begins only what the account may be paid with, and follows what the provider says', async () => {
    const DEAR = 2_400_000_00;
    const payments = await open({ stripe, bankDebitMaxCents: 6_000_00 });
    const offers = () => [
      payments.forMethod('card').limits.bankDebitMaxCents,
      payments.forMethod('card', DEAR).provider,
    ];
    const says = (
      account_ref: string,
      may: { bank_debits: boolean | null; bank_transfers: boolean | null },
    ) =>
      db
        .q()
        .insertInto('provider_capabilities')
        .values({ provider: 'stripe', livemode: false, account_ref, checked_at: new Date(), ...may })
        .execute();
    expect(offers()).toEqual([6_000_00, 'stripe-transfers']);
    await says('acct_1', { bank_debits: false, bank_transfers: false });
    await payments.reload();
    expect(offers()).toEqual([0, 'stripe']);
    expect(payments.of('stripe-transfers').provider).toBe('stripe-transfers');
    // The keys in the environment are another account's now.
    await says('acct_2', { bank_debits: true, bank_transfers: null });
    await payments.reload();
    expect(offers()).toEqual([6_000_00, 'stripe-transfers']);
    await save('acct_1', 'sk_test_one', 'whsec_one');
    const saved = await open({});
    expect(saved.forMethod('card', DEAR)).toMatchObject({
      provider: 'stripe',
      limits: { bankDebitMaxCents: 0 },
    });
    await db.q().deleteFrom('provider_capabilities').execute();
    await saved.reload();
    expect(saved.forMethod('card', DEAR).provider).toBe('stripe-transfers');
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

  it('never uses live Coinbase outside production, nor in a demo there', async () => {
    expect((await open({ coinbase })).forMethod('crypto')).toMatchObject({
      provider: 'coinbase',
      livemode: false,
    });
    const production = { production: true, sandboxPayments: false };
    expect((await open({ coinbase, ...production })).forMethod('crypto').livemode).toBe(true);
    const demo = { production: true, demo: true };
    expect((await open({ coinbase, ...demo })).forMethod('crypto').livemode).toBe(false);
  });

  it('starts without any provider in production, and fails when one is needed', async () => {
    const payments = await open({ production: true, sandboxPayments: false });
    expect(() => payments.forMethod('card')).toThrow(unavailable);
    expect(() => payments.forMethod('crypto')).toThrow(
      'No payment provider is configured for crypto payments',
    );
    expect(() => payments.of('sandbox-card')).toThrow(unavailable);
    const shown = await open({ production: true, sandboxPayments: true });
    expect(shown.forMethod('card').provider).toBe('sandbox-card');
  });

  it('serves saved keys of several accounts and modes at once, and follows a change without a restart', async () => {
    const faults: unknown[] = [];
    const payments = await open({}, (fault) => faults.push(fault));
    expect(payments.forMethod('card').provider).toBe('sandbox-card');
    await save('acct_old', 'sk_test_old', 'whsec_old', { retired_at: new Date() });
    await save('acct_new', 'sk_test_new', 'whsec_new');
    await payments.reload();
    expect(await payments.forMethod('card').account()).toBe('acct_new');
    const of = (account: string) => payments.of('stripe', { livemode: false, account });
    expect(await of('acct_old').account()).toBe('acct_old');
    expect(await of('acct_new').account()).toBe('acct_new');
    await expect(of('acct_other').getCheckout('cs_test_1')).rejects.toMatchObject({ code: 'unavailable' });
    const event = { id: 'evt_1', object: 'event', type: 'refund.updated', livemode: false };
    const body = JSON.stringify({ ...event, data: { object: { id: 're_1', object: 'refund' } } });
    const now = new Date();
    const heard = (secret: string) =>
      payments.of('stripe').parseWebhook({
        rawBody: Buffer.from(body),
        headers: new Headers({ 'stripe-signature': signStripe(body, secret, now) }),
        now,
      });
    expect(heard('whsec_old').from).toEqual({ livemode: false, account: 'acct_old' });
    expect(heard('whsec_new').from).toEqual({ livemode: false, account: 'acct_new' });
    expect(() => heard('whsec_other')).toThrow(expect.objectContaining({ code: 'bad_signature' }));
    expect(faults).toEqual([]);
  });

  it('lets keys of the environment win over saved ones, which still serve their sales', async () => {
    await save('acct_saved', 'sk_test_saved', 'whsec_saved');
    const payments = await open({ stripe });
    expect(payments.forMethod('card').parseWebhook).not.toBe(payments.of('stripe').parseWebhook);
    expect(await payments.of('stripe', { livemode: false, account: 'acct_saved' }).account()).toBe(
      'acct_saved',
    );
  });

  it('takes no card payments with keys that it cannot read, or that are for production', async () => {
    await save('acct_saved', 'sk_test_saved', 'whsec_saved');
    const faults: unknown[] = [];
    const onFault = (fault: unknown) => faults.push(String(fault));
    const secret = 'another secret for tests, long enough';
    const payments = await open({ secret }, onFault);
    expect(() => payments.forMethod('card')).toThrow(unavailable);
    expect(faults).toEqual([expect.stringContaining('former APP_SECRET')]);
    await db.q().deleteFrom('stripe_key_sets').execute();
    await save('acct_live', 'sk_live_saved', 'whsec_saved', { livemode: true });
    const bound = { livemode: true, account: 'acct_live' };
    expect(() => payments.of('stripe', bound)).toThrow(unavailable);
    await payments.reload();
    expect(() => payments.of('stripe', bound)).toThrow(unavailable);
    const production = { production: true, sandboxPayments: false };
    expect((await open(production)).of('stripe', bound).livemode).toBe(true);
  });
});
