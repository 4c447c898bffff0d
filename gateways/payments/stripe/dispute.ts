import type Stripe from 'stripe';
import type { DisputeState } from '../port.ts';

/**
 * Converts a Stripe dispute to a DisputeState. A returned bank transfer is lost at once; only card disputes can be contested.
 * The balance transactions say what was withdrawn, which can be a part of the payment, what came back, and what fees were
 * taken and given back: since June 2025 one for the dispute, which is kept, and one for contesting it, which is returned to the
 * winner.
 */
export function disputeState(dispute: Stripe.Dispute): DisputeState {
  const due = dispute.evidence_details?.due_by;
  const isInquiry = dispute.status.startsWith('warning_');
  const moved = dispute.balance_transactions ?? [];
  const fees = moved.filter(isFee);
  const principal = moved.filter((transaction) => !isFee(transaction));
  const withdrawn = sum(principal, ({ amount }) => Math.max(0, -amount));
  const returned = sum(principal, ({ amount }) => Math.max(0, amount));
  const netFee = sum(principal, ({ fee }) => fee) - sum(fees, ({ amount, fee }) => amount - fee);
  return {
    ref: dispute.id,
    kind: isInquiry ? 'inquiry' : 'chargeback',
    status: statusOf(dispute, withdrawn - returned),
    amountCents: withdrawn > 0 ? withdrawn : dispute.amount,
    returnedCents: returned,
    feeCents: isInquiry ? 0 : moved.length > 0 ? netFee : null,
    reason: dispute.reason,
    evidenceDueAt: takesEvidence(dispute) && due ? new Date(due * 1000) : null,
  };
}

/** Whether an answer to the dispute is expected. */
export const takesEvidence = ({ status }: Stripe.Dispute): boolean => status.endsWith('needs_response');

const isFee = (transaction: Stripe.BalanceTransaction) => transaction.reporting_category === 'fee';

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** A dispute that is prevented is settled before it begins, sometimes by taking the money. */
function statusOf({ status }: Stripe.Dispute, missingCents: number): DisputeState['status'] {
  switch (status) {
    case 'lost':
      return 'lost';
    case 'prevented':
      return missingCents > 0 ? 'lost' : 'won';
    case 'won':
    case 'warning_closed':
      return 'won';
    default:
      return 'open';
  }
}
