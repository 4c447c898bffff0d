import { ownershipProofRequired } from '#features/settings/reads.ts';
import type { Ctx } from '#platform/context.ts';

/**
 * Whether listings need a verified ownership before they go live and this one has none; a new listing, without an id, never has
 * one. What holds the listing's row keeps it as it is.
 */
export async function isOwnershipMissing(ctx: Ctx, propertyId: string | null): Promise<boolean> {
  if (!(await ownershipProofRequired(ctx))) return false;
  if (propertyId === null) return true;
  const verified = await ctx.db
    .q()
    .selectFrom('ownership_proofs')
    .select('id')
    .where('property_id', '=', propertyId)
    .where('status', '=', 'verified')
    .executeTakeFirst();
  return verified === undefined;
}
