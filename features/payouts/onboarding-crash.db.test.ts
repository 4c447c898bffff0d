import { afterAll, beforeAll, expect, it } from 'vitest';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { PayoutsPort } from '#gateways/payouts/port.ts';
import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import { createPayoutsSandbox } from '#gateways/payouts/sandbox/provider.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import {
  type CrashInjector,
  crashingDatabase,
  crashingPayouts,
  createCrashInjector,
  SimulatedCrash,
} from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { mailbox } from '#tests/support/fixtures/accounts.ts';
import { testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { connectStripe } from './commands/connect-stripe.ts';
import { syncOwnAccount } from './commands/sync-seller-account.ts';

// R5: a process that dies while a seller connects an account loses nothing and opens no second one.

await describeOnDatabase('a process that crashes while a seller connects an account', (open) => {
  let db: Database;
  let port: PayoutsPort;
  const clock = testClock();
  beforeAll(async () => {
    db = await open();
    const { secret, publicUrl } = testConfig;
    port = createPayoutsSandbox({ db, method: 'stripe', secret, publicUrl, now: clock.now });
  });
  afterAll(() => db.close());

  const processOf = (seller: UserActor, injector: CrashInjector): CtxWith<'payouts'> => ({
    ...testContext(crashingDatabase(db, injector), {
      actor: seller,
      now: clock.now,
      requestId: `crash-${seller.id}`,
      config: { ...testConfig, relaxedLimits: true },
    }),
    payouts: crashingPayouts(payoutsOf([port]), injector),
  });

  /** Runs the operation, again after a crash, as the seller who presses the button once more. */
  async function runTwice(
    seller: UserActor,
    run: (ctx: CtxWith<'payouts'>) => Promise<unknown>,
    injector: CrashInjector,
  ): Promise<void> {
    try {
      await run(processOf(seller, injector));
    } catch (error) {
      if (
        !(error instanceof SimulatedCrash) &&
        !(error instanceof Error && error.cause instanceof SimulatedCrash)
      )
        throw error;
    }
    if (injector.crashed()) await run(processOf(seller, createCrashInjector(null)));
  }

  async function outcome({ agentId, email }: UserActor) {
    const id = agentId ?? '';
    const q = db.q();
    const agent = await q.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const ours = await q.selectFrom('seller_accounts').selectAll().where('agent_id', '=', id).execute();
    const theirs = await q.selectFrom('sandbox_accounts').select('ref').where('agent_id', '=', id).execute();
    const audited = await q.selectFrom('audit_log').select('action').where('entity_id', '=', id).execute();
    return {
      opened: theirs.length,
      recorded: ours.map(({ ref }) => ref === agent.stripe_account_id && ref === theirs[0]?.ref),
      method: agent.preferred_payout_method,
      ready: agent.payout_status,
      held: agent.payout_hold_until !== null,
      audited: audited.map(({ action }) => action),
      mails: (await mailbox(db, email)).map(({ subject }) => subject),
    };
  }

  async function everyStep(
    prepare: () => Promise<UserActor>,
    run: (ctx: CtxWith<'payouts'>) => Promise<unknown>,
    expected: Partial<Awaited<ReturnType<typeof outcome>>>,
  ): Promise<number> {
    const intact = createCrashInjector(null);
    const first = await prepare();
    await runTwice(first, run, intact);
    expect(await outcome(first)).toMatchObject(expected);
    for (let step = 1; step <= intact.stepCount(); step += 1) {
      const seller = await prepare();
      const injector = createCrashInjector(step);
      await runTwice(seller, run, injector);
      expect(await outcome(seller), `died ${injector.lastStep()}`).toEqual(await outcome(first));
    }
    return intact.stepCount();
  }

  it('opens one account, records it once, and tells the seller once', async () => {
    const steps = await everyStep(() => createUser(db, 'agent'), connectStripe, {
      opened: 1,
      recorded: [true],
      method: 'stripe',
      ready: 'pending',
      held: true,
      audited: ['seller.connect_stripe'],
      mails: ['Your payout settings were changed'],
    });
    expect(steps).toBeGreaterThan(15);
  });

  it('writes down once what the provider says', async () => {
    const connected = async () => {
      const seller = await createUser(db, 'agent');
      await connectStripe(processOf(seller, createCrashInjector(null)));
      const [account] = await db
        .q()
        .selectFrom('sandbox_accounts')
        .select('ref')
        .where('agent_id', '=', seller.agentId ?? '')
        .execute();
      await decideAccount(db, account?.ref ?? '', { active: true }, clock.now());
      return seller;
    };
    await everyStep(connected, syncOwnAccount, {
      ready: 'complete',
      audited: ['seller.connect_stripe', 'seller.stripe_state'],
      mails: ['Your payout settings were changed', 'Your Stripe account is connected'],
    });
  });
});
