import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { callAuth, refusalOf } from '#platform/auth/auth.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/limits.ts';
import { accountLimits } from '../model.ts';
import { mayUseDoors } from '../rules.ts';

export type VerifyResult = { ok: true } | { ok: false; reason: 'expired' | 'invalid' };

/**
 * Confirms an address by the token of the mailed link. Using a link twice is no failure: the address is confirmed.
 * @throws TooManyRequests
 */
export async function verifyEmail(ctx: Ctx, input: { token: string }): Promise<VerifyResult> {
  authorize(ctx, mayUseDoors);
  await takeTokens(ctx, accountLimits.confirmByAddress, `ip:${ctx.ip}`);
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
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { ok: false, reason: refusal === 'TOKEN_EXPIRED' ? 'expired' : 'invalid' };
  }
}
