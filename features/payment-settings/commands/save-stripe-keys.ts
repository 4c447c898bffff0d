import { randomUUID } from 'node:crypto';
import { mayUseLiveKeys, sealSecret } from '#gateways/payments/stripe/key-sets.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { sealKeyId } from '#platform/auth/seal.ts';
import type { Ctx } from '#platform/context.ts';
import { askAccount } from '../ask-stripe.ts';
import { mayChangeStripe } from '../rules.ts';
import {
  fieldsOf,
  type KeyErrors,
  keyHint,
  type ModeKeys,
  parseKeys,
  stripeMessages,
  type TypedKeys,
} from '../stripe-keys.ts';
import {
  auditedKeys,
  auditKeys,
  changeConnection,
  currentSet,
  type KeySet,
  lockedConnection,
  NO_KEYS,
  retireKeys,
  savedKeySets,
} from '../stripe-store.ts';

interface SaveStripeKeysInput extends TypedKeys {
  /** `version` of the connection that the administrator saw */
  seen: number;
}

type SaveStripeKeysResult =
  | { ok: true }
  | { ok: false; reason: 'invalid'; errors: KeyErrors }
  /** `newer`: somebody else has changed the connection; `no_answer`: Stripe did not say whether it accepts the keys */
  | { ok: false; reason: 'environment' | 'newer' | 'no_answer' };

/** Keys of one mode, of which Stripe has said whose they are. */
interface VerifiedKeys extends Omit<ModeKeys, 'secret'> {
  /** null keeps the one that is saved */
  secret: { key: string; account: string } | null;
}

/**
 * Saves the keys that were typed, encrypted, once Stripe accepts them; boxes that were left empty keep what is saved. Keys of
 * another account replace those of the same mode, which go on serving the sales that were begun with them.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function saveStripeKeys(
  ctx: CtxWith<'stripeSetup'>,
  { seen, ...typed }: SaveStripeKeysInput,
): Promise<SaveStripeKeysResult> {
  authorize(ctx, mayChangeStripe);
  requireFreshProof(ctx);
  if (ctx.config.stripe) return { ok: false, reason: 'environment' };
  const parsed = parseKeys(typed);
  if (!parsed.ok) return { ok: false, reason: 'invalid', errors: parsed.errors };
  const verified = await verify(ctx, parsed.modes);
  if (!verified.ok) return verified;
  const result = await ctx.db.tx(async (): Promise<SaveStripeKeysResult> => {
    const connection = await lockedConnection(ctx);
    if (connection.version !== seen) return { ok: false, reason: 'newer' };
    for (const keys of verified.keys) await store(ctx, keys);
    await changeConnection(ctx, connection, { disconnected_at: null }, 'stripe.connect');
    return { ok: true };
  });
  if (result.ok) await ctx.stripeSetup.keysChanged();
  return result;
}

async function verify(
  ctx: CtxWith<'stripeSetup'>,
  modes: readonly ModeKeys[],
): Promise<{ ok: true; keys: VerifiedKeys[] } | Exclude<SaveStripeKeysResult, { ok: true }>> {
  const sets = await savedKeySets(ctx);
  const errors: KeyErrors = {};
  const keys: VerifiedKeys[] = [];
  for (const one of modes) {
    const { mode, secret } = one;
    const field = fieldsOf[mode];
    if (mode === 'live' && !mayUseLiveKeys(ctx.config))
      errors[secret === null ? field.publishable : field.secret] = stripeMessages.liveRefused;
    else if (secret === null) {
      if (currentSet(sets, mode === 'live')) keys.push({ ...one, secret: null });
      else errors[field.secret] = stripeMessages.secretMissing;
    } else {
      const verdict = await askAccount(ctx, secret);
      if (verdict.ok) keys.push({ ...one, secret: { key: secret, account: verdict.account } });
      else if (verdict.failure === 'no_answer') return { ok: false, reason: 'no_answer' };
      else errors[field.secret] = stripeMessages.refused;
    }
  }
  return Object.keys(errors).length > 0 ? { ok: false, reason: 'invalid', errors } : { ok: true, keys };
}

/** Stores the keys of a mode, in place of those of the same account, and otherwise in place of those in use. */
async function store(ctx: Ctx, { mode, publishable, secret }: VerifiedKeys): Promise<void> {
  const livemode = mode === 'live';
  const sets = await savedKeySets(ctx);
  const current = currentSet(sets, livemode);
  const target = secret
    ? sets.find((set) => set.livemode === livemode && set.account_ref === secret.account)
    : current;
  if (current && current !== target) await retireKeys(ctx, current);
  const id = target?.id ?? randomUUID();
  const publishableKey = { publishable_key: publishable ?? target?.publishable_key ?? null };
  const stored = secret
    ? await storeSecret(ctx, id, secret, { ...publishableKey, livemode })
    : await ctx.db
        .q()
        .updateTable('stripe_key_sets')
        .set(publishableKey)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
  await auditKeys(ctx, {
    action: 'stripe.save_keys',
    id,
    before: target ? auditedKeys(target) : NO_KEYS,
    after: auditedKeys(stored),
  });
}

function storeSecret(
  ctx: Ctx,
  id: string,
  { key, account }: { key: string; account: string },
  common: Pick<KeySet, 'publishable_key' | 'livemode'>,
): Promise<KeySet> {
  const now = ctx.now();
  const columns = {
    ...common,
    secret_hint: keyHint(key),
    secret_sealed: sealSecret(ctx.config, id, 'key', key),
    seal_key_id: sealKeyId(ctx.config),
    set_at: now,
    checked_at: now,
    check_failure: null,
    retired_at: null,
  };
  return ctx.db
    .q()
    .insertInto('stripe_key_sets')
    .values({ id, account_ref: account, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .returningAll()
    .executeTakeFirstOrThrow();
}
