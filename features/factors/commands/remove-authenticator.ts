import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { mailFactorRemoved } from '../mails.ts';
import { dropCodesWithoutFactor, lockFactors, mustKeepFactor } from '../own-factors.ts';
import { mayManageOwnFactors } from '../rules.ts';

export type RemoveFactorResult = { ok: true } | { ok: false; reason: 'gone' | 'last_factor' };

/**
 * Removes the authenticator app of the user's own account and mails a notice. Administrators keep at least one factor.
 * @throws Unauthenticated, ProofRequired
 */
export async function removeAuthenticator(ctx: Ctx): Promise<RemoveFactorResult> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  requireFreshProof(ctx);
  return ctx.db.tx(async (): Promise<RemoveFactorResult> => {
    const factors = await lockFactors(ctx, user.id);
    const own = ctx.db.q().selectFrom('authenticators').select('user_id').where('user_id', '=', user.id);
    if (!(await own.executeTakeFirst())) return { ok: false, reason: 'gone' };
    if (factors === 1 && mustKeepFactor(user, ctx)) return { ok: false, reason: 'last_factor' };
    await ctx.db.q().deleteFrom('authenticators').where('user_id', '=', user.id).execute();
    await dropCodesWithoutFactor(ctx, user.id);
    await mailFactorRemoved(ctx, user, 'The authenticator app');
    await audit(ctx, {
      action: 'factor.remove',
      entity: 'user',
      entityId: user.id,
      before: { kind: 'authenticator app' },
    });
    return { ok: true };
  });
}
