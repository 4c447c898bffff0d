import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authErrorCode, callAuth } from '#platform/auth/auth.ts';
import type { Ctx } from '#platform/context.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { accountLimits } from '../limits.ts';
import { mayAuthenticate } from '../rules.ts';

export type VerifyResult = { ok: true } | { ok: false; reason: 'expired' | 'invalid' };

/**
 * Confirms an address with the token of the mailed link. Using a link twice succeeds.
 * @throws TooManyRequests
 */
export async function verifyEmail(ctx: Ctx, input: { token: string }): Promise<VerifyResult> {
  authorize(ctx, mayAuthenticate);
  await takeTokens(ctx, accountLimits.confirmByAddress, `ip:${networkOf(ctx.ip)}`);
  try {
    await ctx.db.tx(async () => {
      const { addressConfirmed } = await callAuth(ctx, (auth) =>
        auth.api.verifyEmail({ query: { token: input.token } }),
      );
      if (!addressConfirmed) return;
      await audit(ctx, { action: 'account.confirm', entity: 'user', entityId: addressConfirmed.user.id });
    });
    return { ok: true };
  } catch (error) {
    const refusal = authErrorCode(error);
    if (!refusal) throw error;
    return { ok: false, reason: refusal === 'TOKEN_EXPIRED' ? 'expired' : 'invalid' };
  }
}
