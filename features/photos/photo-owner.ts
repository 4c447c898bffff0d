import type { PropertyStatus } from '#features/listings/model.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { PhotoOwner } from './model.ts';

/** The listing or draft that owns photos, as stored. */
export interface PhotoOwnerRecord {
  column: 'property_id' | 'draft_id';
  id: string;
  /** null for a draft */
  status: PropertyStatus | null;
}

/**
 * Finds one of the seller's own listings, or their draft of a new one; null for a draft that is not stored yet. An administrator
 * finds every listing, and their own draft.
 * @param lock hold it until the transaction ends, so that changes of its photos are serialised
 * @throws NotFound for what belongs to somebody else
 */
export async function findPhotoOwner(
  ctx: Ctx,
  user: UserActor,
  owner: PhotoOwner,
  { lock = false }: { lock?: boolean } = {},
): Promise<PhotoOwnerRecord | null> {
  const q = ctx.db.q();
  const id = 'propertyId' in owner ? owner.propertyId : owner.draftId;
  if (!isUuid(id)) throw new NotFound('Property not found');
  if ('propertyId' in owner) {
    const row = await q
      .selectFrom('properties')
      .select('status')
      .where('id', '=', id)
      .$if(user.role !== 'admin', (query) => query.where('agent_id', '=', user.agentId))
      .where('deleted_at', 'is', null)
      .$if(lock, (query) => query.forNoKeyUpdate())
      .executeTakeFirst();
    if (!row) throw new NotFound('Property not found');
    return { column: 'property_id', id, status: row.status };
  }
  const row = await q
    .selectFrom('property_drafts')
    .select(['agent_id', 'admin_id', 'property_id'])
    .where('id', '=', id)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (!row) return null;
  const isOwn =
    user.role === 'admin' ? row.admin_id === user.id : row.agent_id !== null && row.agent_id === user.agentId;
  if (!isOwn || row.property_id !== null) throw new NotFound('Property not found');
  return { column: 'draft_id', id, status: null };
}

/**
 * Like `findPhotoOwner`, locked until the transaction ends.
 * @throws NotFound also for a draft that is not stored yet
 */
export async function lockPhotoOwner(
  ctx: Ctx,
  user: UserActor,
  owner: PhotoOwner,
): Promise<PhotoOwnerRecord> {
  const ownerRecord = await findPhotoOwner(ctx, user, owner, { lock: true });
  if (!ownerRecord) throw new NotFound('Property not found');
  return ownerRecord;
}
