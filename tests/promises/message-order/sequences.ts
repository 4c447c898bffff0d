import { sweepSales } from '#features/payments/commands/sweep-sales.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import {
  payExpiredCrypto,
  settleSandbox,
  settleSandboxRefund,
} from '#gateways/payments/sandbox/settlement.ts';
import { MINUTE } from '#platform/durations.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

/** One purchase in progress. */
export interface SequenceContext {
  scenario: SaleScenario;
  saleId: string;
  ref: string;
}

/** Something that happens at the provider, or that a user does to the sale. */
export interface SequenceStep {
  name: string;
  /** the required state of our sale, not frozen; reconciliation may be needed to get there */
  needs?: string;
  /** what we must have requested from the provider before */
  awaits?: 'refund';
  does(scene: SequenceContext): Promise<unknown>;
}

/** A sequence of steps. */
export interface Sequence {
  name: string;
  method: PaymentMethod;
  steps: SequenceStep[];
}

const step = (name: string, does: SequenceStep['does'], more: Partial<SequenceStep> = {}): SequenceStep => ({
  name,
  does,
  ...more,
});
const pay = step('paid', ({ scenario, ref }) => scenario.actOnCheckoutPage(ref, 'pay'));
const submit = step('submitted', ({ scenario, ref }) => scenario.actOnCheckoutPage(ref, 'pay_later'));
const arrive = step('arrived', ({ scenario, ref }) =>
  settleSandbox(scenario.db, ref, 'paid', scenario.clock.now()),
);
const bounce = step('bounced', ({ scenario, ref }) =>
  settleSandbox(scenario.db, ref, 'failed', scenario.clock.now()),
);
const dispute = step('disputed', ({ scenario, ref }) =>
  disputeSandbox(scenario.db, ref, scenario.clock.now()),
);
const disputeEnds = (outcome: 'won' | 'lost') =>
  step(`dispute ${outcome}`, ({ scenario, ref }) =>
    closeSandboxDispute(scenario.db, ref, outcome, scenario.clock.now()),
  );
const cancel = step(
  'cancelled',
  ({ scenario, saleId }) => scenario.act(scenario.admin, saleId, 'cancel_sale'),
  {
    needs: 'completed/in_escrow/',
  },
);
const close = step(
  'closed',
  ({ scenario, saleId }) => scenario.act(scenario.buyer, saleId, 'confirm_closing'),
  {
    needs: 'completed/in_escrow/',
  },
);
// When the checkout expires at the provider, so does our hold, which a timer checks every minute.
const expire = step('expired', async ({ scenario }) => {
  scenario.clock.advance(46 * MINUTE);
  await processDue(scenario.db, scenario.clock.now());
  await sweepSales(scenario.system);
});
const payLate = step('paid late', ({ scenario, ref }) =>
  payExpiredCrypto(scenario.db, ref, scenario.clock.now()),
);

/** Settles the provider's pending refund. */
const refund = (outcome: 'succeeded' | 'failed') =>
  step(
    `refund ${outcome}`,
    async ({ scenario, ref }) => {
      const pending = await pendingRefund({ scenario, ref });
      if (!pending) throw new Error('No refund was awaits for');
      await settleSandboxRefund(scenario.db, pending, outcome, scenario.clock.now());
    },
    { awaits: 'refund' },
  );

/** The provider's reference of the pending refund, or null. */
export async function pendingRefund({
  scenario,
  ref,
}: Pick<SequenceContext, 'scenario' | 'ref'>): Promise<string | null> {
  const row = await scenario.db
    .q()
    .selectFrom('sandbox_refunds')
    .select('ref')
    .where('checkout_ref', '=', ref)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row?.ref ?? null;
}

const sequence = (name: string, method: PaymentMethod, ...steps: SequenceStep[]): Sequence => ({
  name,
  method,
  steps,
});

/** Fixed sequences whose message orders are all tried. */
export const sequences: readonly Sequence[] = [
  sequence('paid by card', 'card', pay),
  sequence('paid on the chain', 'crypto', pay),
  sequence('bank transfer', 'card', submit, arrive),
  sequence('bank transfer bounces', 'card', submit, bounce),
  sequence('paid late', 'crypto', expire, payLate, refund('succeeded')),
  sequence('cancelled', 'card', pay, cancel, refund('succeeded')),
  sequence('dispute won', 'card', pay, dispute, disputeEnds('won')),
  sequence('dispute lost', 'card', pay, dispute, disputeEnds('lost')),
  sequence('closed, then disputed and lost', 'card', pay, close, dispute, disputeEnds('lost')),
  sequence('bank transfer, dispute of a bank', 'card', submit, arrive, dispute),
  sequence('refund fails once', 'card', submit, arrive, cancel, refund('failed'), refund('succeeded')),
  sequence(
    'refund of a late payment fails',
    'crypto',
    expire,
    payLate,
    refund('failed'),
    refund('succeeded'),
  ),
  sequence(
    'dispute won, then cancelled',
    'card',
    pay,
    dispute,
    disputeEnds('won'),
    cancel,
    refund('succeeded'),
  ),
  sequence(
    'bank transfer, cancelled, refund fails twice',
    'card',
    submit,
    arrive,
    cancel,
    refund('failed'),
    refund('failed'),
    refund('succeeded'),
  ),
];

/** Longer sequences, tried in random order: repeatedly failing refunds after a dispute. */
export const longSequences: readonly Sequence[] = [6, 8, 10, 12].map((messages) =>
  sequence(
    `refund fails ${messages - 4} times after a dispute`,
    'card',
    pay,
    dispute,
    disputeEnds('won'),
    cancel,
    ...Array.from({ length: messages - 4 }, () => refund('failed')),
    refund('succeeded'),
  ),
);
