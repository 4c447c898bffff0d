import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { checkSellerAccounts } from '#features/payouts/commands/check-seller-accounts.ts';
import { confirmPaypal } from '#features/payouts/commands/confirm-paypal.ts';
import { connectStripe } from '#features/payouts/commands/connect-stripe.ts';
import { disconnectStripe } from '#features/payouts/commands/disconnect-stripe.ts';
import { openProviderPage } from '#features/payouts/commands/open-provider-page.ts';
import { savePayoutSettings } from '#features/payouts/commands/save-payout-settings.ts';
import { syncOwnAccount, syncSellerAccount } from '#features/payouts/commands/sync-seller-account.ts';
import { paypalToken } from '#features/payouts/paypal-token.ts';
import {
  isPaypalLinkValid,
  ownPayoutSettings,
  payoutDecision,
  payoutStandings,
} from '#features/payouts/reads.ts';
import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import type { Ctx } from '#platform/context.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { payoutsFor } from '../support/payouts.ts';
import { withoutRateLimits } from '../support/sales.ts';
import { agentRecord, type Scenario } from '../support/scenario.ts';
import { HEAD, saleForRow, sellersOnlyRow, systemOnlyRows } from '../support/table-rows.ts';

/** Gives every seller an unconfirmed PayPal address and a Stripe account. */
async function setUpPayouts({ db, cast }: Scenario): Promise<void> {
  for (const { agentId } of [cast.sellerA, cast.sellerB, cast.suspendedSeller])
    await db
      .q()
      .updateTable('agents')
      .set({
        preferred_payout_method: 'paypal',
        paypal_email: `paypal-of-${agentId}@example.test`,
        paypal_confirmed_at: null,
        stripe_account_id: `acct_${agentId}`,
        stripe_transfers_active: true,
        payout_status: 'pending',
      })
      .where('id', '=', agentId)
      .execute();
}

const tokenOf = (agentId: string | null) =>
  paypalToken(testConfig, agentId ?? '', `paypal-of-${agentId}@example.test`);

/** The records of all other sellers, to compare before and after. */
const others = ({ scenario, actor }: Cell) =>
  scenario.db
    .q()
    .selectFrom('agents')
    .selectAll()
    .where(
      'id',
      '<>',
      actor === 'anonymous' ? randomUUID() : (scenario.person(actor).agentId ?? randomUUID()),
    )
    .orderBy('id')
    .execute();

export const cells: Cells = {
  // The seller is not told what the marketplace knows of the risk of a payment.
  'reads#payoutDecision': operation({
    cells: `
      ${HEAD}
      released      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  no_method
      in escrow     Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  not_released
      unknown id    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      no id at all  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
    `,
    prepare: saleForRow,
    act: (ctx, id, { scenario }) => payoutDecision({ ...ctx, payouts: payoutsFor(scenario) }, id),
    outcomeOf: (decision) => (decision.ok ? 'allowed' : decision.refusal),
    mayChange: () => false,
  }),

  // Sellers are told about their own sales alone; others are left out.
  'reads#payoutStandings': operation({
    cells: `
      ${HEAD}
      released                           Unauthenticated  Forbidden  Forbidden  held  none  none  Forbidden
      in escrow                          Unauthenticated  Forbidden  Forbidden  none  none  none  Forbidden
      B’s of the suspended, released     Unauthenticated  Forbidden  Forbidden  none  none  held  Forbidden
      unknown id                         Unauthenticated  Forbidden  Forbidden  none  none  none  Forbidden
      no id at all                       Unauthenticated  Forbidden  Forbidden  none  none  none  Forbidden
    `,
    prepare: saleForRow,
    act: (ctx, id, { scenario }) => payoutStandings({ ...ctx, payouts: payoutsFor(scenario) }, [id]),
    outcomeOf: (standings, id) => standings[id]?.state ?? 'none',
    mayChange: () => false,
  }),

  'reads#ownPayoutSettings': operation({
    cells: sellersOnlyRow('oneself', 'own', 'own'),
    prepare: ({ scenario }) => setUpPayouts(scenario),
    act: (ctx, _, { scenario }) => ownPayoutSettings({ ...ctx, payouts: payoutsFor(scenario) }),
    outcomeOf: ({ paypalEmail }, _, { scenario, actor }) =>
      paypalEmail === `paypal-of-${scenario.person(actor).agentId}@example.test` ? 'own' : 'wrong',
    mayChange: () => false,
    // The full account id is never exposed.
    verify: (found) => expect(JSON.stringify(found) ?? '').not.toContain('acct_'),
  }),

  // A link confirms only the address of the seller it was issued for.
  'reads#isPaypalLinkValid': operation({
    cells: `
      ${HEAD}
      seller A’s  Unauthenticated  Forbidden  Forbidden  works  no  no     Forbidden
      suspended   Unauthenticated  Forbidden  Forbidden  no     no  works  Forbidden
      made up     Unauthenticated  Forbidden  Forbidden  no     no  no     Forbidden
    `,
    prepare: ({ scenario }) => setUpPayouts(scenario),
    act: (ctx, _, { scenario, row }) => isPaypalLinkValid(ctx, confirmationToken(scenario, row)),
    outcomeOf: (works) => (works ? 'works' : 'no'),
    mayChange: () => false,
  }),

  'commands/confirm-paypal#confirmPaypal': operation({
    cells: `
      ${HEAD}
      seller A’s  Unauthenticated  Forbidden  Forbidden  allowed  token  Forbidden  Forbidden
      suspended   Unauthenticated  Forbidden  Forbidden  token    token  Forbidden  Forbidden
      made up     Unauthenticated  Forbidden  Forbidden  token    token  Forbidden  Forbidden
    `,
    prepare: ({ scenario }) => setUpPayouts(scenario),
    act: (ctx, _, { scenario, row }) => confirmPaypal(ctx, { token: confirmationToken(scenario, row) }),
    async verify(_, __, { scenario, outcome }) {
      const { paypal_confirmed_at } = await agentRecord(scenario, scenario.cast.sellerA.agentId);
      expect(paypal_confirmed_at !== null).toBe(outcome === 'allowed');
    },
  }),

  // Only one's own record; other ids in the form are ignored.
  'commands/save-payout-settings#savePayoutSettings': operation({
    cells: `
      ${HEAD}
      PayPal   Unauthenticated  Forbidden  Forbidden  allowed  allowed  Forbidden  Forbidden
      Stripe   Unauthenticated  Forbidden  Forbidden  allowed  allowed  Forbidden  Forbidden
      nothing  Unauthenticated  Forbidden  Forbidden  typed    typed    Forbidden  Forbidden
    `,
    async prepare(cell) {
      await setUpPayouts(cell.scenario);
      await connectAll(cell.scenario);
      return others(cell);
    },
    act(ctx, _, { scenario, row }) {
      const more = {
        id: scenario.cast.sellerB.agentId,
        agentId: scenario.cast.sellerB.agentId,
        commission_rate: 99,
      };
      const method = row === 'nothing' ? '' : row.toLowerCase();
      return savePayoutSettings(unlimited(ctx, scenario), {
        method,
        paypalEmail: 'new@example.test',
        ...more,
      });
    },
    verify: async (_, before, cell) => expect(await others(cell)).toEqual(before),
  }),

  // Everyone has an account of their own at the provider, opened for the seller who asks and for nobody else.
  'commands/connect-stripe#connectStripe': operation({
    cells: sellersOnlyRow('the own account', 'allowed', 'Forbidden'),
    async prepare(cell) {
      await withoutAccounts(cell.scenario);
      return others(cell);
    },
    act: (ctx, _, { scenario }) => connectStripe(unlimited(ctx, scenario)),
    async verify(_, before, cell) {
      expect(await others(cell)).toEqual(before);
      const owners = await cell.scenario.db
        .q()
        .selectFrom('seller_accounts')
        .select('agent_id')
        .where('ended_at', 'is', null)
        .execute();
      expect(owners).toEqual(
        cell.outcome === 'allowed' ? [{ agent_id: cell.scenario.person(cell.actor).agentId }] : [],
      );
    },
  }),

  'commands/open-provider-page#openProviderPage': operation({
    cells: sellersOnlyRow('the own account', 'unfinished', 'Forbidden'),
    prepare: ({ scenario }) => connectAll(scenario),
    act: (ctx, _, { scenario }) => openProviderPage(unlimited(ctx, scenario)),
    mayChange: () => false,
  }),

  // It writes down what the provider says, so suspended sellers may come back from its page, too.
  'commands/sync-seller-account#syncOwnAccount': operation({
    cells: sellersOnlyRow('the own account', 'changed', 'changed'),
    async prepare(cell) {
      await connectAll(cell.scenario);
      const accounts = await cell.scenario.db.q().selectFrom('sandbox_accounts').select('ref').execute();
      for (const { ref } of accounts)
        await decideAccount(cell.scenario.db, ref, { active: true }, new Date());
      return others(cell);
    },
    act: (ctx, _, { scenario }) => syncOwnAccount(unlimited(ctx, scenario)),
    outcomeOf: (result) => result,
    verify: async (_, before, cell) => expect(await others(cell)).toEqual(before),
  }),

  'commands/sync-seller-account#syncSellerAccount': operation({
    cells: systemOnlyRows('an account'),
    act: (ctx, _, { scenario }) =>
      syncSellerAccount(
        { ...ctx, payouts: payoutsFor(scenario) },
        { provider: 'sandbox-connect', account: 'acct_1' },
      ),
  }),

  'commands/check-seller-accounts#checkSellerAccounts': operation({
    cells: systemOnlyRows('all accounts'),
    act: (ctx, _, { scenario }) => checkSellerAccounts({ ...ctx, payouts: payoutsFor(scenario) }),
  }),

  'commands/disconnect-stripe#disconnectStripe': operation({
    cells: sellersOnlyRow('the own account', 'allowed', 'Forbidden'),
    async prepare(cell) {
      await setUpPayouts(cell.scenario);
      return others(cell);
    },
    act: (ctx) => disconnectStripe(ctx),
    verify: async (_, before, cell) => expect(await others(cell)).toEqual(before),
  }),
};

const unlimited = (ctx: Ctx, scenario: Scenario) => ({
  ...withoutRateLimits(ctx),
  payouts: payoutsFor(scenario),
});

/** Every seller without an account at the provider. */
async function withoutAccounts({ db, cast }: Scenario): Promise<void> {
  await db.q().deleteFrom('seller_accounts').execute();
  for (const { agentId } of [cast.sellerA, cast.sellerB, cast.suspendedSeller])
    await db
      .q()
      .updateTable('agents')
      .set({ stripe_account_id: null, stripe_transfers_active: false, preferred_payout_method: null })
      .where('id', '=', agentId)
      .execute();
}

/** Every seller with an account whose setup is not done yet. */
async function connectAll(scenario: Scenario): Promise<void> {
  await withoutAccounts(scenario);
  const { sellerA, sellerB, suspendedSeller } = scenario.cast;
  for (const seller of [sellerA, sellerB, { ...suspendedSeller, suspended: false }])
    await connectStripe(
      unlimited(
        testContext(scenario.db, { actor: seller, now: () => new Date(), requestId: randomUUID() }),
        scenario,
      ),
    );
}

function confirmationToken({ cast }: Scenario, row: string): string {
  if (row === 'made up') return 'made-up';
  return tokenOf((row === 'suspended' ? cast.suspendedSeller : cast.sellerA).agentId);
}
