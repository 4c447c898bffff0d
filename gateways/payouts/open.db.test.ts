import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { saveStripeKeySet } from '#tests/support/fixtures/saved-stripe-keys.ts';
import { signStripe } from '../payments/webhook-signature.ts';
import { openPayouts } from './open.ts';

const stripe = {
  secretKey: 'sk_test_abc',
  webhookSecret: 'whsec_abc',
  apiBase: undefined,
  publishableKey: undefined,
};
const stripeConnect = { webhookSecrets: ['whsec_one', 'whsec_two'] };
const inProduction = { production: true, sandboxPayments: false };
const unavailable = expect.objectContaining({ name: 'PaymentError', code: 'unavailable' });

await describeOnDatabase('payouts by Stripe Connect', (openDatabase) => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase();
  });
  beforeEach(async () => {
    await db.q().deleteFrom('stripe_key_sets').execute();
    await connection({ livemode: false, disconnected_at: null });
  });
  afterAll(() => db.close());
  const opened: Awaited<ReturnType<typeof openPayouts>>[] = [];
  afterEach(() => {
    for (const payouts of opened.splice(0)) payouts.close();
  });
  const connection = (set: { livemode?: boolean; disconnected_at?: Date | null }) =>
    db.q().updateTable('stripe_connection').set(set).execute();
  async function open(change: Partial<typeof testConfig> = {}) {
    const payouts = await openPayouts({ ...testConfig, stripeConnect, ...change }, db);
    opened.push(payouts);
    return payouts;
  }
  const save = (account: string, change: { livemode?: boolean; retired_at?: Date } = {}) =>
    saveStripeKeySet(db, {
      account,
      key: `sk_${change.livemode ? 'live' : 'test'}_of_${account}`,
      endpoint: 'whsec_of_payments',
      ...change,
    });

  it('uses keys of the environment, and still finds the sandbox of payouts under way', async () => {
    const payouts = await open({ stripe });
    expect(payouts.forMethod('stripe')).toMatchObject({
      provider: 'stripe-connect',
      accountProvider: 'stripe',
      livemode: false,
    });
    expect(payouts.of('stripe-connect')).toBe(payouts.forMethod('stripe'));
    expect(payouts.of('sandbox-connect').provider).toBe('sandbox-connect');
    const live = await open({ ...inProduction, stripe: { ...stripe, secretKey: 'sk_live_abc' } });
    expect(live.forMethod('stripe')?.livemode).toBe(true);
  });

  it('uses keys that an administrator saves while it runs, and those of a former account for its payouts', async () => {
    const payouts = await open();
    expect(payouts.forMethod('stripe')?.provider).toBe('sandbox-connect');
    await save('acct_old', { retired_at: new Date() });
    await save('acct_new');
    await payouts.reload();
    expect(payouts.forMethod('stripe')?.provider).toBe('stripe-connect');
    expect(await payouts.forMethod('stripe')?.account()).toBe('acct_new');
    const of = (account: string) => payouts.of('stripe-connect', { livemode: false, account });
    expect(await of('acct_old').account()).toBe('acct_old');
    expect(await of('acct_new').account()).toBe('acct_new');
    await expect(of('acct_other').balance()).rejects.toMatchObject({ code: 'unavailable' });
    expect(() => payouts.of('stripe-connect', { livemode: true, account: 'acct_new' })).toThrow(unavailable);
  });

  it('follows a change of the keys without being told, as in another process', async () => {
    await db.listen('cache');
    const payouts = await open();
    await save('acct_new');
    await expect.poll(() => payouts.forMethod('stripe')?.provider).toBe('stripe-connect');
  });

  it('lets keys of the environment win over saved ones, which still serve their payouts', async () => {
    await save('acct_saved');
    const payouts = await open({ stripe });
    const bound = { livemode: false, account: 'acct_saved' };
    expect(await payouts.of('stripe-connect', bound).account()).toBe('acct_saved');
    const saved = await open();
    expect(payouts.forMethod('stripe')?.account).not.toBe(payouts.of('stripe-connect', bound).account);
    expect(await saved.forMethod('stripe')?.account()).toBe('acct_saved');
  });

  it('pays in the mode that takes new payments, and nothing while Stripe is disconnected', async () => {
    await save('acct_1');
    await save('acct_1', { livemode: true });
    const payouts = await open(inProduction);
    expect(payouts.forMethod('stripe')?.livemode).toBe(false);
    await connection({ livemode: true });
    await payouts.reload();
    expect(payouts.forMethod('stripe')?.livemode).toBe(true);
    expect(payouts.of('stripe-connect', { livemode: false, account: 'acct_1' }).livemode).toBe(false);
    await connection({ disconnected_at: new Date() });
    await payouts.reload();
    expect(payouts.forMethod('stripe')).toBeNull();
    expect(payouts.of('stripe-connect', { livemode: true, account: 'acct_1' }).livemode).toBe(true);
  });

  it('has no provider without keys where nothing stands in, nor with saved keys where it is switched off', async () => {
    expect((await open(inProduction)).forMethod('stripe')).toBeNull();
    await save('acct_1', { livemode: true });
    await connection({ livemode: true });
    expect((await open(inProduction)).forMethod('stripe')?.livemode).toBe(true);
    expect((await open({ ...inProduction, stripeConnect: undefined })).forMethod('stripe')).toBeNull();
  });

  it('reads the messages of both modes with the secrets of all endpoints', async () => {
    await save('acct_1');
    await save('acct_1', { livemode: true });
    const payouts = await open(inProduction);
    const heard = (livemode: boolean, secret: string) => {
      const object = { object: 'transfer', id: 'tr_1', metadata: { payout: 'payout:1:1' } };
      const event = { id: 'evt_1', object: 'event', type: 'transfer.reversed', livemode, data: { object } };
      const body = JSON.stringify(event);
      const now = new Date();
      const headers = new Headers({ 'stripe-signature': signStripe(body, secret, now) });
      return payouts.of('stripe-connect').parseWebhook({ rawBody: Buffer.from(body), headers, now });
    };
    for (const [livemode, secret] of [
      [false, 'whsec_one'],
      [true, 'whsec_two'],
    ] as const)
      expect(await heard(livemode, secret)).toMatchObject({ payoutKey: 'payout:1:1' });
    await expect(heard(true, 'whsec_of_payments')).rejects.toMatchObject({ code: 'bad_signature' });
  });
});
