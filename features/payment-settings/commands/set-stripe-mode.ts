import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { askAccount } from '../ask-stripe.ts';
import { mayChangeStripe } from '../rules.ts';
import type { StripeMode } from '../stripe-keys.ts';
import {
  changeConnection,
  currentSet,
  lockedConnection,
  savedKeySets,
  secretKeyOf,
} from '../stripe-store.ts';
import { isWebhookConfigured } from '../webhooks.ts';

type SetStripeModeResult =
  | { ok: true }
  /** `already`: another administrator has done the same; `refused`: Stripe does not accept the keys of the mode */
  | {
      ok: false;
      reason:
        | 'environment'
        | 'newer'
        | 'already'
        | 'disconnected'
        | 'no_keys'
        | 'refused'
        | 'no_answer'
        | 'no_webhook';
    };

/**
 * Has new card payments taken with the keys of a mode, which Stripe has to accept at this moment; with the live ones only where
 * their webhook is configured. Sales that have begun keep the mode that they were begun in.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function setStripeMode(
  ctx: CtxWith<'stripeSetup'>,
  { mode, seen }: { mode: StripeMode; seen: number },
): Promise<SetStripeModeResult> {
  authorize(ctx, mayChangeStripe);
  requireFreshProof(ctx);
  if (ctx.config.stripe) return { ok: false, reason: 'environment' };
  const livemode = mode === 'live';
  const set = currentSet(await savedKeySets(ctx), livemode);
  const secretKey = set ? secretKeyOf(ctx, set) : null;
  if (!set || secretKey === null) return { ok: false, reason: 'no_keys' };
  const verdict = await askAccount(ctx, secretKey);
  if (!verdict.ok) return { ok: false, reason: verdict.failure };
  if (livemode && !(await isWebhookConfigured(ctx, set, secretKey)))
    return { ok: false, reason: 'no_webhook' };
  const result = await ctx.db.tx(async (): Promise<SetStripeModeResult> => {
    const connection = await lockedConnection(ctx);
    if (connection.disconnected_at) return { ok: false, reason: 'disconnected' };
    if (connection.livemode === livemode) return { ok: false, reason: 'already' };
    if (connection.version !== seen) return { ok: false, reason: 'newer' };
    await changeConnection(ctx, connection, { livemode }, livemode ? 'stripe.go_live' : 'stripe.go_test');
    await ctx.db
      .q()
      .updateTable('stripe_key_sets')
      .set({ checked_at: ctx.now(), check_failure: null })
      .where('id', '=', set.id)
      .execute();
    return { ok: true };
  });
  if (result.ok) await ctx.stripeSetup.keysChanged();
  return result;
}
