import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { matchedPassword } from '#platform/auth/password.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { lockAccount, ownerOfAddress } from '../account-with-password.ts';
import { emailChangeToken } from '../email-change-token.ts';
import { accountLimits } from '../limits.ts';
import { mailAddressInUse, mailEmailChange } from '../mails.ts';
import { changeEmailSchema, type FieldErrors, fieldErrors, WRONG_CURRENT_PASSWORD } from '../model.ts';
import { mayChangeOwnIdentity } from '../rules.ts';

type EmailChangeResult = { ok: true; email: string } | { ok: false; errors: FieldErrors };

/**
 * Mails a link to a new address of the signed-in user, who gives the password again; the address changes when the link is
 * followed. The result does not tell whether another account has the address: its owner is mailed instead.
 * @throws Unauthenticated, Forbidden for sellers, TooManyRequests
 */
export async function requestEmailChange(
  ctx: Ctx,
  input: { email?: unknown; current?: unknown },
): Promise<EmailChangeResult> {
  const user = authorizedUser(ctx, mayChangeOwnIdentity);
  const parsed = changeEmailSchema.safeParse({ email: input.email, emailPassword: input.current });
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error) };
  const { email, emailPassword } = parsed.data;
  if (email === user.email) return { ok: false, errors: { email: 'This is your email address already' } };
  await takeTokens(ctx, accountLimits.changeEmail, `user:${user.id}`);
  const wrong: EmailChangeResult = { ok: false, errors: { emailPassword: WRONG_CURRENT_PASSWORD } };
  const matched = await matchedPassword(ctx, user.id, emailPassword);
  if (matched === null) return wrong;
  return ctx.db.tx(async (): Promise<EmailChangeResult> => {
    const account = await lockAccount(ctx, user.id);
    // Replaced since it was compared: the link would be good for the new one.
    if (account?.password !== matched) return wrong;
    const owner = await ownerOfAddress(ctx, email);
    if (owner) await mailAddressInUse(ctx, { id: owner.id, email }, owner.role);
    else
      await mailEmailChange(
        ctx,
        { id: user.id, email },
        emailChangeToken(ctx.config, account, email, ctx.now()),
      );
    await audit(ctx, { action: 'email.request_change', entity: 'user', entityId: user.id });
    return { ok: true, email };
  });
}
