import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { callAuth, refusalOf } from '#platform/auth/auth.ts';
import { withHashedPassword } from '#platform/auth/password.ts';
import type { Ctx, Role } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { takeTokens } from '#platform/limits.ts';
import { mailPasswordChanged } from '../mails.ts';
import { accountLimits, type FieldErrors, fieldErrors, resetSchema } from '../model.ts';
import { mayUseDoors } from '../rules.ts';

export type ResetResult =
  /** whose sign-in page comes next (B-008) */
  | { ok: true; role: Role }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  | { ok: false; reason: 'token' };

interface ResetInput {
  token: string;
  password?: unknown;
  confirm?: unknown;
}

/**
 * Sets a new password by a mailed token: it works once, for an hour. All sessions of the account end, its owner gets a
 * notice, and its address counts as confirmed, because the token came by mail (B-008).
 * @throws TooManyRequests
 */
export async function resetPassword(ctx: Ctx, input: ResetInput): Promise<ResetResult> {
  authorize(ctx, mayUseDoors);
  const parsed = resetSchema.safeParse({ password: input.password, confirm: input.confirm });
  if (!parsed.success) return { ok: false, reason: 'invalid', errors: fieldErrors(parsed.error) };
  const { password } = parsed.data;
  await takeTokens(ctx, accountLimits.newPasswordByAddress, `ip:${ctx.ip}`);
  const work = async () => {
    const { passwordReset } = await callAuth(ctx, (auth) =>
      auth.api.resetPassword({ body: { newPassword: password, token: input.token } }),
    );
    if (!passwordReset) throw new Error('A password was set and nobody was told whose');
    return closeReset(ctx, passwordReset.user);
  };
  try {
    return { ok: true, role: await withHashedPassword(password, () => ctx.db.tx(work)) };
  } catch (error) {
    if (refusalOf(error)) return { ok: false, reason: 'token' };
    throw error;
  }
}

async function closeReset(ctx: Ctx, user: { id: string; email: string }): Promise<Role> {
  const q = ctx.db.q();
  await q.updateTable('users').set({ email_verified: true }).where('id', '=', user.id).execute();
  const { role } = await q
    .updateTable('profiles')
    .set({ must_change_password: false })
    .where('id', '=', user.id)
    .returning('role')
    .executeTakeFirstOrThrow();
  await mailPasswordChanged(ctx, user, role);
  await audit(ctx, { action: 'password.reset', entity: 'user', entityId: user.id });
  await publish(ctx, { audience: `user:${user.id}`, type: 'session', payload: {} });
  return role;
}
