/** An endpoint of ours at Stripe, to which it sends its messages. */
export interface StripeEndpoint {
  ref: string;
  enabled: boolean;
  /** it is sent everything that we have to hear, in the version that we read */
  complete: boolean;
  /** made by this application, not by hand */
  ours: boolean;
  createdAt: Date;
}

/** What Stripe says about the account of a key. Integer US cents. */
export interface StripeAccountFacts {
  ref: string;
  /** how the balance leaves to our bank ('manual', 'daily', …); null when Stripe does not say */
  payoutInterval: string | null;
}

interface StripeFunds extends StripeAccountFacts {
  availableCents: number;
  pendingCents: number;
}

/**
 * Sets up our accounts at Stripe, each named by one of its secret keys. Every call throws PaymentError and nothing else (`auth`: Stripe does
 * not accept the key, or it lacks a permission), and answers or gives up within five seconds. Never called inside a transaction.
 */
export interface StripeSetup {
  account(secretKey: string): Promise<StripeAccountFacts>;
  funds(secretKey: string): Promise<StripeFunds>;
  /** the endpoints whose address is this one */
  endpoints(secretKey: string, url: string): Promise<StripeEndpoint[]>;
  /** Makes an endpoint; repeated within a day with the same key it is the same one, with the same secret. */
  createEndpoint(
    secretKey: string,
    url: string,
    idempotencyKey: string,
  ): Promise<{ ref: string; secret: string }>;
  /** Enables an endpoint and has it sent what we have to hear, or stops it. */
  switchEndpoint(secretKey: string, ref: string, enabled: boolean): Promise<void>;
  /** Deletes an endpoint; one that is gone already is fine. */
  removeEndpoint(secretKey: string, ref: string): Promise<void>;
  /** Has this process use changed keys from now on; the other ones follow by a notification of the database. */
  keysChanged(): Promise<void>;
}
