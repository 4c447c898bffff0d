import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PaymentError } from '#gateways/payments/port.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { PayoutsPort } from '#gateways/payouts/port.ts';
import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import { createPayoutsSandbox } from '#gateways/payouts/sandbox/provider.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { mailbox } from '#tests/support/fixtures/accounts.ts';
import { testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { checkSellerAccounts } from './commands/check-seller-accounts.ts';
import { connectStripe } from './commands/connect-stripe.ts';
import { disconnectStripe } from './commands/disconnect-stripe.ts';
import { openProviderPage } from './commands/open-provider-page.ts';
import { savePayoutSettings } from './commands/save-payout-settings.ts';
import { syncOwnAccount, syncSellerAccount } from './commands/sync-seller-account.ts';
import { ownPayoutSettings } from './reads.ts';

await describeOnDatabase('a seller’s account at the payout provider', (open) => {
  let db: Database;
  let seller: UserActor;
  let port: PayoutsPort;
  const clock = testClock();
  let requests = 0;
  beforeAll(async () => {
    db = await open();
    const { secret, publicUrl } = testConfig;
    port = createPayoutsSandbox({ db, method: 'stripe', secret, publicUrl, now: clock.now });
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
  });
  afterAll(() => db.close());

  const contextWith = (ports: PayoutsPort[], actor: UserActor | 'system' = seller): CtxWith<'payouts'> => {
    requests += 1;
    return {
      ...testContext(db, {
        actor: actor === 'system' ? { kind: 'system', name: 'test' } : actor,
        now: clock.now,
        requestId: `onboarding-${requests}`,
      }),
      payouts: payoutsOf(ports),
    };
  };
  const ctx = () => contextWith([port]);
  const system = () => contextWith([port], 'system');
  const connect = async (using = ctx()) => {
    const result = await connectStripe(using);
    if (!result.ok) throw new Error(result.reason);
    return result.url;
  };
  const agentOf = ({ agentId }: UserActor) =>
    db.q().selectFrom('agents').selectAll().where('id', '=', agentId).executeTakeFirstOrThrow();
  const accountsOf = ({ agentId }: UserActor) =>
    db
      .q()
      .selectFrom('seller_accounts')
      .selectAll()
      .where('agent_id', '=', agentId ?? '')
      .orderBy('created_at')
      .execute();
  const opened = async ({ agentId }: UserActor) =>
    (
      await db
        .q()
        .selectFrom('sandbox_accounts')
        .select('ref')
        .where('agent_id', '=', agentId ?? '')
        .execute()
    ).map(({ ref }) => ref);
  const refOf = async (of = seller) => (await agentOf(of)).stripe_account_id ?? '';
  const subjects = async (of = seller) => (await mailbox(db, of.email)).map(({ subject }) => subject);
  const decide = async (decision: Parameters<typeof decideAccount>[2]) =>
    decideAccount(db, await refOf(), decision, clock.now());

  it('is not offered where no provider is configured, and cannot be chosen then', async () => {
    const without = contextWith([]);
    expect(await connectStripe(without)).toEqual({ ok: false, reason: 'not_available' });
    expect(await savePayoutSettings(without, { method: 'stripe' })).toEqual({
      ok: false,
      reason: 'typed',
      errors: { method: 'Stripe payouts are not available yet. Choose PayPal.' },
    });
    expect(await ownPayoutSettings(without)).toMatchObject({ canConnect: false, paypalByHand: true });
    expect(await openProviderPage(without)).toEqual({ ok: false, reason: 'not_connected' });
    expect(await accountsOf(seller)).toEqual([]);
  });

  it('has a page of its own once the provider of today knows it', async () => {
    const refused = { ok: false, reason: 'not_connected' };
    await expect(openProviderPage(ctx())).resolves.toEqual(refused);
    await connect();
    await decide({ active: true });
    expect(await openProviderPage(ctx())).toMatchObject({ ok: true, url: expect.any(String) });
    const change = (facts: { livemode?: boolean; provider?: string; ref?: null }) =>
      db.q().updateTable('seller_accounts').set(facts).where('agent_id', '=', seller.agentId).execute();
    await change({ livemode: true });
    await expect(openProviderPage(ctx())).resolves.toEqual(refused);
    await change({ livemode: false, ref: null });
    await expect(openProviderPage(ctx())).resolves.toEqual(refused);
  });

  it('is opened once, needs what the provider asks for, and is connected when transfers are active', async () => {
    expect(await savePayoutSettings(ctx(), { method: 'stripe' })).toMatchObject({
      errors: { method: 'Connect your Stripe account first.' },
    });
    const other = await createUser(db, 'agent');
    const first = await connect();
    expect(new URL(first).origin).toBe(testConfig.publicUrl);
    expect(await opened(seller)).toEqual([await refOf()]);
    // A seller without a method has this one now: a new destination, so payouts are held and the seller is told.
    expect(await ownPayoutSettings(ctx())).toMatchObject({
      method: 'stripe',
      ready: false,
      canConnect: true,
      stripe: { active: false, requirement: expect.any(String) },
      holdUntil: new Date(clock.now().getTime() + 72 * HOUR).toISOString(),
    });
    expect(await subjects()).toEqual(['Your payout settings were changed']);
    await expect(openProviderPage(ctx())).resolves.toEqual({ ok: false, reason: 'unfinished' });
    // The link leads to the same account again.
    expect(await connect()).not.toBe(first);
    expect(await opened(seller)).toHaveLength(1);

    await decide({ active: false, requirement: 'Please upload a picture of your passport.' });
    expect(await syncOwnAccount(ctx())).toBe('changed');
    expect((await ownPayoutSettings(ctx())).stripe).toMatchObject({
      active: false,
      requirement: 'Please upload a picture of your passport.',
    });
    expect((await agentOf(other)).stripe_requirement).toBeNull();
    await decide({ active: true });
    expect(await syncOwnAccount(ctx())).toBe('changed');
    expect(await syncOwnAccount(ctx())).toBe('unchanged');
    expect(await ownPayoutSettings(ctx())).toMatchObject({
      ready: true,
      stripe: { active: true, requirement: null },
    });
    expect((await subjects()).at(-1)).toBe('Your Stripe account is connected');
    expect(await openProviderPage(ctx())).toMatchObject({ ok: true, url: expect.stringContaining('http') });
    expect(await savePayoutSettings(ctx(), { method: 'stripe' })).toMatchObject({ ok: true, changed: false });
  });

  it('is one account for two tabs, and for a request that is repeated after a crash', async () => {
    const results = await Promise.all([connect(), connect()]);
    expect(new Set(results).size).toBe(2);
    expect(await opened(seller)).toHaveLength(1);

    const other = await createUser(db, 'agent');
    const dies: PayoutsPort = {
      ...port,
      onboarding: port.onboarding && {
        ...port.onboarding,
        async create(...call) {
          await port.onboarding?.create(...call);
          throw new PaymentError('unavailable', 'The connection was lost');
        },
      },
    };
    await expect(connectStripe(contextWith([dies], other))).rejects.toThrow('The connection was lost');
    expect((await agentOf(other)).stripe_account_id).toBeNull();
    // Even when the seller has got another name since.
    await db
      .q()
      .updateTable('agents')
      .set({ name: 'Another Name' })
      .where('id', '=', other.agentId)
      .execute();
    await connect(contextWith([port], other));
    expect(await opened(other)).toEqual([await refOf(other)]);
  });

  it('is none anymore when the seller disconnects in another tab before the provider has answered', async () => {
    const slow: PayoutsPort = {
      ...port,
      onboarding: port.onboarding && {
        ...port.onboarding,
        async create(...call) {
          await connect();
          await disconnectStripe(ctx());
          return port.onboarding?.create(...call) ?? Promise.reject(new Error('none'));
        },
      },
    };
    await expect(connectStripe(contextWith([slow]))).resolves.toEqual({ ok: false, reason: 'newer' });
    expect((await agentOf(seller)).stripe_account_id).toBeNull();
  });

  it('is not led to without end', async () => {
    for (let n = 0; n < 60; n++) await connect();
    await expect(connect()).rejects.toMatchObject({ name: 'TooManyRequests' });
    await connect(contextWith([port], await createUser(db, 'agent')));
  });

  it('is followed by messages, and daily where none comes', async () => {
    await connect();
    await decide({ active: true });
    const provider = port.provider;
    expect(await syncSellerAccount(system(), { provider, account: 'acct_of_nobody' })).toBe('unknown');
    expect(await syncSellerAccount(system(), { provider, account: await refOf() })).toBe('changed');
    expect((await agentOf(seller)).payout_status).toBe('complete');

    await decide({ active: false, requirement: 'Please confirm your address.' });
    await checkSellerAccounts(system());
    expect((await agentOf(seller)).stripe_transfers_active).toBe(true);
    clock.advance(DAY + HOUR);
    await checkSellerAccounts(system());
    expect(await agentOf(seller)).toMatchObject({
      stripe_transfers_active: false,
      stripe_requirement: 'Please confirm your address.',
      payout_status: 'pending',
    });
    const last = (await mailbox(db, seller.email)).at(-1);
    expect(last?.subject).toBe('Action required for your payouts');
    expect(last?.text).toContain('Please confirm your address.');
  });

  it('goes on with the others when one cannot be asked about, and stops when the provider is down', async () => {
    await connect();
    const ref = await refOf();
    clock.advance(2 * DAY);
    const asked: string[] = [];
    const answering = (answer: (account: string) => Promise<never> | null): PayoutsPort => ({
      ...port,
      onboarding: port.onboarding && {
        ...port.onboarding,
        state(account) {
          asked.push(account);
          return answer(account) ?? port.onboarding?.state(account) ?? Promise.reject(new Error('none'));
        },
      },
    });
    const refuse = (code: 'unavailable' | 'invalid') => Promise.reject(new PaymentError(code, 'Broken'));
    const down = contextWith([answering(() => refuse('unavailable'))], 'system');
    await checkSellerAccounts(down);
    const due = asked.length;
    await checkSellerAccounts(
      contextWith([answering((of) => (of === ref ? refuse('invalid') : null))], 'system'),
    );
    asked.length = 0;
    await checkSellerAccounts(contextWith([answering(() => null)], 'system'));
    expect(asked).toEqual([]);
    expect(due).toBeLessThanOrEqual(4);
  });

  it('that the provider does not know, or that is of another mode, cannot be paid', async () => {
    await connect();
    await decide({ active: true });
    await syncOwnAccount(ctx());
    await db.q().deleteFrom('sandbox_onboarding_links').execute();
    await db
      .q()
      .deleteFrom('sandbox_accounts')
      .where('ref', '=', await refOf())
      .execute();
    await syncOwnAccount(ctx());
    expect((await ownPayoutSettings(ctx())).stripe).toEqual({
      account: expect.any(String),
      active: false,
      requirement: 'Stripe no longer knows this account. Disconnect it and connect again.',
    });
    const before = await refOf();
    const live: PayoutsPort = { ...port, livemode: true };
    expect(
      await savePayoutSettings(contextWith([live]), { method: 'paypal', paypalEmail: seller.email }),
    ).toMatchObject({
      changed: true,
    });
    expect(await savePayoutSettings(contextWith([live]), { method: 'stripe' })).toMatchObject({
      errors: { method: 'Disconnect your Stripe account and connect it again first.' },
    });
    await connect(contextWith([live]));
    expect(await refOf()).not.toBe(before);
    expect((await accountsOf(seller)).map(({ ended_at }) => ended_at === null)).toEqual([false, true]);
    // Another account, but payouts go to PayPal: the destination has not changed.
    expect((await ownPayoutSettings(ctx())).method).toBe('paypal');
  });

  it('is another one after disconnecting, and a change of where payouts go', async () => {
    await connect();
    const other = await createUser(db, 'agent');
    await connect(contextWith([port], other));
    const first = await refOf();
    expect(await disconnectStripe(ctx())).toEqual({ ok: true });
    expect((await accountsOf(seller)).map(({ ref, ended_at }) => [ref, ended_at !== null])).toEqual([
      [first, true],
    ]);
    expect(await accountsOf(other)).toMatchObject([{ ended_at: null }]);
    expect(await syncSellerAccount(system(), { provider: port.provider, account: first })).toBe('unknown');
    clock.advance(80 * HOUR);
    await connect();
    expect(await refOf()).not.toBe(first);
    expect(await ownPayoutSettings(ctx())).toMatchObject({
      method: 'stripe',
      holdUntil: new Date(clock.now().getTime() + 72 * HOUR).toISOString(),
    });
    const told = (await mailbox(db, seller.email)).at(-1)?.text ?? '';
    expect(told).toContain(`They now go to: Stripe Connect (…${(await refOf()).slice(-4)}).`);
    expect(told).not.toContain(await refOf());
  });
});
