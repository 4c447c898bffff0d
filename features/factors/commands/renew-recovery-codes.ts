import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { replaceRecoveryCodes } from '#platform/auth/factors/recovery-codes.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { mailRecoveryCodesRenewed } from '../mails.ts';
import { lockFactors } from '../own-factors.ts';
import { mayManageOwnFactors } from '../rules.ts';

/**
 * Replaces the user's own recovery codes and mails a notice.
 * @returns the new codes, to be shown once; null without a second factor, for which they would stand in
 * @throws Unauthenticated, ProofRequired
 */
export async function renewRecoveryCodes(ctx: Ctx): Promise<string[] | null> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  requireFreshProof(ctx);
  return ctx.db.tx(async () => {
    if ((await lockFactors(ctx, user.id)) === 0) return null;
    const codes = await replaceRecoveryCodes(ctx, user.id);
    await mailRecoveryCodesRenewed(ctx, user);
    await audit(ctx, { action: 'factor.renew_codes', entity: 'user', entityId: user.id });
    return codes;
  });
}
