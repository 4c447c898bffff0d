import { z } from 'zod';
import { flag, url } from './config-types.ts';
import { InvalidEnvironment } from './invalid-environment.ts';

/** Who takes payments and makes payouts. */
export interface ProvidersConfig {
  /** keys of the payment providers; without them the sandbox is used */
  stripe:
    | {
        secretKey: string;
        webhookSecret: string;
        apiBase: string | undefined;
        /** public: browsers may see it */
        publishableKey: string | undefined;
      }
    | undefined;
  /** where Stripe is reached, also with keys that administrators save; Stripe's own address without it */
  stripeApiBase: string | undefined;
  /** the most that a payment from a bank account carries at the provider of cards; without it as much as a card payment */
  bankDebitMaxCents: number | undefined;
  coinbase:
    | { keyId: string; keySecret: string; webhookSecret: string; apiBase: string | undefined }
    | undefined;
  /**
   * payouts to accounts of sellers at Stripe, with the keys that take card payments, whether saved or of the environment; without it
   * they are made by hand, or by the sandbox where that is allowed
   */
  stripeConnect: { webhookSecrets: readonly string[] } | undefined;
  /** payouts by PayPal; without it they are made by hand, or by the sandbox where that is allowed */
  paypal:
    | {
        mode: 'live' | 'sandbox';
        clientId: string;
        clientSecret: string;
        webhookId: string;
        apiBase: string | undefined;
      }
    | undefined;
}

/** The variables of the payment and payout providers. */
export const providerVariables = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/, 'expected sk_test_…, rk_test_…, sk_live_… or rk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'expected whsec_…')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, 'expected pk_test_… or pk_live_…')
    .optional(),
  STRIPE_API_BASE: url(['http:', 'https:'], 'expected an address such as https://api.stripe.com').optional(),
  BANK_DEBIT_MAX: z.coerce.number('expected whole dollars').int().min(1).max(999_999).optional(),
  COINBASE_KEY_ID: z.string().optional(),
  COINBASE_KEY_SECRET: z.string().optional(),
  COINBASE_WEBHOOK_SECRET: z.string().optional(),
  COINBASE_API_BASE: url(
    ['http:', 'https:'],
    'expected an address such as https://business.coinbase.com/api/v1',
  ).optional(),
  STRIPE_CONNECT: flag.optional(),
  STRIPE_CONNECT_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[^\s,]+(?:,whsec_[^\s,]+)*$/, 'expected whsec_…, or several of them with commas between')
    .optional(),
  PAYPAL_MODE: z.enum(['live', 'sandbox'], 'expected live or sandbox').optional(),
  PAYPAL_CLIENT_ID: z.string().optional(),
  PAYPAL_SECRET: z.string().optional(),
  PAYPAL_WEBHOOK_ID: z
    .string()
    .regex(/^\w{1,50}$/, 'expected the id of the webhook at PayPal')
    .optional(),
  PAYPAL_API_BASE: url(
    ['http:', 'https:'],
    'expected an address such as https://api-m.sandbox.paypal.com',
  ).optional(),
};

const environment = z.object(providerVariables);
type ProviderEnvironment = z.infer<typeof environment>;

/** Where the server runs. */
interface Place {
  production: boolean;
  demo: boolean;
  publicUrl: URL;
}

/** Real money moves in production alone, and never where the administrators' password is published. */
export const mayBeLive = ({ production, demo }: Pick<Place, 'production' | 'demo'>): boolean =>
  production && !demo;
const REFUSED_LIVE = 'refused unless NODE_ENV=production without DEMO=on';
/** What pretends to take money would 'sell' houses in production. */
const mayPretend = ({ production, demo }: Place): boolean => !production || demo;

/**
 * The keys of the providers.
 * @throws InvalidEnvironment for what does not fit together, or not with the place
 */
export function providersOf(env: ProviderEnvironment, place: Place): ProvidersConfig {
  return {
    stripe: stripeKeys(env, place),
    stripeApiBase: env.STRIPE_API_BASE,
    bankDebitMaxCents: env.BANK_DEBIT_MAX && env.BANK_DEBIT_MAX * 100,
    coinbase: coinbaseKeys(env, place),
    stripeConnect: connectSwitch(env),
    paypal: paypalKeys(env, place),
  };
}

function stripeKeys(env: ProviderEnvironment, place: Place): ProvidersConfig['stripe'] {
  const keys = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
  const [secretKey, webhookSecret] = allOrNone(env, keys) ?? [];
  if (!secretKey || !webhookSecret) return undefined;
  if (modeOfKey(secretKey) === 'live' && !mayBeLive(place))
    throw new InvalidEnvironment(`STRIPE_SECRET_KEY: a live key is ${REFUSED_LIVE}`);
  if (modeOfKey(secretKey) === 'test' && !mayPretend(place))
    throw new InvalidEnvironment('STRIPE_SECRET_KEY: a test key is refused in production unless DEMO=on');
  const publishableKey = env.STRIPE_PUBLISHABLE_KEY;
  if (publishableKey && modeOfKey(publishableKey) !== modeOfKey(secretKey))
    throw new InvalidEnvironment('STRIPE_PUBLISHABLE_KEY: not of the same mode as STRIPE_SECRET_KEY');
  return { secretKey, webhookSecret, apiBase: env.STRIPE_API_BASE, publishableKey };
}

/** `sk_live_…` → `live` */
const modeOfKey = (key: string) => key.split('_')[1];

function coinbaseKeys(env: ProviderEnvironment, place: Place): ProvidersConfig['coinbase'] {
  const keys = ['COINBASE_KEY_ID', 'COINBASE_KEY_SECRET', 'COINBASE_WEBHOOK_SECRET'] as const;
  const [keyId, keySecret, webhookSecret] = allOrNone(env, keys, 'COINBASE_API_BASE') ?? [];
  if (!keyId || !keySecret || !webhookSecret) return undefined;
  if (place.publicUrl.protocol !== 'https:')
    throw new InvalidEnvironment('PUBLIC_URL: an https address is required with COINBASE_KEY_ID');
  const apiBase = env.COINBASE_API_BASE;
  if (apiBase !== undefined && isLiveCoinbase(apiBase) && !mayBeLive(place))
    throw new InvalidEnvironment(`COINBASE_API_BASE: the live address is ${REFUSED_LIVE}`);
  return { keyId, keySecret, webhookSecret, apiBase };
}

/** Whether it is Coinbase itself, but not its sandbox, which is at the same host. */
function isLiveCoinbase(apiBase: string): boolean {
  const { hostname, pathname } = new URL(apiBase);
  return /(^|\.)coinbase\.com\.?$/.test(hostname) && !`${pathname}/`.startsWith('/sandbox/');
}

/** Payouts by Stripe Connect, where they are switched on; the keys may also be saved by administrators. */
function connectSwitch({
  STRIPE_CONNECT: chosen,
  STRIPE_CONNECT_WEBHOOK_SECRET: secrets,
}: ProviderEnvironment): ProvidersConfig['stripeConnect'] {
  if (chosen === 'off' || (chosen ?? secrets) === undefined) return undefined;
  if (!chosen) throw new InvalidEnvironment('STRIPE_CONNECT: required with STRIPE_CONNECT_WEBHOOK_SECRET');
  if (!secrets) throw new InvalidEnvironment('STRIPE_CONNECT_WEBHOOK_SECRET: required with STRIPE_CONNECT');
  return { webhookSecrets: secrets.split(',') };
}

/** PayPal's addresses, and the mode of each. */
const PAYPAL_HOSTS: Readonly<Record<string, string>> = {
  'api-m.paypal.com': 'live',
  'api.paypal.com': 'live',
  'api-m.sandbox.paypal.com': 'sandbox',
  'api.sandbox.paypal.com': 'sandbox',
};

function paypalKeys(env: ProviderEnvironment, place: Place): ProvidersConfig['paypal'] {
  const keys = ['PAYPAL_CLIENT_ID', 'PAYPAL_SECRET', 'PAYPAL_WEBHOOK_ID', 'PAYPAL_MODE'] as const;
  const [clientId, clientSecret, webhookId] = allOrNone(env, keys, 'PAYPAL_API_BASE') ?? [];
  const { PAYPAL_MODE: mode, PAYPAL_API_BASE: apiBase } = env;
  if (!clientId || !clientSecret || !webhookId || !mode) return undefined;
  if (mode === 'live' && !mayBeLive(place))
    throw new InvalidEnvironment(`PAYPAL_MODE: live is ${REFUSED_LIVE}`);
  if (mode === 'sandbox' && !mayPretend(place))
    throw new InvalidEnvironment('PAYPAL_MODE: sandbox is refused in production unless DEMO=on');
  const modeOfBase = apiBase && PAYPAL_HOSTS[new URL(apiBase).hostname];
  if (modeOfBase && modeOfBase !== mode)
    throw new InvalidEnvironment(`PAYPAL_API_BASE: not the address of PAYPAL_MODE=${mode}`);
  return { mode, clientId, clientSecret, webhookId, apiBase };
}

/** The values of a provider's variables, which must all be set or none; a base URL given here does not count alone. */
function allOrNone(
  env: ProviderEnvironment,
  names: readonly (keyof ProviderEnvironment)[],
  ...base: (keyof ProviderEnvironment)[]
): string[] | undefined {
  const given = [...names, ...base].filter((name) => env[name] !== undefined);
  if (given.length === 0) return undefined;
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length > 0)
    throw new InvalidEnvironment(
      missing.map((name) => `${name}: required with ${given.join(', ')}`).join('\n'),
    );
  return names.map((name) => String(env[name]));
}
