import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPayouts } from '#gateways/payouts/open.ts';
import type { Payouts } from '#gateways/payouts/port.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { mailbox } from '#tests/support/fixtures/accounts.ts';
import { testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { confirmPaypal } from './commands/confirm-paypal.ts';
import { connectStripe } from './commands/connect-stripe.ts';
import { disconnectStripe } from './commands/disconnect-stripe.ts';
import { savePayoutSettings } from './commands/save-payout-settings.ts';
import { isPaypalLinkValid, ownPayoutSettings } from './reads.ts';

await describeOnEachDatabase('how a seller is paid', (open) => {
  let db: Database;
  let seller: UserActor;
  let payouts: Payouts;
  const clock = testClock();
  let requests = 0;
  beforeAll(async () => {
    db = await open();
    payouts = await openPayouts(testConfig, db, clock.now);
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
  });
  afterAll(() => db.close());

  const ctx = (actor = seller) => {
    requests += 1;
    return { ...testContext(db, { actor, now: clock.now, requestId: `payout-${requests}` }), payouts };
  };
  const auditsOf = async (action: string, { agentId }: UserActor) =>
    (
      await db
        .q()
        .selectFrom('audit_log')
        .select('actor_id')
        .where('action', '=', action)
        .where('entity_id', '=', agentId)
        .execute()
    ).map(({ actor_id }) => actor_id);
  const address = () => `paypal-${crypto.randomUUID().slice(0, 8)}@example.test`;
  const confirmToken = async (email: string) => {
    const mails = await mailbox(db, email);
    const mail = mails.filter(({ subject }) => subject === 'Confirm your PayPal email').at(-1);
    return (
      new URL(/https?:\/\/\S+confirm=\S+/.exec(mail?.text ?? '')?.[0] ?? '').searchParams.get('confirm') ?? ''
    );
  };

  it('by PayPal is ready once the address is confirmed', async () => {
    const email = address();
    expect(await ownPayoutSettings(ctx())).toEqual({
      method: null,
      paypalEmail: null,
      paypalConfirmed: false,
      stripe: null,
      holdUntil: null,
      ready: false,
      canConnect: true,
      paypalByHand: false,
    });
    expect(
      await savePayoutSettings(ctx(), { method: 'paypal', paypalEmail: ` ${email.toUpperCase()} ` }),
    ).toEqual({
      ok: true,
      changed: true,
      mailed: true,
    });
    const held = new Date(clock.now().getTime() + 72 * 3_600_000).toISOString();
    expect(await ownPayoutSettings(ctx())).toMatchObject({
      method: 'paypal',
      paypalEmail: email,
      holdUntil: held,
      ready: false,
    });
    const token = await confirmToken(email);
    expect(await isPaypalLinkValid(ctx(), token)).toBe(true);
    expect(await isPaypalLinkValid(ctx(), 'made-up')).toBe(false);
    const other = await createUser(db, 'agent');
    expect(await confirmPaypal(ctx(other), { token })).toEqual({ ok: false, reason: 'token' });
    expect(await confirmPaypal(ctx(), { token })).toEqual({ ok: true });
    expect(await confirmPaypal(ctx(), { token })).toEqual({ ok: true });
    expect(await auditsOf('seller.confirm_paypal', seller)).toEqual([seller.id]);
    expect(await ownPayoutSettings(ctx())).toMatchObject({ paypalConfirmed: true, ready: true });
    clock.advance(73 * 3_600_000);
    expect(await ownPayoutSettings(ctx())).toMatchObject({ holdUntil: null });
    // Nothing changes, so nobody is notified and nothing is held.
    expect(await savePayoutSettings(ctx(), { method: 'paypal', paypalEmail: email })).toEqual({
      ok: true,
      changed: false,
      mailed: false,
    });
    expect(await ownPayoutSettings(ctx())).toMatchObject({ holdUntil: null, ready: true });
  });

  it('notifies the account, the old and the new address of every change, and holds payouts', async () => {
    const [before, after] = [address(), address()];
    await savePayoutSettings(ctx(), { method: 'paypal', paypalEmail: before });
    const token = await confirmToken(before);
    await confirmPaypal(ctx(), { token });
    clock.advance(100 * 3_600_000);
    await savePayoutSettings(ctx(), { method: 'paypal', paypalEmail: after });
    expect(await ownPayoutSettings(ctx())).toMatchObject({
      paypalEmail: after,
      paypalConfirmed: false,
      ready: false,
    });
    expect(await confirmPaypal(ctx(), { token })).toEqual({ ok: false, reason: 'token' });
    for (const [reader, times] of [
      [seller.email, 2],
      [before, 2],
      [after, 1],
    ] as const) {
      const notices = (await mailbox(db, reader)).filter(
        ({ subject }) => subject === 'Your payout settings were changed',
      );
      expect(notices, reader).toHaveLength(times);
      const last = notices.at(-1)?.text ?? '';
      expect(last).toContain('For your safety, nothing is paid there before');
      // Neither recipient learns the other's full address.
      expect(last.includes(before) || last.includes(after)).toBe(false);
    }
    // Switching the method changes the destination too; the address is kept for switching back.
    expect(await connectStripe(ctx())).toMatchObject({ ok: true });
    await savePayoutSettings(ctx(), { method: 'stripe', paypalEmail: 'ignored@example.test' });
    expect(await ownPayoutSettings(ctx())).toMatchObject({
      method: 'stripe',
      paypalEmail: after,
      ready: false,
    });
  });

  it('are not replaced by somebody who has not seen what was saved meanwhile', async () => {
    const [first, theirs, mine] = [address(), address(), address()];
    await savePayoutSettings(ctx(), { method: 'paypal', paypalEmail: first });
    const base = { method: 'paypal' as const, paypalEmail: first };
    expect(await savePayoutSettings(ctx(), { method: 'paypal', paypalEmail: theirs, base })).toMatchObject({
      ok: true,
      changed: true,
    });
    const current = { method: 'paypal', paypalEmail: theirs };
    for (const wanted of [{ method: 'paypal', paypalEmail: mine }, { method: 'stripe' }])
      expect(await savePayoutSettings(ctx(), { ...wanted, base })).toEqual({
        ok: false,
        reason: 'newer',
        current,
      });
    expect(await ownPayoutSettings(ctx())).toMatchObject(current);
    expect(await mailbox(db, mine)).toEqual([]);
    // Whoever wants the same is not troubled, and whoever has seen it may replace it.
    expect(await savePayoutSettings(ctx(), { method: 'paypal', paypalEmail: theirs, base })).toMatchObject({
      ok: true,
      changed: false,
    });
    expect(
      await savePayoutSettings(ctx(), {
        method: 'paypal',
        paypalEmail: mine,
        base: { method: 'paypal', paypalEmail: theirs },
      }),
    ).toMatchObject({ ok: true, changed: true });
  });

  it('reports missing fields, and ignores other columns', async () => {
    const errors = async (typed: object) => {
      const result = await savePayoutSettings(ctx(), typed);
      return 'errors' in result ? result.errors : result;
    };
    expect(await errors({ method: 'paypal', paypalEmail: ' ' })).toEqual({
      paypalEmail: 'PayPal email is required',
    });
    expect(await errors({ method: 'paypal', paypalEmail: 'nobody' })).toEqual({
      paypalEmail: 'Invalid email address',
    });
    expect(await errors({})).toEqual({ method: 'Please choose how you want to be paid.' });
    const more = {
      commission_rate: 99,
      stripe_account_id: 'acct_mine',
      status: 'active',
      payout_status: 'complete',
    };
    expect(await errors({ method: 'paypal', paypalEmail: address(), ...more })).toMatchObject({ ok: true });
    const row = await db
      .q()
      .selectFrom('agents')
      .selectAll()
      .where('id', '=', seller.agentId)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ commission_rate: null, stripe_account_id: null, payout_status: 'pending' });
    await expect(ownPayoutSettings(ctx({ ...seller, agentId: null }))).rejects.toMatchObject({
      name: 'NotFound',
    });
    const suspended = { ...seller, suspended: true };
    await expect(savePayoutSettings(ctx(suspended), { method: 'stripe' })).rejects.toThrow('Not authorized');
  });

  it('is disconnected from Stripe, but not while a payout is being processed', async () => {
    const scenario: SaleScenario = await createSaleScenario(db, { clock });
    const paid = { ...scenario.seller };
    const agent = db.q().updateTable('agents').where('id', '=', paid.agentId);
    await agent
      .set({
        stripe_account_id: `acct_${crypto.randomUUID()}`,
        stripe_transfers_active: true,
        preferred_payout_method: 'stripe',
        payout_status: 'complete',
      })
      .execute();
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    await db
      .q()
      .updateTable('property_sales')
      .set({ payout_status: 'processing' })
      .where('id', '=', saleId)
      .execute();
    expect(await disconnectStripe(ctx(paid))).toEqual({ ok: false, reason: 'processing' });
    expect(await ownPayoutSettings(ctx(paid))).toMatchObject({ stripe: { active: true }, ready: true });
    await db
      .q()
      .updateTable('property_sales')
      .set({ payout_status: 'completed' })
      .where('id', '=', saleId)
      .execute();
    // What is being paid to another seller does not matter.
    const other = await createSaleScenario(db, { clock });
    const otherSale = await other.createPaidSale();
    await other.act(other.buyer, otherSale, 'confirm_closing');
    await db
      .q()
      .updateTable('property_sales')
      .set({ payout_status: 'processing' })
      .where('id', '=', otherSale)
      .execute();
    const payout = {
      amount_cents: 100,
      method: 'stripe',
      destination: 'acct',
      status: 'processing',
    } as const;
    const startPayout = (sale_id: string, agentId: string | null) =>
      db
        .q()
        .insertInto('payouts')
        .values({ ...payout, sale_id, agent_id: agentId ?? '', idempotency_key: sale_id })
        .execute();
    await startPayout(otherSale, other.seller.agentId);
    expect(await disconnectStripe(ctx(paid))).toEqual({ ok: true });
    expect(await auditsOf('seller.disconnect_stripe', paid)).toEqual([paid.id]);
    expect(await ownPayoutSettings(ctx(paid))).toMatchObject({ method: null, stripe: null, ready: false });
    expect(await disconnectStripe(ctx(paid))).toEqual({ ok: false, reason: 'not_connected' });
    expect((await scenario.sale(saleId)).payout_status).toBe('completed');
    const notices = await mailbox(db, paid.email);
    expect(notices.at(-1)?.text).toMatch(/went to: Stripe Connect \(….{4}\)\. They now go to: not set\./);
  });
});
