import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authOf } from '#platform/auth/auth.ts';
import { hashPassword, holdPassword, matchedPassword } from '#platform/auth/password.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isCommonPassword } from '../common-passwords.ts';
import { endResetLinks } from '../end-reset-links.ts';
import { accountLimits } from '../limits.ts';
import { mailPasswordChanged } from '../mails.ts';
import {
  COMMON_PASSWORD,
  changePasswordSchema,
  type FieldErrors,
  fieldErrors,
  WRONG_CURRENT_PASSWORD,
} from '../model.ts';
import { mayChangeOwnPassword } from '../rules.ts';

type ChangePasswordResult = { ok: true } | { ok: false; errors: FieldErrors };

interface ChangePasswordInput {
  current?: unknown;
  password?: unknown;
  confirm?: unknown;
  /** this browser's session, the only one that is kept */
  currentSessionId: string | null;
}

/**
 * Replaces the signed-in user's password with one of at least eight characters, ends all other sessions and the links
 * that would reset it, and mails a notice.
 * @throws Unauthenticated, TooManyRequests
 */
export async function changePassword(ctx: Ctx, input: ChangePasswordInput): Promise<ChangePasswordResult> {
  const user = authorizedUser(ctx, mayChangeOwnPassword);
  const { current, password, confirm } = input;
  const parsed = changePasswordSchema.safeParse({ current, password, confirm });
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error) };
  if (isCommonPassword(parsed.data.password, user))
    return { ok: false, errors: { password: COMMON_PASSWORD } };
  await takeTokens(ctx, accountLimits.changePassword, `user:${user.id}`);
  const wrong: ChangePasswordResult = { ok: false, errors: { current: WRONG_CURRENT_PASSWORD } };
  const before = await matchedPassword(ctx, user.id, parsed.data.current);
  if (before === null) return wrong;
  const hash = await hashPassword(parsed.data.password);
  const { internalAdapter } = await (await authOf(ctx)).$context;
  return ctx.db.tx(async (): Promise<ChangePasswordResult> => {
    if (!(await holdPassword(ctx, user.id, before))) return wrong;
    await internalAdapter.updatePassword(user.id, hash);
    await ctx.db
      .q()
      .updateTable('profiles')
      .set({ must_change_password: false })
      .where('id', '=', user.id)
      .execute();
    const others = ctx.db.q().deleteFrom('sessions').where('user_id', '=', user.id);
    await (input.currentSessionId ? others.where('id', '!=', input.currentSessionId) : others).execute();
    await endResetLinks(ctx, user.id);
    await mailPasswordChanged(ctx, user, user.role);
    await audit(ctx, { action: 'password.change', entity: 'user', entityId: user.id });
    await publish(ctx, { audience: `user:${user.id}`, type: 'session', payload: {} });
    return { ok: true };
  });
}
