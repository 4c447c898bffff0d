import type { TransitionRefusal } from '#features/sales/model.ts';

/**
 * Why a decision about a payment is refused: `no_mismatch`, `no_unexpected_refund`: nothing of the kind is open;
 * `nothing_received`: no money that could be accepted; `unavailable`: the property is not for sale anymore; `no_reason`: it
 * needs one; `same_administrator`: another one than who asked has to accept what is missing.
 */
export type DecisionRefusal =
  | TransitionRefusal
  | 'no_mismatch'
  | 'no_unexpected_refund'
  | 'nothing_received'
  | 'unavailable'
  | 'same_administrator'
  | 'no_reason';

/** `awaitingApproval`: nothing has changed yet, another administrator has to decide the same. */
export type DecisionResult =
  | { ok: true; awaitingApproval?: boolean }
  | { ok: false; reason: DecisionRefusal };

/**
 * Why a refund is refused: `nothing`: no amount; `too_much`: more than is left; `cancel_instead`: all of a payment in escrow
 * goes back by cancelling the sale; `key_used`: the key belongs to another refund of the sale.
 */
export type RefundRefusal =
  | TransitionRefusal
  | 'nothing'
  | 'too_much'
  | 'cancel_instead'
  | 'key_used'
  | 'no_reason';

export type RefundResult =
  | { ok: true; refundId: string; amountCents: number }
  | { ok: false; reason: RefundRefusal };
