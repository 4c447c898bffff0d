import type { Parts } from '#features/ledger/allocation.ts';
import type { SaleEvent, SaleState, TransitionRefusal } from '#features/sales/model.ts';
import type { SaleFacts } from '#features/sales/transition.ts';
import { resolveTransition } from '#features/sales/transitions.ts';
import { keysOf } from '#platform/typed-keys.ts';

/** What an administrator can do with a sale, in the order of the buttons, and the event by which it moves. */
const actionEvents = {
  release: 'release',
  accept_mismatch: 'accept_mismatch',
  return_mismatch: 'return_mismatch',
  dismiss_mismatch: 'dismiss_mismatch',
  recognise_refund: 'recognise_refund',
  resolve_problem: 'resolve_problem',
  decline_cancellation: 'decline_cancellation',
  deliver_documents: 'deliver_documents',
  refund: 'request_refund',
  withdraw_refund: 'withdraw_refund',
  record_bank_refund: 'pay_refund',
  confirm_bank_refund: 'pay_refund',
  return_bank_refund: 'return_refund',
  cancel_sale: 'cancel_sale',
} as const satisfies Record<string, SaleEvent>;

export type AdminAction = keyof typeof actionEvents;
const adminActions = keysOf(actionEvents);

/** Why an action is not possible now: what the machine says, or what the command besides. */
export type ActionRefusal = TransitionRefusal | 'unavailable' | 'charged_back' | 'second_look';

/** What decides which actions there are. Cents. */
interface ActionFacts {
  state: SaleState;
  facts: SaleFacts;
  /** a payment that differs and waits for a decision: what is set aside of it, and whether the property is still for sale */
  mismatch: { heldCents: number; forSale: boolean } | null;
  /** a refund made at the provider waits to be recorded */
  unexpectedRefund: boolean;
  /** what of the payment can still go back */
  refundable: Parts;
  /** a chargeback has taken a part of the payment for good */
  chargedBack: boolean;
  stuckRefund: StuckRefund | null;
  /** a refund was paid from our bank account, and has not come back */
  paidByBank: boolean;
}

/** A refund that has not left although it was tried: its provider does not carry it out. Cents. */
export interface StuckRefund {
  id: string;
  amountCents: number;
  /** what the buyer is owed without it: when that is all of it, it cannot be withdrawn, only paid another way */
  owedCents: number;
  /** what the transfer from our bank account is called, once an administrator has recorded it */
  reference: string | null;
  /** the viewer has recorded it; null when nobody has, who is still known */
  recordedByViewer: boolean | null;
}

/** These say that there is nothing to do, rather than that something stands in the way. */
const NOTHING_TO_DO: readonly ActionRefusal[] = [
  'not_now',
  'not_yours',
  'no_problem_open',
  'no_cancellation_asked',
  'not_frozen',
  'already_delivered',
  'no_refund_running',
];

/** Whether what an action is about is there at all. */
const concerns: Partial<Record<AdminAction, (facts: ActionFacts) => boolean>> = {
  accept_mismatch: ({ mismatch }) => mismatch !== null && mismatch.heldCents > 0,
  return_mismatch: ({ mismatch }) => mismatch !== null && mismatch.heldCents > 0,
  dismiss_mismatch: ({ mismatch }) => mismatch !== null && mismatch.heldCents === 0,
  recognise_refund: ({ unexpectedRefund }) => unexpectedRefund,
  refund: ({ refundable }) => refundable.baseCents + refundable.feesCents > 0,
  withdraw_refund: ({ stuckRefund }) =>
    stuckRefund !== null && stuckRefund.owedCents < stuckRefund.amountCents,
  record_bank_refund: ({ stuckRefund }) => stuckRefund !== null && stuckRefund.recordedByViewer !== false,
  confirm_bank_refund: ({ stuckRefund }) => stuckRefund !== null && stuckRefund.reference !== null,
  return_bank_refund: ({ paidByBank }) => paidByBank,
};

/** The actions of an administrator that concern a sale now: `refusal` is null for those that are possible. */
export function adminActionsOf(facts: ActionFacts): { action: AdminAction; refusal: ActionRefusal | null }[] {
  return adminActions.flatMap((action) => {
    if (concerns[action]?.(facts) === false) return [];
    const refusal = refusalOf(action, facts);
    return refusal !== null && NOTHING_TO_DO.includes(refusal) ? [] : [{ action, refusal }];
  });
}

function refusalOf(
  action: AdminAction,
  { state, facts, mismatch, chargedBack, stuckRefund }: ActionFacts,
): ActionRefusal | null {
  // What the bank does moves the sale by itself: an administrator only records it.
  const by = action === 'return_bank_refund' ? 'system' : 'admin';
  const resolved = resolveTransition(state, actionEvents[action], by, facts);
  if (!resolved.ok) return resolved.reason;
  if (action === 'refund' && chargedBack) return 'charged_back';
  if (action === 'confirm_bank_refund' && stuckRefund?.recordedByViewer !== false) return 'second_look';
  return action === 'accept_mismatch' && mismatch?.forSale === false ? 'unavailable' : null;
}
