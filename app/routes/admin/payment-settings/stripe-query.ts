import type { StripeConnection } from '#features/payment-settings/model.ts';
import { type StripeMode, stripeModes } from '#features/payment-settings/stripe-keys.ts';
import { adminPaths } from '#routing/admin-paths.ts';

const dialogs = ['go-live', 'disconnect', 'rotate-secret'] as const;
type StripeDialog = (typeof dialogs)[number];

/** What the URL of the page says about the tab Stripe Integration. */
export interface StripeQuery {
  dialog: StripeDialog | null;
  /** which webhook the dialog is about */
  mode: StripeMode | null;
}

export const parseStripeQuery = (params: URLSearchParams): StripeQuery => ({
  dialog: dialogs.find((dialog) => dialog === params.get('do')) ?? null,
  mode: stripeModes.find((mode) => mode === params.get('mode')) ?? null,
});

/** The URL of the tab Stripe Integration. */
export const stripeHref = (change: { do?: StripeDialog; mode?: StripeMode } = {}): string =>
  adminPaths.paymentSettings({ ...change });

/** What the answer to the form of the keys says about what somebody else has saved meanwhile. */
export interface NewerConnection {
  newerConnection?: StripeConnection;
}

/** The boxes that come back when they are refused: a secret is never sent to a browser. */
export const stripeFields = ['testPublishable', 'livePublishable'];
