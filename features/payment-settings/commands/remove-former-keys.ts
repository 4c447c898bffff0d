import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { mayTidyKeys } from '../rules.ts';
import {
  auditedKeys,
  auditKeys,
  type KeySet,
  lockedConnection,
  NO_KEYS,
  salesNeeding,
  savedKeySets,
  secretKeyOf,
} from '../stripe-store.ts';

/** Keys are kept this long after they were replaced: sales that were begun just before have been recorded by then. */
const RETENTION_MS = DAY;

/**
 * Removes keys that were replaced once no sale under way needs them, and the endpoint that was made with them. In one transaction
 * for each, so that whoever saves the same keys again waits or finds them gone.
 * @throws Forbidden for everyone but jobs
 */
export async function removeFormerKeys(ctx: CtxWith<'stripeSetup'>): Promise<void> {
  authorize(ctx, mayTidyKeys);
  for (const { id } of await savedKeySets(ctx)) {
    const removed = await ctx.db.tx(() => removeUnneeded(ctx, id));
    if (!removed) continue;
    await ctx.stripeSetup.keysChanged();
    await removeEndpointOf(ctx, removed);
  }
}

async function removeUnneeded(ctx: Ctx, id: string): Promise<KeySet | null> {
  await lockedConnection(ctx);
  const set = (await savedKeySets(ctx)).find((one) => one.id === id);
  if (!set?.retired_at || ctx.now().getTime() - set.retired_at.getTime() < RETENTION_MS) return null;
  if ((await salesNeeding(ctx, set)) > 0) return null;
  await ctx.db.q().deleteFrom('stripe_key_sets').where('id', '=', id).execute();
  await auditKeys(ctx, { action: 'stripe.remove_keys', id, before: auditedKeys(set), after: NO_KEYS });
  return set;
}

/** Nobody listens at the endpoint anymore; without an answer it stays, and Stripe gives up by itself. */
async function removeEndpointOf(ctx: CtxWith<'stripeSetup'>, set: KeySet): Promise<void> {
  const secretKey = secretKeyOf(ctx, set);
  if (set.endpoint_ref === null || secretKey === null) return;
  try {
    await ctx.stripeSetup.removeEndpoint(secretKey, set.endpoint_ref);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error, endpoint: set.endpoint_ref }, 'an endpoint at Stripe was not removed');
  }
}
