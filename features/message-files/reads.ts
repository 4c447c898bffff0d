import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayUseFiles } from './rules.ts';

/**
 * Whether the user takes part in a conversation, and so may send as much as a file is large.
 * @throws Unauthenticated
 */
export async function mayUploadTo(ctx: Ctx, inquiryId: string): Promise<boolean> {
  const user = authorizedUser(ctx, mayUseFiles);
  if (!isUuid(inquiryId)) return false;
  const row = await ctx.db
    .q()
    .selectFrom('property_inquiries as i')
    .innerJoin('properties as p', 'p.id', 'i.property_id')
    .select(['i.user_id', 'p.agent_id'])
    .where('i.id', '=', inquiryId)
    .executeTakeFirst();
  if (!row) return false;
  return row.user_id === user.id || (user.role === 'agent' && row.agent_id === user.agentId);
}
