import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { callAuth } from '#platform/auth/auth.ts';
import { inEvenTime } from '#platform/auth/even-time.ts';
import type { Ctx } from '#platform/context.ts';
import { limits, takeTokens } from '#platform/limits.ts';
import { mailResetLink } from '../mails.ts';
import { accountLimits, emailSchema, type FieldErrors, fieldErrors } from '../model.ts';
import { mayUseDoors } from '../rules.ts';

export type ResetRequestResult = { ok: true } | { ok: false; errors: FieldErrors };

/**
 * Mails the link that sets a new password. The answer is the same whether or not the address has an account; three an
 * hour for an address (B-092).
 * @throws TooManyRequests
 */
export async function requestPasswordReset(
  ctx: Ctx,
  input: { email?: unknown },
): Promise<ResetRequestResult> {
  authorize(ctx, mayUseDoors);
  const parsed = emailSchema.safeParse({ email: input.email });
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error) };
  const { email } = parsed.data;
  await takeTokens(ctx, accountLimits.mailsByAddress, `ip:${ctx.ip}`);
  await takeTokens(ctx, limits.passwordReset, `email:${email}`);
  const work = async () => {
    const { resetAsked } = await callAuth(ctx, (auth) => auth.api.requestPasswordReset({ body: { email } }));
    if (!resetAsked) return;
    await mailResetLink(ctx, resetAsked.user, resetAsked.token);
    await audit(ctx, { action: 'password.reset_asked', entity: 'user', entityId: resetAsked.user.id });
  };
  await inEvenTime(() => ctx.db.tx(work));
  return { ok: true };
}
