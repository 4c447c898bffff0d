import { sweepSales } from '#features/purchases/commands/sweep-sales.ts';
import type { Rail } from '#gateways/payments/port.ts';
import {
  closeSandboxDispute,
  disputeSandbox,
  lateCrypto,
  settleSandbox,
  settleSandboxRefund,
} from '#gateways/payments/sandbox/banks.ts';
import { letTimePass } from '#gateways/payments/sandbox/time.ts';
import type { SaleBench } from '#tests/support/sale-bench.ts';
import { MINUTE } from '../world.ts';

/** One purchase under way. */
export interface Scene {
  bench: SaleBench;
  saleId: string;
  ref: string;
}

/** Something that happens at the provider, or that a person does to the sale. */
export interface Happening {
  name: string;
  /** the state of our own sale that it needs, not frozen; what is not known yet the next reconciliation finds */
  needs?: string;
  /** what our processes must have asked the provider for before */
  asked?: 'refund';
  does(scene: Scene): Promise<unknown>;
}

/** A course of events. */
export interface Walk {
  name: string;
  rail: Rail;
  happenings: Happening[];
}

const at = (name: string, does: Happening['does'], more: Partial<Happening> = {}): Happening => ({
  name,
  does,
  ...more,
});
const pay = at('paid', ({ bench, ref }) => bench.onPage(ref, 'pay'));
const submit = at('submitted', ({ bench, ref }) => bench.onPage(ref, 'pay_later'));
const arrive = at('arrived', ({ bench, ref }) => settleSandbox(bench.db, ref, 'paid', bench.clock.now()));
const bounce = at('bounced', ({ bench, ref }) => settleSandbox(bench.db, ref, 'failed', bench.clock.now()));
const dispute = at('disputed', ({ bench, ref }) => disputeSandbox(bench.db, ref, bench.clock.now()));
const disputeEnds = (outcome: 'won' | 'lost') =>
  at(`dispute ${outcome}`, ({ bench, ref }) =>
    closeSandboxDispute(bench.db, ref, outcome, bench.clock.now()),
  );
const cancel = at('cancelled', ({ bench, saleId }) => bench.act(bench.admin, saleId, 'cancel_sale'), {
  needs: 'completed/in_escrow/',
});
const close = at('closed', ({ bench, saleId }) => bench.act(bench.buyer, saleId, 'confirm_closing'), {
  needs: 'completed/in_escrow/',
});
// The clock that ends the checkout at the provider ends our hold too: our own timer looks every minute.
const expire = at('expired', async ({ bench }) => {
  bench.clock.advance(46 * MINUTE);
  await letTimePass(bench.db, bench.clock.now());
  await sweepSales(bench.system, bench.payments);
});
const payLate = at('paid late', ({ bench, ref }) => lateCrypto(bench.db, ref, bench.clock.now()));

/** Settles the refund that the provider has pending. */
const refund = (outcome: 'succeeded' | 'failed') =>
  at(
    `refund ${outcome}`,
    async ({ bench, ref }) => {
      const pending = await pendingRefund({ bench, ref });
      if (!pending) throw new Error('No refund was asked for');
      await settleSandboxRefund(bench.db, pending, outcome, bench.clock.now());
    },
    { asked: 'refund' },
  );

/** The refund that the provider has not settled, by its name there. */
export async function pendingRefund({ bench, ref }: Pick<Scene, 'bench' | 'ref'>): Promise<string | null> {
  const row = await bench.db
    .q()
    .selectFrom('sandbox_refunds')
    .select('ref')
    .where('checkout_ref', '=', ref)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row?.ref ?? null;
}

const walk = (name: string, rail: Rail, ...happenings: Happening[]): Walk => ({
  name,
  rail,
  happenings,
});

/** The fixed courses whose every order is tried. */
export const walks: readonly Walk[] = [
  walk('paid by card', 'card', pay),
  walk('paid on the chain', 'crypto', pay),
  walk('bank transfer', 'card', submit, arrive),
  walk('bank transfer bounces', 'card', submit, bounce),
  walk('paid late', 'crypto', expire, payLate, refund('succeeded')),
  walk('cancelled', 'card', pay, cancel, refund('succeeded')),
  walk('dispute won', 'card', pay, dispute, disputeEnds('won')),
  walk('dispute lost', 'card', pay, dispute, disputeEnds('lost')),
  walk('closed, then disputed and lost', 'card', pay, close, dispute, disputeEnds('lost')),
  walk('bank transfer, dispute of a bank', 'card', submit, arrive, dispute),
  walk('refund fails once', 'card', submit, arrive, cancel, refund('failed'), refund('succeeded')),
  walk('refund of a late payment fails', 'crypto', expire, payLate, refund('failed'), refund('succeeded')),
  walk('dispute won, then cancelled', 'card', pay, dispute, disputeEnds('won'), cancel, refund('succeeded')),
  walk(
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

/** Longer courses, which are tried at random: refunds that fail again and again, after a dispute. */
export const longWalks: readonly Walk[] = [6, 8, 10, 12].map((messages) =>
  walk(
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
