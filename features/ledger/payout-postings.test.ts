import { expect, it } from 'vitest';
import {
  offsetPostings,
  ownOffsetPostings,
  payoutFeePostings,
  reservedPostings,
  returnedPostings,
  sentPostings,
  takenBackPostings,
  unsentPostings,
} from './payout-postings.ts';

it.each([
  ['on its way', () => reservedPostings(700), 'seller_payable', 'payout_in_transit'],
  ['sent by a provider', () => sentPostings(700, 'clearing'), 'payout_in_transit', 'clearing'],
  ['sent by our bank', () => sentPostings(700, 'bank'), 'payout_in_transit', 'bank'],
  ['not sent', () => unsentPostings(700), 'payout_in_transit', 'seller_payable'],
  ['returned to the provider', () => returnedPostings(700, 'clearing'), 'clearing', 'seller_payable'],
  ['returned to our bank', () => returnedPostings(700, 'bank'), 'bank', 'seller_payable'],
  ['taken back', () => takenBackPostings(700), 'clearing', 'seller_receivable'],
  ['charged for', () => payoutFeePostings(700), 'processing_cost', 'clearing'],
  ['set off against the same sale', () => ownOffsetPostings(700), 'seller_payable', 'seller_receivable'],
  ['set off, where it is paid', () => offsetPostings(700).paying, 'seller_payable', 'seller_offsets'],
  ['set off, where it was owed', () => offsetPostings(700).owing, 'seller_offsets', 'seller_receivable'],
])('a payout that is %s debits one account and credits another', (_, postings, debit, credit) => {
  expect(postings()).toEqual([
    { account: debit, cents: 700 },
    { account: credit, cents: -700 },
  ]);
});

it('posts nothing where nothing moves', () => {
  expect(sentPostings(0, 'clearing')).toEqual([]);
  expect(offsetPostings(0)).toEqual({ paying: [], owing: [] });
});
