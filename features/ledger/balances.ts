import type { Account, EntryKind, Posting } from './model.ts';

/** An entry of one sale; `key` is its idempotency key without the sale. */
export interface Entry {
  key: string;
  kind: EntryKind;
  postings: readonly Posting[];
}

/** What the ledger says about a sale; cents, never negative unless more was taken than there was. */
export interface SaleBalances {
  /** base price held in escrow */
  escrowCents: number;
  /** buyer's fees held */
  feesCents: number;
  /** received and not assigned yet */
  suspenseCents: number;
  /** what the seller is owed and has not been sent */
  sellerPayableCents: number;
  /** what the seller owes because it was sent before it went back */
  sellerReceivableCents: number;
  /** taken by chargebacks that are not decided */
  disputedCents: number;
  /** base price that has not gone back to the buyer, held or released */
  remainingBaseCents: number;
  /** buyer's fees that have not gone back, held or released */
  remainingFeesCents: number;
}

const BASE: readonly Account[] = ['escrow_held', 'seller_payable', 'seller_receivable', 'platform_revenue'];
const FEES: readonly Account[] = ['fees_held', 'fee_revenue'];
/** Entries that settle what is owed, and so say nothing about what has gone back to the buyer. */
const SETTLEMENTS: readonly EntryKind[] = ['L3', 'L7'];

/** The sum of the postings of some entries to some accounts; debits positive. */
export function sumOf(entries: readonly Entry[], accounts: readonly Account[]): number {
  let sum = 0;
  for (const { postings } of entries)
    for (const { account, cents } of postings) if (accounts.includes(account)) sum += cents;
  return sum;
}

const credit = (entries: readonly Entry[], ...accounts: Account[]) => 0 - sumOf(entries, accounts);

/** The balances of a sale, from all of its entries. */
export function balancesOf(entries: readonly Entry[]): SaleBalances {
  const moves = entries.filter(({ kind }) => !SETTLEMENTS.includes(kind));
  return {
    escrowCents: credit(entries, 'escrow_held'),
    feesCents: credit(entries, 'fees_held'),
    suspenseCents: credit(entries, 'suspense'),
    sellerPayableCents: credit(entries, 'seller_payable'),
    sellerReceivableCents: sumOf(entries, ['seller_receivable']),
    disputedCents: sumOf(entries, ['disputed']),
    remainingBaseCents: credit(moves, ...BASE),
    remainingFeesCents: credit(moves, ...FEES),
  };
}

/** What is held for a sale: base price, fees, and what is not assigned yet. */
export const heldCents = ({ escrowCents, feesCents, suspenseCents }: SaleBalances): number =>
  escrowCents + feesCents + suspenseCents;
