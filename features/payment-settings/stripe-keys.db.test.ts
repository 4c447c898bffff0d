import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkAudit } from '#features/audit/reads.ts';
import { openPayouts, payoutsOf } from '#gateways/payouts/open.ts';
import { createPayoutsSandbox } from '#gateways/payouts/sandbox/provider.ts';
import type { Config } from '#platform/config.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { createStripeMarket, type StripeMarket } from '#tests/support/fixtures/stripe-market.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { checkStripe } from './commands/check-stripe.ts';
import { connectStripe } from './commands/connect-stripe.ts';
import { disconnectStripe } from './commands/disconnect-stripe.ts';
import { removeFormerKeys } from './commands/remove-former-keys.ts';
import { saveStripeKeys } from './commands/save-stripe-keys.ts';
import { configuredServices, payoutInformation, stripeConnection, stripeInTestMode } from './reads.ts';
import { failureTexts, stripeMessages } from './stripe-keys.ts';
import { webhookUrl } from './webhooks.ts';

await describeOnDatabase('keys of Stripe', (open) => {
  let market: StripeMarket;
  beforeAll(async () => {
    market = await createStripeMarket(await open());
  });
  beforeEach(() => market.reset());
  afterAll(async () => {
    await market.stop();
    await market.db.close();
  });

  const connection = () => stripeConnection(market.ctx());
  const testKeys = () => ({ testPublishable: 'pk_test_51Public', testSecret: market.stripe.test.secretKey });

  it('are stored encrypted, shown by their end, and used at once', async () => {
    expect(await connection()).toMatchObject({
      connected: true,
      serves: 'sandbox',
      mode: 'test',
      origin: 'saved',
    });
    expect(stripeInTestMode(market.ctx())).toBe(false);
    expect(await market.save(testKeys())).toEqual({ ok: true });
    const shown = await connection();
    expect(shown).toMatchObject({
      connected: true,
      serves: 'stripe',
      keys: {
        test: {
          publishableKey: 'pk_test_51Public',
          secretHint: 'sk_...ripe',
          setAt: market.clock.now().toISOString(),
          account: 'acct_...ripe',
          checkedAt: market.clock.now().toISOString(),
          failure: null,
        },
        live: null,
      },
    });
    expect(market.payments.forMethod('card')).toMatchObject({ provider: 'stripe', livemode: false });
    expect(stripeInTestMode(market.ctx())).toBe(true);
    const { secretKey } = market.stripe.test;
    const rows = await market.db.q().selectFrom('stripe_key_sets').selectAll().execute();
    const audit = await market.db.q().selectFrom('audit_log').selectAll().execute();
    expect(JSON.stringify([rows, audit, shown])).not.toContain(secretKey);
    const [saved] = rows;
    expect(audit.filter((row) => row.entity_id === saved?.id).map(({ action }) => action)).toEqual([
      'stripe.save_keys',
    ]);
    const { findings } = await checkAudit(market.ctx());
    expect(findings.filter(({ subject }) => subject.endsWith(saved?.id ?? ''))).toEqual([]);
  });

  it('are refused at their boxes, with nothing stored', async () => {
    const { test, live, other } = market.stripe;
    const invalid = async (keys: Parameters<StripeMarket['save']>[0]) => {
      const result = await market.save(keys);
      return !result.ok && result.reason === 'invalid' ? result.errors : result;
    };
    expect(await invalid({ testSecret: live.secretKey })).toEqual({
      testSecret: 'A test secret key starts with sk_test_ or rk_test_',
    });
    expect(await invalid({ testSecret: 'sk_test_unknown', liveSecret: live.secretKey })).toEqual({
      testSecret: stripeMessages.refused,
    });
    expect(await invalid({ testPublishable: 'pk_test_1' })).toEqual({
      testSecret: stripeMessages.secretMissing,
    });
    expect(await invalid({})).toEqual({ testPublishable: stripeMessages.nothingTyped });
    market.stripe.queuedFaults.push(500, 500, 500);
    expect(await market.save({ testSecret: test.secretKey })).toEqual({ ok: false, reason: 'no_answer' });
    market.stripe.queuedFaults.length = 0;
    const outside = market.ctx(market.admin, { stripeApiBase: undefined });
    const seen = await market.seen();
    expect(await saveStripeKeys(outside, { ...market.typed({ liveSecret: live.secretKey }), seen })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { liveSecret: stripeMessages.liveRefused },
    });
    expect(await market.db.q().selectFrom('stripe_key_sets').selectAll().execute()).toEqual([]);
    expect(await market.save({ testSecret: other.secretKey })).toEqual({ ok: true });
  });

  it('are saved by the first of two administrators; the second is told', async () => {
    const seen = await market.seen();
    const second = market.ctx(await createUser(market.db, 'admin'));
    const { test, other } = market.stripe;
    const results = await Promise.all([
      saveStripeKeys(market.ctx(), { ...market.typed({ testSecret: test.secretKey }), seen }),
      saveStripeKeys(second, { ...market.typed({ testSecret: other.secretKey }), seen }),
    ]);
    expect(results.toSorted((a, b) => Number(b.ok) - Number(a.ok))).toEqual([
      { ok: true },
      { ok: false, reason: 'newer' },
    ]);
    expect(await disconnectStripe(second, { seen })).toEqual({ ok: false, reason: 'newer' });
  });

  it('of another account replace them, and the former ones serve their sales until no sale needs them', async () => {
    await market.save(testKeys());
    await market.createSale(false);
    expect(await market.save({ testSecret: market.stripe.other.secretKey })).toEqual({ ok: true });
    const account = () => market.payments.forMethod('card').account();
    expect(await account()).toBe('acct_1OtherAccount');
    const former = market.payments.of('stripe', { livemode: false, account: 'acct_1DoubleOfStripe' });
    expect(await former.account()).toBe('acct_1DoubleOfStripe');
    expect((await connection()).former).toEqual([{ account: 'acct_...ripe', mode: 'test', sales: 1 }]);
    market.clock.advance(2 * DAY);
    await removeFormerKeys(market.system);
    expect((await connection()).former).toHaveLength(1);
    await market.db.q().updateTable('property_sales').set({ stripe_payment_status: 'refunded' }).execute();
    await removeFormerKeys(market.system);
    expect((await connection()).former).toEqual([]);
    expect(await account()).toBe('acct_1OtherAccount');
  });

  it('of the environment win, and are only shown', async () => {
    await market.save(testKeys());
    const stripe = {
      secretKey: market.stripe.other.secretKey,
      webhookSecret: 'whsec_other',
      apiBase: undefined,
      publishableKey: undefined,
    };
    const ctx = market.ctx(market.admin, { stripe });
    const shown = await stripeConnection(ctx);
    expect(shown).toMatchObject({
      origin: 'environment',
      connected: true,
      keys: { test: { secretHint: 'sk_...ount', account: 'acct_...ount', setAt: null } },
    });
    const refused = { ok: false, reason: 'environment' };
    const { version: seen } = shown;
    expect(await saveStripeKeys(ctx, { ...market.typed(testKeys()), seen })).toEqual(refused);
    expect(await disconnectStripe(ctx, { seen })).toEqual(refused);
    expect(await connectStripe(ctx, { seen })).toEqual(refused);
    market.stripe.queuedFaults.push(401);
    expect(await stripeConnection(ctx)).toMatchObject({
      connected: false,
      keys: { test: { failure: failureTexts.refused, webhook: { configured: null } } },
    });
  });

  it('of the environment have the webhook that Stripe says', async () => {
    const { secretKey } = market.stripe.other;
    const stripe = { secretKey, webhookSecret: 'whsec_other', apiBase: undefined, publishableKey: undefined };
    const ctx = market.ctx(market.admin, { stripe });
    const configured = async (one = ctx) => (await stripeConnection(one)).keys.test?.webhook.configured;
    expect(await configured()).toBe(false);
    const made = await ctx.stripeSetup.createEndpoint(secretKey, webhookUrl(ctx), randomUUID());
    expect(await configured()).toBe(true);
    expect(await configured(market.ctx(market.admin, { stripe: { ...stripe, webhookSecret: '' } }))).toBe(
      false,
    );
    await ctx.stripeSetup.switchEndpoint(secretKey, made.ref, false);
    expect(await configured()).toBe(false);
    await ctx.stripeSetup.removeEndpoint(secretKey, made.ref);
    await ctx.stripeSetup.createEndpoint(secretKey, 'https://elsewhere.example.test/hook', randomUUID());
    expect(await configured()).toBe(false);
  });

  it('that Stripe no longer accepts are not connected, until it does again', async () => {
    await market.save(testKeys());
    market.stripe.queuedFaults.push(401);
    market.clock.advance(HOUR);
    expect(await checkStripe(market.system)).toEqual({ failure: 'refused' });
    expect(await connection()).toMatchObject({
      connected: false,
      keys: { test: { failure: failureTexts.refused, checkedAt: market.clock.now().toISOString() } },
    });
    expect(await connectStripe(market.ctx(), { seen: await market.seen() })).toEqual({
      ok: true,
      serves: 'stripe',
    });
    expect((await connection()).connected).toBe(true);
  });

  it('go when Stripe is disconnected, and the sandbox stands in only where it is asked to', async () => {
    await market.save(testKeys());
    expect(await disconnectStripe(market.ctx(), { seen: await market.seen() })).toEqual({ ok: true });
    expect(await connection()).toMatchObject({
      connected: false,
      serves: null,
      keys: { test: null, live: null },
    });
    expect(() => market.payments.forMethod('card')).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(await disconnectStripe(market.ctx(), { seen: await market.seen() })).toMatchObject({
      reason: 'already',
    });
    const production = market.ctx(market.admin, { production: true, sandboxPayments: false });
    expect(await connectStripe(production, { seen: await market.seen() })).toEqual({
      ok: false,
      reason: 'no_keys',
    });
    expect(await connectStripe(market.ctx(), { seen: await market.seen() })).toEqual({
      ok: true,
      serves: 'sandbox',
    });
    expect(await connection()).toMatchObject({ connected: true, serves: 'sandbox' });
    market.clock.advance(2 * DAY);
    await market.db.q().updateTable('property_sales').set({ stripe_payment_status: 'refunded' }).execute();
    await removeFormerKeys(market.system);
    expect(await market.db.q().selectFrom('stripe_key_sets').selectAll().execute()).toEqual([]);
  });

  it('stay while live sales are under way, and for some time after, also of those that were refunded', async () => {
    await market.save({ liveSecret: market.stripe.live.secretKey });
    await market.createSale(true);
    expect(await disconnectStripe(market.ctx(), { seen: await market.seen() })).toEqual({
      ok: false,
      reason: 'live_sales',
    });
    const ended = {
      escrow_status: 'completed',
      payout_status: 'completed',
      released_at: market.clock.now(),
      payout_date: market.clock.now(),
    } as const;
    await market.db.q().updateTable('property_sales').set(ended).where('livemode', '=', true).execute();
    expect(await disconnectStripe(market.ctx(), { seen: await market.seen() })).toEqual({ ok: true });
    const former = { account: 'acct_...ripe', mode: 'live', sales: 1 };
    expect((await connection()).former).toEqual([former]);
    // Its refund may come back, or be disputed.
    const refunded = { stripe_payment_status: 'refunded' } as const;
    await market.db.q().updateTable('property_sales').set(refunded).where('livemode', '=', true).execute();
    market.clock.advance(2 * DAY);
    await removeFormerKeys(market.system);
    expect((await connection()).former).toEqual([former]);
    market.clock.advance(360 * DAY);
    await removeFormerKeys(market.system);
    expect((await connection()).former).toEqual([]);
  });

  it('tell what their account holds and when that leaves to the bank', async () => {
    expect(await payoutInformation(market.ctx())).toBeNull();
    await market.save(testKeys());
    expect(await payoutInformation(market.ctx())).toEqual({
      account: 'acct_...ripe',
      mode: 'test',
      availableCents: expect.any(Number),
      pendingCents: expect.any(Number),
      schedule: expect.any(String),
      dashboardUrl: 'https://dashboard.stripe.com/test/payouts',
    });
    market.stripe.queuedFaults.push(401, 401);
    await expect(payoutInformation(market.ctx())).rejects.toMatchObject({ code: 'auth' });
  });

  it('stand beside what the environment configures', () => {
    const byHand = configuredServices({ ...market.ctx(), payouts: payoutsOf([]) });
    expect(byHand.map(({ name }) => name)).toEqual([
      'Coinbase',
      'Stripe Connect',
      'PayPal',
      'Email',
      'File storage',
    ]);
    expect(byHand[2]).toMatchObject({
      configured: false,
      mode: null,
      text: 'Payouts to sellers who choose PayPal are made by hand.',
    });
    const { secret, publicUrl } = testConfig;
    const paypal = createPayoutsSandbox({
      db: market.db,
      secret,
      publicUrl,
      now: market.clock.now,
      method: 'paypal',
    });
    const [, , sandbox] = configuredServices({ ...market.ctx(), payouts: payoutsOf([paypal]) });
    expect(sandbox).toMatchObject({ configured: false, mode: 'sandbox' });
  });

  it('say whether they pay sellers by Stripe Connect, and if not, why', async () => {
    const connect = async (change: Partial<Config>) => {
      const ctx = market.ctx(market.admin, change);
      const payouts = await openPayouts(ctx.config, market.db, market.clock.now);
      payouts.close();
      const card = configuredServices({ ...ctx, payouts }).find(({ name }) => name === 'Stripe Connect');
      return [card?.configured, card?.mode, card?.text];
    };
    const on = { stripeConnect: { webhookSecrets: ['whsec_1'] } };
    const sandbox = 'The built-in sandbox stands in for payouts to accounts at Stripe: no real money moves.';
    expect(await connect({})).toEqual([false, 'sandbox', `Switched off. ${sandbox}`]);
    expect(await connect({ sandboxPayments: false })).toEqual([
      false,
      null,
      'Switched off. Sellers cannot connect Stripe.',
    ]);
    const waits = 'Waits for Stripe keys that can be used.';
    expect(await connect(on)).toEqual([false, 'sandbox', `${waits} ${sandbox}`]);
    expect(await connect({ ...on, sandboxPayments: false })).toEqual([
      false,
      null,
      `${waits} Sellers cannot connect Stripe.`,
    ]);
    await market.save(testKeys());
    const pays = 'Sellers who connect Stripe are paid from the Stripe account above.';
    expect(await connect(on)).toEqual([true, 'test', pays]);
    expect(await connect({})).toEqual([false, 'sandbox', `Switched off. ${sandbox}`]);
    await disconnectStripe(market.ctx(), { seen: await market.seen() });
    expect(await connect(on)).toEqual([false, null, `${waits} Sellers cannot connect Stripe.`]);
  });
});
