import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { Photo, PhotoOwner } from './model.ts';
import { findPhotoOwner } from './photo-owner.ts';
import { maySeePhotos } from './rules.ts';
import { selectPhotos } from './select-photos.ts';

/**
 * The photos of one of the seller's own listings or drafts, main one first; none for a draft that is not stored yet.
 * @throws Unauthenticated, Forbidden; NotFound for what belongs to somebody else
 */
export async function photosOf(ctx: Ctx, owner: PhotoOwner): Promise<Photo[]> {
  const user = authorizedUser(ctx, maySeePhotos);
  const ownerRecord = await findPhotoOwner(ctx, user, owner);
  return ownerRecord ? selectPhotos(ctx, ownerRecord) : [];
}
