import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { canBeFeatured, type FeatureRefusal, MAX_FEATURED, mayFeature } from '../rules.ts';

interface FeatureInput {
  propertyId: string;
  featured: boolean;
}

type FeatureResult = { ok: true } | { ok: false; reason: FeatureRefusal };

/** Whoever takes a place waits for the others who do, so that each sees which places are free. */
const PLACES_LOCK = 'featured properties';

/**
 * Features an Active listing on the home page, or no longer. At most five: the database has five places, of which each
 * holds one listing. Repeating it changes nothing.
 * @throws Unauthenticated; Forbidden; NotFound for a deleted listing
 */
export async function setFeatured(ctx: Ctx, { propertyId, featured }: FeatureInput): Promise<FeatureResult> {
  authorize(ctx, mayFeature);
  if (!isUuid(propertyId)) throw new NotFound('Property not found');
  return ctx.db.tx(async () => {
    const listing = await ctx.db
      .q()
      .selectFrom('properties')
      .select(['status', 'seller_suspended', 'featured_slot'])
      .where('id', '=', propertyId)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!listing) throw new NotFound('Property not found');
    if ((listing.featured_slot !== null) === featured) return { ok: true };
    if (featured && !canBeFeatured({ status: listing.status, sellerSuspended: listing.seller_suspended }))
      return { ok: false, reason: 'not_public' };
    const place = featured ? await freePlace(ctx) : null;
    if (featured && place === null) return { ok: false, reason: 'full' };
    await ctx.db
      .q()
      .updateTable('properties')
      .set({ featured_slot: place, featured_at: featured ? ctx.now() : null })
      .where('id', '=', propertyId)
      .execute();
    await audit(ctx, {
      action: featured ? 'listing.feature' : 'listing.unfeature',
      entity: 'property',
      entityId: propertyId,
      before: { featured: !featured },
      after: { featured },
    });
    return { ok: true };
  });
}

/** A place that no listing holds; null when all five are taken. Held for this transaction. */
async function freePlace(ctx: Ctx): Promise<number | null> {
  const q = ctx.db.q();
  await takeLock(ctx, PLACES_LOCK);
  const { rows } = await sql<{ place: number }>`
    select place from generate_series(1, ${MAX_FEATURED}::integer) place
    where not exists (select from properties where featured_slot = place)
    order by place limit 1`.execute(q);
  return rows[0]?.place ?? null;
}
