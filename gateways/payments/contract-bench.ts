import type { CheckoutRequest, PaymentsPort } from './port.ts';

/** What can happen to an answer on its way; a number is the status of an answer with nothing of use in it. */
export type Sabotage = 'reset' | 'silence' | 500 | 429 | 'garbage' | 'half';

/** A message as the provider sends it. */
export type SignedWebhook = { rawBody: Uint8Array; headers: Headers };

/**
 * A provider on an injected clock, and what its buyer, its banks and its chain do. Each act rejects where the
 * provider would refuse it.
 */
export type PaymentsBench = {
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
  /** The payer's bank takes a payment back; left out where that cannot happen. */
  dispute?(ref: string): Promise<void>;
  /** The newest message about the checkout, its refunds and its disputes; signed with `secret` when one is given. */
  signedWebhook(ref: string, secret?: string): Promise<SignedWebhook>;
  /** Spoils every answer from now on until null is given; left out where there is no wire. */
  sabotage?(kind: Sabotage | null): Promise<void>;
  /** false where the provider does not keep the idempotency key of a refund */
  keepsRefundKeys?: boolean;
  stop(): Promise<void>;
};

/** A checkout of 250,000.00 in two lines that closes in an hour of the bench's clock. */
export function benchRequest(
  bench: Pick<PaymentsBench, 'now'>,
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
    expiresAt: new Date(bench.now().getTime() + 3_600_000),
    ...change,
  };
}
