import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';

/**
 * Whether a seller can have a listing: one that exists and is not archived. Suspended ones can have listings. In a transaction the seller
 * stays so until it ends; a seller is taken before listings.
 */
export async function canHaveListings(ctx: Ctx, agentId: string): Promise<boolean> {
  if (!isUuid(agentId)) return false;
  const seller = await ctx.db
    .q()
    .selectFrom('agents')
    .select('id')
    .where('id', '=', agentId)
    .where('archived_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return seller !== undefined;
}
