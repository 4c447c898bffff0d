import type { Posting, SaleAmounts } from '#features/ledger/model.ts';
import { returnedPostings } from '#features/ledger/payout-postings.ts';
import {
  costPostings,
  disputedPostings,
  paidPostings,
  releasedPostings,
  reversedPostings,
} from '#features/ledger/rules.ts';
import type { Calendar } from '../calendar.ts';
import {
  payoutReturned,
  payoutSettled,
  payoutStarted,
  providerAccountIds,
  providerFee,
  providerReferences,
  refundOf,
  type Sale,
} from './sale.ts';

/** One ledger entry. Its postings are in cents, debits positive and credits negative, and add up to zero. */
export interface LedgerEntry {
  key: string;
  kind: 'L1' | 'L2' | 'L3' | 'L4' | 'L5';
  saleId: string;
  /** whose clearing it is */
  providerAccountId: string;
  memo: string;
  createdAt: Date;
  postings: readonly (readonly [account: string, cents: number])[];
}

/** The ledger entries that the state of a sale implies: paid, released, paid out, refunded, disputed. */
export function ledgerEntriesOf(sale: Sale, calendar: Calendar): LedgerEntry[] {
  const { id, plan, amounts, paymentMethod } = sale;
  const { paid, ended, payment, escrow, payout, extra } = plan;
  if (paid === null) return [];
  const entry = (
    kind: LedgerEntry['kind'],
    step: string,
    memo: string,
    daysAgo: number,
    postings: Posting[],
  ) => ({
    key: `${step}:${id}`,
    kind,
    saleId: id,
    providerAccountId: providerAccountIds[paymentMethod],
    memo,
    createdAt: calendar.ago(daysAgo),
    postings: postings.map(({ account, cents }) => [account, cents] as const),
  });
  const terms: SaleAmounts = {
    basePriceCents: amounts.price,
    buyerFeesCents: amounts.fees,
    agentCommissionCents: amounts.seller,
    sellerFeesCents: 0,
  };
  const end = ended ?? 0;
  const entries: LedgerEntry[] = [
    entry('L1', 'paid', 'Payment received', paid, paidPostings(terms)),
    entry('L1', 'cost', 'Processing cost', paid, costPostings(providerFee(sale) ?? 0)),
  ];
  if (payment === 'refunded')
    entries.push(entry('L4', 'refunded:0', 'Payment refunded', end, reversedPostings(paidPostings(terms))));
  const refund = refundOf(sale);
  if (extra === 'refunded in part' && refund)
    entries.push(
      entry('L4', 'refunded:0', 'Payment refunded', refund.settled, [
        { account: 'escrow_held', cents: refund.baseCents },
        { account: 'clearing', cents: -refund.baseCents },
      ]),
    );
  if (extra === 'disputed') {
    const step = `disputed:${providerReferences(sale).dispute}`;
    entries.push(
      entry('L5', step, 'Payment disputed', paid / 4, disputedPostings(amounts.price + amounts.fees)),
    );
  }
  if (escrow === 'completed')
    entries.push(
      entry(
        'L2',
        'released',
        'Escrow released',
        end,
        releasedPostings(terms, { escrowCents: amounts.price, feesCents: amounts.fees }),
      ),
    );
  if (payout && payout !== 'pending') entries.push(...payoutEntries(entry, plan, amounts.seller));
  return entries;
}

type NewEntry = (
  kind: LedgerEntry['kind'],
  step: string,
  memo: string,
  daysAgo: number,
  postings: Posting[],
) => LedgerEntry;

/** The seller's share is reserved, and then either paid out or returned to the seller's balance, or both. */
function payoutEntries(
  entry: NewEntry,
  { payout, ended, returned }: Sale['plan'],
  cents: number,
): LedgerEntry[] {
  const released = ended ?? 0;
  const reserved: Posting[] = [
    { account: 'seller_payable', cents },
    { account: 'payout_in_transit', cents: -cents },
  ];
  const settled = payoutSettled(released);
  const started = entry('L3', 'payout', 'Payout started', payoutStarted(released), reserved);
  if (payout === 'failed' && !returned)
    return [started, entry('L3', 'payout-failed', 'Payout failed', settled, reversedPostings(reserved))];
  if (payout === 'processing') return [started];
  const sent: Posting[] = [
    { account: 'payout_in_transit', cents },
    { account: 'clearing', cents: -cents },
  ];
  const paid = entry('L3', 'payout-paid', 'Payout paid', settled, sent);
  if (!returned) return [started, paid];
  const back = returnedPostings(cents, 'clearing');
  return [started, paid, entry('L3', 'payout-returned', 'Payout came back', payoutReturned(released), back)];
}
