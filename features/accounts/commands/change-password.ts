import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authOf } from '#platform/auth/auth.ts';
import { hashPassword, passwordMatches } from '#platform/auth/password.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { takeTokens } from '#platform/limits.ts';
import { mailPasswordChanged } from '../mails.ts';
import { accountLimits, changePasswordSchema, type FieldErrors, fieldErrors } from '../model.ts';
import { mayChangeOwnPassword } from '../rules.ts';

export type ChangePasswordResult = { ok: true } | { ok: false; errors: FieldErrors };

interface ChangePasswordInput {
  current?: unknown;
  password?: unknown;
  confirm?: unknown;
  /** this browser's session, the only one that stays */
  currentSessionId: string | null;
}

/**
 * Replaces the signed-in person's password by one of at least eight characters; all other sessions end and a notice is
 * mailed.
 * @throws Unauthenticated, TooManyRequests
 */
export async function changePassword(ctx: Ctx, input: ChangePasswordInput): Promise<ChangePasswordResult> {
  const user = authorizedUser(ctx, mayChangeOwnPassword);
  const { current, password, confirm } = input;
  const parsed = changePasswordSchema.safeParse({ current, password, confirm });
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error) };
  await takeTokens(ctx, accountLimits.changePassword, `user:${user.id}`);
  const credential = await ctx.db
    .q()
    .selectFrom('credentials')
    .select('password')
    .where('user_id', '=', user.id)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  if (!(await passwordMatches(credential?.password ?? null, parsed.data.current)))
    return { ok: false, errors: { current: 'The current password is not right' } };
  const hash = await hashPassword(parsed.data.password);
  const { internalAdapter } = await (await authOf(ctx)).$context;
  await ctx.db.tx(async (q) => {
    await internalAdapter.updatePassword(user.id, hash);
    await q.updateTable('profiles').set({ must_change_password: false }).where('id', '=', user.id).execute();
    const others = q.deleteFrom('sessions').where('user_id', '=', user.id);
    await (input.currentSessionId ? others.where('id', '!=', input.currentSessionId) : others).execute();
    await mailPasswordChanged(ctx, user, user.role);
    await audit(ctx, { action: 'password.change', entity: 'user', entityId: user.id });
    await publish(ctx, { audience: `user:${user.id}`, type: 'session', payload: {} });
  });
  return { ok: true };
}
