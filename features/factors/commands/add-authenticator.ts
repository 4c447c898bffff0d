import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { storedSecret } from '#platform/auth/factors/authenticator.ts';
import { replaceRecoveryCodes } from '#platform/auth/factors/recovery-codes.ts';
import { matchingStep } from '#platform/auth/factors/totp.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { factorLimits } from '../limits.ts';
import { mailFactorAdded } from '../mails.ts';
import { lockFactors } from '../own-factors.ts';
import { factorMessages, mayManageOwnFactors } from '../rules.ts';
import { secretOfSetUp } from '../set-up-authenticator.ts';

export type AddFactorResult =
  /** `recoveryCodes`: made with the first factor, to be shown once; null when there are some */
  { ok: true; recoveryCodes: string[] | null } | { ok: false; error: string };

interface AddAuthenticatorInput {
  /** as the set-up page carries it */
  setUp: string;
  /** what the app shows */
  code: string;
}

/**
 * Adds an authenticator app to the user's own account, once a code shows that the app has the secret. Mails a notice.
 * @throws Unauthenticated, ProofRequired, TooManyRequests
 */
export async function addAuthenticator(ctx: Ctx, input: AddAuthenticatorInput): Promise<AddFactorResult> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  requireFreshProof(ctx);
  await takeTokens(ctx, factorLimits.setUp, `user:${user.id}`);
  const secret = secretOfSetUp(ctx, user.id, input.setUp);
  if (secret === null) return { ok: false, error: factorMessages.setUpExpired };
  const step = matchingStep(secret, input.code, ctx.now(), 0);
  if (step === null) return { ok: false, error: factorMessages.wrongNewCode };
  return ctx.db.tx(async (): Promise<AddFactorResult> => {
    const before = await lockFactors(ctx, user.id);
    const { numInsertedOrUpdatedRows } = await ctx.db
      .q()
      .insertInto('authenticators')
      .values({
        user_id: user.id,
        secret: storedSecret(ctx, secret),
        last_step: step,
        created_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) return { ok: false, error: factorMessages.oneApp };
    const recoveryCodes = before === 0 ? await replaceRecoveryCodes(ctx, user.id) : null;
    await mailFactorAdded(ctx, user, 'An authenticator app');
    await audit(ctx, {
      action: 'factor.add',
      entity: 'user',
      entityId: user.id,
      after: { kind: 'authenticator app' },
    });
    return { ok: true, recoveryCodes };
  });
}
