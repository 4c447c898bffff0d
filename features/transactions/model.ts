import type { SaleState } from '#features/sales/model.ts';
import type { BoundedCount } from '#platform/counts.ts';
import { DAY } from '#platform/durations.ts';

/**
 * The status of a sale in the list, in the order of its words: that of the payout; while nothing is payable, what the sale
 * waits for, or how it ended.
 */
export const listStatuses = [
  'awaiting_payment',
  'cancelled',
  'completed',
  'failed',
  'in_escrow',
  'payment_processing',
  'pending',
  'processing',
  'refunded',
] as const;
export type ListStatus = (typeof listStatuses)[number];

/** Sales on one page of the list. */
export const TRANSACTIONS_PAGE_SIZE = 25;

/** The longest file, in sales, that is written while somebody waits for it; longer ones are prepared in the background. */
export const MOST_SALES_AT_ONCE = 100_000;
/** How long a prepared file can be downloaded. */
export const FILE_LASTS_MS = DAY;

/** How the buyer paid, in the order of its words; until the payment a card and a bank account are the same choice. */
export const paidByKinds = ['bank', 'card', 'card_or_bank', 'crypto'] as const;
export type PaidBy = (typeof paidByKinds)[number];

export const saleModes = ['live', 'test'] as const;
export type SaleMode = (typeof saleModes)[number];

export const transactionSorts = [
  'date',
  'property',
  'seller',
  'price',
  'commission',
  'fees',
  'method',
  'status',
] as const;
export type TransactionSort = (typeof transactionSorts)[number];

export interface TransactionOrder {
  by: TransactionSort;
  descending: boolean;
}

/** Which sales are wanted; null and empty texts are no condition. */
export interface TransactionFilters {
  /** text to find in address and seller; the id of a sale, or the number of its receipt */
  q: string;
  /** first and last day, both included, as YYYY-MM-DD */
  from: string;
  to: string;
  /** the time zone of these days, an IANA name; empty for UTC */
  zone: string;
  /** only those that were paid in these days, or of which money went back in them: what the reports of these days are made of */
  paid: boolean;
  status: ListStatus | null;
  method: PaidBy | null;
  /** id or email address of a seller */
  seller: string;
  /** id of a buyer */
  buyer: string;
  mode: SaleMode | null;
}

export interface TransactionQuery extends TransactionFilters {
  /** null: newest first */
  sort: TransactionOrder | null;
  /** from 1; past the end means the last page */
  page: number;
  /** rows on a page; null for 25 */
  size: number | null;
}

/** What the reports count of a sale in some days: payments less what went back. Integer cents, below zero for a refund alone. */
export interface CountedAmounts {
  priceCents: number;
  /** the seller's share of the price, before fees */
  commissionCents: number;
  /** of buyer and seller */
  feesCents: number;
}

/** A sale in the administrators' list. Integer cents; times are ISO, UTC. */
export interface Transaction {
  id: string;
  /** when it was paid; when it was begun while unpaid */
  date: string;
  property: { id: string; address: string; town: string };
  seller: { id: string; name: string };
  /** the base price */
  salePriceCents: number;
  /** the seller's share of what is left of the price, before fees */
  commissionCents: number;
  /** of buyer and seller */
  feesCents: number;
  /** of the days that the list is narrowed to, where it is of what was paid in them; else null */
  counted: CountedAmounts | null;
  paidBy: PaidBy;
  state: SaleState;
  frozen: boolean;
  testMode: boolean;
}

export interface TransactionList {
  rows: Transaction[];
  /** across all pages */
  total: BoundedCount;
  page: number;
  pages: number;
  /** the seller that the list is narrowed to; null for one that does not exist */
  seller: { id: string; name: string; email: string } | null;
  /** the name of the buyer that it is narrowed to; null for one that does not exist */
  buyer: string | null;
}

export const fileFormats = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** The list as a file: which sales, in which order. */
export interface FileRequest {
  format: FileFormat;
  query: Omit<TransactionQuery, 'page' | 'size'>;
}

/** A file that was asked for and is too long to wait for. Times are ISO, UTC. */
export interface PreparedFile {
  id: string;
  format: FileFormat;
  name: string;
  status: 'preparing' | 'ready' | 'failed';
  createdAt: string;
  /** how many sales it holds; null until it is ready */
  sales: number | null;
  bytes: number | null;
  expiresAt: string;
}
