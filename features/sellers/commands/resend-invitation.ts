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

export type ResendInvitationResult = { ok: true; link: string } | { ok: false; reason: 'registered' };

/**
 * Mails an unregistered seller a new link, at most once a minute; invalidates the old one.
 * @throws Unauthenticated, Forbidden for everyone but administrators and the command line; NotFound; TooManyRequests
 */
export async function resendInvitation(
  ctx: Ctx,
  { sellerId }: { sellerId: string },
): Promise<ResendInvitationResult> {
  authorize(ctx, mayInvite);
  if (!isUuid(sellerId)) throw new NotFound('Seller not found');
  const find = () =>
    ctx.db
      .q()
      .selectFrom('agents as a')
      .leftJoin('users as u', 'u.id', 'a.user_id')
      .select(['a.id', 'a.name', 'a.email', 'a.is_registered', 'u.email_verified'])
      .where('a.id', '=', sellerId)
      .where('a.archived_at', 'is', null);
  if (!(await find().executeTakeFirst())) throw new NotFound('Seller not found');
  await takeTokens(ctx, sellerLimits.invite, `seller:${sellerId}`);
  return ctx.db.tx(async (): Promise<ResendInvitationResult> => {
    await lockSeller(ctx, sellerId);
    const seller = await find().executeTakeFirstOrThrow();
    if (seller.is_registered && seller.email_verified) return { ok: false, reason: 'registered' };
    const link = await issueInvitation(ctx, seller, { replace: true });
    await audit(ctx, { action: 'seller.invite_again', entity: 'agent', entityId: seller.id });
    return { ok: true, link };
  });
}
