import type { Config } from '#platform/config.ts';
import { mayBeLive } from '#platform/config-providers.ts';
import type { Database } from '#platform/db/database.ts';
import { type AccountPort, boundTo, fittingAccount } from './account.ts';
import { PaymentError, type Payments, type PaymentsPort, type WebhookEvent } from './port.ts';
import { portForTotal } from './providers.ts';
import { createSandbox } from './sandbox/provider.ts';
import { followStripeKeys } from './stripe/follow-keys.ts';
import { loadStripeKeys, type StripeKeySet, type StripeKeys } from './stripe/key-sets.ts';

type PaymentsConfig = Pick<
  Config,
  | 'production'
  | 'demo'
  | 'secret'
  | 'previousSecret'
  | 'publicUrl'
  | 'stripe'
  | 'stripeApiBase'
  | 'bankDebitMaxCents'
  | 'coinbase'
  | 'sandboxPayments'
>;

/** Payments whose keys may change while the process runs. */
export interface ReloadablePayments extends Payments {
  /** Uses the keys as they are saved now. */
  reload(): Promise<void>;
  /** Follows no further changes. */
  close(): void;
}

interface OpenOptions {
  now?: () => Date;
  /** told when changed keys could not be read, and of saved keys that cannot be used */
  onFault?: (fault: unknown) => void;
}

/**
 * The payment providers: for each payment method the real one if there are keys, else the sandbox where that is allowed. Keys of
 * Stripe come from the environment or from what administrators have saved; a change is followed at once, in every process that
 * hears the database. Sales go on with the account and mode that they were begun with, as long as its keys are kept.
 * @throws PaymentError `auth` for malformed keys
 */
export async function openPayments(
  config: PaymentsConfig,
  db: Database,
  { now = () => new Date(), onFault = () => undefined }: OpenOptions = {},
): Promise<ReloadablePayments> {
  const others = await unchangingPorts(config, db, now);
  const load = async (): Promise<Payments> => {
    const keys = await loadStripeKeys(config, db);
    for (const text of keys.unusable) onFault(new Error(`Stripe: the ${text}`));
    return paymentsOf(await stripePorts(config, keys, now), others, keys.card);
  };
  const keys = await followStripeKeys(db, load, onFault);
  return {
    forMethod: (...of) => keys.current().forMethod(...of),
    of: (...which) => keys.current().of(...which),
    reload: keys.reload,
    close: keys.close,
  };
}

interface StripePort extends AccountPort<PaymentsPort> {
  /** whether new payments are begun with it */
  takesNew: boolean;
}

interface OtherPorts {
  sandboxCards: PaymentsPort[];
  crypto: PaymentsPort[];
}

/** Payments by the given providers; `stripe` are those of all key sets. */
function paymentsOf(
  stripe: readonly StripePort[],
  { sandboxCards, crypto }: OtherPorts,
  card: StripeKeys['card'],
): Payments {
  const ofStripe = stripe.flatMap(({ port, takesNew }) => (takesNew ? [port] : []));
  const cards = card === 'stripe' ? ofStripe : card === 'sandbox' ? sandboxCards : [];
  const others = [...sandboxCards, ...crypto].map((port) => ({ port, account: null }));
  const all = [...stripe, ...others];
  return {
    forMethod: (method, totalCents) =>
      required(
        portForTotal(method === 'card' ? cards : crypto, method, totalCents),
        method === 'card' ? 'cards and bank transfers' : 'crypto payments',
      ),
    of(provider, bound) {
      const named = all.filter(({ port }) => port.provider === provider);
      const first = required(named[0]?.port, `sales begun with ${provider}`);
      if (!bound) return named.length > 1 ? hearingAll(first, named) : first;
      return boundTo(fittingAccount(named, bound) ?? first, bound);
    },
  };
}

function required(port: PaymentsPort | undefined, what: string): PaymentsPort {
  if (!port) throw new PaymentError('unavailable', `No payment provider is configured for ${what}`);
  return port;
}

/** The first port, which also understands the messages of the other accounts and modes. */
const hearingAll = (first: PaymentsPort, named: readonly { port: PaymentsPort }[]): PaymentsPort => ({
  ...first,
  parseWebhook(message): WebhookEvent {
    let refusal: PaymentError | undefined;
    for (const { port } of named)
      try {
        return port.parseWebhook(message);
      } catch (error) {
        if (!(error instanceof PaymentError) || error.code !== 'bad_signature') throw error;
        refusal ??= error;
      }
    throw refusal ?? new PaymentError('bad_signature', 'No secret to verify with');
  },
});

/**
 * The ports of each key set; the first set begins new payments, in parts only where its account may be paid by bank transfers. Loaded
 * only when used, because the SDK costs startup time and memory.
 */
async function stripePorts(
  { stripeApiBase, bankDebitMaxCents }: PaymentsConfig,
  { sets }: StripeKeys,
  now: () => Date,
): Promise<StripePort[]> {
  if (sets.length === 0) return [];
  const { createStripe } = await import('./stripe/provider.ts');
  const { createStripeTransfers } = await import('./stripe/transfers.ts');
  return sets.flatMap((set, index) => {
    const { secretKey, webhookSecret, formerWebhookSecret, account, without } = set;
    const mostByDebit = without.bankDebits ? 0 : bankDebitMaxCents;
    const config = {
      secretKey,
      webhookSecret,
      formerWebhookSecret,
      now,
      ...(mostByDebit !== undefined && { bankDebitMaxCents: mostByDebit }),
      ...(stripeApiBase !== undefined && { apiBase: stripeApiBase }),
    };
    const of = (port: PaymentsPort, takesNew: boolean) => ({ port: ofAccount(port, set), account, takesNew });
    return [
      of(createStripe(config), index === 0),
      of(createStripeTransfers(config), index === 0 && !without.bankTransfers),
    ];
  });
}

/** The port with what is known of its keys without asking. */
function ofAccount(port: PaymentsPort, { account, livemode, publishableKey }: StripeKeySet): PaymentsPort {
  return {
    ...port,
    publishableKey,
    ...(account !== null && { account: async () => account }),
    parseWebhook: (message) => ({ ...port.parseWebhook(message), from: { livemode, account } }),
  };
}

/** The providers that only the environment configures. */
async function unchangingPorts(
  { secret, publicUrl, sandboxPayments, bankDebitMaxCents, ...config }: PaymentsConfig,
  db: Database,
  now: () => Date,
): Promise<OtherPorts> {
  const common = { db, secret, publicUrl, now };
  const coinbase = await openCoinbase(config, now);
  return {
    sandboxCards: sandboxPayments
      ? [
          createSandbox({
            ...common,
            method: 'card',
            ...(bankDebitMaxCents !== undefined && { bankDebitMaxCents }),
          }),
          createSandbox({ ...common, method: 'card', inParts: true }),
        ]
      : [],
    crypto: [
      ...(coinbase ? [coinbase] : []),
      ...(sandboxPayments ? [createSandbox({ ...common, method: 'crypto' })] : []),
    ],
  };
}

/** Without a configured base URL: live where real money may move, Coinbase's sandbox elsewhere. */
async function openCoinbase(
  { coinbase, ...place }: Pick<PaymentsConfig, 'coinbase' | 'production' | 'demo'>,
  now: () => Date,
): Promise<PaymentsPort | undefined> {
  if (!coinbase) return undefined;
  const { createCoinbase } = await import('./coinbase/provider.ts');
  return createCoinbase({ ...coinbase, sandbox: !mayBeLive(place), now });
}
