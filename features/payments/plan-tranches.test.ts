import { describe, expect, it } from 'vitest';
import type { SaleState } from '#features/sales/model.ts';
import type { CheckoutState, CheckoutStatus, RefundState, Tranche } from '#gateways/payments/port.ts';
import { begunSale, openCheckout, outcomeOf } from '#tests/promises/message-order/memory-sale.ts';
import { planSync } from './plan-sync.ts';
import { type Change, imageBalances, type SaleImage } from './sale-image.ts';

const submitted: SaleState = { payment: 'processing', escrow: 'pending', payout: null };
const failed: SaleState = { payment: 'failed', escrow: 'cancelled', payout: null };
const returning: SaleState = { payment: 'completed', escrow: 'cancelled', payout: null };
const returned: SaleState = { payment: 'refunded', escrow: 'cancelled', payout: null };
const ASKED = openCheckout('sale').amountCents;
const [FIRST, SECOND] = [100, 250];
const THIRD = ASKED - FIRST - SECOND;

const image = (state: SaleState, change: Partial<SaleImage> = {}): SaleImage => ({
  ...begunSale('sale'),
  state,
  ...change,
});
const begun = begunSale('sale').state;
const tranches = (...amounts: number[]): Tranche[] =>
  amounts.map((amountCents, at) => ({ ref: `pi_${at}`, amountCents, feeCents: 1 }));
const answer = (
  status: CheckoutStatus,
  amounts: number[],
  change: Partial<CheckoutState> = {},
): CheckoutState => ({ ...openCheckout('sale'), status, tranches: tranches(...amounts), ...change });
const told = (change: Change) => {
  if (change.type === 'entry') return `posts ${change.entry.key}`;
  if (change.type === 'event') return `${change.event} ${change.amountCents ?? ''}`.trim();
  return change.type === 'break' ? `break ${change.kind}` : change.type;
};
/** Without the provider's fees. */
const plan = (sale: SaleImage, said: CheckoutState) =>
  planSync(sale, said)
    .changes.map(told)
    .filter((line) => !line.startsWith('posts cost') && line !== 'provider_fee' && line !== 'tranche');
const synced = (sale: SaleImage, ...answers: CheckoutState[]) =>
  answers.reduce((one, said) => planSync(one, said).image, sale);
const posts = (count: number) => Array.from({ length: count }, (_, at) => `posts tranche:pi_${at}`);

describe('a payment in parts', () => {
  it.each<[string, SaleState, CheckoutStatus, number[], string[]]>([
    ['a part', begun, 'processing', [FIRST], ['receive_part 100']],
    ['two parts at once', begun, 'processing', [FIRST, SECOND], ['receive_part 350']],
    ['another part', submitted, 'processing', [FIRST], ['receive_part 100']],
    ['all of it', begun, 'paid', [FIRST, SECOND, THIRD], ['posts paid', 'confirm_payment']],
    ['more than all', submitted, 'paid', [ASKED, 5], ['posts paid', 'confirm_payment', 'return_surplus 5']],
    ['all of it, after the end', failed, 'paid', [ASKED], ['posts paid', 'confirm_refused_payment']],
    ['closed with a part', submitted, 'canceled', [FIRST], ['return_incomplete 100']],
    ['closed with a part that nobody told of', begun, 'canceled', [FIRST], ['return_incomplete 100']],
    ['expired with a part', begun, 'expired', [FIRST], ['return_incomplete 100']],
    ['a part, after the end', failed, 'processing', [FIRST], ['return_incomplete 100']],
    ['another after it was returned', returning, 'canceled', [FIRST], ['return_surplus 100']],
    ['another after it has gone back', returned, 'canceled', [FIRST], ['return_surplus 100']],
  ])('%s', (_, state, status, amounts, events) => {
    expect(plan(image(state), answer(status, amounts))).toEqual([...posts(amounts.length), ...events]);
  });

  it('is not the payment of a property that cannot be sold anymore', () => {
    expect(plan(image(submitted, { available: false }), answer('paid', [ASKED]))).toEqual([
      ...posts(1),
      'posts paid',
      'confirm_refused_payment',
    ]);
  });

  it.each<[string, Partial<CheckoutState>, number]>([
    ['the sale', { saleId: null }, 2],
    ['the amount', { amountCents: ASKED + 1 }, 2],
    ['the mode', { livemode: true }, 0],
    ['the currency', { currency: 'eur' }, 0],
  ])('that differs in %s is set aside, and what is ours posted', (_, change, count) => {
    const said = answer('processing', [FIRST, SECOND], change);
    const expected = [...posts(count), 'break payment_mismatch', 'hold_mismatch'];
    for (const state of [begun, submitted, failed]) expect(plan(image(state), said)).toEqual(expected);
    const held = planSync(image(begun), said).image;
    expect(plan(held, answer('canceled', [FIRST, SECOND], change))).toEqual([]);
  });

  it('that is complete while the sale is frozen, or of which a part has gone back, is set aside', () => {
    const aside = ['break payment_mismatch', 'hold_mismatch'];
    const whole = answer('paid', [ASKED]);
    expect(plan(image(submitted, { frozen: true }), whole)).toEqual([...posts(1), ...aside]);
    const refund: RefundState = { ref: 're', status: 'succeeded', amountCents: FIRST, key: null };
    const short = synced(image(begun), answer('processing', [FIRST], { refunds: [refund] }));
    expect(imageBalances(short).suspenseCents).toBe(0);
    const unfrozen = { ...short, frozen: false };
    expect(plan(unfrozen, answer('paid', [FIRST, ASKED - FIRST]))).toEqual(['posts tranche:pi_1', ...aside]);
  });

  it('that is closed while the sale is frozen waits for what an administrator decides', () => {
    const frozen = image(submitted, { frozen: true });
    expect(plan(frozen, answer('canceled', [FIRST]))).toEqual(posts(1));
    const held = { ...synced(frozen, answer('canceled', [FIRST])), frozen: false };
    expect(plan(held, answer('canceled', [FIRST]))).toEqual(['return_incomplete 100']);
  });

  it('about which an administrator has decided is not set aside again', () => {
    const breaks = [{ kind: 'payment_mismatch' as const, subject: 'sale', open: false }];
    expect(plan(image(failed, { breaks }), answer('canceled', [FIRST], { saleId: null }))).toEqual([
      ...posts(1),
      'return_incomplete 100',
    ]);
    expect(plan(image(failed, { breaks, frozen: true }), answer('paid', [ASKED]))).toEqual(posts(1));
  });

  it('has its fees posted once each, when they are known', () => {
    const unknown = {
      ...answer('processing', [FIRST]),
      tranches: [{ ref: 'pi_0', amountCents: 100, feeCents: null }],
    };
    const sale = synced(image(begun), unknown);
    expect(sale.providerFeeCents).toBeNull();
    const more = synced(sale, answer('processing', [FIRST, SECOND]), unknown);
    expect(more.providerFeeCents).toBe(2);
    expect(more.entries.map(({ key }) => key)).toEqual([
      'tranche:pi_0',
      'tranche:pi_1',
      'cost:pi_0',
      'cost:pi_1',
    ]);
  });

  it('ends the same in every order of what its provider said, however often it said it', () => {
    const stories = [
      [answer('open', []), answer('processing', [FIRST]), answer('processing', [FIRST, SECOND])],
      [
        answer('processing', [FIRST]),
        answer('paid', [FIRST, SECOND, THIRD]),
        answer('paid', [FIRST, SECOND, THIRD, 7]),
      ],
      [answer('processing', [FIRST]), answer('canceled', [FIRST])],
      [answer('processing', [FIRST]), answer('paid', [FIRST, ASKED])],
    ];
    for (const story of stories) {
      const last = story.at(-1) ?? openCheckout('sale');
      const outcomes = permutations([...story, ...story]).map((order) =>
        outcomeOf(synced(image(begun), ...order, last)),
      );
      expect(new Set(outcomes).size).toBe(1);
    }
  });
});

describe('what is recorded of a payment in parts', () => {
  const changes = (sale: SaleImage, said: CheckoutState) => planSync(sale, said).changes;
  const part = (at: number, cents: number) => [
    {
      type: 'entry',
      entry: {
        key: `tranche:pi_${at}`,
        kind: 'L6',
        postings: [
          { account: 'clearing', cents },
          { account: 'suspense', cents: -cents },
        ],
      },
      memo: 'Part of a payment received',
    },
    { type: 'tranche', ref: `pi_${at}`, amountCents: cents },
  ];
  const cost = (at: number) => ({
    type: 'entry',
    entry: {
      key: `cost:pi_${at}`,
      kind: 'L1',
      postings: [
        { account: 'processing_cost', cents: 1 },
        { account: 'clearing', cents: -1 },
      ],
    },
    memo: 'Processing cost',
  });
  const feeOf = (cents: number) => ({ type: 'provider_fee', cents });
  const event = (name: string, note: string | null, amountCents?: number) => ({
    type: 'event',
    event: name,
    note,
    ...(amountCents !== undefined && { amountCents }),
  });

  it('each part and its fee, and the whole when it is complete', () => {
    expect(changes(image(begun), answer('processing', [FIRST]))).toEqual([
      ...part(0, FIRST),
      cost(0),
      feeOf(1),
      event('receive_part', null, FIRST),
    ]);
    const first = synced(image(begun), answer('processing', [FIRST]));
    expect(changes(first, answer('processing', [FIRST]))).toEqual([]);
    const { basePriceCents, buyerFeesCents } = first.amounts;
    expect(changes(first, answer('paid', [FIRST, ASKED - FIRST + 5]))).toEqual([
      ...part(1, ASKED - FIRST + 5),
      cost(1),
      feeOf(2),
      {
        type: 'entry',
        entry: {
          key: 'paid',
          kind: 'L6',
          postings: [
            { account: 'suspense', cents: ASKED },
            { account: 'escrow_held', cents: -basePriceCents },
            { account: 'fees_held', cents: -buyerFeesCents },
          ],
        },
        memo: 'Payment complete',
      },
      event('confirm_payment', null),
      event('return_surplus', 'More arrived than was due.', 5),
    ]);
  });

  it('that ends before it is complete, or arrives afterwards: what goes back, and why', () => {
    const why = (sale: SaleImage, said: CheckoutState) => changes(sale, said).at(-1);
    expect(why(image(submitted), answer('canceled', [FIRST]))).toEqual(
      event('return_incomplete', 'The payment was not complete in time.', FIRST),
    );
    expect(why(image(failed), answer('canceled', [FIRST]))).toEqual(
      event('return_incomplete', 'A part of the payment arrived after the purchase had ended.', FIRST),
    );
    const paid = synced(image(begun), answer('paid', [ASKED]));
    expect(why(paid, answer('paid', [ASKED, 7]))).toEqual(
      event('return_surplus', 'More arrived than was due.', 7),
    );
  });

  it('that is set aside: what has arrived against what was asked for', () => {
    const [broken] = changes(image(begun), answer('processing', [FIRST, SECOND], { saleId: null })).filter(
      ({ type }) => type === 'break',
    );
    expect(broken).toMatchObject({
      kind: 'payment_mismatch',
      detail: 'The payment differs from what was asked in the sale.',
      expectedCents: ASKED,
      actualCents: FIRST + SECOND,
    });
    const whole = changes(image(submitted, { frozen: true }), answer('paid', [ASKED]));
    expect(whole.at(-1)).toEqual(event('hold_mismatch', 'The payment arrived while the sale was frozen.'));
  });
});

describe('a refund of which a part failed', () => {
  const paid = synced(image(begun), answer('paid', [FIRST, SECOND, THIRD]));
  const sale: SaleImage = {
    ...paid,
    state: returning,
    refunds: [
      {
        key: 'refund:sale:0',
        ref: 're',
        status: 'pending',
        amountCents: ASKED,
        parts: {
          baseCents: paid.amounts.basePriceCents,
          feesCents: paid.amounts.buyerFeesCents,
          suspenseCents: 0,
        },
        origin: 'platform',
        reason: 'Cancelled',
      },
    ],
  };
  const said = (status: RefundState['status'], amountCents: number) =>
    answer('paid', [FIRST, SECOND, THIRD], {
      refunds: [{ ref: 're', status, amountCents, key: 'refund:sale:0' }],
    });

  it('counts with what has arrived, and the rest is asked for again', () => {
    expect(plan(sale, said('pending', ASKED - FIRST))).toEqual([]);
    const short = synced(sale, said('succeeded', ASKED - FIRST));
    expect(plan(sale, said('succeeded', ASKED - FIRST))).toEqual([
      'refund',
      'posts refunded:0',
      `fail_refund ${FIRST}`,
    ]);
    expect(short.refunds).toMatchObject([
      { amountCents: ASKED - FIRST, status: 'succeeded' },
      { amountCents: FIRST, status: 'pending', key: 'refund:sale:1' },
    ]);
    expect(plan(short, said('succeeded', ASKED - FIRST))).toEqual([]);
    expect(plan(short, said('pending', ASKED))).toEqual([]);
  });

  it('after it had arrived comes back by that much, each time once', () => {
    const whole = synced(sale, said('succeeded', ASKED));
    expect(whole.state).toEqual(returned);
    const once = synced(whole, said('succeeded', ASKED - FIRST));
    expect(once.state).toEqual(returning);
    expect(plan(once, said('succeeded', ASKED - FIRST))).toEqual([]);
    expect(plan(once, said('succeeded', ASKED))).toEqual([]);
    const twice = synced(once, said('succeeded', THIRD));
    const all = synced(twice, said('failed', ASKED));
    expect([once, twice, all].map(({ refunds }) => refunds.map((one) => one.amountCents))).toEqual([
      [ASKED - FIRST, FIRST],
      [THIRD, FIRST, SECOND],
      [THIRD, FIRST, SECOND, THIRD],
    ]);
    const { escrowCents, feesCents } = imageBalances(all);
    expect(escrowCents + feesCents).toBe(ASKED);
  });
});

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]];
  return list.flatMap((one, at) =>
    permutations([...list.slice(0, at), ...list.slice(at + 1)]).map((rest) => [one, ...rest]),
  );
}
