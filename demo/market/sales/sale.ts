import type { PaymentMethod } from '#gateways/payments/port.ts';
import { feeOf, type PaidBy } from '#gateways/payments/sandbox/rules.ts';
import { idGenerator } from '../ids.ts';
import type { SalePlan } from './sale-plan.ts';

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
  plan: SalePlan;
  amounts: Amounts;
  paymentMethod: PaymentMethod;
  /** in the order of payment; null if never paid */
  receiptNumber: number | null;
}

/** Payouts start a day after escrow is released and settle half a day later. In and out: days ago. */
export const payoutStarted = (released: number) => Math.max(0.1, released - 1);
export const payoutSettled = (released: number) => Math.max(0.05, released - 1.5);

/** … and one that comes back does so two days later. */
export const payoutReturned = (released: number) => Math.max(0.02, payoutSettled(released) - 2);

/** What went back to the buyer, in cents. In days ago. */
export interface DemoRefund {
  baseCents: number;
  feesCents: number;
  reason: string;
  requested: number;
  settled: number;
}

/** The whole payment of a cancelled sale, a part of one that goes on; null where nothing went back. */
export function refundOf({ plan, amounts }: Sale): DemoRefund | null {
  if (plan.extra === 'refunded in part') {
    const settled = (plan.paid ?? 1) / 3;
    const reason = 'Agreed after the inspection: the buyer has the chimney repaired.';
    return { baseCents: 150_000, feesCents: 0, reason, requested: settled + 0.2, settled };
  }
  if (plan.payment !== 'refunded') return null;
  const settled = plan.ended ?? 1;
  const reason = plan.failure ?? 'Cancelled by agreement.';
  return { baseCents: amounts.price, feesCents: amounts.fees, reason, requested: settled + 0.2, settled };
}

/** How many days ago the seller delivered the closing documents; null if not delivered. */
export function documentsDeliveredDaysAgo({ paid, ended, escrow, extra }: SalePlan): number | null {
  if (paid === null) return null;
  if (escrow === 'completed') return ((ended ?? 0) + paid) / 2;
  return extra === 'delivered' ? Math.min(3, paid / 2) : null;
}

/** Who cancelled a refunded sale. */
export const cancelledBy = ({ failure }: SalePlan): 'admin' | 'parties' =>
  failure?.includes('administrator') ? 'admin' : 'parties';

/** How the sale was paid, in the sandbox provider's terms. */
export const paidBy = ({ paymentMethod, plan }: Sale): PaidBy =>
  paymentMethod === 'crypto' ? 'chain' : plan.submitted ? 'bank' : 'card';

/** The provider's fee, in cents; null if never paid. */
export const providerFee = (sale: Sale): number | null =>
  sale.plan.paid === null ? null : feeOf(paidBy(sale), sale.amounts.price + sale.amounts.fees);

const accountIds = idGenerator('provider account');
/** The account of the sandbox that receives the payments of each method. */
export const providerAccountIds: Record<PaymentMethod, string> = { card: accountIds(), crypto: accountIds() };

/** The provider's references for a sale. Their format depends on the payment method. */
export function providerReferences({ id, paymentMethod, plan }: Sale) {
  const hex = id.replaceAll('-', '');
  const card = paymentMethod === 'card';
  const underWay = plan.paid !== null || plan.submitted === true;
  return {
    checkout: card ? `cs_sandbox_${hex}` : hex.slice(0, 24),
    payment: card && underWay ? `pi_sandbox_${hex}` : null,
    transaction: !card && underWay ? `0x${hex.repeat(2)}` : null,
    refund: card ? `re_sandbox_${hex}` : `f${hex.slice(1, 24)}`,
    dispute: `dp_sandbox_${hex}`,
    payout: `demo_payout_${id.slice(0, 8)}`,
  };
}
