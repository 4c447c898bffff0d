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
}

/** Payouts start a day after the release and are settled half a day later; in days ago. */
export const payoutStarted = (released: number) => Math.max(0.1, released - 1);
export const payoutSettled = (released: number) => Math.max(0.05, released - 1.5);
