import type { SaleImage } from '#features/payments/sale-image.ts';
import type { CheckoutState, DisputeState, RefundState } from '#gateways/payments/port.ts';

/** The sale that all walks are about: $1,000.00 and $100.00 in fees; the seller gets $800.00 less $50.00. Cents. */
export const WALK_AMOUNTS = {
  basePriceCents: 1_000_00,
  buyerFeesCents: 100_00,
  agentCommissionCents: 800_00,
  sellerFeesCents: 50_00,
};
export const TOTAL = 1_100_00;

/** What a person decides about the sale. */
export type Act = 'cancel' | 'close' | 'refund a part' | 'accept' | 'return' | 'recognize';

/** Something that happens: at the provider, which then sends a message, or because a person decides it. */
export type Step =
  | {
      at: 'provider';
      name: string;
      /** what must have been asked for before */
      ready?(image: SaleImage, truth: CheckoutState): boolean;
      next(truth: CheckoutState, image: SaleImage): CheckoutState;
    }
  | { at: 'us'; name: Act; ready(image: SaleImage): boolean };

/** A history of one payment. */
export interface Walk {
  name: string;
  steps: Step[];
}

const provider = (name: string, next: (truth: CheckoutState) => CheckoutState): Step => ({
  at: 'provider',
  name,
  next,
});
export const status = (to: CheckoutState['status'], change: Partial<CheckoutState> = {}) =>
  provider(to, (truth) => ({ ...truth, ...change, status: to }));
export const paid = status('paid', { feeCents: 30_00 });

const isOver = ({ state }: SaleImage) => state.payment === 'failed';
export const late: Step = {
  at: 'provider',
  name: 'paid late',
  // Our hold ends with the checkout, after asking about it.
  ready: isOver,
  next: (truth) => ({ ...truth, status: 'paid' }),
};

/** The refund that we have asked for and the provider has not taken up yet. */
const asked = ({ refunds }: SaleImage, truth: CheckoutState) =>
  refunds.find(
    ({ status, origin, key }) =>
      status === 'pending' && origin === 'platform' && !truth.refunds.some((one) => one.key === key),
  );
/** The provider takes up the refund that we asked for. */
export const refund = (to: RefundState['status'] = 'pending'): Step => ({
  at: 'provider',
  name: `refund ${to}`,
  ready: (image, truth) => asked(image, truth) !== undefined,
  next(truth, image) {
    const found = asked(image, truth);
    if (!found) return truth;
    const { key, amountCents } = found;
    const taken: RefundState = { ref: `re_${truth.refunds.length}`, status: to, amountCents, key };
    return { ...truth, refunds: [...truth.refunds, taken] };
  },
});
/** The newest refund at the provider ends, or comes back. */
export const refundEnds = (to: RefundState['status']) =>
  provider(`refund ${to}`, (truth) => ({
    ...truth,
    refunds: truth.refunds.map((one, at) => (at === truth.refunds.length - 1 ? { ...one, status: to } : one)),
  }));
export const dashboardRefund = (amountCents: number) =>
  provider(`refund of ${amountCents} at the provider`, (truth) => ({
    ...truth,
    refunds: [
      ...truth.refunds,
      { ref: `re_${truth.refunds.length}`, status: 'succeeded', amountCents, key: null },
    ],
  }));

/** A dispute as it is from now on; new, or one that is known by its reference. */
export const dispute = (ref: string, change: Partial<DisputeState>) =>
  provider(`dispute ${ref} ${Object.values(change).join(' ')}`, (truth) => {
    const known = truth.disputes.find((one) => one.ref === ref);
    const before: DisputeState = known ?? {
      ref,
      kind: 'chargeback',
      status: 'open',
      amountCents: TOTAL,
      returnedCents: 0,
      feeCents: null,
      reason: 'fraudulent',
      evidenceDueAt: null,
    };
    const after: DisputeState = { ...before, ...change };
    return {
      ...truth,
      disputes: known
        ? truth.disputes.map((one) => (one.ref === ref ? after : one))
        : [...truth.disputes, after],
    };
  });
export const won = (ref: string, amountCents = TOTAL) =>
  dispute(ref, { status: 'won', returnedCents: amountCents, feeCents: 0 });

/** One bank transfer of a payment in parts arrives. Cents. */
export const part = (ref: string, amountCents: number) =>
  provider(`part of ${amountCents}`, (truth) => {
    const tranches = [...truth.tranches, { ref, amountCents, feeCents: 1_00 }];
    const received = tranches.reduce((sum, one) => sum + one.amountCents, 0);
    const isOpen = truth.status === 'open' || truth.status === 'processing';
    const then = received >= TOTAL ? ('paid' as const) : ('processing' as const);
    return { ...truth, tranches, status: isOpen ? then : truth.status };
  });

const inEscrow = ({ state, frozen }: SaleImage) => state.escrow === 'in_escrow' && !frozen;
const isOpen = (kind: string) => (image: SaleImage) =>
  image.breaks.some((one) => one.kind === kind && one.open);
const act = (name: Act, ready: (image: SaleImage) => boolean): Step => ({ at: 'us', name, ready });
export const cancel = act('cancel', inEscrow);
export const close = act(
  'close',
  (image) => inEscrow(image) && image.refunds.every(({ status }) => status !== 'pending'),
);
export const refundPart = act(
  'refund a part',
  ({ state, frozen }) => state.payment === 'completed' && !frozen,
);
export const accept = act('accept', isOpen('payment_mismatch'));
export const giveBack = act('return', isOpen('payment_mismatch'));
export const recognize = act('recognize', isOpen('unexpected_refund'));

export const walk = (name: string, ...steps: Step[]): Walk => ({ name, steps });
