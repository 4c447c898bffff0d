import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { issueConfirmToken } from '#platform/auth/auth.ts';
import { inEvenTime } from '#platform/auth/even-time.ts';
import type { Ctx } from '#platform/context.ts';
import type { Query } from '#platform/db/database.ts';
import { takeTokens } from '#platform/limits.ts';
import { mailConfirmation } from '../mails.ts';
import { accountLimits, emailSchema, type FieldErrors, fieldErrors } from '../model.ts';
import { mayUseDoors, safeNext } from '../rules.ts';

export type ResendResult = { ok: true } | { ok: false; errors: FieldErrors };

/**
 * Mails a new link to confirm an address, at most once a minute (B-091). The answer is the same for an address that is
 * unknown or confirmed already.
 * @throws TooManyRequests
 */
export async function resendVerification(
  ctx: Ctx,
  input: { email?: unknown; next?: string | null },
): Promise<ResendResult> {
  authorize(ctx, mayUseDoors);
  const parsed = emailSchema.safeParse({ email: input.email });
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error) };
  const { email } = parsed.data;
  await takeTokens(ctx, accountLimits.mailsByAddress, `ip:${ctx.ip}`);
  await takeTokens(ctx, accountLimits.resend, `email:${email}`);
  const token = await issueConfirmToken(ctx, email);
  const work = async (q: Query) => {
    const user = await q
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', email)
      .where('email_verified', '=', false)
      .executeTakeFirst();
    if (!user) return;
    await mailConfirmation(ctx, user, { token, next: safeNext(input.next) });
    await audit(ctx, { action: 'account.confirm_again', entity: 'user', entityId: user.id });
  };
  await inEvenTime(() => ctx.db.tx(work));
  return { ok: true };
}
