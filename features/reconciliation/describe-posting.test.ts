import { describe, expect, it } from 'vitest';
import { describePosting } from './describe-posting.ts';

const saleId = '5b1c3c1e-0000-4000-8000-000000000000';

describe('what a posting on clearing says happened', () => {
  it.each([
    ['paid:SALE', 'L1', 10_000, 'payment', null],
    ['cost:SALE', 'L1', -320, 'fee', null],
    ['refunded:0:SALE', 'L4', -10_000, 'refund', null],
    ['refunded:re_1:SALE', 'L4', -10_000, 'refund', 're_1'],
    ['refund-returned:0:SALE', 'L4', 10_000, 'refund_return', null],
    ['disputed:dp_1:SALE', 'L5', -10_000, 'dispute', 'dp_1'],
    ['dispute-fee:dp_1:SALE', 'L5', -1_500, 'fee', 'dp_1'],
    ['dispute-won:dp_1:SALE', 'L5', 10_000, 'dispute_return', 'dp_1'],
    ['payout-paid:SALE', 'L3', -8_000, 'transfer', null],
    ['payout-paid:tr_1:SALE', 'L3', -8_000, 'transfer', 'tr_1'],
    ['payout-returned:tr_1:8000:SALE', 'L3', 8_000, 'transfer_return', 'tr_1'],
    ['payout-returned:1:8000:SALE', 'L3', 8_000, 'transfer_return', null],
    ['payout-paid:4917360285143:SALE', 'L3', -8_000, 'transfer', '4917360285143'],
    ['payout-taken-back:1:1:SALE', 'L3', 8_000, 'transfer_return', null],
    ['payout-fee:1:25:SALE', 'L3', -25, 'fee', null],
    ['reclassified:SALE', 'L9', 9_680, null, null],
  ] as const)('%s', (key, entry, cents, kind, ref) => {
    expect(describePosting({ key: key.replace('SALE', saleId), entry, saleId, cents })).toEqual({
      kind,
      ref,
    });
  });
});
