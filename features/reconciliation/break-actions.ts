import type { Acknowledging } from './acknowledging.ts';
import type { Difference } from './difference.ts';
import { isWholePayment } from './refundable.ts';

/** What an administrator can do about a break. */
export const breakActions = [
  'link',
  'post',
  'refund',
  'treasury',
  'write_off',
  'return',
  'acknowledge',
  'approve',
  'decline',
] as const;
export type BreakAction = (typeof breakActions)[number];

/** Kinds of transactions by which our own money moves between accounts. */
export const treasuryKinds = [
  'bank_payout',
  'bank_payout_return',
  'transfer',
  'transfer_return',
  'adjustment',
] as const;

interface BreakState {
  state: 'open' | 'awaiting_approval' | 'resolved';
  /** the reader asked for the write-off that waits */
  askedByReader: boolean;
  refundRuns: boolean;
  /** null where the operations of its sale end it */
  difference: Difference | null;
  /** its payment is that of a sale */
  paysSale: boolean;
  /** null for a break that ends otherwise */
  acknowledging: Acknowledging | null;
}

/** What can be done about a break now, the gentlest first; each command decides again. */
export function breakActionsFor({
  state,
  askedByReader,
  refundRuns,
  difference,
  paysSale,
  acknowledging,
}: BreakState): BreakAction[] {
  if (state === 'resolved' || refundRuns) return [];
  // What its sale decides is agreed to there, too.
  if (state === 'awaiting_approval')
    return askedByReader || (!difference && !acknowledging) ? ['decline'] : ['approve', 'decline'];
  if (acknowledging) {
    if (acknowledging.refundRuns) return [];
    return [acknowledging.suspenseCents > 0 ? 'return' : 'acknowledge'];
  }
  if (!difference) return [];
  const { foreign, suspended, transaction, postingIds } = difference;
  const actions: BreakAction[] = [];
  if (!foreign && !suspended && (transaction || postingIds.length > 0)) actions.push('link');
  if (!foreign) actions.push('post');
  if (isWholePayment(difference) && !paysSale) actions.push('refund');
  if (transaction && !foreign && (treasuryKinds as readonly string[]).includes(transaction.kind))
    actions.push('treasury');
  return [...actions, 'write_off'];
}
