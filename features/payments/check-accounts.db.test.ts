import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AccountSettings, PaymentsPort } from '#gateways/payments/port.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createOrphanBreak } from '#tests/support/fixtures/breaks.ts';
import {
  createSaleScenario,
  failingCall,
  paymentsOf,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { checkAccounts } from './commands/check-accounts.ts';

await describeOnDatabase('the accounts with the providers', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
  });
  beforeEach(() => db.q().deleteFrom('admin_tasks').execute());
  afterAll(() => db.close());

  type Answer = AccountSettings['manualPayouts'] | 'silent';
  /** Asks about accounts that answer so; a provider without an answer is not set up. */
  const check = (answers: { card?: Answer; crypto?: Answer }, livemode = true) =>
    checkAccounts({
      ...scenario.system,
      payments: paymentsOf(
        ...(['card', 'crypto'] as const).flatMap((method) => {
          const answer = answers[method];
          if (answer === undefined) return [];
          const accountSettings =
            answer === 'silent'
              ? failingCall('unavailable')
              : async () => ({ manualPayouts: answer, bankDebits: null, bankTransfers: null });
          return [{ ...scenario.payments.forMethod(method), livemode, accountSettings }];
        }),
      ),
    });
  const tasks = async () => {
    const rows = await db.q().selectFrom('admin_tasks').selectAll().orderBy('created_at').execute();
    return rows.map(
      ({ kind, severity, subject_type, subject_id, closed_at }) =>
        `${kind} ${severity} ${subject_type} ${subject_id}${closed_at ? ' closed' : ''}`,
    );
  };
  const OPEN = 'automatic_payouts critical provider sandbox-card';

  it('open one critical task while payouts are automatic, closed when they are manual again', async () => {
    await check({ card: true });
    expect(await tasks()).toEqual([]);
    await check({ card: false });
    await check({ card: false });
    expect(await tasks()).toEqual([OPEN]);
    expect(await scenario.mailsTo(scenario.admin.email)).toEqual([
      'Urgent: Held money is paid out to the bank automatically',
    ]);
    await check({ card: true });
    expect(await tasks()).toEqual([`${OPEN} closed`]);
  });

  it('change nothing when the provider does not say', async () => {
    await check({ card: null });
    expect(await tasks()).toEqual([]);
    await check({ card: false });
    await check({ card: null });
    expect(await tasks()).toEqual([OPEN]);
  });

  it('open none with keys that move no real money, nor when nothing is set up', async () => {
    await check({ card: false, crypto: false }, false);
    await check({});
    expect(await tasks()).toEqual([]);
  });

  it('are recorded with what they may be paid with, as last said', async () => {
    const say = (bankDebits: boolean | null, bankTransfers: boolean | null) =>
      checkAccounts({
        ...scenario.system,
        payments: paymentsOf({
          ...scenario.payments.forMethod('card'),
          accountSettings: async () => ({ manualPayouts: null, bankDebits, bankTransfers }),
        }),
      });
    const recorded = () => db.q().selectFrom('provider_capabilities').selectAll().execute();
    await say(null, null);
    expect(await recorded()).toEqual([]);
    await say(true, null);
    const account = { provider: 'sandbox-card', livemode: false, account_ref: 'sandbox' };
    expect(await recorded()).toEqual([
      { ...account, bank_debits: true, bank_transfers: null, checked_at: scenario.clock.now() },
    ]);
    scenario.clock.advance(DAY);
    await say(false, true);
    expect(await recorded()).toEqual([
      { ...account, bank_debits: false, bank_transfers: true, checked_at: scenario.clock.now() },
    ]);
  });

  it('are asked again when a provider does not answer, which keeps no other from being asked', async () => {
    await expect(check({ card: 'silent', crypto: false })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await tasks()).toEqual(['automatic_payouts critical provider sandbox-crypto']);
  });

  it('are asked about also where they take no new payments but hold money, as long as there are keys', async () => {
    const card = scenario.payments.forMethod('card');
    const account = (ref: string, manualPayouts: boolean): PaymentsPort => ({
      ...card,
      livemode: true,
      account: async () => ref,
      accountSettings: async () => ({ manualPayouts, bankDebits: null, bankTransfers: null }),
    });
    const current = account('acct_current', true);
    const former = { ...account('acct_former', false) };
    const payments = paymentsOf(current);
    const check = () =>
      checkAccounts({
        ...scenario.system,
        payments: {
          ...payments,
          of: (provider, bound) => (bound?.account === 'acct_former' ? former : payments.of(provider, bound)),
        },
      });
    const holding = async (account_ref: string) => {
      const { id: accountId } = await db
        .q()
        .insertInto('provider_accounts')
        .values({ provider: 'sandbox-card', livemode: true, account_ref })
        .returning('id')
        .executeTakeFirstOrThrow();
      await createOrphanBreak(db, 'payment', { accountId });
      await db.q().deleteFrom('admin_tasks').execute();
    };
    await holding('acct_current');
    await holding('acct_gone');
    await check();
    expect(await tasks()).toEqual([]);
    await holding('acct_former');
    former.accountSettings = failingCall('unavailable');
    await expect(check()).rejects.toMatchObject({ code: 'unavailable' });
    former.accountSettings = async () => ({ manualPayouts: false, bankDebits: null, bankTransfers: null });
    await check();
    expect(await tasks()).toEqual([OPEN]);
    former.accountSettings = current.accountSettings;
    await check();
    expect(await tasks()).toEqual([`${OPEN} closed`]);
    // Its keys have been revoked: it cannot be asked, which is no reason to ask the others again.
    former.account = failingCall('auth');
    former.accountSettings = failingCall('auth');
    await check();
    current.accountSettings = failingCall('auth');
    await expect(check()).rejects.toMatchObject({ code: 'auth' });
  });
});
