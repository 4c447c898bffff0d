import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authErrorCode, authOf, deviceHeaders, issueResetToken } from '#platform/auth/auth.ts';
import { sessionCookie } from '#platform/auth/cookie.ts';
import { deviceCookie, isKnownDevice } from '#platform/auth/device-cookie.ts';
import { holdPassword, matchingHash, withMatchedPassword } from '#platform/auth/password.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { resetTokens, takeTokens } from '#platform/rate-limits.ts';
import { accountLimits } from '../limits.ts';
import { type Device, type FieldErrors, fieldErrors, signInSchema } from '../model.ts';
import { type LoginRole, mayAuthenticate } from '../rules.ts';
import { accountRefusal, actorFrom, findAccount } from '../sign-in-account.ts';
import { sealStep } from '../sign-in-step.ts';
import { signOut } from './sign-out.ts';

export interface SignInInput extends Device {
  loginRole: LoginRole;
  email?: unknown;
  password?: unknown;
  /** the browser's current session; it ends whenever the password is right, and after every failure on the sellers' page */
  currentSessionId: string | null;
}

type SignInResult =
  | { ok: true; actor: UserActor; cookies: string[] }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** with cookies the current session is ended */
  | { ok: false; reason: 'wrong_credentials' | 'email_not_confirmed'; cookies?: string[] }
  /** the account may not sign in for this role; the current session is ended */
  | { ok: false; reason: 'wrong_login'; message: string; cookies: string[] }
  /** the password is right but must be replaced first; the token opens the page that does so */
  | { ok: false; reason: 'must_change_password'; token: string; cookies: string[] }
  /** the password is right and a second factor is still missing, which `finishSignIn` takes with this step */
  | { ok: false; reason: 'second_step'; step: string; cookies: string[] };

/**
 * Signs in with e-mail and password. An unknown address and a wrong password cannot be told apart, neither by the
 * result nor by its timing; every other refusal is shown only to someone who knows the password.
 * @throws TooManyRequests after five attempts in a minute, with growing waits; a browser in which the password was entered before
 * is counted apart, so that others cannot lock the owner out
 */
export async function signIn(ctx: Ctx, input: SignInInput): Promise<SignInResult> {
  authorize(ctx, mayAuthenticate);
  const parsed = signInSchema.safeParse({ email: input.email, password: input.password });
  if (!parsed.success) return { ok: false, reason: 'invalid', errors: fieldErrors(parsed.error) };
  const { email, password } = parsed.data;
  await takeTokens(ctx, accountLimits.signInByAddress, `ip:${networkOf(ctx.ip)}`);
  const account = await findAccount(ctx, 'email', email);
  const from =
    account && isKnownDevice(ctx.config, input.cookie, account)
      ? `device:${account.id}`
      : `network:${networkOf(ctx.ip)}:${email}`;
  await takeTokens(ctx, accountLimits.signIn, from);
  if (from.startsWith('network:')) await takeTokens(ctx, accountLimits.signInByAccount, `email:${email}`);

  const hash = await matchingHash(account?.password ?? null, password);
  if (!account || !hash) {
    ctx.log.info({ account: account?.id ?? null }, 'a sign-in was refused');
    return refuse(ctx, input, 'wrong_credentials');
  }
  await resetTokens(ctx, accountLimits.signIn, from);
  if (!account.email_verified) return refuse(ctx, input, 'email_not_confirmed');

  const actor = actorFrom(ctx, account);
  const asUser: Ctx = { ...ctx, actor };
  const message = accountRefusal(account, input.loginRole);
  if (message || account.must_change_password || account.has_factor) {
    const { cookies } = await signOut(ctx, { sessionId: input.currentSessionId });
    if (message) return { ok: false, reason: 'wrong_login', message, cookies };
    if (!account.must_change_password)
      return { ok: false, reason: 'second_step', step: sealStep(ctx, account, input.loginRole), cookies };
    const token = await ctx.db.tx(async () => {
      await audit(asUser, { action: 'password.must_change', entity: 'user', entityId: actor.id });
      return issueResetToken(ctx, actor.id);
    });
    return { ok: false, reason: 'must_change_password', token, cookies };
  }
  const cookies = await startSession(ctx, asUser, input, { id: account.id, email, password, hash });
  return cookies
    ? { ok: true, actor, cookies: [...cookies, deviceCookie(ctx.config, account)] }
    : refuse(ctx, input, 'wrong_credentials');
}

/** A failed sign-in; on the sellers' page it ends the session that the browser has. */
async function refuse(
  ctx: Ctx,
  { loginRole, currentSessionId }: SignInInput,
  reason: 'wrong_credentials' | 'email_not_confirmed',
): Promise<SignInResult> {
  if (loginRole !== 'agent' || currentSessionId === null) return { ok: false, reason };
  return { ok: false, reason, ...(await signOut(ctx, { sessionId: currentSessionId })) };
}

/** Starts a session with a new token and ends the browser's old one, which prevents session fixation. */
async function startSession(
  ctx: Ctx,
  asUser: Ctx,
  { userAgent, currentSessionId }: SignInInput,
  { id, email, password, hash }: { id: string; email: string; password: string; hash: string },
): Promise<string[] | null> {
  const auth = await authOf(ctx);
  const work = async () => {
    // Changed since it was compared; else whoever changes it now waits, and then ends this session too.
    if (!(await holdPassword(ctx, id, hash))) return null;
    const { token } = await auth.api.signInEmail({
      body: { email, password },
      headers: deviceHeaders(ctx, userAgent),
    });
    await signOut(ctx, { sessionId: currentSessionId });
    const session = await ctx.db
      .q()
      .selectFrom('sessions')
      .select(['id', 'user_id'])
      .where('token', '=', token)
      .executeTakeFirstOrThrow();
    await audit(asUser, { action: 'session.start', entity: 'session', entityId: session.id });
    await publish(ctx, { audience: `user:${session.user_id}`, type: 'session', payload: {} });
    return [sessionCookie(ctx.config, token)];
  };
  try {
    return await withMatchedPassword(password, hash, () => ctx.db.tx(work));
  } catch (error) {
    // The password was changed since it was compared.
    if (authErrorCode(error)) return null;
    throw error;
  }
}
