import { describe, expect, it } from 'vitest';
import type { SaleState } from '#features/sales/model.ts';
import type { CheckoutState, CheckoutStatus, DisputeState, RefundState } from '#gateways/payments/port.ts';
import {
  begun,
  checkoutAnswer as checkout,
  disputeState as dispute,
  failed,
  held,
  saleImage as image,
  postings,
  refundState as refund,
  returned,
  submitted,
  TOTAL,
} from '#tests/support/fixtures/sale-image.ts';
import { planSync } from './plan-sync.ts';
import type { Change, SaleImage } from './sale-image.ts';

/** A paid sale, as it is after the first answer. */
const paidSale = () => planSync(image(begun), checkout('paid')).image;
const told = (change: Change) =>
  change.type === 'event'
    ? change.event
    : change.type === 'entry'
      ? `posts ${change.entry.key}`
      : change.type === 'break'
        ? `break ${change.kind}`
        : change.type;
const plan = (sale: SaleImage, answer: CheckoutState) => planSync(sale, answer).changes.map(told);
const notes = (sale: SaleImage, answer: CheckoutState) =>
  planSync(sale, answer).changes.flatMap((change) => (change.type === 'event' ? [change.note] : []));

describe("what a checkout's state means", () => {
  it.each<[CheckoutStatus, SaleState, string[]]>([
    ['open', begun, []],
    ['open', submitted, []],
    ['open', failed, []],
    ['processing', begun, ['submit_payment']],
    ['processing', submitted, []],
    ['processing', failed, []],
    ['paid', begun, ['posts paid', 'confirm_payment']],
    ['paid', submitted, ['posts paid', 'confirm_payment']],
    ['paid', failed, ['posts paid', 'confirm_refused_payment']],
    ['failed', begun, ['fail_payment']],
    ['failed', submitted, ['fail_payment']],
    ['failed', failed, []],
    ['failed', held, []],
    ['expired', begun, ['expire_checkout']],
    ['expired', submitted, ['expire_checkout']],
    ['expired', failed, []],
    ['canceled', begun, ['expire_checkout']],
    ['canceled', failed, []],
    ['canceled', returned, []],
  ])('%s, for %j: %j', (status, state, expected) => {
    expect(plan(image(state), checkout(status))).toEqual(expected);
  });

  it('carries a note for the history', () => {
    expect(notes(image(begun), checkout('processing'))).toEqual([null]);
    expect(notes(image(begun), checkout('paid'))).toEqual([null]);
    expect(notes(image(begun), checkout('failed'))).toEqual(['The payment failed.']);
    expect(notes(image(begun), checkout('expired'))).toEqual(['The checkout expired.']);
    expect(notes(image(begun), checkout('canceled'))).toEqual(['The checkout was closed.']);
    expect(notes(image(failed), checkout('paid'))).toEqual([
      'The payment arrived after the purchase had ended.',
    ]);
    expect(notes(image(begun, { available: false }), checkout('paid'))).toEqual([
      'The property was no longer for sale.',
    ]);
  });

  it('twice means nothing new', () => {
    const answers = [
      checkout('paid', { feeCents: 3_00 }),
      checkout('paid', { feeCents: 3_00, disputes: [dispute({ status: 'lost', feeCents: 15_00 })] }),
      checkout('paid', { refunds: [refund({ amountCents: 5_00 })] }),
      checkout('paid', { amountCents: 1 }),
    ];
    for (const answer of answers) expect(plan(planSync(image(begun), answer).image, answer)).toEqual([]);
  });

  it.each<[string, Partial<CheckoutState>, boolean]>([
    ['the sale', { saleId: 'another' }, true],
    ['the sale', { saleId: null }, true],
    ['the amount', { amountCents: TOTAL + 1 }, true],
    ['the amount', { amountCents: TOTAL - 1 }, true],
    ['the currency', { currency: 'eur' }, false],
    ['the mode', { livemode: true }, false],
    [
      'the sale, the amount, the currency, the mode',
      { saleId: null, amountCents: 1, currency: 'x', livemode: true },
      false,
    ],
  ])('paid, but %s differs: set aside', (what, change, isOurs) => {
    for (const state of [begun, submitted, failed]) {
      const answer = checkout('paid', change);
      expect(plan(image(state), answer)).toEqual([
        ...(isOurs ? [`posts suspense:${answer.amountCents}`] : []),
        'break payment_mismatch',
        'hold_mismatch',
      ]);
      expect(notes(image(state), answer)).toEqual([`The payment differs from what was asked in ${what}.`]);
    }
    expect(plan(image(begun), checkout('processing', change))).toEqual(['submit_payment']);
  });

  it('money for a frozen sale is set aside, and so is money that comes on top', () => {
    const frozen = image(begun, { frozen: true });
    expect(plan(frozen, checkout('paid'))).toEqual([
      `posts suspense:${TOTAL}`,
      'break payment_mismatch',
      'hold_mismatch',
    ]);
    expect(plan(paidSale(), checkout('paid', { amountCents: TOTAL + 5 }))).toEqual([
      `posts suspense:${TOTAL + 5}`,
      'break refused_move',
    ]);
  });

  it("the provider's fee is posted once it is known", () => {
    expect(plan(paidSale(), checkout('paid', { feeCents: 3_00 }))).toEqual(['provider_fee', 'posts cost']);
    expect(plan(image(begun), checkout('paid', { livemode: true, feeCents: 3_00 }))).not.toContain(
      'posts cost',
    );
  });
});

describe('refunds', () => {
  const ours = (status: 'pending' | 'failed', ref: string | null = null): SaleImage => ({
    ...paidSale(),
    state: { ...held, escrow: 'cancelled' },
    refunds: [
      {
        key: 'refund:sale:0',
        ref,
        status,
        amountCents: TOTAL,
        parts: { baseCents: 100_00, feesCents: 10_00, suspenseCents: 0 },
        origin: 'platform',
        reason: 'Cancelled',
      },
    ],
  });
  const answer = (change: Partial<RefundState>) =>
    checkout('paid', { refunds: [refund({ key: 'refund:sale:0', ...change })] });

  it('that we asked for are known by key or reference', () => {
    expect(plan(ours('pending'), answer({ status: 'pending' }))).toEqual(['refund']);
    expect(plan(ours('pending', 're'), answer({ status: 'pending' }))).toEqual([]);
    expect(plan(ours('pending', 're'), answer({ key: null }))).toEqual([
      'refund',
      'posts refunded:0',
      'settle_refund',
    ]);
    expect(plan(ours('pending'), answer({ status: 'failed' }))).toEqual(['refund', 'fail_refund']);
  });

  it('that we gave up are recognized when they were carried out after all; the word of the provider is its last', () => {
    expect(plan(ours('failed'), answer({}))).toEqual(['refund', 'posts refunded:0', 'settle_refund']);
    expect(plan(ours('failed', 're'), answer({}))).toEqual([]);
  });

  it('that we did not ask for freeze the sale, unless they failed', () => {
    expect(plan(paidSale(), checkout('paid', { refunds: [refund()] }))).toEqual([
      'refund',
      'break unexpected_refund',
      'freeze_sale',
      'refund',
      'posts refunded:re',
    ]);
    expect(plan(paidSale(), checkout('paid', { refunds: [refund({ status: 'failed' })] }))).toEqual([
      'refund',
      'refund',
    ]);
    expect(plan(image(begun), checkout('open', { refunds: [refund()] }))).toEqual([]);
  });
});

describe('disputes', () => {
  const disputed = (change: Partial<DisputeState>) => checkout('paid', { disputes: [dispute(change)] });
  const saleAfter = (change: Partial<DisputeState>) => planSync(paidSale(), disputed(change)).image;

  it('are opened once and decided once', () => {
    expect(plan(paidSale(), disputed({}))).toEqual(['posts disputed:dp', 'dispute', 'open_dispute']);
    expect(plan(saleAfter({}), disputed({ status: 'won', returnedCents: TOTAL }))).toEqual([
      'posts dispute-returned:dp',
      'dispute',
      'win_dispute',
    ]);
    expect(plan(saleAfter({}), disputed({ status: 'lost' }))).toEqual([
      'posts dispute-lost:dp',
      'dispute',
      'lose_dispute',
    ]);
    expect(plan(saleAfter({ status: 'lost' }), disputed({}))).toEqual([]);
  });

  it('that were decided before we learned of them are opened first, after the payment', () => {
    expect(plan(image(begun), disputed({ status: 'lost' }))).toEqual([
      'posts paid',
      'confirm_payment',
      'posts disputed:dp',
      'dispute',
      'open_dispute',
      'posts dispute-lost:dp',
      'dispute',
      'lose_dispute',
    ]);
  });

  it('that were lost and are decided again bring the money back, and it goes to the buyer of a cancelled sale', () => {
    const answer = disputed({ status: 'won', returnedCents: TOTAL });
    expect(plan(saleAfter({ status: 'lost' }), answer)).toEqual([
      'posts dispute-regained:dp',
      'dispute',
      'reverse_dispute',
    ]);
    expect(planSync(saleAfter({ status: 'lost' }), answer).image).toMatchObject({
      state: { payment: 'completed', escrow: 'cancelled' },
      refunds: [{ status: 'pending', amountCents: TOTAL }],
    });
  });

  describe('that were lost before a small payment was accepted', () => {
    const half = TOTAL / 2;
    const accepted = image(held, {
      entries: [
        { key: `suspense:${TOTAL}`, kind: 'L6', postings: postings({ clearing: TOTAL, suspense: -TOTAL }) },
        { key: 'disputed:dp', kind: 'L5', postings: postings({ disputed: half, clearing: -half }) },
        { key: 'dispute-lost:dp', kind: 'L5', postings: postings({ suspense: half, disputed: -half }) },
        {
          key: 'paid',
          kind: 'L6',
          postings: postings({ suspense: half, write_offs: half, escrow_held: -100_00, fees_held: -10_00 }),
        },
      ],
      disputes: [
        { ref: 'dp', kind: 'chargeback', status: 'lost', amountCents: half, feeCents: 0, withdrawnCents: 0 },
      ],
    });
    const won = dispute({ amountCents: half, status: 'won', returnedCents: half });

    it('make good what was written off, and not the price', () => {
      const { entries } = planSync(accepted, checkout('paid', { disputes: [won] })).image;
      expect(entries.at(-1)).toMatchObject({
        key: 'dispute-regained:dp',
        postings: postings({ write_offs: -half, clearing: half }),
      });
    });

    it('go back to the buyer as far as more comes back than was written off', () => {
      const more = { ...won, returnedCents: half, amountCents: half };
      const entries = accepted.entries.map((entry) =>
        entry.key === 'paid'
          ? {
              ...entry,
              postings: postings({
                suspense: half,
                write_offs: 5_00,
                escrow_held: -40_00,
                fees_held: -20_00,
              }),
            }
          : entry,
      );
      const amounts = { ...accepted.amounts, basePriceCents: 40_00, buyerFeesCents: 20_00 };
      const after = planSync({ ...accepted, amounts, entries }, checkout('paid', { disputes: [more] })).image;
      expect(after.entries.at(-1)?.postings).toEqual(
        postings({ write_offs: -5_00, suspense: -50_00, clearing: half }),
      );
      expect(after.refunds).toMatchObject([{ status: 'pending', parts: { suspenseCents: 50_00 } }]);
    });

    it('are apart from what arrives too much afterwards, and goes back', () => {
      const refunds = [refund({ key: 'refund:sale:0', amountCents: 5 })];
      const part = { baseCents: 0, feesCents: 0, suspenseCents: 5 };
      const running = {
        key: 'refund:sale:0',
        ref: null,
        status: 'pending' as const,
        amountCents: 5,
        parts: part,
        origin: 'platform' as const,
        reason: 'Too much',
      };
      const sale = { ...accepted, refunds: [running] };
      const answer = checkout('paid', { amountCents: TOTAL + 5, refunds });
      const sent = planSync(sale, answer).image;
      expect(sent.entries.slice(-2)).toMatchObject([
        { key: `suspense:${TOTAL + 5}`, postings: postings({ clearing: 5, suspense: -5 }) },
        { key: 'refunded:0', postings: postings({ suspense: 5, clearing: -5 }) },
      ]);
      // The buyer's bank returns it: it is still the buyer's, and is sent again.
      const bounced = refunds.map((one) => ({ ...one, status: 'failed' as const }));
      const back = planSync(sent, { ...answer, refunds: bounced }).image;
      expect(back.entries.at(-1)).toMatchObject({
        key: 'refund-returned:0',
        postings: postings({ suspense: -5, clearing: 5 }),
      });
      expect(back.refunds.at(-1)).toMatchObject({ status: 'pending', amountCents: 5, parts: part });
    });

    it('go back to the buyer when nothing is written off anymore', () => {
      const refunds = [refund({ key: 'refund:sale:0', amountCents: half })];
      const cancelled: SaleImage = {
        ...accepted,
        state: { ...held, escrow: 'cancelled' },
        refunds: [
          {
            key: 'refund:sale:0',
            ref: null,
            status: 'pending',
            amountCents: half,
            parts: { baseCents: half - 10_00, feesCents: 10_00, suspenseCents: 0 },
            origin: 'platform',
            reason: 'Cancelled',
          },
        ],
      };
      const ended = planSync(cancelled, checkout('paid', { refunds })).image;
      expect(ended.state).toEqual(returned);
      const { state, refunds: all } = planSync(ended, checkout('paid', { refunds, disputes: [won] })).image;
      expect(state).toEqual({ ...returned, payment: 'completed' });
      expect(all.at(-1)).toMatchObject({ status: 'pending', parts: { suspenseCents: half } });
    });
  });

  it('fees are posted as they become known, and as they come back', () => {
    const sale = saleAfter({ feeCents: 15_00 });
    expect(sale.entries.at(-1)).toMatchObject({ key: 'dispute-fee:dp' });
    expect(plan(sale, disputed({ feeCents: null }))).toEqual([]);
    expect(plan(sale, disputed({ feeCents: 5_00 }))).toEqual(['posts dispute-fee:dp:1', 'dispute']);
  });

  it('of a payment that is not booked post nothing', () => {
    expect(plan(image(begun), checkout('paid', { livemode: true, disputes: [dispute()] }))).toEqual([
      'break payment_mismatch',
      'hold_mismatch',
    ]);
  });
});
