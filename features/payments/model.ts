import type { TransitionRefusal } from '#features/sales/model.ts';

/** Longest reference of a bank transfer to a buyer, in characters. */
export const REFUND_REFERENCE_MAX_LENGTH = 200;

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
 * goes back by cancelling the sale; `key_used`: the key belongs to another refund of the sale; `charged_back`: a chargeback has taken a
 * part of the payment, and its provider refunds nothing of the rest.
 */
export type RefundRefusal =
  | TransitionRefusal
  | 'nothing'
  | 'too_much'
  | 'cancel_instead'
  | 'key_used'
  | 'charged_back'
  | 'no_reason';

/**
 * Why a decision about a refund that has not left is refused: `has_left`: the provider has it, or it has ended; `owed`: it cannot be
 * withdrawn, only paid another way; `too_much`: more than is left of the payment; `changed`: amount or reference are not those that were
 * seen; `no_reference`: it needs one; `second_look`: another administrator than who recorded it has to confirm it.
 */
export type UnsentRefundRefusal =
  | TransitionRefusal
  | 'has_left'
  | 'owed'
  | 'too_much'
  | 'changed'
  | 'no_reference'
  | 'second_look'
  | 'no_reason';

/**
 * Why it is refused that a refund by bank transfer came back: `changed`: it is none, or it came back before; `no_reason`: it needs
 * what the bank says.
 */
export type BankReturnRefusal = TransitionRefusal | 'changed' | 'no_reason';

export type BankReturnResult = { ok: true } | { ok: false; reason: BankReturnRefusal };

export type UnsentRefundResult = { ok: true } | { ok: false; reason: UnsentRefundRefusal };

export type RefundResult =
  | { ok: true; refundId: string; amountCents: number }
  | { ok: false; reason: RefundRefusal };
