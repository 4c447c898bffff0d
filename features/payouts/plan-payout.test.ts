import { describe, expect, it } from 'vitest';
import type { PayoutItem, PayoutState } from '#gateways/payouts/port.ts';
import {
  type BookedPayout,
  manualFailedEntry,
  manualSentEntry,
  type PayoutContradiction,
  type PayoutPlan,
  planPayout,
} from './plan-payout.ts';

const item = (ref: string, change: Partial<PayoutItem> = {}): PayoutItem => ({
  ref,
  amountCents: 500,
  returnedCents: 0,
  status: 'paid',
  failure: null,
  ...change,
});
const booked = (change: Partial<BookedPayout> = {}): BookedPayout => ({
  attempt: 2,
  status: 'processing',
  amountCents: 1_000,
  paidCents: 0,
  returnedCents: 0,
  takenBackCents: 0,
  feeCents: 0,
  items: [],
  ...change,
});
const state = (change: Partial<PayoutState> = {}): PayoutState => ({
  key: 'payout:sale:2',
  ref: null,
  status: 'paid',
  items: [item('a'), item('b')],
  paidCents: 1_000,
  feeCents: null,
  failure: null,
  arrivesAt: null,
  ...change,
});
const paid = booked({ status: 'completed', paidCents: 1_000, items: [item('a'), item('b')] });

const isPlan = (answer: PayoutPlan | PayoutContradiction): answer is PayoutPlan => 'entries' in answer;
function plan(before: BookedPayout, answer: PayoutState): PayoutPlan {
  const planned = planPayout(before, answer);
  if (!isPlan(planned)) throw new Error(planned.contradiction);
  return planned;
}
/** Each entry as its key and what it does to accounts, in the order of the plan. */
const posted = ({ entries }: PayoutPlan) =>
  entries.map(({ key, postings }) => [key, ...postings.map(({ account, cents }) => `${account} ${cents}`)]);
/** The payout as it is on record after a plan. */
const onRecord = (
  before: BookedPayout,
  { items, status, paidCents, returnedCents, feeCents }: PayoutPlan,
) => ({
  ...before,
  items,
  status,
  paidCents,
  returnedCents,
  feeCents,
});

describe('what the answer of a provider means for a payout', () => {
  it('posts each part that has left, and completes the payout when all have', () => {
    const first = plan(
      booked(),
      state({
        status: 'processing',
        items: [item('a'), item('b', { status: 'processing' })],
        paidCents: 500,
      }),
    );
    expect(first).toMatchObject({ status: 'processing', paidCents: 500 });
    expect(posted(first)).toEqual([['payout-paid:a', 'payout_in_transit 500', 'clearing -500']]);
    const second = plan(onRecord(booked(), first), state());
    expect(second).toMatchObject({ status: 'completed', paidCents: 1_000, failure: null });
    expect(posted(second)).toEqual([['payout-paid:b', 'payout_in_transit 500', 'clearing -500']]);
  });

  it('means nothing new when it comes again, or is older', () => {
    expect(posted(plan(paid, state()))).toEqual([]);
    const old = [
      state({ status: 'processing', items: [item('a')] }),
      state({ status: 'processing', items: [], paidCents: 0 }),
      state({ status: 'processing', items: [item('a', { status: 'processing' }), item('b')] }),
    ];
    for (const answer of old) {
      const planned = plan(paid, answer);
      expect(posted(planned)).toEqual([]);
      expect(planned).toMatchObject({ status: 'completed', paidCents: 1_000, cameBackCents: 0 });
    }
    const partly = booked({ paidCents: 500, items: [item('a'), item('b', { status: 'processing' })] });
    expect(plan(partly, old[1] ?? state())).toMatchObject({ status: 'processing', paidCents: 500 });
  });

  it('owes the seller again what was refused as a whole', () => {
    const planned = plan(
      booked(),
      state({ status: 'failed', items: [], paidCents: 0, failure: 'balance_short' }),
    );
    expect(planned).toMatchObject({ status: 'failed', paidCents: 0, failure: 'balance_short' });
    expect(posted(planned)).toEqual([['payout-refused:2', 'payout_in_transit 1000', 'seller_payable -1000']]);
    expect(
      posted(plan(onRecord(booked(), planned), state({ status: 'failed', items: [], paidCents: 0 }))),
    ).toEqual([]);
  });

  it('owes the seller again the parts that failed, and those that were never made', () => {
    const failed = item('b', { status: 'failed', failure: 'blocked', amountCents: 300 });
    const planned = plan(
      booked(),
      state({ status: 'partly_paid', items: [item('a'), failed], paidCents: 500 }),
    );
    expect(planned).toMatchObject({ status: 'failed', paidCents: 500, failure: 'blocked' });
    expect(posted(planned)).toEqual([
      ['payout-paid:a', 'payout_in_transit 500', 'clearing -500'],
      ['payout-failed:b', 'payout_in_transit 300', 'seller_payable -300'],
      ['payout-refused:2', 'payout_in_transit 200', 'seller_payable -200'],
    ]);
    const again = onRecord(booked(), planned);
    expect(posted(plan(again, state({ status: 'partly_paid', items: [item('a'), failed] })))).toEqual([]);
    // What has failed does not arrive anymore.
    expect(
      posted(
        plan(again, state({ status: 'partly_paid', items: [item('a'), { ...failed, status: 'paid' }] })),
      ),
    ).toEqual([]);
  });

  it('fails a payout that comes back after it had arrived, part by part', () => {
    const back = item('b', { status: 'returned', returnedCents: 500, failure: 'returned' });
    const planned = plan(paid, state({ status: 'partly_paid', items: [item('a'), back], paidCents: 500 }));
    expect(planned).toMatchObject({
      status: 'failed',
      returnedCents: 500,
      cameBackCents: 500,
      failure: 'returned',
    });
    expect(posted(planned)).toEqual([['payout-returned:b:500', 'clearing 500', 'seller_payable -500']]);
    const later = plan(
      onRecord(paid, planned),
      state({ status: 'failed', items: [{ ...back, ref: 'a' }, back], paidCents: 0 }),
    );
    expect(posted(later)).toEqual([['payout-returned:a:500', 'clearing 500', 'seller_payable -500']]);
    expect(later).toMatchObject({ status: 'failed', returnedCents: 1_000, cameBackCents: 500 });
    // An older answer does not send it again.
    expect(posted(plan(onRecord(paid, planned), state()))).toEqual([]);
  });

  it('posts a part that left and came back before anybody heard of it both ways', () => {
    const back = item('a', { status: 'returned', returnedCents: 500, failure: 'unclaimed' });
    const planned = plan(
      booked(),
      state({ status: 'partly_paid', items: [back, item('b')], paidCents: 500 }),
    );
    expect(posted(planned)).toEqual([
      ['payout-paid:a', 'payout_in_transit 500', 'clearing -500'],
      ['payout-paid:b', 'payout_in_transit 500', 'clearing -500'],
      ['payout-returned:a:500', 'clearing 500', 'seller_payable -500'],
    ]);
    expect(planned).toMatchObject({
      status: 'failed',
      paidCents: 1_000,
      returnedCents: 500,
      failure: 'unclaimed',
    });
  });

  it('counts what had left and then failed as returned', () => {
    const failed = item('b', { status: 'failed', failure: 'other' });
    const planned = plan(paid, state({ status: 'partly_paid', items: [item('a'), failed], paidCents: 500 }));
    expect(posted(planned)).toEqual([['payout-returned:b:500', 'clearing 500', 'seller_payable -500']]);
    expect(planned.items[1]).toMatchObject({ status: 'returned' });
  });

  it('takes what we took back ourselves for no return', () => {
    const taken = { ...paid, takenBackCents: 700 };
    const items = [
      item('a', { returnedCents: 200 }),
      item('b', { status: 'returned', returnedCents: 500, failure: 'reversed' }),
    ];
    const planned = plan(taken, state({ status: 'partly_paid', items, paidCents: 300, failure: 'reversed' }));
    expect(planned).toMatchObject({ status: 'completed', returnedCents: 0, cameBackCents: 0, failure: null });
    expect(posted(planned)).toEqual([]);
    const rest = item('a', { status: 'returned', returnedCents: 500, failure: 'returned' });
    const back = plan(taken, state({ status: 'failed', items: [rest, items[1] ?? rest], paidCents: 0 }));
    expect(back).toMatchObject({ status: 'failed', cameBackCents: 300 });
    expect(posted(back)).toEqual([['payout-returned:2:300', 'clearing 300', 'seller_payable -300']]);
  });

  it('posts fees as they become known', () => {
    const first = plan(booked(), state({ feeCents: 50 }));
    expect(posted(first).at(-1)).toEqual(['payout-fee:2:50', 'processing_cost 50', 'clearing -50']);
    const second = plan(onRecord(booked(), first), state({ feeCents: 75 }));
    expect(posted(second)).toEqual([['payout-fee:2:75', 'processing_cost 25', 'clearing -25']]);
    for (const older of [25, null]) {
      const planned = plan(onRecord(booked(), first), state({ feeCents: older }));
      expect(posted(planned)).toEqual([]);
      expect(planned.feeCents).toBe(50);
    }
  });

  it('waits while the provider is at work, or a part is', () => {
    const made = plan(booked(), state({ status: 'processing', items: [item('a')], paidCents: 500 }));
    expect(made).toMatchObject({ status: 'processing', failure: null });
    expect(posted(made).map(([key]) => key)).toEqual(['payout-paid:a']);
    const items = [item('a'), item('b', { status: 'processing', amountCents: 300 })];
    const partly = plan(booked(), state({ status: 'partly_paid', items, paidCents: 500 }));
    expect(partly).toMatchObject({ status: 'processing' });
    expect(posted(partly).map(([key]) => key)).toEqual(['payout-paid:a']);
  });

  it('does not take a part that never left for one that came back', () => {
    const waiting = booked({ items: [item('a'), item('b', { status: 'processing' })], paidCents: 500 });
    const items = [item('a'), item('b', { status: 'failed', failure: 'blocked' })];
    const planned = plan(waiting, state({ status: 'partly_paid', items, paidCents: 500 }));
    expect(planned.items).toEqual(items);
    expect(planned).toMatchObject({ status: 'failed', returnedCents: 0, failure: 'blocked' });
    expect(posted(planned)).toEqual([['payout-failed:b', 'payout_in_transit 500', 'seller_payable -500']]);
  });

  it('keeps what came back, and a payout that has failed, whatever an older answer says', () => {
    const back = item('b', { status: 'returned', returnedCents: 500 });
    const items = [item('a'), back];
    const failed = booked({ status: 'failed', paidCents: 1_000, returnedCents: 500, items });
    expect(plan(failed, state())).toMatchObject({ status: 'failed', items, returnedCents: 500 });
    expect(plan(paid, state({ status: 'partly_paid', items, paidCents: 500 })).items).toEqual(items);
    expect(plan({ ...paid, status: 'failed' }, state())).toMatchObject({ status: 'failed' });
  });

  it('posts what comes back bit by bit once each, also after something was taken back', () => {
    const before = { ...paid, takenBackCents: 200, returnedCents: 100, status: 'failed' as const };
    const items = [item('a', { returnedCents: 450 }), item('b')];
    expect(posted(plan(before, state({ status: 'partly_paid', items })))).toEqual([
      ['payout-returned:2:250', 'clearing 150', 'seller_payable -150'],
    ]);
  });

  it('names each entry for the books', () => {
    const named = (planned: PayoutPlan) => planned.entries.map(({ kind, memo }) => `${kind} ${memo}`);
    const items = [
      item('a', { status: 'returned', returnedCents: 500 }),
      item('b', { status: 'failed', amountCents: 300 }),
    ];
    const all = plan(booked(), state({ status: 'partly_paid', items, paidCents: 0, feeCents: 25 }));
    expect(named(all)).toEqual([
      'L3 Payout sent',
      'L3 Payout not sent',
      'L3 Payout refused',
      'L3 Payout came back',
      'L3 Fee of the payout',
    ]);
    expect(
      [manualSentEntry(1, 700), manualFailedEntry(1, 700, false), manualFailedEntry(1, 700, true)].map(
        ({ kind, memo }) => `${kind} ${memo}`,
      ),
    ).toEqual(['L3 Payout sent by hand', 'L3 Payout by hand not sent', 'L3 Payout by hand came back']);
  });

  it.each([
    [
      'more than was sent',
      booked(),
      state({ items: [item('a'), item('b'), item('c')] }),
      'The provider names 1500 cents of a payout of 1000.',
    ],
    [
      'less than was paid',
      booked(),
      state({ items: [item('a')] }),
      'The provider names 500 cents of a payout of 1000.',
    ],
    [
      'another part of what had ended',
      booked({ status: 'failed', paidCents: 500, items: [item('a')] }),
      state({ status: 'partly_paid' }),
      'The provider names another part of a payout that had ended.',
    ],
  ])('contradicts the record: %s', (_, before, answer, contradiction) => {
    expect(planPayout(before, answer)).toEqual({ contradiction });
  });
});

it('a payout by hand leaves the bank, is not sent, or comes back there', () => {
  const lines = ({ key, postings }: ReturnType<typeof manualSentEntry>) => [
    key,
    ...postings.map(({ account, cents }) => `${account} ${cents}`),
  ];
  expect(lines(manualSentEntry(1, 700))).toEqual([
    'payout-paid:manual:1',
    'payout_in_transit 700',
    'bank -700',
  ]);
  expect(lines(manualFailedEntry(1, 700, false))).toEqual([
    'payout-failed:manual:1',
    'payout_in_transit 700',
    'seller_payable -700',
  ]);
  expect(lines(manualFailedEntry(1, 700, true))).toEqual([
    'payout-returned:manual:1',
    'bank 700',
    'seller_payable -700',
  ]);
});
