import { describe, expect, it } from 'vitest';
import { sumOf } from '#features/ledger/balances.ts';
import type { BookedRefund } from '#features/sales/sale-books.ts';
import {
  begun,
  checkoutAnswer,
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

const refund: BookedRefund = {
  key: 'refund:sale:0',
  ref: null,
  status: 'pending',
  amountCents: TOTAL,
  parts: { baseCents: 100_00, feesCents: 10_00, suspenseCents: 0 },
  origin: 'platform',
  reason: 'Agreed',
};
const paid = planSync(saleImage(begun), checkoutAnswer('paid')).image;
/** A cancelled sale whose whole payment is on its way back. */
const cancelled: SaleImage = {
  ...paid,
  state: { ...held, escrow: 'cancelled' },
  refunds: [refund],
};
const paidByBank: BookedRefund = { ...refund, status: 'succeeded', origin: 'bank' };
const heard = (image: SaleImage, ...refunds: Parameters<typeof refundState>[0][]) =>
  planSync(image, checkoutAnswer('paid', { refunds: refunds.map(refundState) }));

describe('a refund that was paid from our bank account', () => {
  it('is recorded as carried out, on the account that it was paid from', () => {
    const draft = new Draft(cancelled);
    planBankRefund(draft, refund);
    expect(draft.changes).toEqual([
      { type: 'refund', refund: paidByBank, isNew: false },
      {
        type: 'entry',
        entry: {
          key: 'refunded:0',
          kind: 'L4',
          postings: postings({ escrow_held: 100_00, fees_held: 10_00, bank: -TOTAL }),
        },
        memo: 'Refund paid from our bank account',
      },
      { type: 'event', event: 'settle_refund', note: 'Agreed', amountCents: TOTAL },
    ]);
  });

  it('is recorded as come back, and owed again', () => {
    const draft = new Draft(cancelled);
    planBankRefund(draft, refund);
    const back = new Draft(draft.image);
    planBankReturn(back, paidByBank);
    expect(back.changes).toEqual([
      { type: 'refund', refund: { ...paidByBank, status: 'failed' }, isNew: false },
      {
        type: 'entry',
        entry: {
          key: 'refund-returned:0',
          kind: 'L4',
          postings: postings({ escrow_held: -100_00, fees_held: -10_00, bank: TOTAL }),
        },
        memo: 'Refund came back',
      },
      {
        type: 'event',
        event: 'return_refund',
        note: 'Agreed',
        amountCents: TOTAL,
        again: refund.parts,
      },
    ]);
    expect(back.image.refunds.at(-1)).toMatchObject({ status: 'pending', amountCents: TOTAL });
  });

  it('only makes good what went back twice, when the provider has paid, too: the sale stays refunded', () => {
    const draft = new Draft(cancelled);
    planBankRefund(draft, refund);
    const twice = heard(draft.image, {}).image;
    expect(sumOf(twice.entries, ['chargeback_loss', 'write_offs'])).toBe(TOTAL);
    const back = new Draft({ ...twice, breaks: twice.breaks.map((one) => ({ ...one, open: false })) });
    planBankReturn(back, paidByBank);
    expect(sumOf(back.image.entries, ['chargeback_loss', 'write_offs'])).toBe(0);
    expect(back.image.state).toEqual({ ...held, payment: 'refunded', escrow: 'cancelled' });
    expect(back.image.refunds.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });
});

it('a refund that is on its way at the provider gets its reference, and is the same', () => {
  expect(heard(cancelled, { key: refund.key, status: 'pending' }).changes).toEqual([
    { type: 'refund', refund: { ...refund, ref: 're' }, isNew: false },
  ]);
});
