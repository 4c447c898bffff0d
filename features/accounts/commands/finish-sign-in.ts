import { mailRecoveryCodeUsed } from '#features/factors/mails.ts';
import { authorize } from '#platform/access.ts';
import { type GivenFactor, spendFactor } from '#platform/auth/factors/spend-factor.ts';
import { holdPassword } from '#platform/auth/password.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { resetTokens, takeTokens } from '#platform/rate-limits.ts';
import { accountLimits } from '../limits.ts';
import { openSession } from '../open-session.ts';
import { type LoginRole, mayAuthenticate } from '../rules.ts';
import { accountRefusal, actorFrom, findAccount, passwordMark } from '../sign-in-account.ts';
import { openStep } from '../sign-in-step.ts';

type FinishSignInResult =
  | { ok: true; actor: UserActor; loginRole: LoginRole; cookies: string[] }
  /** `expired`: the password has to be entered again; `wrong`: the factor is not the account's, or was used before */
  | { ok: false; reason: 'expired' | 'wrong' };

interface FinishSignInInput extends GivenFactor {
  /** what the first step gave the browser */
  step: string;
  userAgent: string | null;
  currentSessionId: string | null;
}

/**
 * The second step of signing in: with a code of the authenticator app, a recovery code or a passkey, each of which works once.
 * @throws TooManyRequests after five attempts in five minutes
 */
export async function finishSignIn(ctx: Ctx, input: FinishSignInInput): Promise<FinishSignInResult> {
  authorize(ctx, mayAuthenticate);
  const step = openStep(ctx, input.step);
  if (!step) return { ok: false, reason: 'expired' };
  await takeTokens(ctx, accountLimits.secondStep, `user:${step.userId}`);
  const result = await ctx.db.tx(async (): Promise<FinishSignInResult> => {
    const account = await findAccount(ctx, 'id', step.userId);
    const valid = account && passwordMark(account) === step.mark && !account.must_change_password;
    if (!valid || accountRefusal(account, step.loginRole) !== null) return { ok: false, reason: 'expired' };
    if (!(await holdPassword(ctx, account.id, account.password))) return { ok: false, reason: 'expired' };
    const spent = await spendFactor(ctx, account.id, input, 'sign-in');
    if (!spent) return { ok: false, reason: 'wrong' };
    if (spent === 'recovery code') await mailRecoveryCodeUsed(ctx, account);
    const cookies = await openSession(ctx, account, input, spent);
    return { ok: true, actor: actorFrom(ctx, account), loginRole: step.loginRole, cookies };
  });
  if (result.ok) await resetTokens(ctx, accountLimits.secondStep, `user:${step.userId}`);
  else ctx.log.info({ account: step.userId }, 'the second step of a sign-in was refused');
  return result;
}
