import { sql } from 'kysely';
import { buyerFees } from '#features/fees/reads.ts';
import { totalCents } from '#features/fees/rules.ts';
import type { Geocoder } from '#gateways/geocoder/port.ts';
import { anyone, authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden } from '#platform/errors.ts';
import { kept } from '#platform/kept.ts';
import { takeTokens } from '#platform/limits.ts';
import { draftOf } from './form/drafts.ts';
import { foundPlace } from './form/found-place.ts';
import { ownListing } from './form/listing.ts';
import { placeText } from './form/place.ts';
import type { EditedListing, FormChoices, StoredDraft } from './form/stored.ts';
import {
  type ListingCard,
  type ListingDetail,
  type ListingPicture,
  listingLimits,
  type PropertyStatus,
  type PropertyType,
} from './model.ts';
import {
  OWN_PAGE,
  type OwnListing,
  type OwnListings,
  type OwnListingsQuery,
  ownListingCount,
  ownListingRows,
  unsubmittedDraft,
} from './own-listings.ts';
import { mayReadOwnListings, pageVisibility, pictureAlt, townLine } from './rules.ts';

/** The columns of a listing from which a card is made. */
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
export interface PictureRow {
  id: string;
  width: number;
  height: number;
  widths: number[];
  placeholder: string;
  alt: string;
}

/** What a query selects of `properties` for a card, beside `mainPicture`. */
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

/** Active types ordered by name, the four of the first day in front (B-006); kept in memory until one changes. */
export async function propertyTypes(ctx: Ctx): Promise<PropertyType[]> {
  authorize(ctx, anyone);
  return (await allTypes(ctx)).filter((type) => type.isActive);
}

function allTypes(ctx: Ctx): Promise<(PropertyType & { isActive: boolean })[]> {
  return kept(ctx.db, 'property_types', 'all', async () => {
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

/** Cards for rows that a query found, in their order, with fee-inclusive prices (B-049). */
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
    squareFeet: row.square_feet || row.lot_square_feet,
    picture: row.picture && { ...row.picture, alt: row.picture.alt || row.address },
    status: row.status,
  }));
}

/** The main picture of the row of `properties` in the query. */
export const mainPicture = sql<PictureRow | null>`(
  select json_build_object('id', s.id, 'width', s.width, 'height', s.height, 'widths', s.widths,
    'placeholder', s.placeholder, 'alt', i.alt)
  from property_images i join stored_images s on s.id = i.image_id
  where i.property_id = properties.id order by i.is_main desc, i.position, i.id limit 1)`;

/** At most five featured, Active listings, newest first (S0 §7, B-030). */
export async function featuredListings(ctx: Ctx): Promise<ListingCard[]> {
  authorize(ctx, anyone);
  const rows = await ctx.db
    .replica()
    .selectFrom('properties')
    .select(cardColumns)
    .select(mainPicture.as('picture'))
    .where('featured_slot', 'is not', null)
    .where('is_public', '=', true)
    .orderBy('featured_at', 'desc')
    .limit(5)
    .execute();
  return cardsOf(ctx, rows);
}

export type ListingAnswer = { ok: true; listing: ListingDetail } | { ok: false; status: 404 | 410 };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** One listing with pictures, amenities and seller, for whoever may see its page (B-007). */
export async function listingDetail(ctx: Ctx, id: string): Promise<ListingAnswer> {
  authorize(ctx, anyone);
  if (!UUID.test(id)) return { ok: false, status: 404 };
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
      sql<ListingPicture[]>`coalesce((
        select json_agg(json_build_object('id', s.id, 'width', s.width, 'height', s.height, 'widths', s.widths,
          'placeholder', s.placeholder, 'alt', i.alt, 'caption', i.caption) order by i.is_main desc, i.position, i.id)
        from property_images i join stored_images s on s.id = i.image_id
        where i.property_id = properties.id), '[]')`.as('pictures'),
      sql<string[]>`array(select a.name from property_amenities pa join amenities a on a.id = pa.amenity_id
        where pa.property_id = properties.id order by a.name)`.as('amenities'),
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
    squareFeet: row.square_feet || row.lot_square_feet,
    lotSquareFeet: row.lot_square_feet,
    yearBuilt: row.year_built,
    description: row.description,
    latitude: row.latitude,
    longitude: row.longitude,
    status: row.status,
    isPublic: row.is_public,
    pictures: row.pictures.map((picture, index) => ({
      ...picture,
      alt: picture.alt || pictureAlt(row.address, index, row.pictures.length),
    })),
    amenities: row.amenities,
    seller: {
      id: row.agent_id,
      name: row.seller_name,
      email: row.seller_email,
      userId: row.seller_user_id,
      suspended: row.seller_status === 'suspended',
    },
    listedAt: row.listed_at,
    updatedAt: row.updated_at,
  };
  const status = pageVisibility(ctx.actor, listing);
  return status === 200 ? { ok: true, listing } : { ok: false, status };
}

/** Public listings in one range of ids, for the sitemap: id and last change (UTC). */
export async function publicListingsBetween(
  ctx: Ctx,
  range: { from: string; to: string; limit: number },
): Promise<{ id: string; updatedAt: Date }[]> {
  authorize(ctx, anyone);
  const rows = await ctx.db
    .replica()
    .selectFrom('properties')
    .select(['id', 'updated_at'])
    .where('is_public', '=', true)
    .where('id', '>=', range.from)
    .where('id', '<=', range.to)
    .orderBy('id')
    .limit(range.limit)
    .execute();
  return rows.map((row) => ({ id: row.id, updatedAt: row.updated_at }));
}

/** What the form for a new listing needs: the seller's draft, if there is one, and what can be chosen. */
export async function addForm(ctx: Ctx): Promise<{ draft: StoredDraft | null; choices: FormChoices }> {
  const { agentId } = authorizedUser(ctx, mayReadOwnListings);
  const [draft, choices] = await Promise.all([
    agentId ? draftOf(ctx, { agentId, propertyId: null }) : null,
    formChoices(ctx, null),
  ]);
  return { draft, choices };
}

/**
 * What the form for a listing of the seller's own needs; what was changed and not yet saved is in the draft.
 * @throws Unauthenticated; Forbidden; NotFound for one that is not the seller's
 */
export async function editForm(
  ctx: Ctx,
  propertyId: string,
): Promise<{ listing: EditedListing; draft: StoredDraft | null; choices: FormChoices }> {
  const { agentId } = authorizedUser(ctx, mayReadOwnListings);
  const { id, status, reviewNote, form, row } = await ownListing(ctx, { agentId, propertyId });
  const [draft, choices] = await Promise.all([
    agentId ? draftOf(ctx, { agentId, propertyId: id, now: form }) : null,
    formChoices(ctx, row.type_id),
  ]);
  return { listing: { id, status, reviewNote, form }, draft, choices };
}

/** Active types, the listing's own although it is inactive by now (B-108), and all amenities by name (B-038). */
async function formChoices(ctx: Ctx, typeId: number | null): Promise<FormChoices> {
  const [types, amenities] = await Promise.all([
    allTypes(ctx),
    ctx.db.q().selectFrom('amenities').select(['id', 'name']).orderBy('name').execute(),
  ]);
  return {
    types: types
      .filter((type) => type.isActive || type.id === typeId)
      .map(({ id, name, isActive }) => ({ id: String(id), name: isActive ? name : `${name} (inactive)` })),
    amenities: amenities.map(({ id, name }) => ({ id: String(id), name })),
  };
}

/**
 * Where an address lies, as the form keeps it ('45.70000,-121.50000 zip'); null where nobody knows.
 * @throws Unauthenticated; Forbidden; TooManyRequests
 */
export async function placeOfAddress(ctx: Ctx, address: string, geocoder: Geocoder): Promise<string | null> {
  const { id } = authorizedUser(ctx, mayReadOwnListings);
  await takeTokens(ctx, listingLimits.locate, id);
  const place = await foundPlace(geocoder, address);
  return place && placeText(place);
}

/**
 * The seller's own listings for 'My Properties', 25 a page, newest first unless sorted, with the draft on the first page
 * (S0 §2).
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownListings(ctx: Ctx, query: OwnListingsQuery = {}): Promise<OwnListings> {
  const { agentId } = authorizedUser(ctx, mayReadOwnListings);
  if (agentId === null) throw new Forbidden();
  const q = (query.q ?? '').trim().slice(0, 200);
  const total = await ownListingCount(ctx, agentId, q);
  const pages = Math.max(1, Math.ceil(total / OWN_PAGE));
  const page = Math.min(Math.max(1, Math.trunc(query.page ?? 1)), pages);
  const [rows, draft] = await Promise.all([
    ownListingRows(ctx, agentId, { q, sort: query.sort, limit: OWN_PAGE, offset: (page - 1) * OWN_PAGE }),
    q || page > 1 ? null : unsubmittedDraft(ctx, agentId),
  ]);
  return { rows, total, page, pages, draft };
}

/**
 * The seller's five newest listings, and how many are Active (S0 §2 'Seller dashboard').
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function recentListings(ctx: Ctx): Promise<{ rows: OwnListing[]; active: number }> {
  const { agentId } = authorizedUser(ctx, mayReadOwnListings);
  if (agentId === null) throw new Forbidden();
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
