import type { Rail } from '#gateways/payments/port.ts';
import { feeOf, type PaidBy } from '#gateways/payments/sandbox/rules.ts';
import type { Deal } from './plan.ts';

/** The amounts of one sale, in cents. */
export interface Amounts {
  price: number;
  fees: number;
  /** the seller's share */
  seller: number;
  /** what the platform keeps of the price */
  platform: number;
}

export interface Sale {
  id: string;
  deal: Deal;
  amounts: Amounts;
  rail: Rail;
  /** in the order of payment; null for what was never paid */
  receiptNumber: number | null;
}

/** Payouts start a day after the release and are settled half a day later; in days ago. */
export const payoutStarted = (released: number) => Math.max(0.1, released - 1);
export const payoutSettled = (released: number) => Math.max(0.05, released - 1.5);

/** Days ago on which the seller delivered the closing documents; null when that has not happened. */
export function deliveredAgo({ paid, ended, escrow, extra }: Deal): number | null {
  if (paid === null) return null;
  if (escrow === 'completed') return ((ended ?? 0) + paid) / 2;
  return extra === 'delivered' ? Math.min(3, paid / 2) : null;
}

/** Who ended a sale that was refunded. */
export const cancelledBy = ({ failure }: Deal): 'admin' | 'parties' =>
  failure?.includes('administrator') ? 'admin' : 'parties';

/** How the money came: the name of the sandbox for it. */
export const paidBy = ({ rail, deal }: Sale): PaidBy =>
  rail === 'crypto' ? 'chain' : deal.submitted ? 'bank' : 'card';

/** What the provider kept, in cents; null for what was never paid. */
export const providerFee = (sale: Sale): number | null =>
  sale.deal.paid === null ? null : feeOf(paidBy(sale), sale.amounts.price + sale.amounts.fees);

/** What the provider calls things of a sale. Each rail names in its own way. */
export function providerNames({ id, rail, deal }: Sale) {
  const hex = id.replaceAll('-', '');
  const card = rail === 'card';
  const underWay = deal.paid !== null || deal.submitted === true;
  return {
    checkout: card ? `cs_sandbox_${hex}` : hex.slice(0, 24),
    payment: card && underWay ? `pi_sandbox_${hex}` : null,
    transaction: !card && underWay ? `0x${hex.repeat(2)}` : null,
    refund: card ? `re_sandbox_${hex}` : `f${hex.slice(1, 24)}`,
    dispute: `dp_sandbox_${hex}`,
  };
}
