import { type StoredKeys, seal, sealKeyId, unsealStored } from '#platform/auth/seal.ts';
import type { Config } from '#platform/config.ts';
import { mayBeLive } from '#platform/config-providers.ts';
import type { Database } from '#platform/db/database.ts';
import { isLoopback } from '#platform/http/loopback.ts';

/** The keys of one account at Stripe in one mode, ready for use. */
export interface StripeKeySet {
  livemode: boolean;
  /** the account; null where it has not been asked for yet */
  account: string | null;
  secretKey: string;
  /** public: browsers may see it */
  publishableKey: string | null;
  /** empty while no endpoint is set up */
  webhookSecret: string;
  formerWebhookSecret: { secret: string; until: Date } | undefined;
  /** what the account may not be paid with, as Stripe last said */
  without: { bankDebits: boolean; bankTransfers: boolean };
}

export interface StripeKeys {
  /** who takes new card payments; null while Stripe is disconnected, or none of the keys can be used */
  card: 'stripe' | 'sandbox' | null;
  /** every set that can be used, that for new payments first; the others serve the sales that were begun with them */
  sets: StripeKeySet[];
  /** saved keys that cannot be used, in words */
  unusable: string[];
}

type KeysConfig = StoredKeys &
  Pick<Config, 'stripe' | 'stripeApiBase' | 'production' | 'demo' | 'sandboxPayments'>;

/** The secrets that a row of key sets holds. */
export type SealedSecret = 'key' | 'endpoint' | 'former endpoint';

const purpose = (id: string, what: SealedSecret) => `stripe ${what} ${id}`;

/** Encrypts a secret for its place in one row: nowhere else it can be opened. */
export const sealSecret = (
  config: Pick<Config, 'secret'>,
  id: string,
  what: SealedSecret,
  text: string,
): string => seal(config, purpose(id, what), text);

/** The secret of one place; null when there is none, and when it was sealed with neither the present nor the former `APP_SECRET`. */
export const openSecret = (
  config: StoredKeys,
  id: string,
  what: SealedSecret,
  sealed: string | null,
): string | null => (sealed === null ? null : unsealStored(config, purpose(id, what), sealed));

/**
 * Whether saved keys that move real money may be used here: where those of the environment may, and with a double of Stripe on the
 * same machine, which moves none.
 */
export const mayUseLiveKeys = ({
  stripeApiBase,
  ...place
}: Pick<Config, 'production' | 'demo' | 'stripeApiBase'>): boolean =>
  mayBeLive(place) || (stripeApiBase !== undefined && isLoopback(new URL(stripeApiBase).hostname));

/** The keys of the environment and those that administrators have saved; the former win. */
export async function loadStripeKeys(config: KeysConfig, db: Database): Promise<StripeKeys> {
  const [connection, rows, capabilities] = await Promise.all([
    db.q().selectFrom('stripe_connection').select(['livemode', 'disconnected_at']).executeTakeFirstOrThrow(),
    db.q().selectFrom('stripe_key_sets').selectAll().execute(),
    db
      .q()
      .selectFrom('provider_capabilities')
      .selectAll()
      .where('provider', '=', 'stripe')
      .orderBy('checked_at', 'desc')
      .execute(),
  ]);
  // The account of keys of the environment is not known yet: it is the one that was asked last.
  const without = (livemode: boolean, account: string | null): StripeKeySet['without'] => {
    const said = capabilities.find(
      (one) => one.livemode === livemode && (account === null || one.account_ref === account),
    );
    return { bankDebits: said?.bank_debits === false, bankTransfers: said?.bank_transfers === false };
  };
  const unusable: string[] = [];
  const saved = rows.flatMap((row) => {
    const { livemode, account_ref: account, publishable_key: publishableKey, former_until: until } = row;
    const name = `${livemode ? 'live' : 'test'} keys of ${account}`;
    const secretKey = openSecret(config, row.id, 'key', row.secret_sealed);
    const problem = secretKey === null ? sealProblem(config, row.seal_key_id) : null;
    if (problem !== null || (livemode && !mayUseLiveKeys(config)))
      unusable.push(`${name}: ${problem ?? 'live keys are for production only'}`);
    if (secretKey === null || (livemode && !mayUseLiveKeys(config))) return [];
    const former = openSecret(config, row.id, 'former endpoint', row.former_endpoint_sealed);
    const set: StripeKeySet = {
      livemode,
      account,
      secretKey,
      publishableKey,
      webhookSecret: openSecret(config, row.id, 'endpoint', row.endpoint_sealed) ?? '',
      formerWebhookSecret: former !== null && until ? { secret: former, until } : undefined,
      without: without(livemode, account),
    };
    return [{ set, current: row.retired_at === null && livemode === connection.livemode }];
  });
  const mine = environmentSet(config, without);
  const current = saved.find((one) => one.current)?.set;
  const isMeant = rows.some((row) => row.retired_at === null && row.livemode === connection.livemode);
  const others = saved.filter(({ set }) => set !== current).map(({ set }) => set);
  const sets = [...(mine ? [mine] : []), ...(current ? [current] : []), ...others];
  if (mine || (current && !connection.disconnected_at)) return { card: 'stripe', sets, unusable };
  const sandbox = config.sandboxPayments && !connection.disconnected_at && !isMeant;
  return { card: sandbox ? 'sandbox' : null, sets, unusable };
}

function environmentSet(
  { stripe }: KeysConfig,
  without: (livemode: boolean, account: null) => StripeKeySet['without'],
): StripeKeySet | undefined {
  if (!stripe) return undefined;
  const { secretKey, webhookSecret, publishableKey } = stripe;
  const livemode = /^.k_live_/.test(secretKey);
  return {
    livemode,
    account: null,
    secretKey,
    publishableKey: publishableKey ?? null,
    webhookSecret,
    formerWebhookSecret: undefined,
    without: without(livemode, null),
  };
}

const sealProblem = (config: KeysConfig, keyId: string): string =>
  keyId === sealKeyId(config)
    ? 'what is stored was changed'
    : 'they are encrypted with a former APP_SECRET, which APP_SECRET_PREVIOUS has to name';
