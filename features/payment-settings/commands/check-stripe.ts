import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { askAccount, type Verdict } from '../ask-stripe.ts';
import { mayChangeStripe } from '../rules.ts';
import type { CheckFailure } from '../stripe-keys.ts';
import { connectionRow, currentSet, type KeySet, savedKeySets, secretKeyOf } from '../stripe-store.ts';
import { isWebhookConfigured } from '../webhooks.ts';

/** Why the keys of the mode in use are not connected; null when they are. */
interface CheckStripeResult {
  failure: CheckFailure | 'unreadable' | 'no_keys' | null;
}

/**
 * Asks Stripe whether it accepts the keys in use and sends its messages to us. Of saved ones it is recorded when it was asked and why it does not; those of the
 * environment are asked about whenever they are shown.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators and jobs
 */
export async function checkStripe(ctx: CtxWith<'stripeSetup'>): Promise<CheckStripeResult> {
  authorize(ctx, mayChangeStripe);
  requireFreshProof(ctx);
  const { stripe } = ctx.config;
  if (stripe) return { failure: failureOf(await askAccount(ctx, stripe.secretKey)) };
  const { livemode } = await connectionRow(ctx);
  const sets = (await savedKeySets(ctx)).filter(({ retired_at }) => retired_at === null);
  const failures = new Map<string, CheckStripeResult['failure']>();
  for (const set of sets) {
    const secretKey = secretKeyOf(ctx, set);
    const verdict = secretKey === null ? null : await askAccount(ctx, secretKey);
    failures.set(set.id, verdict ? failureOf(verdict) : 'unreadable');
    if (secretKey === null || !verdict) continue;
    const enabled = verdict.ok && set.endpoint_ref !== null ? await listensNow(ctx, set, secretKey) : null;
    await ctx.db
      .q()
      .updateTable('stripe_key_sets')
      .set({
        checked_at: ctx.now(),
        check_failure: failureOf(verdict),
        ...(enabled !== null && { endpoint_enabled: enabled }),
      })
      // Not when other keys were saved meanwhile.
      .where('id', '=', set.id)
      .where('secret_sealed', '=', set.secret_sealed)
      .where('endpoint_ref', 'is not distinct from', set.endpoint_ref)
      .execute();
  }
  const current = currentSet(sets, livemode);
  return { failure: current ? (failures.get(current.id) ?? null) : 'no_keys' };
}

/** Whether Stripe sends its messages to us; null when it does not say. */
async function listensNow(
  ctx: CtxWith<'stripeSetup'>,
  set: KeySet,
  secretKey: string,
): Promise<boolean | null> {
  try {
    return await isWebhookConfigured(ctx, set, secretKey);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error }, 'Stripe did not say where it sends its messages');
    return null;
  }
}

const failureOf = (verdict: Verdict): CheckFailure | null => (verdict.ok ? null : verdict.failure);
