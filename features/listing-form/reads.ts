import { sql } from 'kysely';
import type { PropertyDocument } from '#features/documents/model.ts';
import { latestDocument } from '#features/documents/reads.ts';
import { selectableTypes } from '#features/listings/reads.ts';
import { mayEditListings, mayReadOwnListings } from '#features/listings/rules.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedSeller, authorizedUser, type Permission } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { findDraft } from './drafts.ts';
import type { EditedListing, FormChoices, SellerChoice, StoredDraft } from './form-mapping.ts';
import { geocodeTypedAddress } from './geocode-typed-address.ts';
import { listingFormLimits } from './limits.ts';
import { loadOwnListing } from './own-listing.ts';
import { formatPlace } from './place.ts';
import type { PropertyForm } from './property-form.ts';
import { loadProperty } from './property-record.ts';
import { isHeldBySale } from './sale-hold.ts';

/** Data of the form for a new listing: the seller's draft, if any, and the options. */
export async function addForm(ctx: Ctx): Promise<{ draft: StoredDraft | null; choices: FormChoices }> {
  const { agentId } = authorizedSeller(ctx, mayReadOwnListings);
  const [draft, choices] = await Promise.all([
    findDraft(ctx, { agentId, propertyId: null }),
    formChoices(ctx, null),
  ]);
  return { draft, choices };
}

/**
 * Data of the form for one of the seller's own listings; unsaved changes are in the draft.
 * @throws Unauthenticated; Forbidden; NotFound for another seller's listing
 */
export async function editForm(
  ctx: Ctx,
  propertyId: string,
): Promise<{ listing: EditedListing; draft: StoredDraft | null; choices: FormChoices }> {
  const { agentId } = authorizedSeller(ctx, mayReadOwnListings);
  const { id, status, reviewNote, form, row } = await loadOwnListing(ctx, propertyId);
  const [draft, choices] = await Promise.all([
    findDraft(ctx, { agentId, propertyId: id, current: form }),
    formChoices(ctx, row.type_id),
  ]);
  return { listing: { id, status, reviewNote, form }, draft, choices };
}

/** Active types, also the listing's own if it has become inactive, and all amenities by name. */
async function formChoices(ctx: Ctx, typeId: number | null): Promise<FormChoices> {
  const [types, amenities] = await Promise.all([
    selectableTypes(ctx, typeId),
    ctx.db.q().selectFrom('amenities').select(['id', 'name']).orderBy('name').execute(),
  ]);
  return {
    types: types.map(({ id, name, isActive }) => ({
      id: String(id),
      name: isActive ? name : `${name} (inactive)`,
    })),
    amenities: amenities.map(({ id, name }) => ({ id: String(id), name })),
  };
}

const mayLocate: Permission = (actor) => mayReadOwnListings(actor) || mayEditListings(actor);

/**
 * Geocodes an address into the form's notation ('45.70000,-121.50000 zip'); null if unknown.
 * @throws Unauthenticated; Forbidden; TooManyRequests
 */
export async function placeOfAddress(
  ctx: CtxWith<'geocoder'>,
  { address }: { address: string },
): Promise<string | null> {
  const { id } = authorizedUser(ctx, mayLocate);
  await takeTokens(ctx, listingFormLimits.locate, id);
  const place = await geocodeTypedAddress(ctx, address);
  return place && formatPlace(place);
}

/**
 * Data of an administrator's form for a new property; photos that were uploaded for it hang on the draft.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function newPropertyForm(ctx: Ctx): Promise<{ draftId: string | null; choices: FormChoices }> {
  const user = authorizedUser(ctx, mayEditListings);
  const [draft, choices] = await Promise.all([
    ctx.db.q().selectFrom('property_drafts').select('id').where('admin_id', '=', user.id).executeTakeFirst(),
    formChoices(ctx, null),
  ]);
  return { draftId: draft?.id ?? null, choices };
}

export interface EditedProperty {
  id: string;
  form: PropertyForm;
  seller: SellerChoice;
  survey: PropertyDocument | null;
  /** a sale holds it: what the buyer agreed to stays */
  held: boolean;
}

/**
 * Data of an administrator's form for any property.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function propertyForm(
  ctx: Ctx,
  propertyId: string,
): Promise<{ property: EditedProperty; choices: FormChoices }> {
  authorize(ctx, mayEditListings);
  const { id, form, row, agentId } = await loadProperty(ctx, propertyId);
  const [choices, seller, survey, held] = await Promise.all([
    formChoices(ctx, row.type_id),
    sellersAmong(ctx).where('id', '=', agentId).executeTakeFirstOrThrow(),
    latestDocument(ctx, { propertyId: id, type: 'Survey' }),
    isHeldBySale(ctx, id),
  ]);
  return { property: { id, form, seller, survey, held }, choices };
}

/** Sellers shown at once; who is not among them is found by typing more. */
const SELLER_CHOICES = 20;

const sellersAmong = (ctx: Ctx) =>
  ctx.db
    .q()
    .selectFrom('agents')
    .select(['id', 'name', 'email', sql<boolean>`status = 'suspended'`.as('suspended')]);

/**
 * Sellers whose name or address contains all the given words, by name; archived ones are left out.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function sellerChoices(ctx: Ctx, q: string): Promise<SellerChoice[]> {
  authorize(ctx, mayEditListings);
  const words = q
    .toLowerCase()
    .replace(/[\0()]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 5);
  let query = sellersAmong(ctx).where('archived_at', 'is', null);
  for (const word of words) {
    const pattern = `%${word.slice(0, 60).replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(sql<boolean>`lower(name || ' ' || email) like ${pattern}`);
  }
  return query.orderBy(sql`lower(name) collate "C"`).orderBy('id').limit(SELLER_CHOICES).execute();
}
