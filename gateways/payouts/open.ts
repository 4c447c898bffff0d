import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import { PaymentError } from '../payments/port.ts';
import { payoutsBoundTo } from './account.ts';
import { type Payouts, type PayoutsPort, payoutMethods } from './port.ts';
import { createPayoutsSandbox } from './sandbox/provider.ts';

type PayoutsConfig = Pick<Config, 'secret' | 'publicUrl' | 'stripeConnect' | 'paypal' | 'sandboxPayments'>;

/**
 * The payout providers: for each method the real one if its keys are set, else the sandbox where that is allowed; elsewhere payouts
 * are made by hand. Payouts sent with another provider still find it while it is configured.
 * @throws PaymentError `auth` for malformed keys
 */
export async function openPayouts(
  config: PayoutsConfig,
  db: Database,
  now: () => Date = () => new Date(),
): Promise<Payouts> {
  const { secret, publicUrl } = config;
  const common = { db, secret, publicUrl, now };
  const sandboxes = config.sandboxPayments
    ? payoutMethods.map((method) => createPayoutsSandbox({ ...common, method }))
    : [];
  const real = [await openConnect(config, now), await openPayPal(config, now)];
  return payoutsOf([...real, ...sandboxes].filter((port) => port !== undefined));
}

/** Loaded only when used, because the SDK costs startup time and memory. */
async function openConnect(
  { stripeConnect }: PayoutsConfig,
  now: () => Date,
): Promise<PayoutsPort | undefined> {
  if (!stripeConnect) return undefined;
  const { createStripeConnect } = await import('./stripe/provider.ts');
  return createStripeConnect({ ...stripeConnect, now });
}

async function openPayPal({ paypal }: PayoutsConfig, now: () => Date): Promise<PayoutsPort | undefined> {
  if (!paypal) return undefined;
  const { createPayPal } = await import('./paypal/provider.ts');
  return createPayPal({ ...paypal, now });
}

/** Payouts by the given providers; for each method the first one serves new payouts. */
export function payoutsOf(ports: readonly PayoutsPort[]): Payouts {
  return {
    forMethod: (method) => ports.find((port) => port.method === method) ?? null,
    of(provider, bound) {
      const port = ports.find((one) => one.provider === provider);
      if (!port)
        throw new PaymentError(
          'unavailable',
          `No payout provider is configured for payouts sent with ${provider}`,
        );
      return bound ? payoutsBoundTo(port, bound) : port;
    },
  };
}
