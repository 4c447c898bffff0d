import type { Calendar } from '../calendar.ts';
import { payoutSettled, payoutStarted, type Sale } from './sale.ts';

/** One ledger entry with its postings: account and cents, debits positive, credits negative, together zero. */
export interface Entry {
  key: string;
  kind: 'L1' | 'L2' | 'L3' | 'L4' | 'L5';
  saleId: string;
  memo: string;
  createdAt: Date;
  postings: readonly (readonly [account: string, cents: number])[];
}

/** The postings that the state of a sale implies (the sale machine's L1 paid … L5 disputed). */
export function entriesOf({ id, deal, amounts }: Sale, calendar: Calendar): Entry[] {
  const { price, fees, seller, platform } = amounts;
  const { paid, ended, payment, escrow, payout, extra } = deal;
  if (paid === null) return [];
  const entry = (
    kind: Entry['kind'],
    step: string,
    memo: string,
    daysAgo: number,
    postings: Entry['postings'],
  ) => ({
    key: `${step}:${id}`,
    kind,
    saleId: id,
    memo,
    createdAt: calendar.ago(daysAgo),
    postings: postings.filter(([, cents]) => cents !== 0),
  });
  const received: Entry['postings'] = [
    ['provider_clearing', price + fees],
    ['escrow_held', -price],
    ['fees_held', -fees],
  ];
  const reserved: Entry['postings'] = [
    ['seller_payable', seller],
    ['payout_in_transit', -seller],
  ];
  const reversed = (postings: Entry['postings']) =>
    postings.map(([account, cents]) => [account, -cents] as const);
  const end = ended ?? 0;
  const entries = [entry('L1', 'paid', 'Payment received', paid, received)];
  if (payment === 'refunded')
    entries.push(entry('L4', 'refunded', 'Payment refunded', end, reversed(received)));
  if (extra === 'disputed') {
    entries.push(
      entry('L5', 'disputed', 'Payment disputed', paid / 4, [
        ['disputed', price + fees],
        ['provider_clearing', -price - fees],
      ]),
    );
  }
  if (escrow === 'completed') {
    entries.push(
      entry('L2', 'released', 'Escrow released', end, [
        ['escrow_held', price],
        ['seller_payable', -seller],
        ['platform_revenue', -platform],
        ['fees_held', fees],
        ['fee_revenue', -fees],
      ]),
    );
  }
  if (payout && payout !== 'pending') {
    entries.push(entry('L3', 'payout', 'Payout started', payoutStarted(end), reserved));
  }
  const settled = payoutSettled(end);
  if (payout === 'failed')
    entries.push(entry('L3', 'payout-failed', 'Payout failed', settled, reversed(reserved)));
  if (payout === 'completed') {
    entries.push(
      entry('L3', 'payout-paid', 'Payout paid', settled, [
        ['payout_in_transit', seller],
        ['provider_clearing', -seller],
      ]),
    );
  }
  return entries;
}
