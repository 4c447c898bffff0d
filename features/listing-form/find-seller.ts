import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';

/** Whether a listing can be given to a seller: one that exists and is not archived. Suspended ones can have listings. */
export async function canHaveListings(ctx: Ctx, agentId: string): Promise<boolean> {
  if (!isUuid(agentId)) return false;
  const seller = await ctx.db
    .q()
    .selectFrom('agents')
    .select('id')
    .where('id', '=', agentId)
    .where('archived_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  return seller !== undefined;
}
