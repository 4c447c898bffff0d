import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authOf, deviceHeaders, issueResetToken, refusalOf } from '#platform/auth/auth.ts';
import { passwordMatches, withMatchedPassword } from '#platform/auth/password.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { limits, returnTokens, takeTokens } from '#platform/limits.ts';
import { type Device, type FieldErrors, fieldErrors, signInSchema } from '../model.ts';
import { type Door, doorRefusal, mayUseDoors } from '../rules.ts';
import { signOut } from './sign-out.ts';

export interface SignInInput extends Device {
  door: Door;
  email?: unknown;
  password?: unknown;
  /** the session this browser had so far; it ends with every right password */
  currentSessionId: string | null;
}

export type SignInResult =
  | { ok: true; actor: UserActor; cookies: string[] }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  | { ok: false; reason: 'wrong_credentials' | 'email_not_confirmed' }
  /** the account may not use this door, and whoever was signed in is signed out (S0 §6, B-100) */
  | { ok: false; reason: 'wrong_door'; message: string; cookies: string[] }
  /** the password is right and must be replaced first: the token opens the page that sets a new one (B-168) */
  | { ok: false; reason: 'must_change_password'; token: string; cookies: string[] };

/**
 * Signs in with e-mail and password. An unknown address and a wrong password cannot be told apart, by answer or by
 * time (B-089); everything else is said only to someone who knows the password.
 * @throws TooManyRequests after five tries in a minute, and then for longer
 */
export async function signIn(ctx: Ctx, input: SignInInput): Promise<SignInResult> {
  authorize(ctx, mayUseDoors);
  const parsed = signInSchema.safeParse({ email: input.email, password: input.password });
  if (!parsed.success) return { ok: false, reason: 'invalid', errors: fieldErrors(parsed.error) };
  const { email, password } = parsed.data;
  await takeTokens(ctx, limits.signInByAddress, `ip:${ctx.ip}`);
  await takeTokens(ctx, limits.signIn, `email:${email}`);

  const account = await accountOf(ctx, email);
  const matches = await passwordMatches(account?.password ?? null, password);
  if (!account?.password || !matches) return { ok: false, reason: 'wrong_credentials' };
  await returnTokens(ctx, limits.signIn, `email:${email}`);
  if (!account.email_verified) return { ok: false, reason: 'email_not_confirmed' };

  const actor = actorFrom(account);
  const asUser: Ctx = { ...ctx, actor };
  const message = doorRefusal(
    account.archived_at ? 'agent' : input.door,
    account.archived_at ? 'buyer' : actor.role,
  );
  if (message || account.must_change_password) {
    const { cookies } = await signOut(ctx, { sessionId: input.currentSessionId });
    if (message) return { ok: false, reason: 'wrong_door', message, cookies };
    const token = await ctx.db.tx(async () => {
      await audit(asUser, { action: 'password.must_change', entity: 'user', entityId: actor.id });
      return issueResetToken(ctx, actor.id);
    });
    return { ok: false, reason: 'must_change_password', token, cookies };
  }
  const cookies = await startSession(ctx, asUser, input, { email, password, hash: account.password });
  return cookies ? { ok: true, actor, cookies } : { ok: false, reason: 'wrong_credentials' };
}

/** A new session under a new token; the browser's old one ends, so that none can be planted beforehand. */
async function startSession(
  ctx: Ctx,
  asUser: Ctx,
  { userAgent, currentSessionId }: SignInInput,
  { email, password, hash }: { email: string; password: string; hash: string },
): Promise<string[] | null> {
  const auth = await authOf(ctx);
  const work = async () => {
    const { headers, response } = await auth.api.signInEmail({
      body: { email, password },
      headers: deviceHeaders(ctx, userAgent),
      returnHeaders: true,
    });
    await signOut(ctx, { sessionId: currentSessionId });
    const session = await ctx.db
      .q()
      .selectFrom('sessions')
      .select(['id', 'user_id'])
      .where('token', '=', response.token)
      .executeTakeFirstOrThrow();
    await audit(asUser, { action: 'session.start', entity: 'session', entityId: session.id });
    await publish(ctx, { audience: `user:${session.user_id}`, type: 'session', payload: {} });
    return headers.getSetCookie();
  };
  try {
    return await withMatchedPassword(password, hash, () => ctx.db.tx(work));
  } catch (error) {
    // The password was changed in the moment between the comparison and here.
    if (refusalOf(error)) return null;
    throw error;
  }
}

type Account = NonNullable<Awaited<ReturnType<typeof accountOf>>>;

const accountOf = (ctx: Ctx, email: string) =>
  ctx.db
    .q()
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .innerJoin('credentials as c', (join) =>
      join.onRef('c.user_id', '=', 'u.id').on('c.provider_id', '=', 'credential'),
    )
    .leftJoin('agents as a', 'a.user_id', 'u.id')
    .select([
      'u.id',
      'u.name',
      'u.email',
      'u.email_verified',
      'p.role',
      'p.must_change_password',
      'c.password',
    ])
    .select(['a.id as agent_id', 'a.status', 'a.archived_at'])
    .where('u.email', '=', email)
    .executeTakeFirst();

function actorFrom(account: Account): UserActor {
  const seller = account.role === 'agent';
  return {
    kind: 'user',
    id: account.id,
    role: account.role,
    name: account.name,
    email: account.email,
    emailVerified: account.email_verified,
    agentId: seller ? account.agent_id : null,
    suspended: seller && account.status === 'suspended',
  };
}
