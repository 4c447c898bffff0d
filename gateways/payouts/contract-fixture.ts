import type { PaymentErrorCode } from '../payments/port.ts';
import type { PayoutRequest, PayoutsPort } from './port.ts';

/** The sale of all payouts in contract tests. */
export const SALE_ID = '0b6ad1a8-6f3f-4bb5-9a52-1d6a7b1d3f77';

/** A payout provider on a manual clock with an empty account, and what its banks, sellers and recipients do. Amounts in cents. */
export interface PayoutsFixture {
  port: PayoutsPort;
  now: () => Date;
  advance(milliseconds: number): void;
  /** Money arrives in our available balance. */
  fund(cents: number): Promise<void>;
  /** Somewhere payouts arrive. */
  destination(): Promise<string>;
  /** Well-formed, and nobody's; null where that shows only later. */
  unknownDestination: string | null;
  /** All items of a payout arrive, where that takes time. */
  arrive(key: string): Promise<void>;
  /** The item comes back to our balance after it has arrived. */
  takeBack(itemRef: string): Promise<void>;
  /** The newest message about a payout. */
  signedWebhook(key: string, secret?: string): Promise<{ rawBody: Uint8Array; headers: Headers }>;
  /** Keys of another account. */
  otherKeys: PayoutsPort;
  /** Where sellers have an account of their own at the provider. */
  sellers?: {
    /** The seller completes the setup. */
    activate(account: string): Promise<void>;
    /** The provider wants something, and payouts stop. */
    demand(account: string): Promise<void>;
    /** The balance of an account goes to the seller's bank. */
    payOut(account: string): Promise<void>;
    /** A buyer's payment arrives, available after a time; returns its reference. */
    pay(cents: number, availableAfterMs?: number): Promise<string>;
  };
  /** Where items are processed one by one. */
  items?: {
    fail(itemRef: string): Promise<void>;
    hold(itemRef: string): Promise<void>;
    block(itemRef: string): Promise<void>;
    /** The recipient has no account. */
    unclaim(itemRef: string): Promise<void>;
    /** An unclaimed item is returned. */
    expire(itemRef: string): Promise<void>;
  };
  stop(): Promise<void>;
}

/** A payout of $10,000.00 out of the balance; the attempt decides its key. */
export const payoutRequest = (
  destination: string,
  attempt: number,
  change: Partial<PayoutRequest> = {},
): PayoutRequest => ({
  key: `payout:${SALE_ID}:${attempt}`,
  saleId: SALE_ID,
  amountCents: 1_000_000,
  destination,
  sources: [],
  description: 'Payout of a sale',
  ...change,
});

/** What a rejected call throws. */
export const failure = (code: PaymentErrorCode) => ({ name: 'PaymentError', code });
