/** The intents of the forms about Stripe. */
export const CONNECT_STRIPE = 'stripe-connect';
export const CHECK_STRIPE = 'stripe-check';
export const DISCONNECT_STRIPE = 'stripe-disconnect';
export const SAVE_STRIPE_KEYS = 'stripe-keys';
export const SET_STRIPE_MODE = 'stripe-mode';
export const CONFIGURE_WEBHOOKS = 'stripe-webhooks';
export const ROTATE_WEBHOOK_SECRET = 'stripe-rotate';
