import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { mayChangeStripe } from '../rules.ts';
import { changeConnection, lockedConnection, savedKeySets } from '../stripe-store.ts';
import { checkStripe } from './check-stripe.ts';

/** `other_mode`: only keys of the mode that is switched off are saved; switching it on takes payments with them */
type ConnectStripeResult =
  | { ok: true; serves: 'stripe' | 'sandbox' }
  | { ok: false; reason: 'environment' | 'no_keys' | 'other_mode' | 'newer' | 'refused' | 'no_answer' };

/**
 * Has card payments taken again: with the saved keys once Stripe accepts them, without keys by the sandbox where that is
 * allowed, which it never is in production.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function connectStripe(
  ctx: CtxWith<'stripeSetup'>,
  { seen }: { seen: number },
): Promise<ConnectStripeResult> {
  authorize(ctx, mayChangeStripe);
  requireFreshProof(ctx);
  if (ctx.config.stripe) return { ok: false, reason: 'environment' };
  if ((await savedKeySets(ctx)).some(({ retired_at }) => retired_at === null)) {
    const checked = await checkStripe(ctx);
    if (checked.failure === null) return { ok: true, serves: 'stripe' };
    if (checked.failure === 'no_keys') return { ok: false, reason: 'other_mode' };
    return { ok: false, reason: checked.failure === 'no_answer' ? 'no_answer' : 'refused' };
  }
  if (!ctx.config.sandboxPayments) return { ok: false, reason: 'no_keys' };
  const result = await ctx.db.tx(async (): Promise<ConnectStripeResult> => {
    const connection = await lockedConnection(ctx);
    if (connection.version !== seen) return { ok: false, reason: 'newer' };
    await changeConnection(ctx, connection, { disconnected_at: null }, 'stripe.connect');
    return { ok: true, serves: 'sandbox' };
  });
  if (result.ok) await ctx.stripeSetup.keysChanged();
  return result;
}
