import {
  accept,
  cancel,
  close,
  dashboardRefund,
  dispute,
  late,
  paid,
  part,
  recognize,
  refund,
  refundEnds,
  refundPart,
  type Step,
  status,
  TOTAL,
  type Walk,
  walk,
  won,
} from './steps.ts';

const times = (count: number, steps: (at: number) => Step[]): Step[] =>
  Array.from({ length: count }, (_, at) => steps(at)).flat();

/** The refund that was asked for is sent, succeeds, and comes back. */
const comesBack = [refund(), refundEnds('succeeded'), refundEnds('failed')];

/** Walks of six to twelve messages: too many for every order, which are tried at random. */
export const longWalks: readonly Walk[] = [
  ...[2, 4, 6, 8].map((failures) =>
    walk(
      `a dispute is won, then cancelled, and the refund fails ${failures} times`,
      paid,
      dispute('a', {}),
      won('a'),
      cancel,
      ...times(failures, () => [refund('failed')]),
      refund('succeeded'),
    ),
  ),
  walk(
    'bank transfer, cancelled, and the refund comes back three times',
    status('processing'),
    paid,
    cancel,
    ...times(3, () => comesBack),
    refund('succeeded'),
  ),
  walk(
    'paid late, and the refund fails, comes back twice, and is sent',
    status('expired'),
    late,
    refund('failed'),
    ...times(2, () => comesBack),
    refund(),
    refundEnds('succeeded'),
  ),
  walk(
    'in eleven parts, closed, then disputed',
    ...times(11, (at) => [part(`part ${at}`, TOTAL / 11)]),
    close,
    dispute('a', { status: 'lost', feeCents: 15_00 }),
  ),
  walk(
    'in parts, never complete, and what is returned comes back',
    ...times(4, (at) => [part(`part ${at}`, 200_00)]),
    status('canceled'),
    ...times(2, () => comesBack),
    refund('succeeded'),
  ),
  walk(
    'in parts, more than all of it, and what is returned comes back',
    ...times(5, (at) => [part(`part ${at}`, 250_00)]),
    ...comesBack,
    refund('failed'),
    refund('succeeded'),
    close,
  ),
  walk(
    'five disputes one after the other, the last one lost',
    paid,
    ...['a', 'b', 'c', 'd'].flatMap((ref, at) => {
      const amountCents = (at + 1) * 100_00;
      return [dispute(ref, { amountCents }), won(ref, amountCents)];
    }),
    dispute('e', {}),
    dispute('e', { status: 'lost', feeCents: 15_00 }),
  ),
  walk(
    'three disputes at once, lost one by one',
    paid,
    ...['a', 'b', 'c'].map((ref) => dispute(ref, { kind: 'inquiry', amountCents: 300_00 })),
    ...['a', 'b', 'c'].map((ref) => dispute(ref, { kind: 'chargeback' })),
    ...['a', 'b', 'c'].map((ref) => dispute(ref, { status: 'lost', feeCents: 15_00 })),
    close,
  ),
  walk(
    'closed, then two disputes, of which one comes back in parts and one is won',
    paid,
    close,
    dispute('a', { amountCents: 500_00 }),
    dispute('b', { kind: 'inquiry', amountCents: 600_00 }),
    dispute('a', { status: 'lost', feeCents: 15_00 }),
    dispute('b', { kind: 'chargeback' }),
    ...[100_00, 200_00, 400_00].map((returnedCents) => dispute('a', { returnedCents })),
    won('b', 600_00),
    won('a', 500_00),
  ),
  walk(
    'parts are refunded one after the other, one of which comes back, and what is left is disputed',
    paid,
    refundPart,
    refund('succeeded'),
    refundPart,
    ...comesBack,
    refund('succeeded'),
    close,
    refundPart,
    refund('failed'),
    refund('succeeded'),
    dispute('a', { amountCents: 600_00 }),
    dispute('a', { status: 'lost', feeCents: 15_00 }),
  ),
  walk(
    'parts are refunded at the provider, then the rest is disputed and won, and closed',
    paid,
    ...times(4, () => [dashboardRefund(50_00), recognize]),
    dispute('a', { amountCents: 900_00 }),
    won('a', 900_00),
    close,
  ),
  walk(
    'too little is accepted, and disputed in parts',
    status('paid', { amountCents: TOTAL - 5_00 }),
    accept,
    close,
    ...['a', 'b', 'c'].flatMap((ref) => [
      dispute(ref, { amountCents: 365_00 }),
      dispute(ref, { status: 'lost' }),
    ]),
    ...['a', 'b', 'c'].map((ref) => won(ref, 365_00)),
  ),
];
