import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { createInvitation } from '../invitations.ts';
import { mayCreateLink } from '../rules.ts';

/**
 * A link with which an invited seller can register, for a mail to the seller's own address; earlier links stay valid.
 * @returns an absolute URL; it is not stored
 * @throws Unauthenticated, Forbidden for every user
 */
export async function createRegistrationLink(ctx: Ctx, { sellerId }: { sellerId: string }): Promise<string> {
  authorize(ctx, mayCreateLink);
  return ctx.db.tx(async () => {
    const { link } = await createInvitation(ctx, sellerId, { purpose: 'inquiry', replace: false });
    await audit(ctx, { action: 'seller.create_link', entity: 'agent', entityId: sellerId });
    return link;
  });
}
