import type { Config } from '#platform/config.ts';
import type { ReloadablePayments } from './open.ts';
import type { StripeSetup } from './stripe/setup-port.ts';

/** Where accounts at Stripe are set up from; its SDK is loaded with the first call. */
export function openStripeSetup(
  { stripeApiBase }: Pick<Config, 'stripeApiBase'>,
  payments: Pick<ReloadablePayments, 'reload'>,
): StripeSetup {
  const stripe = async () =>
    (await import('./stripe/setup.ts')).createStripeSetup({ apiBase: stripeApiBase });
  return {
    account: async (...call) => (await stripe()).account(...call),
    funds: async (...call) => (await stripe()).funds(...call),
    endpoints: async (...call) => (await stripe()).endpoints(...call),
    createEndpoint: async (...call) => (await stripe()).createEndpoint(...call),
    switchEndpoint: async (...call) => (await stripe()).switchEndpoint(...call),
    removeEndpoint: async (...call) => (await stripe()).removeEndpoint(...call),
    keysChanged: () => payments.reload(),
  };
}
