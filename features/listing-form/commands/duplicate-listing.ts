import { randomUUID } from 'node:crypto';
import { mayList } from '#features/listings/rules.ts';
import { authorizedSeller } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { listingFormLimits } from '../limits.ts';
import { loadOwnListing } from '../own-listing.ts';

type DuplicateResult = { ok: true; draftId: string } | { ok: false; reason: 'draft' };

/**
 * Starts a new listing with the facts of one of the seller's own, as their draft, without its photos: another unit of a house, say.
 * Refused while they have an unfinished draft, of which there is at most one.
 * @throws Unauthenticated; Forbidden; NotFound for another seller's listing; TooManyRequests
 */
export async function duplicateListing(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<DuplicateResult> {
  const { agentId } = authorizedSeller(ctx, mayList);
  const { form } = await loadOwnListing(ctx, propertyId);
  await takeTokens(ctx, listingFormLimits.saveDraft, agentId);
  return ctx.db.tx(async (): Promise<DuplicateResult> => {
    const added = await ctx.db
      .q()
      .insertInto('property_drafts')
      .values({
        id: randomUUID(),
        agent_id: agentId,
        form: JSON.stringify(form),
        version: 1,
        updated_at: ctx.now(),
      })
      // There is at most one draft of a new listing.
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) return { ok: false, reason: 'draft' };
    await audit(ctx, {
      action: 'listing.duplicate',
      entity: 'property',
      entityId: propertyId,
      after: { draft: added.id },
    });
    return { ok: true, draftId: added.id };
  });
}
