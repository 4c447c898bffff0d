import { selectableTypes } from '#features/listings/reads.ts';
import { mayReadOwnListings } from '#features/listings/rules.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedSeller, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { findDraft } from './drafts.ts';
import type { EditedListing, FormChoices, StoredDraft } from './form-mapping.ts';
import { geocodeTypedAddress } from './geocode-typed-address.ts';
import { listingFormLimits } from './limits.ts';
import { loadOwnListing } from './own-listing.ts';
import { formatPlace } from './place.ts';

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

/**
 * Geocodes an address into the form's notation ('45.70000,-121.50000 zip'); null if unknown.
 * @throws Unauthenticated; Forbidden; TooManyRequests
 */
export async function placeOfAddress(
  ctx: CtxWith<'geocoder'>,
  { address }: { address: string },
): Promise<string | null> {
  const { id } = authorizedUser(ctx, mayReadOwnListings);
  await takeTokens(ctx, listingFormLimits.locate, id);
  const place = await geocodeTypedAddress(ctx, address);
  return place && formatPlace(place);
}
