import { PaymentError } from '#gateways/payments/port.ts';
import { mayUseLiveKeys, openSecret } from '#gateways/payments/stripe/key-sets.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Config } from '#platform/config.ts';
import type { Ctx } from '#platform/context.ts';
import { askAccount } from './ask-stripe.ts';
import { isConnected, scheduleText, shownKeys } from './connection.ts';
import type {
  ConfiguredService,
  FormerKeys,
  PayoutInformation,
  ShownKeys,
  StripeConnection,
} from './model.ts';
import { maySeePaymentSettings } from './rules.ts';
import {
  dashboardUrl,
  failureTexts,
  keyHint,
  maskedAccount,
  modeOfKey,
  type StripeMode,
} from './stripe-keys.ts';
import {
  connectionRow,
  currentSet,
  type KeySet,
  salesNeeding,
  savedKeySets,
  secretKeyOf,
} from './stripe-store.ts';
import { hasEndpoint, webhookUrl } from './webhooks.ts';

/**
 * The services that the environment configures or switches on, and whether it does.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export function configuredServices(ctx: CtxWith<'payments' | 'payouts'>): ConfiguredService[] {
  authorize(ctx, maySeePaymentSettings);
  const { config } = ctx;
  return [
    coinbase(ctx),
    stripeConnect(ctx),
    paypal(ctx),
    {
      name: 'Email',
      configured: config.smtpUrl !== undefined,
      mode: null,
      text: config.smtpUrl
        ? 'Emails are sent by your mail server.'
        : 'Emails are written to a folder of the server.',
      variables: 'SMTP_URL, MAIL_FROM',
    },
    {
      name: 'File storage',
      configured: config.filesUrl !== undefined,
      mode: null,
      text: config.filesUrl ? 'Files lie in your object storage.' : 'Files lie in a folder of the server.',
      variables: 'FILES_URL',
    },
  ];
}

function coinbase({ config, payments }: CtxWith<'payments'>): ConfiguredService {
  const port = portOrNull(() => payments.forMethod('crypto'));
  const configured = config.coinbase !== undefined;
  return {
    name: 'Coinbase',
    configured,
    mode: port && (configured ? (port.livemode ? 'live' : 'test') : 'sandbox'),
    text: configured
      ? 'Buyers pay by crypto at Coinbase.'
      : port
        ? 'The built-in sandbox stands in for crypto payments: no real money moves.'
        : 'Buyers cannot pay by crypto.',
    variables: 'COINBASE_KEY_ID, COINBASE_KEY_SECRET, COINBASE_WEBHOOK_SECRET',
  };
}

/** Its keys are those that take card payments. */
function stripeConnect({ config, payouts }: CtxWith<'payouts'>): ConfiguredService {
  const port = payouts.forMethod('stripe');
  const configured = port?.provider === 'stripe-connect';
  const why = config.stripeConnect ? 'Waits for Stripe keys that can be used.' : 'Switched off.';
  return {
    name: 'Stripe Connect',
    configured,
    mode: port && (configured ? (port.livemode ? 'live' : 'test') : 'sandbox'),
    text: configured
      ? 'Sellers who connect Stripe are paid from the Stripe account above.'
      : port
        ? `${why} The built-in sandbox stands in for payouts to accounts at Stripe: no real money moves.`
        : `${why} Sellers cannot connect Stripe.`,
    variables: 'STRIPE_CONNECT, STRIPE_CONNECT_WEBHOOK_SECRET',
  };
}

function paypal({ config, payouts }: CtxWith<'payouts'>): ConfiguredService {
  const port = payouts.forMethod('paypal');
  const configured = config.paypal !== undefined;
  return {
    name: 'PayPal',
    configured,
    mode: port && (configured ? (port.livemode ? 'live' : 'test') : 'sandbox'),
    text: configured
      ? 'Sellers who choose PayPal are paid by it.'
      : port
        ? 'The built-in sandbox stands in for payouts by PayPal: no real money moves.'
        : 'Payouts to sellers who choose PayPal are made by hand.',
    variables: 'PAYPAL_MODE, PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID',
  };
}

function portOrNull<Port>(find: () => Port): Port | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'unavailable') return null;
    throw error;
  }
}

/**
 * How card payments are connected, and the keys without their secrets. Keys of the environment win over saved ones; Stripe is asked
 * about them at this moment.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function stripeConnection(ctx: CtxWith<'payments' | 'stripeSetup'>): Promise<StripeConnection> {
  authorize(ctx, maySeePaymentSettings);
  const { version, livemode } = await connectionRow(ctx);
  const common = { version, sandboxAllowed: ctx.config.sandboxPayments, webhookUrl: webhookUrl(ctx) };
  if (ctx.config.stripe) return { ...common, ...(await environmentConnection(ctx, ctx.config.stripe)) };
  const sets = await savedKeySets(ctx);
  const mode = livemode ? 'live' : 'test';
  const keys = {
    test: await shown(ctx, currentSet(sets, false)),
    live: await shown(ctx, currentSet(sets, true)),
  };
  const serves = servesCards(ctx);
  return {
    ...common,
    origin: 'saved',
    mode,
    serves,
    keys,
    connected: isConnected({ serves, keys, mode }),
    former: await formerKeys(ctx, sets),
  };
}

async function environmentConnection(
  ctx: CtxWith<'payments' | 'stripeSetup'>,
  { secretKey, publishableKey, webhookSecret }: NonNullable<Config['stripe']>,
): Promise<Pick<StripeConnection, 'origin' | 'mode' | 'serves' | 'keys' | 'connected' | 'former'>> {
  const mode = modeOfKey(secretKey);
  const verdict = await askAccount(ctx, secretKey);
  const one: ShownKeys = {
    publishableKey: publishableKey ?? null,
    secretHint: keyHint(secretKey),
    setAt: null,
    account: verdict.ok ? maskedAccount(verdict.account) : null,
    checkedAt: ctx.now().toISOString(),
    failure: verdict.ok ? null : failureTexts[verdict.failure],
    webhook: {
      configured: verdict.ok ? await hasEndpoint(ctx, { secretKey, webhookSecret }) : null,
      setAt: null,
      lastMessageAt: (await lastMessageAt(ctx, mode, null))?.toISOString() ?? null,
    },
  };
  const keys = { test: null, live: null, [mode]: one };
  const former = await formerKeys(ctx, await savedKeySets(ctx));
  return { origin: 'environment', mode, serves: 'stripe', keys, connected: verdict.ok, former };
}

async function shown(ctx: Ctx, set: KeySet | undefined): Promise<ShownKeys | null> {
  if (!set) return null;
  return shownKeys(set, {
    readable: secretKeyOf(ctx, set) !== null && (!set.livemode || mayUseLiveKeys(ctx.config)),
    endpointReadable: openSecret(ctx.config, set.id, 'endpoint', set.endpoint_sealed) !== null,
    lastMessageAt: await lastMessageAt(ctx, set.livemode ? 'live' : 'test', set.account_ref),
  });
}

/** When the last message of an account came whose signature was right. */
async function lastMessageAt(ctx: Ctx, mode: StripeMode, account: string | null): Promise<Date | null> {
  const found = await ctx.db
    .q()
    .selectFrom('provider_events')
    .select('received_at')
    .where('provider', '=', 'stripe')
    .where('livemode', '=', mode === 'live')
    .where('account_ref', 'is not distinct from', account)
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.received_at ?? null;
}

/** What takes new card payments in this process. */
function servesCards({ payments }: CtxWith<'payments'>): StripeConnection['serves'] {
  const port = portOrNull(() => payments.forMethod('card'));
  if (!port) return null;
  return port.provider === 'stripe' ? 'stripe' : 'sandbox';
}

async function formerKeys(ctx: Ctx, sets: readonly KeySet[]): Promise<FormerKeys[]> {
  const former = sets.filter(({ retired_at }) => retired_at !== null);
  return Promise.all(
    former.map(async ({ account_ref, livemode }) => ({
      account: maskedAccount(account_ref),
      mode: livemode ? ('live' as const) : ('test' as const),
      sales: await salesNeeding(ctx, { account_ref, livemode }),
    })),
  );
}

/**
 * What Stripe says about the account whose keys take new payments; null where Stripe takes none.
 * @throws Unauthenticated, Forbidden for everyone but administrators; PaymentError when Stripe refuses or does not answer
 */
export async function payoutInformation(ctx: CtxWith<'stripeSetup'>): Promise<PayoutInformation | null> {
  authorize(ctx, maySeePaymentSettings);
  const found = await keyInUse(ctx);
  if (!found) return null;
  const { ref, payoutInterval, availableCents, pendingCents } = await ctx.stripeSetup.funds(found.secretKey);
  return {
    account: maskedAccount(ref),
    mode: found.mode,
    availableCents,
    pendingCents,
    schedule: scheduleText(payoutInterval),
    dashboardUrl: dashboardUrl(found.mode),
  };
}

async function keyInUse(ctx: Ctx): Promise<{ secretKey: string; mode: StripeMode } | null> {
  const { stripe } = ctx.config;
  if (stripe) return { secretKey: stripe.secretKey, mode: modeOfKey(stripe.secretKey) };
  const { livemode, disconnected_at } = await connectionRow(ctx);
  const set = disconnected_at ? undefined : currentSet(await savedKeySets(ctx), livemode);
  const secretKey = set ? secretKeyOf(ctx, set) : null;
  return secretKey === null ? null : { secretKey, mode: livemode ? 'live' : 'test' };
}

/**
 * Whether Stripe takes new card payments with test keys, so that no real money moves.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export function stripeInTestMode(ctx: CtxWith<'payments'>): boolean {
  authorize(ctx, maySeePaymentSettings);
  const port = portOrNull(() => ctx.payments.forMethod('card'));
  return port !== null && port.provider === 'stripe' && !port.livemode;
}
