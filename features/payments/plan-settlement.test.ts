import { describe, expect, it } from 'vitest';
import { sumOf } from '#features/ledger/balances.ts';
import { acceptedPostings, releasedPostings, suspensePostings } from '#features/ledger/rules.ts';
import { refundable } from '#features/sales/sale-books.ts';
import type { DisputeState, RefundState } from '#gateways/payments/port.ts';
import {
  checkoutAnswer,
  disputeState,
  held,
  postings,
  refundState,
  saleImage,
  TOTAL,
} from '#tests/support/fixtures/sale-image.ts';
import { Draft } from './draft.ts';
import { planBankRefund, planBankReturn } from './plan-refunds.ts';
import { planSync } from './plan-sync.ts';
import type { SaleImage } from './sale-image.ts';

const SHORT = 5_03;
const RECEIVED = TOTAL - SHORT;

/** A released sale whose payment was accepted although it was too small, with a refund of some cents less than all of it under way. */
function released(lessCents = 0): SaleImage {
  const state = { ...held, escrow: 'completed' as const, payout: 'pending' as const };
  const { amounts: usual } = saleImage(state);
  const amounts = { ...usual, sellerFeesCents: 1_00 };
  const image = saleImage(state, {
    amounts,
    entries: [
      { key: `suspense:${RECEIVED}`, kind: 'L6', postings: suspensePostings(RECEIVED) },
      { key: 'paid', kind: 'L6', postings: acceptedPostings(amounts, RECEIVED) },
      {
        key: 'released',
        kind: 'L2',
        postings: releasedPostings(amounts, { escrowCents: 100_00, feesCents: 10_00 }),
      },
    ],
  });
  const all = refundable(image);
  const parts = { ...all, baseCents: all.baseCents - lessCents };
  const amountCents = RECEIVED - lessCents;
  return {
    ...image,
    refunds: [
      {
        key: 'refund:sale:0',
        ref: null,
        status: 'pending',
        amountCents,
        parts,
        origin: 'platform',
        reason: 'Agreed',
      },
    ],
  };
}

const heard = (image: SaleImage, refund: Partial<RefundState>) => {
  const state = refundState({ key: 'refund:sale:0', amountCents: RECEIVED, ...refund });
  const answer = checkoutAnswer('paid', { amountCents: RECEIVED, refunds: [state] });
  return planSync(image, answer).image;
};
const posted = ({ entries }: SaleImage, key: string) =>
  entries.find((entry) => entry.key === key)?.postings ?? [];

describe('a released sale whose payment was accepted although it was too small', () => {
  it('is refunded once all that was paid has gone back: the rest leaves both shares', () => {
    const after = heard(released(), {});
    expect(posted(after, 'refunded:0')).toEqual(
      postings({
        seller_payable: 75_98,
        platform_revenue: 18_99,
        fee_revenue: 10_00,
        clearing: -RECEIVED,
      }),
    );
    expect(posted(after, 'shortfall-ended')).toEqual(
      postings({ seller_payable: 3_02, platform_revenue: 2_01, write_offs: -SHORT }),
    );
    expect(after.state).toMatchObject({ payment: 'refunded', escrow: 'completed' });
  });

  it('tells of one refund then, never of a part', () => {
    const state = refundState({ key: 'refund:sale:0', amountCents: RECEIVED });
    const { changes } = planSync(
      released(),
      checkoutAnswer('paid', { amountCents: RECEIVED, refunds: [state] }),
    );
    expect(changes.flatMap((one) => (one.type === 'event' ? one.event : []))).toEqual(['settle_refund']);
  });

  it('is not while a cent of it has not gone back', () => {
    const after = heard(released(1), { amountCents: RECEIVED - 1 });
    expect(after.entries.at(-1)?.key).toBe('refunded:0');
    expect(after.state.payment).toBe('completed');
  });

  it('is not before an administrator has looked at a refund that nobody asked for', () => {
    const after = heard({ ...released(), refunds: [] }, { key: null });
    expect(after.breaks).toMatchObject([{ kind: 'unexpected_refund', open: true }]);
    expect(posted(after, 'shortfall-ended')).toEqual([]);
    expect(after.state.payment).toBe('completed');
  });

  it('shares only what was paid when that comes back', () => {
    const after = heard(heard(released(), {}), { status: 'failed' });
    expect(posted(after, 'refund-returned:0')).toEqual(
      postings({
        seller_payable: -74_98,
        platform_revenue: -19_99,
        fee_revenue: -10_00,
        clearing: RECEIVED,
      }),
    );
    expect(after.state.payment).toBe('completed');
    expect(after.refunds.at(-1)).toMatchObject({ status: 'pending', amountCents: RECEIVED });
  });

  describe('of which a lost dispute comes back', () => {
    const dispute = (status: 'lost' | 'won', returnedCents = 0) => [
      disputeState({ amountCents: RECEIVED, status, returnedCents }),
    ];
    const said = (image: SaleImage, disputes: DisputeState[]) =>
      planSync(image, checkoutAnswer('paid', { amountCents: RECEIVED, disputes })).image;
    const alone = { ...released(), refunds: [] };
    const shares = ({ entries }: SaleImage) =>
      (['seller_payable', 'platform_revenue', 'fee_revenue', 'write_offs'] as const).map((account) =>
        sumOf(entries, [account]),
      );

    it.each([
      ['whole', dispute('won', RECEIVED)],
      ['in part', dispute('lost', 30_00)],
    ])('%s shares what it would have, had it never been missing', (_, end) => {
      const back = said(said(alone, dispute('lost')), end);
      expect(shares(back)).toEqual(shares(said(alone, end)));
      expect(back.entries.at(-1)).toMatchObject({ key: 'shortfall-ended:1', kind: 'L6' });
      expect(back.state).toMatchObject({ payment: 'completed', escrow: 'completed' });
      expect(said(back, end)).toEqual(back);
    });

    it('and is lost again in the same way ends as before', () => {
      const back = said(said(alone, dispute('lost')), dispute('won', RECEIVED));
      const second = disputeState({ ref: 'dp2', amountCents: RECEIVED, status: 'lost' });
      const after = said(back, [...dispute('won', RECEIVED), second]);
      expect(shares(after)).toEqual([0, 0, 0, 0]);
      expect(after.entries.at(-1)?.key).toBe('shortfall-ended:2');
      expect(after.state.payment).toBe('refunded');
    });

    it('goes back as it was paid when the property is gone', () => {
      const gone = { ...alone, facts: { ...alone.facts, propertyGone: true } };
      const back = said(said(gone, dispute('lost')), dispute('won', RECEIVED));
      expect(back.refunds).toMatchObject([{ status: 'pending', amountCents: RECEIVED }]);
      expect(sumOf(back.entries, ['write_offs'])).toBe(0);
    });
  });

  it('has nothing left that a bank could take from the shares', () => {
    const lost = disputeState({ amountCents: RECEIVED, status: 'lost' });
    const answer = checkoutAnswer('paid', { amountCents: RECEIVED, disputes: [lost] });
    const after = planSync(heard(released(), {}), answer).image;
    expect(posted(after, 'dispute-lost:dp')).toEqual(
      postings({ chargeback_loss: RECEIVED, disputed: -RECEIVED }),
    );
    expect(sumOf(after.entries, ['seller_payable', 'seller_receivable', 'platform_revenue'])).toBe(0);
  });
});

describe('a sale in escrow whose payment was accepted although it was too small', () => {
  const { amounts } = saleImage(held);
  const image = saleImage(held, {
    entries: [
      { key: `suspense:${RECEIVED}`, kind: 'L6', postings: suspensePostings(RECEIVED) },
      { key: 'paid', kind: 'L6', postings: acceptedPostings(amounts, RECEIVED) },
    ],
  });
  const answer = checkoutAnswer('paid', {
    amountCents: RECEIVED,
    refunds: [refundState({ key: null, amountCents: 1_00 })],
    disputes: [disputeState({ amountCents: RECEIVED, status: 'lost' })],
  });

  it('has nothing left when a dispute takes all of it, whoever is still to look at a refund', () => {
    const after = planSync(image, answer).image;
    expect(after.state).toMatchObject({ payment: 'refunded', escrow: 'cancelled' });
    expect(after.breaks).toMatchObject([{ kind: 'unexpected_refund', open: true }]);
    expect(sumOf(after.entries, ['escrow_held', 'fees_held'])).toBe(0);
    // Of what was made up, what has gone back twice is lost.
    expect(sumOf(after.entries, ['write_offs'])).toBe(1_00);
    expect(planSync(after, answer).image).toEqual(after);
  });
});

describe('a refund that was paid from our bank account', () => {
  const paidByBank = (image: SaleImage) => {
    const draft = new Draft(image);
    for (const refund of image.refunds) planBankRefund(draft, refund);
    return draft;
  };
  const bankCents = ({ image }: Draft) => sumOf(image.entries, ['bank']);

  it('ends the sale as any other, and leaves the account of the provider alone', () => {
    const draft = paidByBank(released());
    expect([bankCents(draft), draft.image.state.payment]).toEqual([-RECEIVED, 'refunded']);
    expect(sumOf(draft.image.entries, ['clearing'])).toBe(RECEIVED);
    expect(draft.image.refunds).toMatchObject([{ status: 'succeeded', origin: 'bank' }]);
  });

  it('is told of when the sale goes on, and is another one than what the provider sends under its key', () => {
    const { image, changes } = paidByBank(released(1_00));
    const event = { type: 'event', event: 'settle_partial_refund', note: 'Agreed' };
    expect(changes.at(-1)).toEqual({ ...event, amountCents: RECEIVED - 1_00 });
    const again = heard(image, { amountCents: 50 });
    expect(again.refunds.map(({ origin }) => origin)).toEqual(['bank', 'provider']);
  });

  it('is owed again once it has come back, on the account that it was paid from', () => {
    const draft = paidByBank(released());
    for (const refund of draft.image.refunds) planBankReturn(draft, refund);
    expect([bankCents(draft), draft.image.state.payment]).toEqual([0, 'completed']);
    expect(sumOf(draft.image.entries, ['clearing'])).toBe(RECEIVED);
    expect(draft.image.refunds).toMatchObject([
      { status: 'failed', origin: 'bank', amountCents: RECEIVED },
      { status: 'pending', origin: 'platform', amountCents: RECEIVED },
    ]);
  });
});
