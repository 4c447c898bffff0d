import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { mayChangeStripe } from '../rules.ts';
import {
  changeConnection,
  liveSalesUnderWay,
  lockedConnection,
  retireKeys,
  savedKeySets,
} from '../stripe-store.ts';

type DisconnectStripeResult =
  | { ok: true }
  | { ok: false; reason: 'environment' | 'newer' | 'live_sales' | 'already' };

/**
 * Takes no new card payments anymore. The saved keys are out of use, and removed (`removeFormerKeys`) once no sale needs them:
 * one that begins at this moment finds them too. What was live is in test mode again.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function disconnectStripe(
  ctx: CtxWith<'stripeSetup'>,
  { seen }: { seen: number },
): Promise<DisconnectStripeResult> {
  authorize(ctx, mayChangeStripe);
  requireFreshProof(ctx);
  if (ctx.config.stripe) return { ok: false, reason: 'environment' };
  const result = await ctx.db.tx(async (): Promise<DisconnectStripeResult> => {
    const connection = await lockedConnection(ctx);
    if (connection.version !== seen) return { ok: false, reason: 'newer' };
    if (connection.disconnected_at) return { ok: false, reason: 'already' };
    if ((await liveSalesUnderWay(ctx)) > 0) return { ok: false, reason: 'live_sales' };
    for (const set of await savedKeySets(ctx)) if (set.retired_at === null) await retireKeys(ctx, set);
    const change = { livemode: false, disconnected_at: ctx.now() };
    await changeConnection(ctx, connection, change, 'stripe.disconnect');
    return { ok: true };
  });
  if (result.ok) await ctx.stripeSetup.keysChanged();
  return result;
}
