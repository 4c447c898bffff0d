import { openSecret, sealSecret } from '#gateways/payments/stripe/key-sets.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { HOUR } from '#platform/durations.ts';
import { mayChangeStripe } from '../rules.ts';
import type { StripeMode } from '../stripe-keys.ts';
import {
  auditedKeys,
  auditKeys,
  currentSet,
  type KeySet,
  lockedConnection,
  savedKeySets,
  secretKeyOf,
} from '../stripe-store.ts';
import { removeOtherEndpoints, webhookUrl } from '../webhooks.ts';

export type ConfigureWebhooksResult =
  | { ok: true }
  /** `newer`: the keys or the endpoint were changed by somebody else meanwhile */
  | { ok: false; reason: 'environment' | 'no_keys' | 'newer' };

/** Messages on their way when the secret is replaced are accepted for this long. */
const FORMER_SECRET_MS = HOUR;

/**
 * Has Stripe send its messages to us, in each mode whose keys are saved: an endpoint whose secret is stored is enabled, otherwise
 * one is made. Repeating it makes no second one.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; PaymentError when Stripe refuses or does not answer
 */
export async function configureWebhooks(ctx: CtxWith<'stripeSetup'>): Promise<ConfigureWebhooksResult> {
  authorize(ctx, mayChangeStripe);
  requireFreshProof(ctx);
  if (ctx.config.stripe) return { ok: false, reason: 'environment' };
  const sets = (await savedKeySets(ctx)).filter(({ retired_at }) => retired_at === null);
  if (sets.length === 0) return { ok: false, reason: 'no_keys' };
  for (const set of sets) {
    const secretKey = secretKeyOf(ctx, set);
    if (secretKey === null) return { ok: false, reason: 'no_keys' };
    if (!(await configure(ctx, set, secretKey))) return { ok: false, reason: 'newer' };
  }
  return { ok: true };
}

/**
 * Replaces the endpoint of a mode by a new one, whose secret is another; messages that are on their way with the former one are
 * accepted for an hour.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; PaymentError when Stripe refuses or does not answer
 */
export async function rotateWebhookSecret(
  ctx: CtxWith<'stripeSetup'>,
  { mode }: { mode: StripeMode },
): Promise<ConfigureWebhooksResult> {
  authorize(ctx, mayChangeStripe);
  requireFreshProof(ctx);
  if (ctx.config.stripe) return { ok: false, reason: 'environment' };
  const set = currentSet(await savedKeySets(ctx), mode === 'live');
  const secretKey = set ? secretKeyOf(ctx, set) : null;
  if (!set || secretKey === null || set.endpoint_ref === null) return { ok: false, reason: 'no_keys' };
  const made = await makeEndpoint(ctx, set, secretKey);
  if (!made) return { ok: false, reason: 'newer' };
  await ctx.stripeSetup.removeEndpoint(secretKey, set.endpoint_ref);
  return { ok: true };
}

async function configure(ctx: CtxWith<'stripeSetup'>, set: KeySet, secretKey: string): Promise<boolean> {
  const url = webhookUrl(ctx);
  const known = await enabledEndpoint(ctx, set, secretKey);
  const current = known ?? (await makeEndpoint(ctx, set, secretKey));
  if (current === null) return false;
  await removeOtherEndpoints(ctx, secretKey, await ctx.stripeSetup.endpoints(secretKey, url), current);
  return true;
}

/** The endpoint whose secret is stored, enabled where it was not; null where there is none that is sent what we have to hear. */
async function enabledEndpoint(
  ctx: CtxWith<'stripeSetup'>,
  set: KeySet,
  secretKey: string,
): Promise<string | null> {
  const { endpoint_ref: ref } = set;
  if (ref === null || openSecret(ctx.config, set.id, 'endpoint', set.endpoint_sealed) === null) return null;
  const find = async () =>
    (await ctx.stripeSetup.endpoints(secretKey, webhookUrl(ctx))).find((one) => one.ref === ref);
  let found = await find();
  if (found && !(found.enabled && found.complete)) {
    await ctx.stripeSetup.switchEndpoint(secretKey, ref, true);
    found = await find();
  }
  if (!found?.enabled || !found.complete) return null;
  if (!set.endpoint_enabled)
    await ctx.db
      .q()
      .updateTable('stripe_key_sets')
      .set({ endpoint_enabled: true })
      .where('id', '=', set.id)
      .where('endpoint_ref', '=', ref)
      .execute();
  return ref;
}

/**
 * Makes an endpoint in place of the one of the row and stores its secret. Two who do it at once make the same one, since both
 * name what it replaces; null when somebody else has stored another one meanwhile.
 */
async function makeEndpoint(
  ctx: CtxWith<'stripeSetup'>,
  set: KeySet,
  secretKey: string,
): Promise<string | null> {
  const key = `webhook endpoint of ${set.id} after ${set.endpoint_ref ?? 'none'}`;
  const made = await ctx.stripeSetup.createEndpoint(secretKey, webhookUrl(ctx), key);
  const stored = await ctx.db.tx(async () => {
    await lockedConnection(ctx);
    const now = (await savedKeySets(ctx)).find(({ id }) => id === set.id);
    if (!now || now.endpoint_ref === made.ref) return now !== undefined;
    if (now.endpoint_ref !== set.endpoint_ref) return false;
    const former = openSecret(ctx.config, set.id, 'endpoint', now.endpoint_sealed);
    const change = {
      endpoint_ref: made.ref,
      endpoint_sealed: sealSecret(ctx.config, set.id, 'endpoint', made.secret),
      endpoint_set_at: ctx.now(),
      endpoint_enabled: true,
      ...(former !== null && {
        former_endpoint_ref: now.endpoint_ref,
        former_endpoint_sealed: sealSecret(ctx.config, set.id, 'former endpoint', former),
        former_until: new Date(ctx.now().getTime() + FORMER_SECRET_MS),
      }),
    };
    await ctx.db.q().updateTable('stripe_key_sets').set(change).where('id', '=', set.id).execute();
    await auditKeys(ctx, {
      action: now.endpoint_ref === null ? 'stripe.configure_webhook' : 'stripe.rotate_webhook',
      id: set.id,
      before: auditedKeys(now),
      after: auditedKeys({ ...now, endpoint_ref: made.ref }),
    });
    return true;
  });
  if (stored) await ctx.stripeSetup.keysChanged();
  return stored ? made.ref : null;
}
