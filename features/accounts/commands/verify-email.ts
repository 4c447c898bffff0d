import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authErrorCode, callAuth, emailOfConfirmToken } from '#platform/auth/auth.ts';
import { isKnownDevice } from '#platform/auth/device-cookie.ts';
import { matchingHash } from '#platform/auth/password.ts';
import type { Ctx, Role } from '#platform/context.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { resetTokens, takeTokens } from '#platform/rate-limits.ts';
import { accountLimits } from '../limits.ts';
import { mayAuthenticate } from '../rules.ts';
import { type UnconfirmedAccount, unconfirmedAccountOf } from '../unconfirmed-account.ts';

type VerifyResult =
  /** the role whose sign-in page comes next; `used` when the link had confirmed the address before, and changed nothing now */
  { ok: true; role: Role; used: boolean } | { ok: false; reason: 'expired' | 'invalid' | 'wrong_password' };

interface VerifyInput {
  token: string;
  /** the Cookie header */
  cookie?: string | null;
  /** the account's password; not read in the browser in which it was chosen */
  password?: unknown;
}

/**
 * Confirms an address with the token of the mailed link. Anyone can sign up with another person's address and a password of
 * their own, so the mailbox alone is not enough: the password must have been chosen in this browser, or be entered again. A
 * link confirms once.
 * @throws TooManyRequests
 */
export async function verifyEmail(ctx: Ctx, { token, cookie, password }: VerifyInput): Promise<VerifyResult> {
  authorize(ctx, mayAuthenticate);
  await takeTokens(ctx, accountLimits.confirmByAddress, `ip:${networkOf(ctx.ip)}`);
  const account = await unconfirmedAccountOf(ctx, token);
  if (account && !(await choseItsPassword(ctx, account, { cookie, password })))
    return { ok: false, reason: 'wrong_password' };
  try {
    return await ctx.db.tx(() => confirm(ctx, token, account));
  } catch (error) {
    const refusal = authErrorCode(error);
    if (!refusal) throw error;
    return { ok: false, reason: refusal === 'TOKEN_EXPIRED' ? 'expired' : 'invalid' };
  }
}

async function choseItsPassword(
  ctx: Ctx,
  account: UnconfirmedAccount,
  { cookie, password }: Omit<VerifyInput, 'token'>,
): Promise<boolean> {
  if (isKnownDevice(ctx.config, cookie, account)) return true;
  if (typeof password !== 'string' || password === '') return false;
  await takeTokens(ctx, accountLimits.signIn, `confirm:${networkOf(ctx.ip)}:${account.email}`);
  if ((await matchingHash(account.password, password)) === null) return false;
  await resetTokens(ctx, accountLimits.signIn, `confirm:${networkOf(ctx.ip)}:${account.email}`);
  return true;
}

async function confirm(ctx: Ctx, token: string, account: UnconfirmedAccount | null): Promise<VerifyResult> {
  // Before the password, as whoever takes the account over, or signs up with the address once more, takes the two; and as it is taken
  // to be written, which waits for nobody then who waits for the password.
  if (account)
    await ctx.db.q().selectFrom('users').select('id').where('id', '=', account.id).forNoKeyUpdate().execute();
  // Another sign-up with the address may have replaced the password since it was compared.
  if (account && !(await stillHasPassword(ctx, account))) return { ok: false, reason: 'wrong_password' };
  const { addressConfirmed } = await callAuth(ctx, (auth) => auth.api.verifyEmail({ query: { token } }));
  if (addressConfirmed) {
    if (addressConfirmed.user.id !== account?.id)
      throw new Error('An address was confirmed without a password');
    await audit(ctx, { action: 'account.confirm', entity: 'user', entityId: account.id });
  }
  return { ok: true, role: await roleOfAddress(ctx, token), used: !addressConfirmed };
}

async function stillHasPassword(ctx: Ctx, { id, password }: UnconfirmedAccount): Promise<boolean> {
  const stored = await ctx.db
    .q()
    .selectFrom('credentials')
    .select('password')
    .where('user_id', '=', id)
    .where('provider_id', '=', 'credential')
    .forUpdate()
    .executeTakeFirst();
  return stored?.password === password;
}

async function roleOfAddress(ctx: Ctx, token: string): Promise<Role> {
  const { role } = await ctx.db
    .q()
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .select('p.role')
    .where('u.email', '=', (await emailOfConfirmToken(ctx, token)) ?? '')
    .executeTakeFirstOrThrow();
  return role;
}
