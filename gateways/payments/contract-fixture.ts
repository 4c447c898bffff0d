import { HOUR } from '#platform/durations.ts';
import type { CheckoutRequest, PaymentsPort } from './port.ts';

/** A fault in a response; a number is the status of a response with a useless body. */
export type ResponseFault = 'reset' | 'silence' | 500 | 429 | 'garbage' | 'half';

/** A webhook as the provider sends it. */
type SignedWebhook = { rawBody: Uint8Array; headers: Headers };

/**
 * A provider with an injected clock, and the actions of its buyer, banks and blockchain. Each action rejects where the
 * provider would reject it.
 */
export type PaymentsFixture = {
  port: PaymentsPort;
  now(): Date;
  advance(milliseconds: number): void;
  /** Open becomes paid. */
  pay(ref: string): Promise<void>;
  /** Open becomes processing: a bank transfer is submitted, a transaction is seen. */
  payLater(ref: string): Promise<void>;
  /** Processing becomes paid. */
  settle(ref: string): Promise<void>;
  /** Processing becomes failed. */
  bounce(ref: string): Promise<void>;
  settleRefund(refundRef: string): Promise<void>;
  failRefund(refundRef: string): Promise<void>;
  /** A refund made in the provider's dashboard. */
  refundInDashboard(ref: string, amountCents: number): Promise<void>;
  /** Whether what the balance lacks for a refund is covered; it is unless told otherwise. */
  coverShortfall(covers: boolean): void;
  /** What the provider does by itself as time passes. */
  passTime(): Promise<void>;
  /** The same provider with keys of another account or mode. */
  otherKeys: PaymentsPort;
  /** Makes a number of paid checkouts as fast as possible. */
  payMany(count: number): Promise<void>;
  /** What banks do about card payments and debits; absent where payments cannot be disputed. */
  banks?: BanksFixture;
  /** Money sent out of the balance, where the port sees that. */
  treasury?: TreasuryFixture;
  /** The latest webhook about the checkout, its refunds and its disputes; signed with `secret` if given. */
  signedWebhook(ref: string, secret?: string): Promise<SignedWebhook>;
  /** Breaks every response until called with null; absent for providers without a network. */
  sabotage?(kind: ResponseFault | null): Promise<void>;
  /** false if the provider does not return the idempotency key of a refund */
  keepsRefundKeys?: boolean;
  /** before every idempotency key, where the provider remembers those of earlier runs */
  keyPrefix?: string;
  stop(): Promise<void>;
};

/** A provider whose checkouts nobody pays, as its real sandbox is. */
export type UnpaidFixture = Pick<PaymentsFixture, 'port' | 'now' | 'keyPrefix' | 'stop'>;

/** The banks behind card payments and debits. */
export interface BanksFixture {
  /** The payer's bank disputes the payment, whole unless an amount is given; with `inquiry` it only asks. */
  dispute(ref: string, options?: { amountCents?: number; inquiry?: boolean }): Promise<void>;
  /** An inquiry becomes a chargeback. */
  escalate(disputeRef: string): Promise<void>;
  /** A dispute is decided; a lost one may give a part back. */
  decide(disputeRef: string, status: 'won' | 'lost', returnedCents?: number): Promise<void>;
  /** A refund waits for the buyer to say where the money shall go. */
  holdRefund(refundRef: string): Promise<void>;
}

interface TreasuryFixture {
  /** Each returns the reference of the payout or transfer. */
  payOut(amountCents: number): Promise<string>;
  transfer(amountCents: number, saleId: string): Promise<string>;
  sendBack(objectRef: string): Promise<void>;
  /** Sets whether the balance stays until it is paid out on request. */
  setManualPayouts(manual: boolean): void;
}

/** A checkout of 250,000.00 in two lines that expires in an hour. */
export function fixtureRequest(
  fixture: Pick<PaymentsFixture, 'now'>,
  change: Partial<CheckoutRequest> = {},
): CheckoutRequest {
  return {
    saleId: '6f0a1c9e-3b53-4a52-9a06-2f9a6c1f7d11',
    lines: [
      { name: '12 Elm Street', amountCents: 24_750_000 },
      { name: 'Platform fee', amountCents: 250_000 },
    ],
    amountCents: 25_000_000,
    description: '12 Elm Street, Lebanon, NH',
    buyerEmail: 'buyer@acre.test',
    successUrl: 'https://market.example/buyer/transactions?tab=transactions',
    cancelUrl: 'https://market.example/property/1',
    expiresAt: new Date(fixture.now().getTime() + HOUR),
    ...change,
  };
}
