import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authErrorCode, callAuth, userOfResetToken } from '#platform/auth/auth.ts';
import { deviceCookie } from '#platform/auth/device-cookie.ts';
import { withHashedPassword } from '#platform/auth/password.ts';
import type { Ctx, Role } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isCommonPassword } from '../common-passwords.ts';
import { endResetLinks } from '../end-reset-links.ts';
import { accountLimits } from '../limits.ts';
import { mailPasswordChanged } from '../mails.ts';
import { COMMON_PASSWORD, type FieldErrors, fieldErrors, resetSchema } from '../model.ts';
import { mayAuthenticate } from '../rules.ts';

type ResetResult =
  /** the role whose sign-in page comes next; `cookies`: by them this browser is known from now on */
  | { ok: true; role: Role; cookies: string[] }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  | { ok: false; reason: 'token' };

interface ResetInput {
  token: string;
  password?: unknown;
  confirm?: unknown;
}

/**
 * Sets a new password with a mailed token, which works once and for an hour. Ends all sessions of the account and every other
 * such token, mails its owner a notice, and confirms the address, since the token came by mail.
 * @throws TooManyRequests
 */
export async function resetPassword(ctx: Ctx, input: ResetInput): Promise<ResetResult> {
  authorize(ctx, mayAuthenticate);
  const parsed = resetSchema.safeParse({ password: input.password, confirm: input.confirm });
  if (!parsed.success) return { ok: false, reason: 'invalid', errors: fieldErrors(parsed.error) };
  const { password } = parsed.data;
  if (isCommonPassword(password)) return tooCommon;
  await takeTokens(ctx, accountLimits.newPasswordByAddress, `ip:${networkOf(ctx.ip)}`);
  // Outside of the transaction, because the library also deletes links that have expired, anybody's.
  const userId = await userOfResetToken(ctx, input.token);
  const work = async () => {
    // The account, then its password, then its links, as all hold them who replace a password, or take over an incomplete account.
    const q = ctx.db.q();
    await q.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    await q.selectFrom('credentials').select('id').where('user_id', '=', userId).forNoKeyUpdate().execute();
    const { passwordReset } = await callAuth(ctx, (auth) =>
      auth.api.resetPassword({ body: { newPassword: password, token: input.token } }),
    );
    if (!passwordReset) throw new Error('A password was set and nobody was told whose');
    // Whose password it is, only the link tells. Nothing is kept, so that the link can be used again.
    if (isCommonPassword(password, passwordReset.user)) throw new OwnNameAsPassword();
    return finishReset(ctx, passwordReset.user);
  };
  try {
    return { ok: true, ...(await withHashedPassword(password, () => ctx.db.tx(work))) };
  } catch (error) {
    if (error instanceof OwnNameAsPassword) return tooCommon;
    if (authErrorCode(error)) return { ok: false, reason: 'token' };
    throw error;
  }
}

class OwnNameAsPassword extends Error {}

const tooCommon = { ok: false, reason: 'invalid', errors: { password: COMMON_PASSWORD } } as const;

async function finishReset(
  ctx: Ctx,
  user: { id: string; email: string },
): Promise<{ role: Role; cookies: string[] }> {
  const q = ctx.db.q();
  await q.updateTable('users').set({ email_verified: true }).where('id', '=', user.id).execute();
  const { role } = await q
    .updateTable('profiles')
    .set({ must_change_password: false })
    .where('id', '=', user.id)
    .returning('role')
    .executeTakeFirstOrThrow();
  await endResetLinks(ctx, user.id);
  await mailPasswordChanged(ctx, user, role);
  await audit(ctx, { action: 'password.reset', entity: 'user', entityId: user.id });
  await publish(ctx, { audience: `user:${user.id}`, type: 'session', payload: {} });
  const account = await q
    .selectFrom('credentials')
    .select(['user_id as id', 'password'])
    .where('user_id', '=', user.id)
    .where('provider_id', '=', 'credential')
    .executeTakeFirstOrThrow();
  return { role, cookies: [deviceCookie(ctx.config, account)] };
}
