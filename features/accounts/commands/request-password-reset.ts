import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { callAuth } from '#platform/auth/auth.ts';
import { withMinimumDuration } from '#platform/auth/minimum-duration.ts';
import type { Ctx } from '#platform/context.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { hasTokens, takeTokens } from '#platform/rate-limits.ts';
import { accountLimits } from '../limits.ts';
import { mailResetLink } from '../mails.ts';
import { emailSchema, type FieldErrors, fieldErrors } from '../model.ts';
import { mayAuthenticate } from '../rules.ts';

type ResetRequestResult = { ok: true } | { ok: false; errors: FieldErrors };

/**
 * Mails the link that sets a new password, at most three an hour for an address and a network. However many others ask, the
 * owner's request is answered alike: beyond six mails an hour no further one is sent, since the last ones still work. The result
 * and its timing are the same whether or not the address has an account.
 * @throws TooManyRequests
 */
export async function requestPasswordReset(
  ctx: Ctx,
  input: { email?: unknown },
): Promise<ResetRequestResult> {
  authorize(ctx, mayAuthenticate);
  const parsed = emailSchema.safeParse({ email: input.email });
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error) };
  const { email } = parsed.data;
  await takeTokens(ctx, accountLimits.mailsByAddress, `ip:${networkOf(ctx.ip)}`);
  await takeTokens(ctx, accountLimits.passwordReset, `network:${networkOf(ctx.ip)}:${email}`);
  const mayMail = await hasTokens(ctx, accountLimits.resetMails, `email:${email}`);
  const work = async () => {
    const { resetRequested: resetAsked } = await callAuth(ctx, (auth) =>
      auth.api.requestPasswordReset({ body: { email } }),
    );
    if (!resetAsked) return;
    await mailResetLink(ctx, resetAsked.user, resetAsked.token);
    await audit(ctx, { action: 'password.reset_asked', entity: 'user', entityId: resetAsked.user.id });
  };
  await withMinimumDuration(async () => {
    if (mayMail) await ctx.db.tx(work);
  });
  return { ok: true };
}
