import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { issueConfirmToken } from '#platform/auth/auth.ts';
import { withMinimumDuration } from '#platform/auth/minimum-duration.ts';
import type { Ctx } from '#platform/context.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { hasTokens, takeTokens } from '#platform/rate-limits.ts';
import { accountLimits } from '../limits.ts';
import { mailConfirmation } from '../mails.ts';
import { emailSchema, type FieldErrors, fieldErrors } from '../model.ts';
import { mayAuthenticate, safeNext } from '../rules.ts';

type ResendResult = { ok: true } | { ok: false; errors: FieldErrors };

/**
 * Mails a new link to confirm an address, at most once a minute. The result is the same for an address that is unknown
 * or already confirmed.
 * @throws TooManyRequests
 */
export async function resendVerification(
  ctx: Ctx,
  input: { email?: unknown; next?: string | null },
): Promise<ResendResult> {
  authorize(ctx, mayAuthenticate);
  const parsed = emailSchema.safeParse({ email: input.email });
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error) };
  const { email } = parsed.data;
  await takeTokens(ctx, accountLimits.mailsByAddress, `ip:${networkOf(ctx.ip)}`);
  await takeTokens(ctx, accountLimits.resend, `network:${networkOf(ctx.ip)}:${email}`);
  const mayMail = await hasTokens(ctx, accountLimits.confirmMails, `email:${email}`);
  const token = await issueConfirmToken(ctx, email);
  const work = async () => {
    const user = await ctx.db
      .q()
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', email)
      .where('email_verified', '=', false)
      .executeTakeFirst();
    if (!user) return;
    await mailConfirmation(ctx, user, { token, next: safeNext(input.next) });
    await audit(ctx, { action: 'account.confirm_again', entity: 'user', entityId: user.id });
  };
  await withMinimumDuration(async () => {
    if (mayMail) await ctx.db.tx(work);
  });
  return { ok: true };
}
