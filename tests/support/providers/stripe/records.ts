import type Stripe from 'stripe';

/** The fields of Stripe's objects that this fake supports, with Stripe's meaning. References are ids. */
export type SessionRecord = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_total'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'customer_email'
  | 'livemode'
  | 'mode'
  | 'payment_status'
  | 'success_url'
  | 'url'
> & {
  expires_at: number;
  metadata: Stripe.Metadata;
  payment_intent: string | null;
  status: 'open' | 'complete' | 'expired';
  lines: { name: string; amount: number }[];
  methods: string[];
  intent: { description: string | null; metadata: Stripe.Metadata; transfer_group: string | null };
};

export type IntentRecord = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'description' | 'livemode' | 'transfer_group'
> & {
  latest_charge: string | null;
  metadata: Stripe.Metadata;
  status: 'processing' | 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';
  /** the session that it belongs to; null for one that waits for bank transfers */
  session: string | null;
  /** of one that waits for bank transfers */
  transfer?: { customer: string; receivedCents: number };
};

/** A customer; `cashCents` is what Stripe holds for it, outside our balance. */
export type CustomerRecord = Pick<Stripe.Customer, 'id' | 'object' | 'created' | 'livemode'> & {
  email: string | null;
  metadata: Stripe.Metadata;
  cashCents: number;
};

export type BalanceTransactionRecord = Pick<
  Stripe.BalanceTransaction,
  | 'id'
  | 'object'
  | 'amount'
  | 'available_on'
  | 'created'
  | 'currency'
  | 'fee'
  | 'net'
  | 'reporting_category'
  | 'type'
> & { source: string | null };

export type ChargeRecord = Pick<
  Stripe.Charge,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'disputed' | 'livemode' | 'receipt_url'
> & {
  balance_transaction: BalanceTransactionRecord;
  metadata: Stripe.Metadata;
  payment_intent: string;
  method: 'card' | 'us_bank_account' | 'customer_balance';
};

export type RefundRecord = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'reason'
> & {
  charge: string;
  metadata: Stripe.Metadata;
  payment_intent: string;
  pending_reason?: 'processing' | 'insufficient_funds';
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed';
};

export type DisputeRecord = Pick<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'livemode' | 'reason'
> & {
  charge: string;
  evidence: Record<string, string>;
  evidence_details: { due_by: number | null; submission_count: number };
  metadata: Stripe.Metadata;
  payment_intent: string;
  status:
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed'
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost';
};

/** Money sent out of the balance: to the bank, or to another account. */
export type OutgoingRecord = {
  id: string;
  object: 'payout' | 'transfer';
  amount: number;
  metadata: Stripe.Metadata;
};

/** A transfer to a connected account, with what was reversed of it. */
export type TransferRecord = Pick<
  Stripe.Transfer,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'description' | 'livemode' | 'transfer_group'
> & {
  destination: string;
  metadata: Stripe.Metadata;
  reversals: ReversalRecord[];
  source_transaction: string | null;
};

export type ReversalRecord = Pick<
  Stripe.TransferReversal,
  'id' | 'object' | 'amount' | 'created' | 'currency'
> & {
  metadata: Stripe.Metadata;
  transfer: string;
};

/** A seller's account; `status` is that of its capability to receive transfers. */
export type ConnectedRecord = {
  id: string;
  created: string;
  email: string;
  name: string;
  metadata: Stripe.Metadata;
  submitted: boolean;
  status: 'active' | 'restricted';
  code: string;
  balanceCents: number;
};

export type FileRecord = Pick<Stripe.File, 'id' | 'object' | 'created' | 'filename' | 'purpose' | 'size'>;

export type EventRecord = {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  livemode: boolean;
  pending_webhooks: number;
  type: string;
  data: { object: object };
};
