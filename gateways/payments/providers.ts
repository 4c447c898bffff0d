import type { PaymentMethod, PaymentsPort, ProviderName } from './port.ts';

/** Providers of payments in parts, by the provider whose account they use. */
const TRANSFERS: Partial<Record<ProviderName, ProviderName>> = {
  'sandbox-card': 'sandbox-transfers',
  stripe: 'stripe-transfers',
};

/** Names that both name the provider of an account: its own, and that of its payments in parts. */
const sharing = Object.entries(TRANSFERS);

/**
 * The provider under whose name the account of a sale is kept. Payments in parts arrive in the same account as the others of their
 * provider: one balance, one list of transactions, one endpoint for messages.
 */
export const accountProviderOf = (provider: string): string =>
  sharing.find(([, transfers]) => transfers === provider)?.[0] ?? provider;

/** The providers whose sales are paid into the account of this one. */
export const providersOfAccount = (provider: string): string[] => [
  provider,
  ...sharing.filter(([owner]) => owner === provider).map(([, transfers]) => transfers),
];

/** The provider that a checkout belongs to, by its reference: payments in parts are kept by customer. */
export const providerOfCheckout = (provider: string, ref: string): string =>
  ref.startsWith('cus_') ? (providersOfAccount(provider)[1] ?? provider) : provider;

/** The providers whose payments come in parts. */
export const partsProviders: readonly string[] = sharing.map(([, transfers]) => transfers);

/** Whether payments of a provider come in parts. */
export const paysInParts = (provider: string): boolean => partsProviders.includes(provider);

/**
 * The port that carries a total, in cents: the first of the method, or above its limit the one for payments in parts of the same
 * provider, if there is one.
 */
export function portForTotal(
  ports: readonly PaymentsPort[],
  method: PaymentMethod,
  totalCents = 0,
): PaymentsPort | undefined {
  const port = ports.find((one) => one.method === method && !paysInParts(one.provider));
  if (!port || totalCents <= port.limits.maxCents) return port;
  const transfers = TRANSFERS[port.provider];
  return ports.find(({ provider }) => provider === transfers) ?? port;
}
