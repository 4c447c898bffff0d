import { z } from 'zod';
import type { PropertyStatus } from '#features/listings/model.ts';
import type { Rail } from '#gateways/payments/port.ts';

/** S0 §4. `payout` is null until escrow completes (B-120). */
export type PaymentStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'refunded';
export type EscrowStatus = 'pending' | 'in_escrow' | 'completed' | 'cancelled';
export type PayoutStatus = 'pending' | 'processing' | 'completed' | 'failed';

export interface SaleState {
  payment: PaymentStatus;
  escrow: EscrowStatus;
  payout: PayoutStatus | null;
}

/** What can happen to a sale (B4-T). */
export type SaleEvent =
  | 'begin'
  | 'submit_payment'
  | 'confirm_payment'
  | 'confirm_refused_payment'
  | 'fail_payment'
  | 'expire_checkout'
  | 'cancel_checkout'
  | 'hold_mismatch'
  | 'deliver_documents'
  | 'confirm_closing'
  | 'release'
  | 'auto_release'
  | 'request_cancellation'
  | 'decline_cancellation'
  | 'agree_cancellation'
  | 'cancel_sale'
  | 'report_problem'
  | 'resolve_problem'
  | 'open_dispute'
  | 'win_dispute'
  | 'lose_dispute'
  | 'settle_refund'
  | 'fail_refund'
  | 'return_refund';

/** The events that a person causes, by a button of theirs. */
export const partyEvents = [
  'deliver_documents',
  'confirm_closing',
  'release',
  'request_cancellation',
  'decline_cancellation',
  'agree_cancellation',
  'cancel_sale',
  'report_problem',
  'resolve_problem',
] as const satisfies readonly SaleEvent[];
export type PartyEvent = (typeof partyEvents)[number];

/** Who acts in a sale. */
export type Party = 'buyer' | 'seller' | 'admin' | 'system';

/** Why an event cannot happen now. */
export type MoveRefusal =
  | 'not_now'
  | 'not_yours'
  | 'frozen'
  | 'cancellation_asked'
  | 'no_cancellation_asked'
  | 'asked_by_yourself'
  | 'already_asked'
  | 'already_delivered'
  | 'not_due'
  | 'refund_running'
  | 'problem_open'
  | 'no_problem_open';

/** Why a purchase cannot be begun. */
export type PurchaseRefusal =
  | 'signed_out'
  | 'not_a_buyer'
  | 'own'
  | 'unverified'
  | 'suspended'
  | 'in_escrow'
  | 'sold'
  | 'unavailable'
  | 'in_progress'
  | 'too_many_attempts'
  | 'price_changed'
  | 'rail_limit'
  | 'incomplete';

/** A begun purchase, or why there is none. `until` is when the other purchase's hold ends (UTC). */
export type BeginResult =
  | { ok: true; saleId: string; totalCents: number }
  | { ok: false; reason: PurchaseRefusal; until?: Date };

/** An open checkout to go to, or why there is none. */
export type CheckoutResult =
  | { ok: true; url: string }
  | { ok: false; reason: PurchaseRefusal | 'provider_down' | 'provider_refused'; until?: Date };

export type MoveResult = { ok: true } | { ok: false; reason: MoveRefusal };

/** How long a property is held while its buyer is at the provider. Leaves a clock that is ten minutes off room above the
 *  provider's own shortest time of 30 minutes (B-073, R6). */
export const HOLD_MS = 45 * 60_000;
/** How long a bank transfer or a transaction may be on its way before it is asked about as overdue. */
export const SUBMITTED_HOLD_MS = 10 * 86_400_000;
/** Days after the delivery of the documents on which escrow is released by itself (B-076). */
export const RELEASE_DAYS = 7;
/** Purchases begun and not paid, for each buyer within 24 hours (R18). */
export const UNPAID_ATTEMPTS = 3;
/** Used when no commission is set (S0 §9); percent of the base price. */
export const DEFAULT_ADMIN_PERCENTAGE = 20;
/** The body of the payment calls (S0 §7). `amount` is dollars and only compared; `buyerEmail` is not believed (B-066). */
export const paymentCall = z.object({
  propertyId: z.string().max(100),
  amount: z.union([z.number(), z.string().max(40)]),
  transactionId: z.string().max(100),
  buyerEmail: z.string().max(320).optional(),
});

/** The body of the diagnostics call (S0 §7). */
export const diagnosticsCall = z.object({
  paymentType: z.enum(['card', 'crypto']).default('card'),
  propertyId: z.string().max(100),
});

/** One line of a payment diagnosis (B-080). */
export interface DiagnosisCheck {
  name: string;
  ok: boolean;
  detail: string;
}
export interface Diagnosis {
  ok: boolean;
  /** ISO, UTC */
  at: string;
  checks: DiagnosisCheck[];
}

/** The viewer's own running purchase of a property. Times are ISO, UTC. */
export interface OwnPurchase {
  saleId: string;
  payment: PaymentStatus;
  escrow: EscrowStatus;
  method: Rail;
  /** the provider's page while it waits for payment */
  url: string | null;
  until: string | null;
}

/** What the purchase's own address answers to a script. `signIn` is where to sign in first. */
export type PurchaseAnswer =
  | { ok: true; saleId: string; totalCents: number }
  | { ok: false; text: string; signIn?: string };

/** What it answers to a script that ends an unpaid purchase. */
export type CancelAnswer = { ok: true } | { ok: false; text: string };

/** What a button of the timeline page answers when it stays there: nothing that was typed is lost. */
export interface DeedAnswer {
  event: SaleEvent;
  text: string;
  note: string;
}

/** What the purchase panel shows. */
export interface PurchasePanel {
  /** each way of paying; `reason` is why it cannot carry the price, with what can */
  rails: { rail: Rail; reason: string | null; sandbox: boolean }[];
  own: OwnPurchase | null;
  /** until when another buyer's purchase holds the property (B-073) */
  heldUntil: string | null;
  /** why this person cannot buy it, as a sentence */
  refused: string | null;
  signedIn: boolean;
}

/** What comes next in a sale. */
export interface NextUp {
  text: string;
  who: Party;
  /** ISO, UTC; null without a date */
  by: string | null;
}

export interface SaleLine {
  label: string;
  cents: number;
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
  property: SaleProperty;
  buyerName: string;
  seller: { name: string; email: string };
  state: SaleState;
  method: Rail;
  sandbox: boolean;
  basePriceCents: number;
  lines: SaleLine[];
  totalCents: number;
  /** null for the buyer, whom it does not concern */
  sellerShareCents: number | null;
  failureReason: string | null;
  checkoutUrl: string | null;
  receiptNumber: number | null;
  frozen: boolean;
  problemOpen: boolean;
  cancellationAskedBy: 'buyer' | 'seller' | 'admin' | null;
  /** what the viewer can do now, from the table of transitions */
  actions: SaleEvent[];
  next: NextUp | null;
  history: { id: number; event: SaleEvent; by: Party; note: string | null; at: string }[];
  begunAt: string;
}

/** A receipt. Integer cents; `paidAt` is ISO, UTC. */
export interface Receipt {
  saleId: string;
  party: Party;
  number: string;
  paidAt: string;
  property: SaleProperty;
  buyer: { name: string; email: string };
  seller: { name: string; email: string };
  basePriceCents: number;
  lines: SaleLine[];
  totalCents: number;
  state: SaleState;
  method: Rail;
  sandbox: boolean;
  paymentRef: string | null;
  network: string | null;
  txHash: string | null;
  providerReceiptUrl: string | null;
}

/** One purchase in the buyer's table. Integer cents; times are ISO, UTC. */
export interface OwnSale {
  id: string;
  /** when it was paid, or begun while it is not (B-088) */
  date: string;
  paid: boolean;
  /** `canOpen` is false when the property's page is closed to the buyer */
  property: { id: string; address: string; canOpen: boolean };
  /** what the buyer pays, with the fees */
  amountCents: number;
  state: SaleState;
  method: Rail;
  /** false: 'Receipt available after payment' (B-085) */
  receiptReady: boolean;
  failureReason: string | null;
}

export interface OwnSalesPage {
  rows: OwnSale[];
  /** where the next, older page begins; null on the last one */
  before: string | null;
}
