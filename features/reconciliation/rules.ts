import type { Account } from '#features/ledger/model.ts';
import { hasRole, nobody } from '#platform/access.ts';
import type { BreakKind } from './model.ts';

/** Breaks are opened, and closed by events, as part of the operations that they come from. */
export const mayOpenBreaks = nobody;
export const mayReconcileAccounts = nobody;
export const mayReadBreaks = hasRole('admin');
export const mayEndBreaks = hasRole('admin');

/** The accounts that a missing fact can be posted to; the ones of a sale follow its operations alone. */
export const postableAccounts = [
  'suspense',
  'processing_cost',
  'dispute_fees',
  'chargeback_loss',
  'bank',
] as const satisfies readonly Account[];
export type PostableAccount = (typeof postableAccounts)[number];

/** The accounts of costs and losses: what is posted to them is given up. */
const expenseAccounts = [
  'write_offs',
  'processing_cost',
  'dispute_fees',
  'chargeback_loss',
] as const satisfies readonly Account[];
export type ExpenseAccount = (typeof expenseAccounts)[number];

export const isExpense = (account: string): account is ExpenseAccount =>
  (expenseAccounts as readonly string[]).includes(account);

/** Longest explanation of a break, in characters. */
export const BREAK_TEXT_MAX_LENGTH = 2000;

export const breakKinds: Record<
  BreakKind,
  {
    title: string;
    /** its sale stays frozen until it is resolved */
    freezes: boolean;
    /** false where the event that comes with it opens a task of its own */
    opensTask: boolean;
  }
> = {
  payment_mismatch: {
    title: 'A payment differs from the amount due',
    freezes: true,
    opensTask: false,
  },
  unexpected_refund: {
    title: 'The provider sent money back that was not asked for here',
    freezes: true,
    opensTask: true,
  },
  paid_back_twice: {
    title: 'More went back to a buyer than was held',
    freezes: false,
    opensTask: true,
  },
  refused_move: {
    title: 'Money moved, and the sale could not follow',
    freezes: false,
    opensTask: true,
  },
  missing_message: {
    title: 'The provider booked something that is not in the books',
    // The sale has to follow when it is heard, and cannot be released before.
    freezes: false,
    opensTask: true,
  },
  wrong_amount: {
    title: 'The provider booked another amount than the books',
    freezes: true,
    opensTask: true,
  },
  dispute: {
    title: 'The provider took money back for a dispute that is not in the books',
    freezes: true,
    opensTask: true,
  },
  duplicate_charge: {
    title: 'A sale was paid twice',
    freezes: false,
    opensTask: true,
  },
  orphan_charge: {
    title: 'A payment belongs to no sale',
    freezes: false,
    opensTask: true,
  },
  fee_drift: {
    title: 'The provider charged another fee than the books say',
    freezes: false,
    opensTask: true,
  },
  mode_mix: {
    title: 'A payment went to another account or mode than its sale',
    freezes: true,
    opensTask: true,
  },
  unknown_currency: {
    title: 'The provider booked something in a foreign currency',
    freezes: true,
    opensTask: true,
  },
  missing_at_provider: {
    title: 'The provider knows nothing of something in the books',
    freezes: true,
    opensTask: true,
  },
  payout_returned: {
    title: 'A payout came back that the books say has arrived',
    freezes: true,
    opensTask: true,
  },
  transfer_reversed: {
    title: 'The provider took a transfer back that the books say has arrived',
    freezes: true,
    opensTask: true,
  },
  unknown_transaction: {
    title: 'The provider booked something that nothing here explains',
    freezes: false,
    opensTask: true,
  },
  transaction_restated: {
    title: 'The provider changed what it had said before',
    freezes: true,
    opensTask: true,
  },
  balance_difference: {
    title: 'The balance at the provider is not what its transactions add up to',
    freezes: false,
    opensTask: true,
  },
};
