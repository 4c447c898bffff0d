import type { EntryKind } from '#features/ledger/model.ts';

/**
 * What a line of a statement is about. `share`, `fee`: of a sale that closed; `refund`, `dispute`: went back to the buyer before
 * the payout, or came back; `claw_back`: went back after the payout, so the seller owes it; `offset`: a payout was kept for what
 * the seller owes; `settled`: that debt, or a part of it, is settled; `payout`: sent to the seller; `payout_back`: it failed or
 * came back.
 */
export type LineKind =
  | 'share'
  | 'fee'
  | 'refund'
  | 'dispute'
  | 'claw_back'
  | 'offset'
  | 'settled'
  | 'payout'
  | 'payout_back'
  | 'correction';

/** One line of a statement. Cents: positive in favour of the seller. */
export interface StatementLine {
  kind: LineKind;
  text: string;
  /** ISO, UTC */
  at: string;
  saleId: string;
  address: string;
  town: string;
  cents: number;
  /** of a payout: the reference that the seller's bank or provider shows */
  reference: string | null;
  /** of a payout on its way: when it is expected, ISO, UTC */
  expectedAt: string | null;
  /** of a payout that arrived: when, ISO, UTC */
  paidAt: string | null;
}

/** A line with the balance after it. */
export interface BalancedLine extends StatementLine {
  balanceCents: number;
}

/** A seller's statement of one month, by UTC. The balance is what the seller is owed; negative when the seller owes. */
export interface Statement {
  sellerId: string;
  sellerName: string;
  brand: string;
  /** 'YYYY-MM' */
  month: string;
  /** nothing changes anymore */
  closed: boolean;
  /** by which anyone can check it, and the page for it; null while the month is open, and for one in which nothing happened */
  check: { number: string; url: string } | null;
  openingCents: number;
  closingCents: number;
  lines: BalancedLine[];
}

/** A ledger entry of a sale, as far as it concerns the seller. Cents: positive in favour of the seller. */
export interface SellerEntry {
  id: number;
  kind: EntryKind;
  at: Date;
  saleId: string;
  address: string;
  town: string;
  payableCents: number;
  receivableCents: number;
  /** what left escrow with it */
  releasedCents: number;
  /** the amounts that the seller's share of a release follows from */
  basePriceCents: number;
  shareCents: number;
  fees: readonly { label: string; cents: number }[];
  payout: { reference: string | null; expectedAt: Date | null; paidAt: Date | null } | null;
}
