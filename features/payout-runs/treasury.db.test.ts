import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askTreasury } from '#features/payouts/commands/ask-treasury.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { createSandbox } from '#gateways/payments/sandbox/provider.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { PayoutMethod, PayoutsPort } from '#gateways/payouts/port.ts';
import { addFunds } from '#gateways/payouts/sandbox/accounts.ts';
import { createPayoutsSandbox } from '#gateways/payouts/sandbox/provider.ts';
import { defaultPayoutAccount } from '#gateways/payouts/sandbox/rules.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { Forbidden } from '#platform/errors.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testConfig } from '#tests/support/fixtures/context.ts';
import { createSaleScenario, paymentsOf, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { checkTreasury } from './commands/check-treasury.ts';
import { treasuryLines } from './reads.ts';
import { missingCents, treasuryNeed } from './treasury-need.ts';

await describeOnDatabase('money for payouts', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    const clock = testClock();
    const { secret, publicUrl } = testConfig;
    const common = { db, secret, publicUrl, now: clock.now };
    // Only live money counts.
    const providers = paymentsOf(createSandbox({ ...common, method: 'card', livemode: true }));
    scenario = await createSaleScenario(db, { clock, providers });
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    // The risk hold ends within a day.
    clock.advance(6.5 * DAY);
  });
  afterAll(() => db.close());

  const portsOf = (method: PayoutMethod, change: Partial<PayoutsPort> = {}) => {
    const { secret, publicUrl } = testConfig;
    const { livemode = true } = change;
    const common = { db, secret, publicUrl, now: scenario.clock.now, livemode };
    return payoutsOf([{ ...createPayoutsSandbox({ ...common, method }), ...change }]);
  };
  const check = (method: PayoutMethod, change: Partial<PayoutsPort> = {}) =>
    checkTreasury({ ...scenario.system, payouts: portsOf(method, change) });
  const lines = (method: PayoutMethod, livemode = true) =>
    treasuryLines({ ...scenario.contextFor(scenario.admin), payouts: portsOf(method, { livemode }) });
  const choose = (method: PayoutMethod) =>
    db
      .q()
      .updateTable('agents')
      .set({
        preferred_payout_method: method,
        paypal_email: 'paid@example.test',
        paypal_confirmed_at: scenario.clock.now(),
        stripe_account_id: 'acct_1',
        stripe_transfers_active: true,
        payout_hold_until: null,
      })
      .where('id', '=', scenario.seller.agentId ?? '')
      .execute();
  const tasks = () =>
    db
      .q()
      .selectFrom('admin_tasks')
      .select(['detail', 'subject_id', 'closed_at', 'resolution'])
      .where('kind', '=', 'treasury_short')
      .execute();
  const need = (accountId: string) =>
    treasuryNeed(scenario.system, { accountId, method: 'paypal', livemode: true });

  it('is neither missing nor there while the provider does not say what it holds', async () => {
    await choose('paypal');
    const balance = () => Promise.reject(new PaymentError('unavailable', 'It does not answer'));
    await expect(check('paypal', { balance })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await tasks()).toEqual([]);
  });

  it('is nothing that a provider is asked about for a user', async () => {
    const admin = { ...scenario.contextFor(scenario.admin), payouts: payoutsOf([]) };
    await expect(checkTreasury(admin)).rejects.toThrow(Forbidden);
    const calls: string[] = [];
    const port = {
      account: async () => {
        calls.push('account');
        return 'acct_1';
      },
    } as PayoutsPort;
    await expect(askTreasury(admin, port)).rejects.toThrow(Forbidden);
    expect(calls).toEqual([]);
  });

  it('is missing where the buyer paid into another account, until somebody brings it', async () => {
    await choose('paypal');
    const account = { provider: 'sandbox-paypal', livemode: true };
    expect(await lines('paypal')).toEqual([{ ...account, position: null }]);
    await check('paypal');
    await check('paypal');
    const [task, ...others] = await tasks();
    expect(others).toEqual([]);
    const { dueCents } = await need(task?.subject_id ?? '');
    expect(dueCents).toBeGreaterThan(0);
    expect(task).toMatchObject({
      detail: `${dollarsAndCents(dueCents)} of other money is due within a day, and ${dollarsAndCents(dueCents)} of it is missing. Bring money in, or payouts are refused.`,
      closed_at: null,
    });
    const who = { ...defaultPayoutAccount('paypal'), livemode: true };
    await addFunds(db, who, dueCents - 1, scenario.clock.now());
    await check('paypal');
    expect((await tasks())[0]?.detail).toContain('$0.01 of it is missing');
    const position = {
      availableCents: dueCents - 1,
      pendingCents: 0,
      heldCents: 0,
      dueCents,
      missingCents: 1,
      askedAt: scenario.clock.now().toISOString(),
    };
    expect(await lines('paypal')).toEqual([{ ...account, position }]);
    await addFunds(db, who, 1, scenario.clock.now());
    await check('paypal');
    expect(await tasks()).toMatchObject([
      { closed_at: scenario.clock.now(), resolution: 'The balance covers what is due' },
    ]);
  });

  it('is not missing where the payment of the sale itself pays for it', async () => {
    await choose('stripe');
    await check('stripe');
    expect((await tasks()).filter((task) => task.closed_at === null)).toEqual([]);
    const own = await db
      .q()
      .selectFrom('provider_accounts')
      .select('id')
      .where('provider', '=', 'sandbox-card')
      .executeTakeFirstOrThrow();
    const { dueCents, heldCents } = await need(own.id);
    expect(dueCents).toBe(0);
    expect(heldCents).toBeGreaterThan(0);
  });

  describe('what is free of a balance', () => {
    const balance = { availableCents: 1_000, pendingCents: 500 };
    it.each([
      ['nothing is due', 0, 5_000, 0],
      ['all of it is free', 1_000, 0, 0],
      ['it is not available yet', 1_200, 0, 200],
      ['a part belongs to other sales', 900, 800, 200],
      ['all of it belongs to other sales', 900, 5_000, 900],
    ])('%s', (_, dueCents, heldCents, missing) => {
      expect(missingCents(balance, { dueCents, heldCents })).toBe(missing);
    });
  });
});

await describeOnDatabase('money for payouts with test keys', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('is shown as well, and nobody has to bring what is missing', async () => {
    const scenario = await createSaleScenario(db);
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    await db
      .q()
      .updateTable('agents')
      .set({ preferred_payout_method: 'paypal', paypal_email: 'paid@example.test', payout_hold_until: null })
      .set({ paypal_confirmed_at: scenario.clock.now() })
      .where('id', '=', scenario.seller.agentId ?? '')
      .execute();
    scenario.clock.advance(6.5 * DAY);
    const { secret, publicUrl } = testConfig;
    const now = scenario.clock.now;
    const payouts = payoutsOf([createPayoutsSandbox({ db, secret, publicUrl, now, method: 'paypal' })]);
    await checkTreasury({ ...scenario.system, payouts });
    const [line] = await treasuryLines({ ...scenario.contextFor(scenario.admin), payouts });
    expect(line).toMatchObject({ provider: 'sandbox-paypal', livemode: false });
    expect(line?.position?.missingCents).toBeGreaterThan(0);
    expect(
      await db.q().selectFrom('admin_tasks').selectAll().where('kind', '=', 'treasury_short').execute(),
    ).toEqual([]);
  });
});
