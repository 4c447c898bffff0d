import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { Photo, PhotoOwner } from './model.ts';
import { ownPlace } from './owner.ts';
import { photosIn } from './rows.ts';
import { maySeePhotos } from './rules.ts';

/**
 * The photographs of the seller's own listing or draft, the main one first, then in their order; none for a draft that
 * has no row yet.
 * @throws Unauthenticated, Forbidden; NotFound for what is not the seller's
 */
export async function photosOf(ctx: Ctx, owner: PhotoOwner): Promise<Photo[]> {
  const user = authorizedUser(ctx, maySeePhotos);
  const place = await ownPlace(ctx, user, owner);
  return place ? photosIn(ctx, place) : [];
}
