import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import { PaymentError } from '../payments/port.ts';
import { payoutsBoundTo } from './account.ts';
import { type Payouts, type PayoutsPort, payoutMethods } from './port.ts';
import { createPayoutsSandbox } from './sandbox/provider.ts';

type PayoutsConfig = Pick<Config, 'production' | 'secret' | 'publicUrl' | 'stripe' | 'sandboxPayments'>;

/**
 * The payout providers: for each method the sandbox where that is allowed; elsewhere payouts are made by hand.
 * Payouts sent with another provider still find it while it is configured.
 * @throws PaymentError `auth` for malformed keys
 */
export async function openPayouts(
  config: PayoutsConfig,
  db: Database,
  now: () => Date = () => new Date(),
): Promise<Payouts> {
  const { secret, publicUrl } = config;
  const common = { db, secret, publicUrl, now };
  return payoutsOf(
    config.sandboxPayments ? payoutMethods.map((method) => createPayoutsSandbox({ ...common, method })) : [],
  );
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
