import { z } from 'zod';
import type { EscrowStatus, PartsReceived, PaymentStatus } from '#features/sales/model.ts';
import { type PaymentMethod, paymentMethods } from '#gateways/payments/port.ts';

/** Why a purchase cannot be started. */
export type PurchaseRefusal =
  | 'signed_out'
  | 'not_a_buyer'
  | 'own'
  | 'unverified'
  | 'account_suspended'
  | 'suspended'
  | 'in_escrow'
  | 'sold'
  | 'unavailable'
  | 'in_progress'
  | 'ended'
  | 'too_many_attempts'
  | 'price_changed'
  | 'rail_limit'
  | 'test_mode'
  | 'incomplete';

/** The purchase that was started, or why not. `until` is when the competing purchase's hold ends (UTC). */
export type BeginPurchaseResult =
  | { ok: true; saleId: string; totalCents: number }
  | { ok: false; reason: PurchaseRefusal; until?: Date };

/** The URL of the open checkout, or why there is none. */
export type OpenCheckoutResult =
  | { ok: true; url: string }
  | { ok: false; reason: PurchaseRefusal | 'provider_down' | 'provider_refused'; until?: Date };

/** Unpaid purchases that a buyer may start within 24 hours (R18). */
export const UNPAID_ATTEMPTS = 3;
/** The body of the payment endpoints. `amount` is in dollars and only compared; `buyerEmail` is ignored. */
export const paymentRequestSchema = z.object({
  propertyId: z.string().max(100),
  amount: z.union([z.number(), z.string().max(40)]),
  transactionId: z.string().max(100),
  buyerEmail: z.string().max(320).optional(),
});

/** The body of the diagnostics endpoint. */
export const diagnosticsRequestSchema = z.object({
  paymentType: z.enum(paymentMethods).default('card'),
  propertyId: z.string().max(100),
});

/** One line of a payment diagnosis. */
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

/** The viewer's own active purchase of a property. Times are ISO, UTC. */
export interface OwnPurchase {
  saleId: string;
  payment: PaymentStatus;
  escrow: EscrowStatus;
  method: PaymentMethod;
  testMode: boolean;
  /** the provider's page while it waits for payment */
  url: string | null;
  until: string | null;
  /** of a payment in parts what has arrived, in cents; null in one piece */
  parts: PartsReceived | null;
  /** the buyer's conversation with the seller about the property; null if there is none */
  inquiryId: string | null;
}

/**
 * The JSON answer of the purchase endpoint. `signIn` is the address to sign in at first; with `priceChanged` the page asks again,
 * with the new total.
 */
export type PurchaseResponse =
  | { ok: true; saleId: string; totalCents: number }
  | { ok: false; text: string; signIn?: string; priceChanged?: boolean };

/** The JSON answer when an unpaid purchase is cancelled; `returned` when a part had arrived and goes back. */
export type CancelPurchaseResponse = { ok: true; returned: boolean } | { ok: false; text: string };
/** What the purchase panel shows. */
export interface PurchasePanel {
  /** each payment method, those that work first */
  methods: {
    method: PaymentMethod;
    /** why it cannot be used, and what can */
    reason: string | null;
    /** how it carries the price, where that takes several parts */
    hint: string | null;
    sandbox: boolean;
    testMode: boolean;
  }[];
  own: OwnPurchase | null;
  /** until when another buyer's purchase holds the property */
  heldUntil: string | null;
  /** why this person cannot buy it, as a sentence */
  refused: string | null;
  /** whether this person can begin or go on with a payment now */
  canPay: boolean;
  signedIn: boolean;
  /** days from the payment until the seller has to have delivered the closing documents */
  documentsDueDays: number;
}
