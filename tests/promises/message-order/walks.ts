import type { SaleImage } from '#features/payments/sale-image.ts';
import type { CheckoutState, DisputeState, RefundState } from '#gateways/payments/port.ts';

/** The sale that all walks are about: $1,000.00 and $100.00 in fees; the seller gets $800.00 less $50.00. Cents. */
export const WALK_AMOUNTS = {
  basePriceCents: 1_000_00,
  buyerFeesCents: 100_00,
  agentCommissionCents: 800_00,
  sellerFeesCents: 50_00,
};
const TOTAL = 1_100_00;

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
const status = (to: CheckoutState['status'], change: Partial<CheckoutState> = {}) =>
  provider(to, (truth) => ({ ...truth, ...change, status: to }));
const paid = status('paid', { feeCents: 30_00 });

const isOver = ({ state }: SaleImage) => state.payment === 'failed';
const late: Step = {
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
const refund = (to: RefundState['status'] = 'pending'): Step => ({
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
const refundEnds = (to: RefundState['status']) =>
  provider(`refund ${to}`, (truth) => ({
    ...truth,
    refunds: truth.refunds.map((one, at) => (at === truth.refunds.length - 1 ? { ...one, status: to } : one)),
  }));
const dashboardRefund = (amountCents: number) =>
  provider(`refund of ${amountCents} at the provider`, (truth) => ({
    ...truth,
    refunds: [
      ...truth.refunds,
      { ref: `re_${truth.refunds.length}`, status: 'succeeded', amountCents, key: null },
    ],
  }));

/** A dispute as it is from now on; new, or one that is known by its reference. */
const dispute = (ref: string, change: Partial<DisputeState>) =>
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
const won = (ref: string, amountCents = TOTAL) =>
  dispute(ref, { status: 'won', returnedCents: amountCents, feeCents: 0 });

/** One bank transfer of a payment in parts arrives. Cents. */
const part = (ref: string, amountCents: number) =>
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
const cancel = act('cancel', inEscrow);
const close = act(
  'close',
  (image) => inEscrow(image) && image.refunds.every(({ status }) => status !== 'pending'),
);
const refundPart = act('refund a part', ({ state, frozen }) => state.payment === 'completed' && !frozen);
const accept = act('accept', isOpen('payment_mismatch'));
const giveBack = act('return', isOpen('payment_mismatch'));
const recognize = act('recognize', isOpen('unexpected_refund'));

const walk = (name: string, ...steps: Step[]): Walk => ({ name, steps });

/** Walks of at most five messages, whose every order is tried. */
export const walks: readonly Walk[] = [
  walk('paid', paid),
  walk('bank transfer, disputed and won', status('processing'), paid, dispute('a', {}), won('a')),
  walk('bank transfer bounces', status('processing'), status('failed')),
  walk('paid late', status('expired'), late, refund(), refundEnds('succeeded')),
  walk(
    'paid late, the refund fails twice',
    status('expired'),
    late,
    refund('failed'),
    refund('failed'),
    refund('succeeded'),
  ),
  walk('cancelled', paid, cancel, refund(), refundEnds('succeeded')),
  walk(
    'cancelled, the refund comes back and is sent again',
    paid,
    cancel,
    refund(),
    refundEnds('succeeded'),
    refundEnds('failed'),
    refund('succeeded'),
  ),
  walk(
    'cancelled, the bank takes the debit back, then the refund succeeds',
    paid,
    cancel,
    refund(),
    dispute('a', { status: 'lost' }),
    refundEnds('succeeded'),
  ),
  walk(
    'cancelled, the refund succeeds, then the bank takes the debit back',
    status('processing'),
    paid,
    cancel,
    refund(),
    refundEnds('succeeded'),
    dispute('a', { status: 'lost' }),
  ),
  walk(
    'cancelled, refunded, disputed and lost, and then the refund comes back',
    paid,
    cancel,
    refund('succeeded'),
    dispute('a', {}),
    dispute('a', { status: 'lost' }),
    refundEnds('failed'),
  ),
  walk(
    'a part is disputed and lost, then closed',
    paid,
    dispute('a', { amountCents: 300_00 }),
    dispute('a', { status: 'lost', feeCents: 15_00 }),
    close,
  ),
  walk(
    'closed, then a part is disputed and lost, of which some comes back',
    paid,
    close,
    dispute('a', { amountCents: 333_33 }),
    dispute('a', { status: 'lost', returnedCents: 100_00 }),
    dispute('a', { returnedCents: 200_00 }),
    won('a', 333_33),
  ),
  walk(
    'two disputes',
    paid,
    dispute('a', { amountCents: 200_00 }),
    dispute('b', { amountCents: 900_00 }),
    won('a', 200_00),
    dispute('b', { status: 'lost' }),
  ),
  walk(
    'two disputes, both lost',
    paid,
    dispute('a', { amountCents: 200_00 }),
    dispute('b', { amountCents: 900_00 }),
    dispute('a', { status: 'lost' }),
    dispute('b', { status: 'lost' }),
  ),
  walk(
    'an inquiry becomes a chargeback',
    paid,
    dispute('a', { kind: 'inquiry' }),
    dispute('a', { kind: 'chargeback', feeCents: 15_00 }),
    won('a'),
    dispute('b', { kind: 'inquiry', status: 'won' }),
  ),
  walk('refunded at the provider', paid, dashboardRefund(TOTAL), recognize),
  walk(
    'a part is refunded at the provider, recognized, and closed',
    paid,
    dashboardRefund(250_00),
    recognize,
    close,
    dispute('a', {}),
    dispute('a', { status: 'lost' }),
  ),
  walk(
    'refunded at the provider while our own refund waits',
    paid,
    cancel,
    dashboardRefund(TOTAL),
    refund('failed'),
    recognize,
  ),
  walk('too much is accepted', status('paid', { amountCents: TOTAL + 5_00 }), accept, refund('succeeded')),
  walk(
    'too little is accepted, and disputed',
    status('paid', { amountCents: TOTAL - 5_00, feeCents: 1_00 }),
    accept,
    dispute('a', { amountCents: TOTAL - 5_00 }),
    dispute('a', { status: 'lost' }),
  ),
  walk(
    'too little is accepted, closed, disputed and lost, and comes back',
    status('paid', { amountCents: TOTAL - 5_00 }),
    accept,
    close,
    dispute('a', { amountCents: TOTAL - 5_00 }),
    dispute('a', { status: 'lost' }),
    won('a', TOTAL - 5_00),
  ),
  walk(
    'a payment of another sale is sent back',
    status('paid', { saleId: 'another' }),
    giveBack,
    refund(),
    refundEnds('succeeded'),
    refundEnds('failed'),
    refund('succeeded'),
  ),
  walk('test money is dismissed', status('processing'), status('paid', { livemode: true }), giveBack),
  walk(
    'a part is refunded before and after the closing',
    paid,
    refundPart,
    refund('succeeded'),
    close,
    refundPart,
    refund(),
    refundEnds('succeeded'),
    dispute('a', { amountCents: 1_000_00, status: 'lost' }),
  ),
  walk(
    'a part is refunded, comes back, and the payment is disputed',
    paid,
    refundPart,
    refund('succeeded'),
    refundEnds('failed'),
    dispute('a', {}),
    dispute('a', { status: 'lost' }),
  ),
  walk('in parts, closed', part('a', 300_00), part('b', 500_00), part('c', 300_00), close),
  walk(
    'in parts, never complete, returned twice',
    part('a', 300_00),
    part('b', 500_00),
    status('canceled'),
    refund('failed'),
    refund('succeeded'),
  ),
  walk(
    'in parts, one arrives after the others were returned',
    part('a', 300_00),
    status('canceled'),
    refund('succeeded'),
    part('b', 800_00),
    refund('succeeded'),
  ),
  walk(
    'in parts, more than all of it',
    part('a', 1_000_00),
    part('b', 300_00),
    refund(),
    refundEnds('succeeded'),
    close,
  ),
  walk(
    'in one transfer, cancelled, another arrives while the refund is running',
    part('a', TOTAL),
    cancel,
    refund(),
    part('b', 50_00),
    refundEnds('succeeded'),
    refund('succeeded'),
  ),
];
