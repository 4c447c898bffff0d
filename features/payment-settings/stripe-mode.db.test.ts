import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkAudit } from '#features/audit/reads.ts';
import { receiveMessage } from '#features/payments/commands/receive-message.ts';
import { signStripe } from '#gateways/payments/webhook-signature.ts';
import { seal, sealKeyId, unseal } from '#platform/auth/seal.ts';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createStripeMarket, type StripeMarket } from '#tests/support/fixtures/stripe-market.ts';
import { checkStripe } from './commands/check-stripe.ts';
import { configureWebhooks, rotateWebhookSecret } from './commands/configure-webhooks.ts';
import { connectStripe } from './commands/connect-stripe.ts';
import { disconnectStripe } from './commands/disconnect-stripe.ts';
import { resealSecrets } from './commands/reseal-secrets.ts';
import { setStripeMode } from './commands/set-stripe-mode.ts';
import { maySwitchMode } from './connection.ts';
import { stripeConnection } from './reads.ts';
import type { StripeMode } from './stripe-keys.ts';

await describeOnDatabase('modes and webhooks of Stripe', (open) => {
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
  const bothKeys = () => ({
    testSecret: market.stripe.test.secretKey,
    liveSecret: market.stripe.live.secretKey,
  });
  const switchTo = async (mode: StripeMode) =>
    setStripeMode(market.ctx(), { mode, seen: await market.seen() });
  const endpointsOf = (mode: StripeMode) => [...market.stripe[mode].endpoints.all.values()];
  const webhookOf = async (mode: StripeMode) => (await connection()).keys[mode]?.webhook;

  /** A message signed with the secret of an endpoint arrives; false when it is refused. */
  async function hear(mode: StripeMode, endpoint: string): Promise<boolean> {
    const { endpoints } = market.stripe[mode];
    const event = {
      id: `evt_${Math.random()}`,
      object: 'event',
      type: 'refund.updated',
      livemode: mode === 'live',
    };
    const body = JSON.stringify({ ...event, data: { object: { id: 're_1', object: 'refund' } } });
    const signature = signStripe(body, endpoints.secretOf(endpoint), market.clock.now());
    return receiveMessage(market.ctx({ kind: 'visitor' }), {
      provider: 'stripe',
      rawBody: Buffer.from(body),
      headers: new Headers({ 'stripe-signature': signature }),
    }).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code !== 'bad_signature') throw error;
        return false;
      },
    );
  }

  it('goes live only with verified live keys and a configured webhook, and back again', async () => {
    await market.save({ testSecret: market.stripe.test.secretKey });
    expect(await switchTo('live')).toEqual({ ok: false, reason: 'no_keys' });
    await market.save({ liveSecret: market.stripe.live.secretKey });
    expect(await switchTo('live')).toEqual({ ok: false, reason: 'no_webhook' });
    expect(await configureWebhooks(market.ctx())).toEqual({ ok: true });
    market.stripe.queuedFaults.push(401);
    expect(await switchTo('live')).toEqual({ ok: false, reason: 'refused' });
    const [endpoint] = endpointsOf('live');
    if (!endpoint) throw new Error('there is no endpoint');
    endpoint.status = 'disabled';
    expect(await switchTo('live')).toEqual({ ok: false, reason: 'no_webhook' });
    endpoint.status = 'enabled';
    const seen = await market.seen();
    expect(await setStripeMode(market.ctx(), { mode: 'live', seen: seen - 1 })).toEqual({
      ok: false,
      reason: 'newer',
    });
    expect(await switchTo('live')).toEqual({ ok: true });
    expect(await switchTo('live')).toEqual({ ok: false, reason: 'already' });
    expect(await connection()).toMatchObject({ mode: 'live', connected: true });
    expect(market.payments.forMethod('card').livemode).toBe(true);
    const before = market.payments.of('stripe', { livemode: false, account: 'acct_1DoubleOfStripe' });
    expect(before.livemode).toBe(false);
    expect(await switchTo('test')).toEqual({ ok: true });
    expect(market.payments.forMethod('card').livemode).toBe(false);
    const actions = await market.db.q().selectFrom('audit_log').select('action').orderBy('id').execute();
    expect(actions.map(({ action }) => action).slice(-2)).toEqual(['stripe.go_live', 'stripe.go_test']);
  });

  it('connects a site that has live keys only: with a webhook it goes live, without ever having been in test mode', async () => {
    await market.save({ liveSecret: market.stripe.live.secretKey });
    expect(await connectStripe(market.ctx(), { seen: await market.seen() })).toEqual({
      ok: false,
      reason: 'other_mode',
    });
    const production = { production: true, sandboxPayments: false };
    const shown = async () => stripeConnection(market.ctx(market.admin, production));
    const before = await shown();
    expect(before).toMatchObject({ mode: 'test', keys: { test: null, live: { failure: null } } });
    expect(maySwitchMode(before)).toBe(true);
    expect(await switchTo('live')).toEqual({ ok: false, reason: 'no_webhook' });
    expect(await configureWebhooks(market.ctx())).toEqual({ ok: true });
    expect(await switchTo('live')).toEqual({ ok: true });
    expect(await shown()).toMatchObject({ mode: 'live', connected: true, serves: 'stripe' });
    expect(market.payments.forMethod('card').livemode).toBe(true);
  });

  it('makes one endpoint for each mode, however often and by however many it is asked', async () => {
    await market.save(bothKeys());
    expect(await webhookOf('test')).toMatchObject({ configured: false, setAt: null });
    await Promise.all([configureWebhooks(market.ctx()), configureWebhooks(market.ctx())]);
    await configureWebhooks(market.ctx());
    for (const mode of ['test', 'live'] as const) {
      expect(endpointsOf(mode)).toMatchObject([{ url: (await connection()).webhookUrl, status: 'enabled' }]);
      expect(await webhookOf(mode)).toMatchObject({ configured: true, lastMessageAt: null });
    }
    const [endpoint] = endpointsOf('test');
    if (!endpoint) throw new Error('there is no endpoint');
    expect(await hear('test', endpoint.id)).toBe(true);
    expect(await webhookOf('test')).toMatchObject({ lastMessageAt: expect.any(String) });
    expect(await webhookOf('live')).toMatchObject({ lastMessageAt: null });
  });

  it('finds out that an endpoint was switched off or removed, and mends that', async () => {
    await market.save({ testSecret: market.stripe.test.secretKey });
    await configureWebhooks(market.ctx());
    const [first] = endpointsOf('test');
    if (!first) throw new Error('there is no endpoint');
    first.status = 'disabled';
    await checkStripe(market.system);
    expect(await webhookOf('test')).toMatchObject({ configured: false });
    await configureWebhooks(market.ctx());
    expect(endpointsOf('test')).toMatchObject([{ id: first.id, status: 'enabled' }]);
    expect(await webhookOf('test')).toMatchObject({ configured: true });
    market.stripe.test.endpoints.all.clear();
    await checkStripe(market.system);
    expect(await webhookOf('test')).toMatchObject({ configured: false });
    await configureWebhooks(market.ctx());
    const [second] = endpointsOf('test');
    expect(second?.id).not.toBe(first.id);
    expect(await webhookOf('test')).toMatchObject({ configured: true });
  });

  it('stops endpoints at the same address that were made by hand', async () => {
    await market.save({ testSecret: market.stripe.test.secretKey });
    const { webhookUrl } = await connection();
    market.stripe.test.endpoints.create(`url=${encodeURIComponent(webhookUrl)}&enabled_events[0]=*`);
    market.clock.advance(HOUR);
    await configureWebhooks(market.ctx());
    expect(
      endpointsOf('test')
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['disabled', 'enabled']);
  });

  it('accepts messages signed with the former secret for an hour after it was rotated', async () => {
    await market.save({ testSecret: market.stripe.test.secretKey });
    expect(await rotateWebhookSecret(market.ctx(), { mode: 'test' })).toEqual({
      ok: false,
      reason: 'no_keys',
    });
    await configureWebhooks(market.ctx());
    const [former] = endpointsOf('test');
    if (!former) throw new Error('there is no endpoint');
    expect(await rotateWebhookSecret(market.ctx(), { mode: 'test' })).toEqual({ ok: true });
    const endpoints = endpointsOf('test');
    expect(endpoints).toHaveLength(1);
    const [now] = endpoints;
    if (!now) throw new Error('there is no endpoint');
    expect(now.id).not.toBe(former.id);
    const { id } = await market.db.q().selectFrom('stripe_key_sets').select('id').executeTakeFirstOrThrow();
    const { findings } = await checkAudit(market.ctx());
    expect(findings.filter(({ subject }) => subject.endsWith(id))).toEqual([]);
    expect([await hear('test', former.id), await hear('test', now.id)]).toEqual([true, true]);
    market.clock.advance(HOUR + MINUTE);
    expect([await hear('test', former.id), await hear('test', now.id)]).toEqual([false, true]);
  });

  it('does nothing with keys that were sealed with a secret nobody has anymore', async () => {
    await market.save(bothKeys());
    await configureWebhooks(market.ctx());
    const elsewhere = market.ctx(market.admin, { secret: 'the secret of another server, long enough' });
    const refused = { ok: false, reason: 'no_keys' };
    await expect(configureWebhooks(elsewhere)).resolves.toEqual(refused);
    await expect(rotateWebhookSecret(elsewhere, { mode: 'test' })).resolves.toEqual(refused);
    const seen = await market.seen();
    await expect(setStripeMode(elsewhere, { mode: 'live', seen })).resolves.toEqual(refused);
  });

  it('stay as they are where the environment configures Stripe', async () => {
    await market.save(bothKeys());
    await configureWebhooks(market.ctx());
    const [shown, endpoints] = [await connection(), [endpointsOf('test'), endpointsOf('live')]];
    const { secretKey } = market.stripe.test;
    const stripe = { secretKey, webhookSecret: 'whsec_1', apiBase: undefined, publishableKey: undefined };
    const configured = market.ctx(market.admin, { stripe });
    const refused = { ok: false, reason: 'environment' };
    await expect(configureWebhooks(configured)).resolves.toEqual(refused);
    await expect(rotateWebhookSecret(configured, { mode: 'test' })).resolves.toEqual(refused);
    const seen = await market.seen();
    await expect(setStripeMode(configured, { mode: 'live', seen })).resolves.toEqual(refused);
    expect(await connection()).toEqual(shown);
    expect([endpointsOf('test'), endpointsOf('live')]).toEqual(endpoints);
  });

  it('tells who was slower, while Stripe was asked, that something else was done meanwhile', async () => {
    await market.save(bothKeys());
    await configureWebhooks(market.ctx());
    /** What happens before the answer of Stripe arrives. */
    const after = (name: 'createEndpoint' | 'account', meanwhile: () => Promise<unknown>) => {
      const ctx = market.ctx();
      const call = ctx.stripeSetup[name] as (...args: unknown[]) => Promise<unknown>;
      const late = async (...args: unknown[]) => {
        const answer = await call(...args);
        await meanwhile();
        return answer;
      };
      return { ...ctx, stripeSetup: { ...ctx.stripeSetup, [name]: late } };
    };
    const replaced = after('createEndpoint', () =>
      market.db.q().updateTable('stripe_key_sets').set({ endpoint_ref: 'we_another' }).execute(),
    );
    const [before] = endpointsOf('test');
    await expect(rotateWebhookSecret(replaced, { mode: 'test' })).resolves.toEqual({
      ok: false,
      reason: 'newer',
    });
    expect(endpointsOf('test')).toContainEqual(before);
    await configureWebhooks(market.ctx());
    const seen = await market.seen();
    const gone = after('account', async () => disconnectStripe(market.ctx(), { seen }));
    await expect(setStripeMode(gone, { mode: 'live', seen })).resolves.toEqual({
      ok: false,
      reason: 'disconnected',
    });
  });

  it('reads what was sealed with the former APP_SECRET, and seals it anew', async () => {
    await market.save(bothKeys());
    await configureWebhooks(market.ctx());
    const { config } = market.ctx();
    const authenticator = {
      user_id: market.admin.id,
      secret: seal(config, 'authenticator', 'JBSWY3DP'),
      last_step: 0,
    };
    await market.db.q().insertInto('authenticators').values(authenticator).execute();
    const secret = 'the next secret of the server, long enough';
    const rotated = { secret, previousSecret: config.secret };
    const failures = async (change: object) => {
      const { keys } = await stripeConnection(market.ctx(market.admin, change));
      return [keys.test?.failure, keys.live?.failure];
    };
    expect(await failures(rotated)).toEqual([null, null]);
    const unreadable = expect.stringContaining('another APP_SECRET');
    expect(await failures({ secret })).toEqual([unreadable, unreadable]);
    const reseal = (change: object) =>
      resealSecrets({ ...market.system, config: { ...market.system.config, ...change } });
    expect((await reseal({ secret })).unreadable).toHaveLength(3);
    expect(await reseal(rotated)).toEqual({ keySets: 2, authenticators: 1, unreadable: [] });
    expect(await reseal(rotated)).toEqual({ keySets: 0, authenticators: 0, unreadable: [] });
    expect(await failures({ secret })).toEqual([null, null]);
    const sealed = await market.db
      .q()
      .selectFrom('authenticators')
      .select('secret')
      .executeTakeFirstOrThrow();
    expect(unseal({ secret }, 'authenticator', sealed.secret)).toBe('JBSWY3DP');
    const rows = await market.db.q().selectFrom('stripe_key_sets').select('seal_key_id').execute();
    expect(rows.map(({ seal_key_id: id }) => id)).toEqual(Array(2).fill(sealKeyId({ secret })));
  });
});
