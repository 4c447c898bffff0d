import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import { boundTo } from './account.ts';
import { PaymentError, type Payments, type PaymentsPort } from './port.ts';
import { portForTotal } from './providers.ts';
import { createSandbox } from './sandbox/provider.ts';

type PaymentsConfig = Pick<
  Config,
  'production' | 'secret' | 'publicUrl' | 'stripe' | 'coinbase' | 'sandboxPayments'
>;

/**
 * The configured payment providers: for each payment method the real one if its keys are set, else the sandbox where that
 * is allowed. Sales started with another provider still find it while it is configured.
 * @throws PaymentError `auth` for malformed keys
 */
export async function openPayments(
  config: PaymentsConfig,
  db: Database,
  now: () => Date = () => new Date(),
): Promise<Payments> {
  const real = [...(await openStripe(config, now)), await openCoinbase(config, now)];
  const { secret, publicUrl } = config;
  const common = { db, secret, publicUrl, now };
  const sandboxes = config.sandboxPayments
    ? [
        createSandbox({ ...common, method: 'card' }),
        createSandbox({ ...common, method: 'card', inParts: true }),
        createSandbox({ ...common, method: 'crypto' }),
      ]
    : [];
  const ports = [...real, ...sandboxes].filter((port) => port !== undefined);
  const requireProvider = (port: PaymentsPort | undefined, what: string): PaymentsPort => {
    if (!port) throw new PaymentError('unavailable', `No payment provider is configured for ${what}`);
    return port;
  };
  return {
    forMethod: (method, totalCents) =>
      requireProvider(
        portForTotal(ports, method, totalCents),
        method === 'card' ? 'cards and bank transfers' : 'crypto payments',
      ),
    of: (provider, bound) => {
      const port = requireProvider(
        ports.find((port) => port.provider === provider),
        `sales begun with ${provider}`,
      );
      return bound ? boundTo(port, bound) : port;
    },
  };
}

/** Loaded only when used, because the SDK costs startup time and memory. */
async function openStripe({ stripe }: PaymentsConfig, now: () => Date): Promise<PaymentsPort[]> {
  if (!stripe) return [];
  const { createStripe } = await import('./stripe/provider.ts');
  const { createStripeTransfers } = await import('./stripe/transfers.ts');
  return [createStripe({ ...stripe, now }), createStripeTransfers({ ...stripe, now })];
}

/** Without a configured base URL: live in production, Coinbase's sandbox elsewhere. */
async function openCoinbase(
  { coinbase, production }: PaymentsConfig,
  now: () => Date,
): Promise<PaymentsPort | undefined> {
  if (!coinbase) return undefined;
  const { createCoinbase } = await import('./coinbase/provider.ts');
  return createCoinbase({ ...coinbase, sandbox: !production, now });
}
