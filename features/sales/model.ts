import type { ListingPicture, PropertyStatus } from '#features/listings/model.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import type { QrCode } from '#platform/qr-code.ts';

export type PaymentStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'refunded';
export type EscrowStatus = 'pending' | 'in_escrow' | 'completed' | 'cancelled';
export type PayoutStatus = 'pending' | 'processing' | 'completed' | 'failed';

export interface SaleState {
  payment: PaymentStatus;
  escrow: EscrowStatus;
  /** null until escrow completes */
  payout: PayoutStatus | null;
}

/** Everything that can happen to a sale. */
export type SaleEvent =
  | 'begin'
  | 'submit_payment'
  | 'receive_part'
  | 'confirm_payment'
  | 'confirm_refused_payment'
  | 'fail_payment'
  | 'expire_checkout'
  | 'cancel_checkout'
  | 'hold_mismatch'
  | 'accept_mismatch'
  | 'return_mismatch'
  | 'dismiss_mismatch'
  | 'return_incomplete'
  | 'return_surplus'
  | 'deliver_documents'
  | 'remove_documents'
  | 'miss_documents_deadline'
  | 'cancel_undelivered'
  | 'confirm_closing'
  | 'release'
  | 'auto_release'
  | 'request_cancellation'
  | 'decline_cancellation'
  | 'agree_cancellation'
  | 'cancel_sale'
  | 'report_problem'
  | 'resolve_problem'
  | 'withdraw_problem'
  | 'open_dispute'
  | 'win_dispute'
  | 'lose_dispute'
  | 'reverse_dispute'
  | 'freeze_sale'
  | 'unfreeze_sale'
  | 'recognise_refund'
  | 'request_refund'
  | 'withdraw_refund'
  | 'pay_refund'
  | 'settle_partial_refund'
  | 'settle_refund'
  | 'fail_refund'
  | 'return_refund'
  | 'start_payout'
  | 'complete_payout'
  | 'fail_payout'
  | 'return_payout'
  | 'retry_payout'
  | 'reopen_payout';

/** The events that a person triggers with a button. */
export const partyEvents = [
  'deliver_documents',
  'confirm_closing',
  'release',
  'request_cancellation',
  'decline_cancellation',
  'agree_cancellation',
  'cancel_sale',
  'cancel_undelivered',
  'report_problem',
  'resolve_problem',
  'withdraw_problem',
] as const satisfies readonly SaleEvent[];

export type PartyEvent = (typeof partyEvents)[number];
/** What a person releases escrow by. */
export type ReleasingEvent = Extract<PartyEvent, 'confirm_closing' | 'release'>;
export const releasesEscrow = (event: string): event is ReleasingEvent =>
  event === 'confirm_closing' || event === 'release';

/** In which role somebody acts on a sale. */
export type Party = 'buyer' | 'seller' | 'admin' | 'system';

/** Why an event cannot happen now. */
export type TransitionRefusal =
  | 'not_now'
  | 'not_yours'
  | 'frozen'
  | 'not_frozen'
  | 'disputed'
  | 'cancellation_asked'
  | 'no_cancellation_asked'
  | 'asked_by_yourself'
  | 'already_asked'
  | 'already_delivered'
  | 'not_due'
  | 'refund_running'
  | 'no_refund_running'
  | 'problem_open'
  | 'no_problem_open'
  | 'reported_by_other'
  | 'no_documents';

export type TransitionResult = { ok: true } | { ok: false; reason: TransitionRefusal };

/**
 * How long a property is held while its buyer is at the provider: even with a clock that is ten minutes off, this
 * stays above the provider's minimum of 30 minutes (R6).
 */
export const HOLD_MS = 45 * MINUTE;
/** How long a bank transfer or an on-chain transaction may be under way before it counts as overdue. */
export const SUBMITTED_HOLD_MS = 10 * DAY;
/** How long a property is held from the opening of its checkout until the first transfer of a payment in parts has arrived. */
export const FIRST_PART_HOLD_MS = DAY;
/** How long after the first transfer it is held for the rest. */
export const PARTS_HOLD_MS = 7 * DAY;
/** Days after the delivery of the documents until escrow is released automatically. */
export const RELEASE_DAYS = 7;
/**
 * Hours that remain at least until an automatic release after something that blocked it is settled: whoever objected can
 * object again before the money is gone.
 */
export const RELEASE_GRACE_HOURS = 72;

/** What has arrived of a payment in parts, in cents. */
export interface PartsReceived {
  receivedCents: number;
  totalCents: number;
}

/** The next step of a sale. */
export interface NextStep {
  text: string;
  who: Party;
  /** ISO, UTC; null without a deadline */
  by: string | null;
}

/** A step after the next one; `detail` says what its date depends on, `by` the latest date as things are. */
export interface ComingStep extends Omit<NextStep, 'text'> {
  title: string;
  detail: string;
}

export interface SaleLine {
  label: string;
  cents: number;
}

/** How a seller's proceeds come about. Integer cents. */
export interface SellerIncome {
  /** the sale price, then what is deducted from it, as negative amounts; they add up to the proceeds */
  lines: SaleLine[];
  /** the seller's share of the sale price before fees, which tables call 'Commission' */
  commissionCents: number;
  proceedsCents: number;
}

/** Somebody who takes part in a sale, as the other side may see them. */
export interface SaleContact {
  name: string;
  email: string;
}

interface SaleProperty {
  id: string;
  address: string;
  town: string;
  status: PropertyStatus;
}

/** A sale as one of its parties sees it. Integer cents; times are ISO, UTC. */
export interface SaleView {
  id: string;
  party: Party;
  /** `picture` is null where an illustration is shown instead */
  property: SaleProperty & { type: string; picture: ListingPicture | null };
  seller: SaleContact;
  /** null for the seller until the payment has arrived */
  buyer: SaleContact | null;
  /** the conversation of both about the property; null if there is none */
  inquiryId: string | null;
  state: SaleState;
  method: PaymentMethod;
  sandbox: boolean;
  /** begun in test mode on a production server: no real money moves */
  testMode: boolean;
  basePriceCents: number;
  lines: SaleLine[];
  totalCents: number;
  /** what has been paid of the price: less than all of it when a payment was accepted although it was too small */
  paidCents: number;
  /** what of the price has gone back to the buyer */
  refundedCents: number;
  /** of what the buyer has paid, which may differ from the price: what has not gone back, and what has */
  leftCents: number;
  sentBackCents: number;
  /** of what is left of the price; null for the buyer */
  income: SellerIncome | null;
  failureReason: string | null;
  checkoutUrl: string | null;
  /** what has arrived of a payment in parts; null for one in one piece */
  receivedCents: number | null;
  receiptNumber: number | null;
  frozen: boolean;
  problemOpen: boolean;
  cancellationAskedBy: 'buyer' | 'seller' | 'admin' | null;
  documentsDeliveredAt: string | null;
  /** whether the buyer can download anything that was delivered: not while all of it waits for the scanner */
  documentsReady: boolean;
  /** whether the viewer can add documents now */
  canAddDocuments: boolean;
  /** what the viewer can do now, from the transition table */
  actions: SaleEvent[];
  next: NextStep | null;
  /** what follows it */
  coming: ComingStep[];
  /** `who`: the name of the party, for display */
  history: { id: number; event: string; by: Party; who: string; note: string | null; at: string }[];
}

/** What the receipt of a sale says, whoever reads it. Integer cents; times are ISO, UTC. */
export interface ReceiptFacts {
  saleId: string;
  number: string;
  paidAt: string;
  /** null until the sale closes */
  closedAt: string | null;
  property: SaleProperty;
  buyer: { name: string; email: string };
  seller: { name: string; email: string };
  basePriceCents: number;
  lines: SaleLine[];
  totalCents: number;
  /** those that have arrived, oldest first */
  refunds: { cents: number; at: string }[];
  state: SaleState;
  method: PaymentMethod;
  sandbox: boolean;
  /** as in SaleView */
  testMode: boolean;
  paymentRef: string | null;
  network: string | null;
  txHash: string | null;
  providerReceiptUrl: string | null;
  /** the page on which anyone can check the receipt by its number */
  checkUrl: string;
}

export interface Receipt extends ReceiptFacts {
  /** `checkUrl` for phones */
  checkCode: QrCode;
  /** who reads it */
  party: Party;
}

/** One purchase in the buyer's table. Integer cents; times are ISO, UTC. */
export interface OwnSale {
  id: string;
  /** when it was paid; when it was started while unpaid */
  date: string;
  paid: boolean;
  /** `canOpen` is false when the buyer may not see the property's page */
  property: { id: string; address: string; canOpen: boolean };
  /** what the buyer pays, fees included */
  amountCents: number;
  state: SaleState;
  method: PaymentMethod;
  /** paid with test keys on a server that takes real payments */
  testMode: boolean;
  /** false: 'Receipt available after payment' */
  receiptReady: boolean;
  failureReason: string | null;
}

export interface OwnSalesPage {
  rows: OwnSale[];
  /** cursor of the next, older page; null on the last one */
  before: string | null;
}

/** Everything on record about a sale, in words where there are any, for those who have to prove it. Amounts are integer cents. */
export interface SaleRecord {
  buyer: {
    name: string;
    email: string /** the IP address that the purchase was begun from */;
    ip: string | null;
  };
  property: { address: string; town: string };
  seller: { name: string };
  /** null before the payment arrived */
  paidAt: Date | null;
  documentsDeliveredAt: Date | null;
  releasedAt: Date | null;
  receiptNumber: string | null;
  paymentRef: string | null;
  basePriceCents: number;
  fees: { label: string; cents: number }[];
  totalCents: number;
  refunds: { cents: number; at: Date }[];
  /** oldest first; notes of the system, and on the payout, are left out */
  history: { at: Date; label: string; by: string; note: string | null }[];
  /** the name of the marketplace */
  brand: string;
}
