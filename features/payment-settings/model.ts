import type { StripeMode } from './stripe-keys.ts';

/** An outside service that the environment configures or switches on, without its secrets. */
export interface ConfiguredService {
  name: string;
  /** it serves now */
  configured: boolean;
  /** 'live' moves real money, 'test' is the provider's own sandbox, 'sandbox' is ours; null where there are no modes */
  mode: 'live' | 'test' | 'sandbox' | null;
  /** in a sentence: what serves now */
  text: string;
  /** the variables that configure it */
  variables: string;
}

/** The keys of one mode as pages show them: nothing of a secret but its end. */
export interface ShownKeys {
  publishableKey: string | null;
  /** 'sk_...1234' */
  secretHint: string;
  /** ISO, UTC; null for keys of the environment */
  setAt: string | null;
  /** 'acct_...1234'; null until Stripe has said it */
  account: string | null;
  /** when Stripe was last asked whether it accepts them; ISO, UTC; null when it never was */
  checkedAt: string | null;
  /** why they cannot be used, in a sentence; null when Stripe accepts them */
  failure: string | null;
  webhook: ShownWebhook;
}

/** Where Stripe sends the messages of a mode. */
export interface ShownWebhook {
  /** the endpoint is enabled and its secret is stored; null when Stripe could not be asked about keys of the environment */
  configured: boolean | null;
  /** when its secret was stored; ISO, UTC; null without one, and for one of the environment */
  setAt: string | null;
  /** when the last message came whose signature was right; ISO, UTC */
  lastMessageAt: string | null;
}

/** Keys that were replaced and still serve the sales that were begun with them, and the payouts that were sent with them. */
export interface FormerKeys {
  account: string;
  mode: StripeMode;
  /** how many sales need them, at most 1,000 */
  sales: number;
}

/** How card payments are connected. */
export interface StripeConnection {
  /** grows with each change */
  version: number;
  origin: 'saved' | 'environment';
  /** which keys take new payments */
  mode: StripeMode;
  connected: boolean;
  /** what takes new card payments */
  serves: 'stripe' | 'sandbox' | null;
  keys: Readonly<Record<StripeMode, ShownKeys | null>>;
  former: readonly FormerKeys[];
  /** the sandbox can stand in where no keys are saved */
  sandboxAllowed: boolean;
  /** where Stripe sends its messages */
  webhookUrl: string;
}

/** What Stripe says about the account whose keys take new payments. Integer US cents. */
export interface PayoutInformation {
  /** 'acct_...1234' */
  account: string;
  mode: StripeMode;
  availableCents: number;
  pendingCents: number;
  /** when the balance leaves to the bank, in words */
  schedule: string;
  dashboardUrl: string;
}
