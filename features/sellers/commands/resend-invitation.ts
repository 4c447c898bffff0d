import { sendPasswordReset } from '#features/accounts/commands/send-password-reset.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { issueInvitation } from '../invitations.ts';
import { sellerLimits } from '../limits.ts';
import { lockSeller } from '../registration.ts';
import { mayInvite } from '../rules.ts';

type ResendInvitationResult =
  /** `link`: the URL in the mail, for the command line; it is not stored */
  { isPasswordReset: false; link: string } | { isPasswordReset: true };

/**
 * Mails an unregistered seller a new link and invalidates the old one; a registered one gets a link that sets a new password. At
 * most once a minute for each seller.
 * @throws Unauthenticated, Forbidden for everyone but administrators and the command line; NotFound; TooManyRequests
 */
export async function resendInvitation(
  ctx: Ctx,
  { sellerId }: { sellerId: string },
): Promise<ResendInvitationResult> {
  authorize(ctx, mayInvite);
  if (!isUuid(sellerId)) throw new NotFound('Seller not found');
  await takeTokens(ctx, sellerLimits.invite, `seller:${sellerId}`);
  return ctx.db.tx(async (): Promise<ResendInvitationResult> => {
    await lockSeller(ctx, sellerId);
    const seller = await ctx.db
      .q()
      .selectFrom('agents as a')
      .leftJoin('users as u', 'u.id', 'a.user_id')
      .select(['a.id', 'a.name', 'a.email', 'a.is_registered', 'u.email_verified'])
      .select(['u.id as user_id', 'u.email as user_email'])
      .where('a.id', '=', sellerId)
      .where('a.archived_at', 'is', null)
      .executeTakeFirst();
    if (!seller) throw new NotFound('Seller not found');
    if (seller.is_registered && seller.email_verified && seller.user_id && seller.user_email) {
      await sendPasswordReset(ctx, { id: seller.user_id, email: seller.user_email });
      return { isPasswordReset: true };
    }
    const link = await issueInvitation(ctx, seller, { replace: true });
    await audit(ctx, { action: 'seller.invite_again', entity: 'agent', entityId: seller.id });
    return { isPasswordReset: false, link };
  });
}
