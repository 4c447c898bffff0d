import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import { PaymentError, type Payments, type PaymentsPort, type Rail } from './port.ts';
import { createSandbox } from './sandbox/sandbox.ts';

type PaymentsConfig = Pick<
  Config,
  'production' | 'secret' | 'publicUrl' | 'stripe' | 'coinbase' | 'sandboxPayments'
>;

/**
 * The payment providers that the configuration asks for: on each rail the real one when its keys are there, else the
 * sandbox where that is allowed. Sales that were begun with the other one still find it while it exists.
 * @throws PaymentError `auth` for keys that cannot be any
 */
export async function openPayments(
  config: PaymentsConfig,
  db: Database,
  now: () => Date = () => new Date(),
): Promise<Payments> {
  const real = [await openStripe(config, now), await openCoinbase(config, now)];
  const sandbox = (rail: Rail) =>
    createSandbox({ db, rail, secret: config.secret, publicUrl: config.publicUrl, now });
  const sandboxes = config.sandboxPayments ? [sandbox('card'), sandbox('crypto')] : [];
  const ports = [...real, ...sandboxes].filter((port) => port !== undefined);
  const found = (port: PaymentsPort | undefined, what: string): PaymentsPort => {
    if (!port) throw new PaymentError('unavailable', `No payment provider is configured for ${what}`);
    return port;
  };
  return {
    forRail: (rail) =>
      found(
        ports.find((port) => port.rail === rail),
        rail === 'card' ? 'cards and bank transfers' : 'crypto payments',
      ),
    of: (provider) =>
      found(
        ports.find((port) => port.provider === provider),
        `sales begun with ${provider}`,
      ),
  };
}

/** Loaded only when used: the SDK takes time and memory that a market without Stripe need not spend. */
async function openStripe({ stripe }: PaymentsConfig, now: () => Date): Promise<PaymentsPort | undefined> {
  if (!stripe) return undefined;
  const { createStripe } = await import('./stripe.ts');
  return createStripe({ ...stripe, now });
}

/** Without an address of its own: real money on a production machine, Coinbase's sandbox elsewhere. */
async function openCoinbase(
  { coinbase, production }: PaymentsConfig,
  now: () => Date,
): Promise<PaymentsPort | undefined> {
  if (!coinbase) return undefined;
  const { createCoinbase } = await import('./coinbase.ts');
  return createCoinbase({ ...coinbase, sandbox: !production, now });
}
