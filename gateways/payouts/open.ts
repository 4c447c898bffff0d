import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import { type AccountPort, fittingAccount } from '../payments/account.ts';
import { PaymentError } from '../payments/port.ts';
import { followStripeKeys } from '../payments/stripe/follow-keys.ts';
import { loadStripeKeys, type StripeKeys } from '../payments/stripe/key-sets.ts';
import { payoutsBoundTo } from './account.ts';
import { type Payouts, type PayoutsPort, payoutMethods } from './port.ts';
import { createPayoutsSandbox } from './sandbox/provider.ts';

type PayoutsConfig = Pick<
  Config,
  | 'production'
  | 'demo'
  | 'secret'
  | 'previousSecret'
  | 'publicUrl'
  | 'stripe'
  | 'stripeApiBase'
  | 'stripeConnect'
  | 'paypal'
  | 'sandboxPayments'
>;

/** Payouts whose keys may change while the process runs. */
interface ReloadablePayouts extends Payouts {
  /** Uses the keys as they are saved now. */
  reload(): Promise<void>;
  /** Follows no further changes. */
  close(): void;
}

/**
 * The payout providers: for each method the real one if it is switched on and has keys, else the sandbox where that is allowed;
 * elsewhere payouts are made by hand. Stripe Connect pays with the keys that take card payments, and follows a change of them.
 * Payouts stay with the account and mode that they were sent with, as long as its keys are kept.
 * @param onFault told when changed keys could not be read
 * @throws PaymentError `auth` for malformed keys
 */
export async function openPayouts(
  config: PayoutsConfig,
  db: Database,
  now: () => Date = () => new Date(),
  onFault: (fault: unknown) => void = () => undefined,
): Promise<ReloadablePayouts> {
  const { secret, publicUrl, stripeConnect } = config;
  const common = { db, secret, publicUrl, now };
  const sandboxes = config.sandboxPayments
    ? payoutMethods.map((method) => createPayoutsSandbox({ ...common, method }))
    : [];
  const paypal = await openPayPal(config, now);
  const others = [...(paypal ? [paypal] : []), ...sandboxes].map((port) => ({ port, account: null }));
  if (!stripeConnect)
    return { ...payoutsFrom(others), reload: async () => undefined, close: () => undefined };
  const load = async (): Promise<Payouts> => {
    const keys = await loadStripeKeys(config, db);
    const connect = await connectPorts({ ...config, stripeConnect }, keys, now);
    return payoutsFrom([...connect, ...others], keys.card);
  };
  const keys = await followStripeKeys(db, load, onFault);
  return {
    forMethod: (method) => keys.current().forMethod(method),
    of: (...which) => keys.current().of(...which),
    reload: keys.reload,
    close: keys.close,
  };
}

/** Stripe Connect with each set of keys, that for new payouts first. Loaded only when used, because the SDK costs startup time and memory. */
async function connectPorts(
  {
    stripeConnect,
    stripeApiBase: apiBase,
  }: Pick<PayoutsConfig, 'stripeApiBase'> & {
    stripeConnect: NonNullable<PayoutsConfig['stripeConnect']>;
  },
  { sets }: StripeKeys,
  now: () => Date,
): Promise<AccountPort<PayoutsPort>[]> {
  if (sets.length === 0) return [];
  const { createStripeConnect } = await import('./stripe/provider.ts');
  return sets.map(({ secretKey, account }) => {
    const port = createStripeConnect({ secretKey, ...stripeConnect, apiBase, now });
    return { port: account === null ? port : { ...port, account: async () => account }, account };
  });
}

async function openPayPal({ paypal }: PayoutsConfig, now: () => Date): Promise<PayoutsPort | undefined> {
  if (!paypal) return undefined;
  const { createPayPal } = await import('./paypal/provider.ts');
  return createPayPal({ ...paypal, now });
}

/** Payouts by the given providers; for each method the first one serves new payouts. */
export const payoutsOf = (ports: readonly PayoutsPort[]): Payouts =>
  payoutsFrom(ports.map((port) => ({ port, account: null })));

/** `card` says who takes new card payments where Stripe Connect is switched on: accounts at Stripe are paid by the same. */
function payoutsFrom(ports: readonly AccountPort<PayoutsPort>[], card?: StripeKeys['card']): Payouts {
  const payer = { stripe: 'stripe-connect', sandbox: 'sandbox-connect' } as const;
  return {
    forMethod(method) {
      const ofMethod = ports.filter(({ port }) => port.method === method);
      const serving =
        method === 'paypal' || card === undefined
          ? ofMethod[0]
          : ofMethod.find(({ port }) => card !== null && port.provider === payer[card]);
      return serving?.port ?? null;
    },
    of(provider, bound) {
      const named = ports.filter(({ port }) => port.provider === provider);
      const first = named[0]?.port;
      if (!first)
        throw new PaymentError(
          'unavailable',
          `No payout provider is configured for payouts sent with ${provider}`,
        );
      if (!bound) return named.length > 1 ? hearingAll(first, named) : first;
      return payoutsBoundTo(fittingAccount(named, bound) ?? first, bound);
    },
  };
}

/** The first port, which also understands the messages of the other mode. The secrets of all endpoints are the same for each. */
const hearingAll = (first: PayoutsPort, named: readonly AccountPort<PayoutsPort>[]): PayoutsPort => {
  const other = named.find(({ port }) => port.livemode !== first.livemode)?.port;
  return {
    ...first,
    async parseWebhook(message) {
      try {
        return await first.parseWebhook(message);
      } catch (error) {
        if (!other || !(error instanceof PaymentError) || error.code !== 'invalid') throw error;
        return other.parseWebhook(message);
      }
    },
  };
};
