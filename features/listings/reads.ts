import { sql } from 'kysely';
import { buyerFees } from '#features/fees/reads.ts';
import { totalCents } from '#features/fees/rules.ts';
import { anyone, authorize, authorizedSeller } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { photoAlt, townLine } from './display.ts';
import type { ListingCard, ListingDetail, ListingPicture, PropertyStatus, PropertyType } from './model.ts';
import { loadOwnListing, type OwnListing } from './own-listing.ts';
import {
  OWN_LISTINGS_PAGE_SIZE,
  type OwnListingRow,
  type OwnListingsPage,
  type OwnListingsQuery,
  ownListingCount,
  ownListingRows,
  unsubmittedDraft,
} from './own-listings.ts';
import { mayEditListings, mayReadOwnListings, pageVisibility } from './rules.ts';
import { mainPicture, type PictureRow, pictureFields } from './sql.ts';

export { findVisibleListing, visibleListing } from './visible-listing.ts';

/** The columns needed to build a card. */
export interface CardRow {
  id: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  type_id: number | null;
  price_cents: number;
  bedrooms: number | null;
  bathrooms: number | null;
  half_baths: number;
  square_feet: number | null;
  lot_square_feet: number | null;
  status: PropertyStatus;
  picture: PictureRow | null;
}
/** Columns of `properties` to select for a card, in addition to `mainPicture`. */
export const cardColumns = [
  'properties.id',
  'properties.address',
  'properties.city',
  'properties.state',
  'properties.zip',
  'properties.type_id',
  'properties.price_cents',
  'properties.bedrooms',
  'properties.bathrooms',
  'properties.half_baths',
  'properties.square_feet',
  'properties.lot_square_feet',
  'properties.status',
] as const;

/** Active property types, the four built-in ones first, then by name; cached until one changes. */
export async function propertyTypes(ctx: Ctx): Promise<PropertyType[]> {
  authorize(ctx, anyone);
  return (await allTypes(ctx)).filter((type) => type.isActive);
}

function allTypes(ctx: Ctx): Promise<(PropertyType & { isActive: boolean })[]> {
  return cached(ctx.db, 'property_types', 'all', async () => {
    const rows = await ctx.db
      .q()
      .selectFrom('property_types')
      .select(['id', 'name', 'slug', 'old_slugs', 'is_active'])
      .orderBy(sql`id > 4`)
      .orderBy(sql`case when id <= 4 then id end`)
      .orderBy('name')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      slug: row.slug,
      oldSlugs: row.old_slugs,
      isActive: row.is_active,
    }));
  });
}

/** Builds cards with fee-inclusive prices for the rows of a query, in their order. */
export async function cardsOf(ctx: Ctx, rows: readonly CardRow[]): Promise<ListingCard[]> {
  const [fees, types] = await Promise.all([buyerFees(ctx), allTypes(ctx)]);
  const typeName = new Map(types.map((type) => [type.id, type.name]));
  return rows.map((row) => ({
    id: row.id,
    address: row.address,
    town: townLine(row),
    type: (row.type_id !== null && typeName.get(row.type_id)) || 'Residential',
    totalCents: totalCents(row.price_cents, fees),
    baseCents: row.price_cents,
    bedrooms: row.bedrooms,
    bathrooms: row.bathrooms,
    halfBaths: row.half_baths,
    squareFeet: row.square_feet,
    lotSquareFeet: row.lot_square_feet,
    picture: row.picture && { ...row.picture, alt: row.picture.alt || row.address },
    status: row.status,
  }));
}

/** At most five featured listings, newest first. The database gives the place away of one that visitors no longer see. */
export async function featuredListings(ctx: Ctx): Promise<ListingCard[]> {
  authorize(ctx, anyone);
  const rows = await ctx.db
    .replica()
    .selectFrom('properties')
    .select(cardColumns)
    .select(mainPicture().as('picture'))
    .where('featured_slot', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(5)
    .execute();
  return cardsOf(ctx, rows);
}

type ListingDetailResult = { ok: true; listing: ListingDetail } | { ok: false; status: 404 | 410 };

/** One listing with pictures, amenities and seller, if the actor may see its page. */
export async function listingDetail(ctx: Ctx, id: string): Promise<ListingDetailResult> {
  authorize(ctx, anyone);
  if (!isUuid(id.toLowerCase())) return { ok: false, status: 404 };
  const row = await ctx.db
    .q()
    .selectFrom('properties')
    .innerJoin('agents', 'agents.id', 'properties.agent_id')
    .leftJoin('property_types', 'property_types.id', 'properties.type_id')
    .selectAll('properties')
    .select([
      'property_types.name as type_name',
      'agents.name as seller_name',
      'agents.email as seller_email',
      'agents.user_id as seller_user_id',
      'agents.status as seller_status',
      'agents.archived_at as seller_archived_at',
      sql<ListingPicture[]>`coalesce((
        select json_agg(json_build_object(${pictureFields}, 'caption', i.caption) order by i.is_main desc, i.position, i.id)
        from property_images i join stored_images s on s.id = i.image_id
        where i.property_id = properties.id), '[]')`.as('pictures'),
      sql<string[]>`array(select a.name from property_amenities pa join amenities a on a.id = pa.amenity_id
        where pa.property_id = properties.id order by a.name)`.as('amenities'),
      sql<Date | null>`(select o.decided_at from ownership_proofs o
        where o.property_id = properties.id and o.status = 'verified')`.as('ownership_verified_at'),
    ])
    .where('properties.id', '=', id)
    .where('properties.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return { ok: false, status: 404 };
  const listing: ListingDetail = {
    id: row.id,
    title: row.title && row.title !== row.address ? row.title : null,
    address: row.address,
    town: townLine(row),
    type: row.type_name ?? 'Residential',
    typeName: row.type_name,
    baseCents: row.price_cents,
    bedrooms: row.bedrooms,
    bathrooms: row.bathrooms,
    halfBaths: row.half_baths,
    squareFeet: row.square_feet,
    lotSquareFeet: row.lot_square_feet,
    yearBuilt: row.year_built,
    neighborhood: row.neighborhood,
    mlsNumber: row.mls_number,
    mlsName: row.mls_name,
    description: row.description,
    latitude: row.latitude,
    longitude: row.longitude,
    locationPrecision: row.location_precision,
    status: row.status,
    isPublic: row.is_public,
    pictures: row.pictures.map((picture, index) => ({
      ...picture,
      alt: picture.alt || photoAlt(row.address, index, row.pictures.length),
    })),
    amenities: row.amenities,
    seller: {
      id: row.agent_id,
      name: row.seller_name,
      email: row.seller_email,
      userId: row.seller_user_id,
      suspended: row.seller_status === 'suspended' || row.seller_archived_at !== null,
    },
    ownershipVerifiedAt: row.ownership_verified_at?.toISOString() ?? null,
    listedAt: row.listed_at,
    updatedAt: row.updated_at,
  };
  const status = pageVisibility(ctx.actor, listing);
  return status === 200 ? { ok: true, listing } : { ok: false, status };
}

/** Public listings in a range of ids, for the sitemap: id, last change (UTC) and main picture. */
export async function publicListingsBetween(
  ctx: Ctx,
  range: { from: string; to: string; limit: number },
): Promise<{ id: string; updatedAt: Date; picture: PictureRow | null }[]> {
  authorize(ctx, anyone);
  const rows = await ctx.db
    .replica()
    .selectFrom('properties')
    .select(['id', 'updated_at', mainPicture().as('picture')])
    .where('is_public', '=', true)
    .where('id', '>=', range.from)
    .where('id', '<=', range.to)
    .orderBy('id')
    .limit(range.limit)
    .execute();
  return rows.map((row) => ({ id: row.id, updatedAt: row.updated_at, picture: row.picture }));
}

/**
 * The types to choose from for a listing: the active ones, and the one it has, which may have become inactive.
 */
export async function selectableTypes(
  ctx: Ctx,
  currentTypeId: number | null,
): Promise<(PropertyType & { isActive: boolean })[]> {
  authorize(ctx, anyone);
  return (await allTypes(ctx)).filter((type) => type.isActive || type.id === currentTypeId);
}

/**
 * One of the seller's own listings that is not deleted; with `lock`, held until the transaction ends.
 * @throws Unauthenticated; Forbidden; NotFound for any other listing, so that ids cannot be probed
 */
export async function ownListing(
  ctx: Ctx,
  { propertyId, lock = false }: { propertyId: string; lock?: boolean },
): Promise<OwnListing> {
  const { agentId } = authorizedSeller(ctx, mayReadOwnListings);
  return loadOwnListing(ctx, { agentId, propertyId }, lock);
}

/**
 * Any listing that is not deleted, for an administrator's form; with `lock`, held until the transaction ends.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function editableListing(
  ctx: Ctx,
  { propertyId, lock = false }: { propertyId: string; lock?: boolean },
): Promise<OwnListing> {
  authorize(ctx, mayEditListings);
  return loadOwnListing(ctx, { agentId: null, propertyId }, lock);
}

/**
 * The seller's own listings for 'My Properties', 25 a page, newest first unless sorted; the first page includes the
 * draft.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownListings(ctx: Ctx, query: OwnListingsQuery = {}): Promise<OwnListingsPage> {
  const { agentId } = authorizedSeller(ctx, mayReadOwnListings);
  const q = (query.q ?? '').trim().slice(0, 200);
  const total = await ownListingCount(ctx, agentId, q);
  const pages = Math.max(1, Math.ceil(total / OWN_LISTINGS_PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.trunc(query.page ?? 1)), pages);
  const [rows, draft] = await Promise.all([
    ownListingRows(ctx, agentId, {
      q,
      sort: query.sort,
      limit: OWN_LISTINGS_PAGE_SIZE,
      offset: (page - 1) * OWN_LISTINGS_PAGE_SIZE,
    }),
    q || page > 1 ? null : unsubmittedDraft(ctx, agentId),
  ]);
  return { rows, total, page, pages, draft };
}

/**
 * The seller's five newest listings and the number of Active ones, for the dashboard.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function recentListings(ctx: Ctx): Promise<{ rows: OwnListingRow[]; active: number }> {
  const { agentId } = authorizedSeller(ctx, mayReadOwnListings);
  const [rows, { active }] = await Promise.all([
    ownListingRows(ctx, agentId, { q: '', sort: null, limit: 5, offset: 0 }),
    ctx.db
      .q()
      .selectFrom('properties')
      .select((count) => count.fn.countAll<number>().as('active'))
      .where('agent_id', '=', agentId)
      .where('status', '=', 'Active')
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, active: Number(active) };
}
