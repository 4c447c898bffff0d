import { authorize } from '#platform/access.ts';
import { userOfPasskey } from '#platform/auth/factors/passkeys.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { accountLimits } from '../limits.ts';
import { openSession } from '../open-session.ts';
import { type LoginRole, mayAuthenticate } from '../rules.ts';
import { accountRefusal, actorFrom, findAccount } from '../sign-in-account.ts';

type PasskeySignInResult =
  | { ok: true; actor: UserActor; cookies: string[] }
  | { ok: false; reason: 'wrong' }
  /** the account may not sign in for this role */
  | { ok: false; reason: 'wrong_login'; message: string };

interface PasskeySignInInput {
  loginRole: LoginRole;
  /** what the passkey answered, as JSON */
  passkey: string;
  userAgent: string | null;
  currentSessionId: string | null;
}

/**
 * Signs in with a passkey alone: it has asked its user for a fingerprint, a face or a PIN, so it is two factors in one.
 * @throws TooManyRequests
 */
export async function signInWithPasskey(ctx: Ctx, input: PasskeySignInInput): Promise<PasskeySignInResult> {
  authorize(ctx, mayAuthenticate);
  await takeTokens(ctx, accountLimits.signInByAddress, `ip:${networkOf(ctx.ip)}`);
  return ctx.db.tx(async (): Promise<PasskeySignInResult> => {
    const userId = await userOfPasskey(ctx, input.passkey, 'sign-in', null);
    const account = userId === null ? undefined : await findAccount(ctx, 'id', userId);
    if (!account?.email_verified) return { ok: false, reason: 'wrong' };
    const message = accountRefusal(account, input.loginRole);
    if (message) return { ok: false, reason: 'wrong_login', message };
    const cookies = await openSession(ctx, account, input, 'passkey');
    return { ok: true, actor: actorFrom(ctx, account), cookies };
  });
}
