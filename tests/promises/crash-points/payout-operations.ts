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

const proved = (bench: SaleScenario, actor = bench.admin): UserActor => ({
  ...actor,
  provedAt: bench.clock.now(),
});

async function setupOf(
  bench: SaleScenario,
  saleId: string,
  payoutId = '',
  second: UserActor | null = null,
): Promise<Setup> {
  const sale = await bench.sale(saleId);
  const setup = { saleId, propertyId: sale.property_id, ref: sale.provider_session_id ?? '' };
  prepared.set(setup, { payoutId, second });
  return setup;
}

async function startedPayout(bench: SaleScenario, saleId: string, payouts = bench.payouts): Promise<string> {
  const ctx = { ...bench.contextFor(proved(bench)), payouts };
  const started = await startPayout(ctx, { saleId, runId: null, expectedCents: null });
  if (!started.ok) throw new Error(`No payout was started: ${started.refusal}`);
  return started.payoutId;
}

const paying = ({ system, payments, payouts }: Process) => ({ ...system, payments, payouts });

/** A released sale whose seller is paid by PayPal, in items. */
async function forPaypal(bench: SaleScenario): Promise<string> {
  const scenario = payoutScenarioOf(bench);
  await scenario.setUpPaypal();
  await scenario.fund('paypal', 2_000_000_00);
  const propertyId = await bench.createListing({ price_cents: 60_000_00 });
  return scenario.releasedSale('card', propertyId);
}

async function forStripe(bench: SaleScenario): Promise<string> {
  const scenario = payoutScenarioOf(bench);
  await scenario.setUpStripe();
  return scenario.releasedSale();
}

async function keyOf(bench: SaleScenario, payoutId: string): Promise<string> {
  const { key } = await bench.db
    .q()
    .selectFrom('payouts')
    .select('idempotency_key as key')
    .where('id', '=', payoutId)
    .executeTakeFirstOrThrow();
  return key;
}

/** A seller who was paid, and a refund of the sale that has left and arrived, and that nobody has heard of. */
async function withArrivedRefund(bench: SaleScenario): Promise<Setup> {
  const scenario = payoutScenarioOf(bench);
  const saleId = await forStripe(bench);
  const payoutId = await scenario.pay(saleId);
  await refundSale(scenario.admin(), {
    saleId,
    baseCents: 10_000_00,
    feesCents: 0,
    reason: 'The roof leaks.',
    idempotencyKey: randomUUID(),
  });
  for (const { id } of await bench.refunds(saleId)) await sendRefund(bench.system, { refundId: id });
  bench.clock.advance(HOUR);
  await processDue(bench.db, bench.clock.now());
  return setupOf(bench, saleId, payoutId);
}

/** What can be cut off in the life of a payout. */
export const payoutOperations: readonly Operation[] = [
  {
    name: 'start a payout',
    prepare: async (bench) => setupOf(bench, await forStripe(bench)),
    run: (process, bench, { saleId }) =>
      startPayout(
        { ...process.as(proved(bench)), payments: process.payments, payouts: process.payouts },
        { saleId, runId: null, expectedCents: null },
      ),
  },
  {
    name: 'start a payout that settles a debt',
    async prepare(bench) {
      const scenario = payoutScenarioOf(bench);
      const owing = await forStripe(bench);
      await scenario.pay(owing);
      await bench.db.q().updateTable('sandbox_accounts').set({ balance_cents: 0 }).execute();
      await scenario.refund(owing, 10_000_00);
      await scenario.takeBack(owing);
      return setupOf(bench, await scenario.releasedSale());
    },
    run: (process, bench, { saleId }) =>
      startPayout(
        { ...process.as(proved(bench)), payments: process.payments, payouts: process.payouts },
        { saleId, runId: null, expectedCents: null },
      ),
  },
  {
    name: 'send a payout by Stripe',
    async prepare(bench) {
      const saleId = await forStripe(bench);
      return setupOf(bench, saleId, await startedPayout(bench, saleId));
    },
    run: (process, _bench, setup) => sendPayout(paying(process), { payoutId: payoutOf(setup) }),
  },
  {
    name: 'send a payout by PayPal',
    async prepare(bench) {
      const saleId = await forPaypal(bench);
      return setupOf(bench, saleId, await startedPayout(bench, saleId));
    },
    run: (process, _bench, setup) => sendPayout(paying(process), { payoutId: payoutOf(setup) }),
  },
  {
    name: 'hear that a payout has arrived',
    async prepare(bench) {
      const saleId = await forPaypal(bench);
      const payoutId = await startedPayout(bench, saleId);
      await sendPayout(bench.system, { payoutId });
      bench.clock.advance(MINUTE);
      await processDuePayouts(bench.db, bench.clock.now());
      return setupOf(bench, saleId, payoutId);
    },
    run: (process, _bench, setup) => syncPayout(paying(process), { payoutId: payoutOf(setup) }),
  },
  {
    name: 'hear that a payout came back',
    async prepare(bench) {
      const saleId = await forStripe(bench);
      const payoutId = await startedPayout(bench, saleId);
      await sendPayout(bench.system, { payoutId });
      bench.clock.advance(2 * DAY);
      await settlePayout(bench.db, await keyOf(bench, payoutId), 'return', bench.clock.now());
      return setupOf(bench, saleId, payoutId);
    },
    run(process, { clock }) {
      // A payout claimed by a process that died is asked about again after an hour.
      clock.advance(HOUR + MINUTE);
      return askPayouts(paying(process));
    },
  },
  {
    name: 'retry a payout',
    async prepare(bench) {
      const saleId = await forStripe(bench);
      const payoutId = await startedPayout(bench, saleId);
      await sendPayout(bench.system, { payoutId });
      await settlePayout(bench.db, await keyOf(bench, payoutId), 'return', bench.clock.now());
      await syncPayout(bench.system, { payoutId });
      return setupOf(bench, saleId, payoutId);
    },
    run: (process, bench, { saleId }) => retryPayout(process.as(proved(bench)), { saleId }),
  },
  {
    name: 'hear of a refund after the payout',
    prepare: withArrivedRefund,
    run: ({ system, payments }, _bench, { saleId }) => syncPayment({ ...system, payments }, { saleId }),
  },
  {
    name: 'take back a payout',
    async prepare(bench) {
      const scenario = payoutScenarioOf(bench);
      const saleId = await forStripe(bench);
      const payoutId = await scenario.pay(saleId);
      await scenario.refund(saleId, 10_000_00);
      return setupOf(bench, saleId, payoutId);
    },
    run: (process, _bench, { saleId }) => takeBackPayout(paying(process), { saleId }),
  },
  {
    name: 'open an account for a seller',
    prepare: async (bench) => setupOf(bench, await bench.createPaidSale()),
    run: (process, bench) => connectStripe({ ...process.as(bench.seller), payouts: process.payouts }),
  },
  {
    name: 'hear that the account of a seller is ready',
    async prepare(bench) {
      await connectStripe(bench.contextFor(bench.seller));
      const { ref } = await bench.db
        .q()
        .selectFrom('sandbox_accounts')
        .select('ref')
        .where('agent_id', '=', bench.seller.agentId ?? '')
        .executeTakeFirstOrThrow();
      await decideAccount(bench.db, ref, { active: true }, bench.clock.now());
      return setupOf(bench, await bench.createPaidSale());
    },
    run: (process, bench) => syncOwnAccount({ ...process.as(bench.seller), payouts: process.payouts }),
  },
  {
    name: 'pay by hand',
    async prepare(bench) {
      const saleId = await forStripe(bench);
      const payoutId = await startedPayout(bench, saleId, payoutsOf([]));
      return setupOf(bench, saleId, payoutId, await createUser(bench.db, 'admin'));
    },
    async run(process, bench, setup) {
      const [payoutId, reference] = [payoutOf(setup), 'WIRE 1'];
      const second = prepared.get(setup)?.second ?? bench.admin;
      await recordBankReference(process.as(proved(bench)), { payoutId, reference });
      await confirmManualPayout(process.as(proved(bench, second)), { payoutId, reference });
    },
  },
];
