import { isUuid } from '#features/accounts/rules.ts';
import type { PropertyStatus } from '#features/listings/model.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import type { PhotoOwner } from './model.ts';

/** What a seller's photographs hang on, as it is now. */
export interface OwnPlace {
  column: 'property_id' | 'draft_id';
  id: string;
  /** null for a draft */
  status: PropertyStatus | null;
}

/**
 * The seller's own listing, or the seller's own draft of a new one; null for a draft that has no row yet.
 * @param lock holds it until the transaction ends, so that one change of its photographs follows the other
 * @throws NotFound for what is not the seller's
 */
export async function ownPlace(
  ctx: Ctx,
  user: UserActor,
  owner: PhotoOwner,
  { lock = false }: { lock?: boolean } = {},
): Promise<OwnPlace | null> {
  const q = ctx.db.q();
  const id = 'propertyId' in owner ? owner.propertyId : owner.draftId;
  if (!isUuid(id)) throw new NotFound('Property not found');
  if ('propertyId' in owner) {
    const row = await q
      .selectFrom('properties')
      .select('status')
      .where('id', '=', id)
      .where('agent_id', '=', user.agentId)
      .where('deleted_at', 'is', null)
      .$if(lock, (query) => query.forNoKeyUpdate())
      .executeTakeFirst();
    if (!row) throw new NotFound('Property not found');
    return { column: 'property_id', id, status: row.status };
  }
  const row = await q
    .selectFrom('property_drafts')
    .select(['agent_id', 'property_id'])
    .where('id', '=', id)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (!row) return null;
  if (row.agent_id !== user.agentId || row.property_id !== null) throw new NotFound('Property not found');
  return { column: 'draft_id', id, status: null };
}

/** As `ownPlace`, held until the transaction ends. @throws NotFound also for a draft that has no row */
export async function heldPlace(ctx: Ctx, user: UserActor, owner: PhotoOwner): Promise<OwnPlace> {
  const place = await ownPlace(ctx, user, owner, { lock: true });
  if (!place) throw new NotFound('Property not found');
  return place;
}
