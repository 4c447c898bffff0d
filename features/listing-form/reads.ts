import { sql } from 'kysely';
import type { PropertyDocument } from '#features/documents/model.ts';
import { latestDocument } from '#features/documents/reads.ts';
import { buyerFees } from '#features/fees/reads.ts';
import { priceWithFees, totalIncludesText } from '#features/fees/rules.ts';
import type { ListingDetail } from '#features/listings/model.ts';
import { listingDetail, selectableTypes } from '#features/listings/reads.ts';
import { editScope, mayEditListings, mayReadOwnListings, pageVisibility } from '#features/listings/rules.ts';
import { isHeldBySale } from '#features/listings/sale-hold.ts';
import { photosOf } from '#features/photos/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import {
  authorize,
  authorizedSeller,
  authorizedUser,
  type Permission,
  type SellerActor,
} from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { findDraft } from './drafts.ts';
import { changedFields, type FormField, formFields, type ListingForm } from './form.ts';
import type { EditedListing, FormChoices, SellerChoice, StoredDraft } from './form-mapping.ts';
import { geocodeTypedAddress } from './geocode-typed-address.ts';
import { listingFormLimits } from './limits.ts';
import { withField } from './merge.ts';
import { loadOwnListing } from './own-listing.ts';
import { formatPlace } from './place.ts';
import { blankListing, fillBlanks, gapsIn, type ListingPreview, picturesOf, withFields } from './preview.ts';
import type { PropertyForm } from './property-form.ts';
import { loadProperty } from './property-record.ts';
import { readUnfinished } from './schema.ts';

/** Data of the form for a new listing: the seller's draft, if any, and the options. */
export async function addForm(ctx: Ctx): Promise<{ draft: StoredDraft | null; choices: FormChoices }> {
  return newForm(ctx, authorizedSeller(ctx, mayReadOwnListings));
}

async function newForm(ctx: Ctx, { agentId }: SellerActor) {
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
  const { id, agentId, status, reviewNote, form, row } = await loadOwnListing(ctx, propertyId);
  const [draft, choices] = await Promise.all([
    findDraft(ctx, { agentId, propertyId: id, current: form }),
    formChoices(ctx, row.type_id),
  ]);
  return { listing: { id, status, reviewNote, form }, draft, choices };
}

/**
 * The seller's draft of a new listing as its page would show it, however little of it there is; null without a draft.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function draftPreview(ctx: Ctx): Promise<ListingPreview | null> {
  const actor = authorizedSeller(ctx, mayReadOwnListings);
  const { draft, choices } = await newForm(ctx, actor);
  if (!draft) return null;
  const [photos, seller] = await Promise.all([
    photosOf(ctx, { draftId: draft.id }),
    ctx.db
      .q()
      .selectFrom('agents')
      .select(['id', 'name', 'email', 'user_id as userId'])
      .select(sql<boolean>`status = 'suspended'`.as('suspended'))
      .where('id', '=', actor.agentId)
      .executeTakeFirstOrThrow(),
  ]);
  const blank = blankListing(draft.id, seller, ctx.now());
  return previewOf(ctx, blank, {
    form: draft.form,
    changed: formFields,
    editable: formFields,
    choices,
    photos,
  });
}

/**
 * One of the seller's own listings as its page would show it, with the changes of its draft. Changes that its status does not allow
 * are left out.
 * @throws Unauthenticated, Forbidden for everyone but sellers; NotFound for another seller's listing
 */
export async function listingPreview(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<ListingPreview> {
  const { listing, draft, choices } = await editForm(ctx, propertyId);
  const [stored, photos] = await Promise.all([
    listingDetail(ctx, listing.id),
    photosOf(ctx, { propertyId: listing.id }),
  ]);
  if (!stored.ok) throw new NotFound('Property not found');
  const editable = fieldsInScope[editScope(listing.status)];
  const changed = draft
    ? changedFields(listing.form, draft.form).filter((name) => editable.includes(name))
    : [];
  const form = changed.reduce((all, name) => (draft ? withField(all, name, draft.form) : all), listing.form);
  return previewOf(ctx, stored.listing, { form, changed, editable, choices, photos });
}

const fieldsInScope: Record<ReturnType<typeof editScope>, readonly FormField[]> = {
  all: formFields,
  description: ['description'],
  nothing: [],
};

interface Previewed {
  form: ListingForm;
  /** fields in which it differs from the listing */
  changed: readonly FormField[];
  editable: readonly FormField[];
  choices: FormChoices;
  photos: Awaited<ReturnType<typeof photosOf>>;
}

async function previewOf(
  ctx: Ctx,
  listing: ListingDetail,
  { form, changed, editable, choices, photos }: Previewed,
): Promise<ListingPreview> {
  const fees = await buyerFees(ctx);
  const unfinished = readUnfinished(form, ctx.now().getUTCFullYear());
  const { listing: shown, blanks } = fillBlanks(withFields(listing, unfinished.values, changed, choices));
  const name = blanks.includes('address') ? 'your property' : shown.address;
  return {
    // Otherwise it would say that it waits for approval, which buyers never see.
    listing: {
      ...shown,
      status: shown.status === 'escrow' || shown.status === 'Sold' ? shown.status : 'Active',
      pictures: picturesOf(photos, name),
    },
    name,
    price: shown.baseCents > 0 ? priceWithFees(shown.baseCents, fees) : null,
    feesText: totalIncludesText(fees),
    gaps: gapsIn(editable, unfinished, choices),
    blanks,
    hasChanges: changed.length > 0,
    isPublic: pageVisibility({ kind: 'visitor' }, listing) === 200,
  };
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
export async function newPropertyForm(
  ctx: Ctx,
): Promise<{ draftId: string | null; draftVersion: number; choices: FormChoices }> {
  const user = authorizedUser(ctx, mayEditListings);
  const [draft, choices] = await Promise.all([
    ctx.db
      .q()
      .selectFrom('property_drafts')
      .select(['id', 'version'])
      .where('admin_id', '=', user.id)
      .executeTakeFirst(),
    formChoices(ctx, null),
  ]);
  return { draftId: draft?.id ?? null, draftVersion: draft?.version ?? 0, choices };
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
