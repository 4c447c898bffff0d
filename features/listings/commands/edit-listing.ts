import type { Geocoder } from '#gateways/geocoder/port.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/limits.ts';
import { nameWriter } from '#platform/writer.ts';
import { draftOf } from '../form/drafts.ts';
import { foundPlace } from '../form/found-place.ts';
import { type OwnListing, ownListing, recordHistory, setAmenities } from '../form/listing.ts';
import { withField } from '../form/merge.ts';
import type { LocatedAt } from '../form/place.ts';
import { type FormErrors, type ListingValues, parseListing } from '../form/schema.ts';
import { columnsOf, type FormRow, formColumns, type StoredDraft } from '../form/stored.ts';
import { typeAllowed } from '../form/types.ts';
import { changedFields, type FormField, type ListingForm, readForm } from '../listing-form.ts';
import { listingLimits, type PropertyStatus } from '../model.ts';
import { editScope, mayList, mayResubmit } from '../rules.ts';

export interface EditInput {
  propertyId: string;
  /** the draft's version that the page knows; 0 for none */
  version: number;
  /** the listing as the page had read it: what differs from it is what the seller changed */
  base: unknown;
  form: unknown;
  /** hands a listing that was sent back in again (B-139) */
  resubmit?: boolean;
}

export type EditResult =
  | { ok: true; status: PropertyStatus }
  | { ok: false; reason: 'invalid'; errors: FormErrors }
  | { ok: false; reason: 'newer'; draft: StoredDraft }
  /** sold, or a field that is locked in escrow (B-107) */
  | { ok: false; reason: 'locked' };

/**
 * Brings a seller's own listing up to what the form says, and ends the draft of the edit. What the seller did not touch
 * keeps what it has by now. The status stays (B-106); price, description and the rest are live at once, kept in the
 * history, and an Active listing is marked as changed since its approval. Those who watch hear of it by the database.
 * @throws Unauthenticated; Forbidden; NotFound; TooManyRequests
 */
export async function editListing(ctx: Ctx, input: EditInput, geocoder: Geocoder): Promise<EditResult> {
  const { agentId } = authorizedUser(ctx, mayList);
  const before = await ownListing(ctx, { agentId, propertyId: input.propertyId });
  await takeTokens(ctx, listingLimits.submit, agentId ?? '');
  const wish = wishOf(input, before.form);
  const located = wish.moved ? await foundPlace(geocoder, wish.form.address) : null;
  return ctx.db.tx(async () => {
    const listing = await ownListing(ctx, { agentId, propertyId: input.propertyId }, true);
    return change(ctx, agentId ?? '', listing, input, located);
  });
}

/** The listing as it should become: as it is, with what the seller changed. */
function wishOf(input: Pick<EditInput, 'base' | 'form'>, now: ListingForm) {
  const typed = readForm(input.form);
  const touched = changedFields(readForm(input.base), typed);
  const form = touched.reduce((wish, name) => withField(wish, name, typed), now);
  const changed = changedFields(now, form);
  // A new address without a pin of its own: the old place is that of the old address.
  const moved = changed.includes('address') && !(changed.includes('place') && form.place.endsWith(' pin'));
  return { form, changed, moved };
}

async function change(
  ctx: Ctx,
  agentId: string,
  listing: OwnListing,
  input: EditInput,
  located: LocatedAt | null,
): Promise<EditResult> {
  const { form, changed, moved } = wishOf(input, listing.form);
  const draft = await draftOf(ctx, { agentId, propertyId: listing.id, now: listing.form }, true);
  if (draft && draft.version !== input.version) return { ok: false, reason: 'newer', draft };
  const scope = editScope(listing.status);
  const locked = changed.some(
    (name) => scope === 'nothing' || (scope === 'description' && name !== 'description'),
  );
  if (locked) return { ok: false, reason: 'locked' };
  const parsed = parseListing(form, ctx.now().getUTCFullYear());
  const errors = parsed.ok ? {} : errorsWithin(scope, parsed.errors);
  if (Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors };
  if (parsed.ok && !(await typeAllowed(ctx, parsed.values.typeId, listing.row.type_id)))
    return { ok: false, reason: 'invalid', errors: { type: 'Property type is required.' } };
  const columns: Partial<FormRow> =
    scope === 'all' && parsed.ok
      ? columnsOfChange(parsed.values, changed, moved ? located : parsed.values.place, moved)
      : { description: form.description.trim() };
  const status = input.resubmit && mayResubmit(listing.status) ? ('pending' as const) : listing.status;
  await write(ctx, listing, columns, status);
  if (parsed.ok && changed.includes('amenities'))
    await setAmenities(ctx, listing.id, parsed.values.amenityIds);
  await ctx.db
    .q()
    .deleteFrom('property_drafts')
    .where('agent_id', '=', agentId)
    .where('property_id', '=', listing.id)
    .execute();
  if (changed.length > 0 || status !== listing.status)
    await audit(ctx, {
      action: 'listing.edit',
      entity: 'property',
      entityId: listing.id,
      before: { ...only(listing.form, changed), status: listing.status },
      after: { ...only(form, changed), status },
    });
  return { ok: true, status };
}

/** In escrow the locked fields are none of the seller's errors, whatever an import left in them. */
const errorsWithin = (scope: 'all' | 'description' | 'nothing', errors: FormErrors): FormErrors =>
  scope === 'all' ? errors : errors.description ? { description: errors.description } : {};

const columnOf: Partial<Record<FormField, readonly (keyof FormRow)[]>> = {
  title: ['title'],
  price: ['price_cents'],
  type: ['type_id'],
  address: ['address', 'city', 'state', 'zip'],
  bedrooms: ['bedrooms'],
  bathrooms: ['bathrooms'],
  halfBaths: ['half_baths'],
  squareFeet: ['square_feet'],
  lotSquareFeet: ['lot_square_feet'],
  yearBuilt: ['year_built'],
  description: ['description'],
  place: ['latitude', 'longitude', 'location_precision'],
};

/** The columns of the touched fields; the others keep what they hold, to the last digit. */
function columnsOfChange(
  values: ListingValues,
  changed: readonly FormField[],
  place: LocatedAt | null,
  moved: boolean,
): Partial<FormRow> {
  const all = columnsOf(values, place);
  const names = [...changed, ...(moved ? (['place'] as const) : [])].flatMap(
    (field) => columnOf[field] ?? [],
  );
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

async function write(
  ctx: Ctx,
  listing: OwnListing,
  columns: Partial<FormRow>,
  status: PropertyStatus,
): Promise<void> {
  const { row } = listing;
  const differ = formColumns.filter((name) => name in columns && columns[name] !== row[name]);
  if (differ.length === 0 && status === listing.status) return;
  await nameWriter(ctx);
  await ctx.db
    .q()
    .updateTable('properties')
    .set({
      ...Object.fromEntries(differ.map((name) => [name, columns[name]])),
      status,
      ...(listing.status === 'Active' && { changed_since_approval_at: ctx.now() }),
    })
    .where('id', '=', listing.id)
    .execute();
  await recordHistory(ctx, listing.id, [
    ...differ.map((field) => ({ field, from: row[field], to: columns[field] ?? null })),
    ...(status === listing.status
      ? []
      : [{ field: 'status', from: listing.status, to: status, reason: 'resubmitted' }]),
  ]);
}

const only = (form: ListingForm, names: readonly FormField[]) =>
  Object.fromEntries(names.map((name) => [name, form[name]]));
