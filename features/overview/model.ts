import type { SaleState } from '#features/sales/model.ts';
import type { BoundedCount } from '#platform/counts.ts';

/** The figures of the administrators' dashboard. Integer cents. */
export interface MarketplaceTotals {
  /** without archived ones */
  sellers: number;
  /** of any status, without deleted ones */
  properties: BoundedCount;
  /** how many visitors see on the home page */
  featured: number;
  /** sales that have closed and were not refunded, and what is left of their prices */
  sales: { count: number; cents: number };
  /** the platform's share of the same sales */
  adminFeesCents: number;
  /** the mean of what sellers who are not archived get, in percent 0–100; 0 when there are none */
  averageRate: number;
}

/** A paid sale in 'Recent Payouts'. Integer cents, percent 0–100, times ISO, UTC. */
export interface RecentPayout {
  saleId: string;
  seller: string;
  salePriceCents: number;
  /** the seller's share of this sale */
  rate: number;
  commissionCents: number;
  /** paid with test keys on a server that takes real payments */
  testMode: boolean;
  state: SaleState;
  paidAt: string;
}

/** What waits for an administrator. */
export interface WaitingWork {
  /** listings that wait for approval, 100 at most */
  approvals: number;
  /** open tasks, 100 at most */
  tasks: number;
  /** reported conversations, 100 at most */
  reports: number;
}
