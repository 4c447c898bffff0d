import { randomUUID } from 'node:crypto';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { sendRefund } from '#features/payments/commands/send-refund.ts';
import { syncPayment } from '#features/payments/commands/sync-payment.ts';
import { askPayouts } from '#features/payouts/commands/ask-payouts.ts';
import { connectStripe } from '#features/payouts/commands/connect-stripe.ts';
import { confirmManualPayout, recordBankReference } from '#features/payouts/commands/manual-payouts.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { sendPayout } from '#features/payouts/commands/send-payout.ts';
import { startPayout } from '#features/payouts/commands/start-payout.ts';
import { syncPayout } from '#features/payouts/commands/sync-payout.ts';
import { syncOwnAccount } from '#features/payouts/commands/sync-seller-account.ts';
import { takeBackPayout } from '#features/payouts/commands/take-back-payout.ts';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import { processDuePayouts, settlePayout } from '#gateways/payouts/sandbox/settlement.ts';
import type { UserActor } from '#platform/context.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { payoutScenarioOf } from '#tests/support/fixtures/payout-scenario.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { Operation, Process, Setup } from './operation.ts';

const prepared = new WeakMap<Setup, { payoutId: string; second: UserActor | null }>();
const payoutOf = (setup: Setup): string => prepared.get(setup)?.payoutId ?? '';

const proved = (saleScenario: SaleScenario, actor = saleScenario.admin): UserActor => ({
  ...actor,
  provedAt: saleScenario.clock.now(),
});

async function setupOf(
  saleScenario: SaleScenario,
  saleId: string,
  payoutId = '',
  second: UserActor | null = null,
): Promise<Setup> {
  const sale = await saleScenario.sale(saleId);
  const setup = { saleId, propertyId: sale.property_id, ref: sale.provider_session_id ?? '' };
  prepared.set(setup, { payoutId, second });
  return setup;
}

async function startedPayout(
  saleScenario: SaleScenario,
  saleId: string,
  payouts = saleScenario.payouts,
): Promise<string> {
  const ctx = { ...saleScenario.contextFor(proved(saleScenario)), payouts };
  const started = await startPayout(ctx, { saleId, runId: null, expectedCents: null });
  if (!started.ok) throw new Error(`No payout was started: ${started.refusal}`);
  return started.payoutId;
}

const paying = ({ system, payments, payouts }: Process) => ({ ...system, payments, payouts });

/** A released sale whose seller is paid by PayPal, in items. */
async function forPaypal(saleScenario: SaleScenario): Promise<string> {
  const scenario = payoutScenarioOf(saleScenario);
  await scenario.setUpPaypal();
  await scenario.fund('paypal', 2_000_000_00);
  const propertyId = await saleScenario.createListing({ price_cents: 60_000_00 });
  return scenario.releasedSale('card', propertyId);
}

async function forStripe(saleScenario: SaleScenario): Promise<string> {
  const scenario = payoutScenarioOf(saleScenario);
  await scenario.setUpStripe();
  return scenario.releasedSale();
}

async function keyOf(saleScenario: SaleScenario, payoutId: string): Promise<string> {
  const { key } = await saleScenario.db
    .q()
    .selectFrom('payouts')
    .select('idempotency_key as key')
    .where('id', '=', payoutId)
    .executeTakeFirstOrThrow();
  return key;
}

/** A seller who was paid, and a refund of the sale that has left and arrived, and that nobody has heard of. */
async function withArrivedRefund(saleScenario: SaleScenario): Promise<Setup> {
  const scenario = payoutScenarioOf(saleScenario);
  const saleId = await forStripe(saleScenario);
  const payoutId = await scenario.pay(saleId);
  await refundSale(scenario.admin(), {
    saleId,
    baseCents: 10_000_00,
    feesCents: 0,
    reason: 'The roof leaks.',
    idempotencyKey: randomUUID(),
  });
  for (const { id } of await saleScenario.refunds(saleId))
    await sendRefund(saleScenario.system, { refundId: id });
  saleScenario.clock.advance(HOUR);
  await processDue(saleScenario.db, saleScenario.clock.now());
  return setupOf(saleScenario, saleId, payoutId);
}

/** What can be cut off in the life of a payout. */
export const payoutOperations: readonly Operation[] = [
  {
    name: 'start a payout',
    prepare: async (saleScenario) => setupOf(saleScenario, await forStripe(saleScenario)),
    run: (process, saleScenario, { saleId }) =>
      startPayout(
        { ...process.as(proved(saleScenario)), payments: process.payments, payouts: process.payouts },
        { saleId, runId: null, expectedCents: null },
      ),
  },
  {
    name: 'start a payout that settles a debt',
    async prepare(saleScenario) {
      const scenario = payoutScenarioOf(saleScenario);
      const owing = await forStripe(saleScenario);
      await scenario.pay(owing);
      await saleScenario.db.q().updateTable('sandbox_accounts').set({ balance_cents: 0 }).execute();
      await scenario.refund(owing, 10_000_00);
      await scenario.takeBack(owing);
      return setupOf(saleScenario, await scenario.releasedSale());
    },
    run: (process, saleScenario, { saleId }) =>
      startPayout(
        { ...process.as(proved(saleScenario)), payments: process.payments, payouts: process.payouts },
        { saleId, runId: null, expectedCents: null },
      ),
  },
  {
    name: 'send a payout by Stripe',
    async prepare(saleScenario) {
      const saleId = await forStripe(saleScenario);
      return setupOf(saleScenario, saleId, await startedPayout(saleScenario, saleId));
    },
    run: (process, _bench, setup) => sendPayout(paying(process), { payoutId: payoutOf(setup) }),
  },
  {
    name: 'send a payout by PayPal',
    async prepare(saleScenario) {
      const saleId = await forPaypal(saleScenario);
      return setupOf(saleScenario, saleId, await startedPayout(saleScenario, saleId));
    },
    run: (process, _bench, setup) => sendPayout(paying(process), { payoutId: payoutOf(setup) }),
  },
  {
    name: 'hear that a payout has arrived',
    async prepare(saleScenario) {
      const saleId = await forPaypal(saleScenario);
      const payoutId = await startedPayout(saleScenario, saleId);
      await sendPayout(saleScenario.system, { payoutId });
      saleScenario.clock.advance(MINUTE);
      await processDuePayouts(saleScenario.db, saleScenario.clock.now());
      return setupOf(saleScenario, saleId, payoutId);
    },
    run: (process, _bench, setup) => syncPayout(paying(process), { payoutId: payoutOf(setup) }),
  },
  {
    name: 'hear that a payout came back',
    async prepare(saleScenario) {
      const saleId = await forStripe(saleScenario);
      const payoutId = await startedPayout(saleScenario, saleId);
      await sendPayout(saleScenario.system, { payoutId });
      saleScenario.clock.advance(2 * DAY);
      await settlePayout(
        saleScenario.db,
        await keyOf(saleScenario, payoutId),
        'return',
        saleScenario.clock.now(),
      );
      return setupOf(saleScenario, saleId, payoutId);
    },
    run(process, { clock }) {
      // A payout claimed by a process that died is asked about again after an hour.
      clock.advance(HOUR + MINUTE);
      return askPayouts(paying(process));
    },
  },
  {
    name: 'retry a payout',
    async prepare(saleScenario) {
      const saleId = await forStripe(saleScenario);
      const payoutId = await startedPayout(saleScenario, saleId);
      await sendPayout(saleScenario.system, { payoutId });
      await settlePayout(
        saleScenario.db,
        await keyOf(saleScenario, payoutId),
        'return',
        saleScenario.clock.now(),
      );
      await syncPayout(saleScenario.system, { payoutId });
      return setupOf(saleScenario, saleId, payoutId);
    },
    run: (process, saleScenario, { saleId }) => retryPayout(process.as(proved(saleScenario)), { saleId }),
  },
  {
    name: 'hear of a refund after the payout',
    prepare: withArrivedRefund,
    run: ({ system, payments }, _bench, { saleId }) => syncPayment({ ...system, payments }, { saleId }),
  },
  {
    name: 'take back a payout',
    async prepare(saleScenario) {
      const scenario = payoutScenarioOf(saleScenario);
      const saleId = await forStripe(saleScenario);
      const payoutId = await scenario.pay(saleId);
      await scenario.refund(saleId, 10_000_00);
      return setupOf(saleScenario, saleId, payoutId);
    },
    run: (process, _bench, { saleId }) => takeBackPayout(paying(process), { saleId }),
  },
  {
    name: 'open an account for a seller',
    prepare: async (saleScenario) => setupOf(saleScenario, await saleScenario.createPaidSale()),
    run: (process, saleScenario) =>
      connectStripe({ ...process.as(saleScenario.seller), payouts: process.payouts }),
  },
  {
    name: 'hear that the account of a seller is ready',
    async prepare(saleScenario) {
      await connectStripe(saleScenario.contextFor(saleScenario.seller));
      const { ref } = await saleScenario.db
        .q()
        .selectFrom('sandbox_accounts')
        .select('ref')
        .where('agent_id', '=', saleScenario.seller.agentId ?? '')
        .executeTakeFirstOrThrow();
      await decideAccount(saleScenario.db, ref, { active: true }, saleScenario.clock.now());
      return setupOf(saleScenario, await saleScenario.createPaidSale());
    },
    run: (process, saleScenario) =>
      syncOwnAccount({ ...process.as(saleScenario.seller), payouts: process.payouts }),
  },
  {
    name: 'pay by hand',
    async prepare(saleScenario) {
      const saleId = await forStripe(saleScenario);
      const payoutId = await startedPayout(saleScenario, saleId, payoutsOf([]));
      return setupOf(saleScenario, saleId, payoutId, await createUser(saleScenario.db, 'admin'));
    },
    async run(process, saleScenario, setup) {
      const [payoutId, reference] = [payoutOf(setup), 'WIRE 1'];
      const second = prepared.get(setup)?.second ?? saleScenario.admin;
      await recordBankReference(process.as(proved(saleScenario)), { payoutId, reference });
      await confirmManualPayout(process.as(proved(saleScenario, second)), { payoutId, reference });
    },
  },
];
