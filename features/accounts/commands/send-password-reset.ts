import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { issueResetToken } from '#platform/auth/auth.ts';
import type { Ctx } from '#platform/context.ts';
import { mailResetLink } from '../mails.ts';
import { maySendPasswordReset } from '../rules.ts';

/**
 * Mails a user the link that sets a new password, at an administrator's request; the password itself stays as it is. Limited
 * by whoever calls it.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function sendPasswordReset(ctx: Ctx, user: { id: string; email: string }): Promise<void> {
  authorize(ctx, maySendPasswordReset);
  await ctx.db.tx(async () => {
    await mailResetLink(ctx, user, await issueResetToken(ctx, user.id));
    await audit(ctx, { action: 'password.reset_sent', entity: 'user', entityId: user.id });
  });
}
