import { moveListing } from '#features/listings/commands/move-listing.ts';
import { recordChanges } from '#features/listings/commands/record-changes.ts';
import { type EditableColumns, editableColumns, type PropertyStatus } from '#features/listings/model.ts';
import {
  BEING_BOUGHT,
  editScope,
  fixedWhileBought,
  marksOfChange,
  mayList,
  mayResubmit,
} from '#features/listings/rules.ts';
import { isHeldBySale } from '#features/listings/sale-hold.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedSeller } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { setAuditActor } from '#platform/audit-actor.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { setAmenities } from '../amenities.ts';
import { changedColumns, fieldsOfColumns } from '../changed-columns.ts';
import { findDraft } from '../drafts.ts';
import { changedFields, type FormField, type ListingForm, sanitizeForm } from '../form.ts';
import type { StoredDraft } from '../form-mapping.ts';
import { geocodeTypedAddress } from '../geocode-typed-address.ts';
import { isTypeAllowed } from '../is-type-allowed.ts';
import { listingFormLimits } from '../limits.ts';
import { withField } from '../merge.ts';
import { loadOwnListing, type OwnListingRecord } from '../own-listing.ts';
import type { GeoLocation } from '../place.ts';
import { type FormErrors, parseListing } from '../schema.ts';

export interface EditInput {
  propertyId: string;
  /** the draft version that the page has; 0 for none */
  version: number;
  /** the listing as the page loaded it; the differences are the seller's changes */
  base: unknown;
  form: unknown;
  /** resubmits a rejected listing for approval */
  resubmit?: boolean;
}

type EditResult =
  | { ok: true; status: PropertyStatus }
  | { ok: false; reason: 'invalid'; errors: FormErrors }
  | { ok: false; reason: 'newer'; draft: StoredDraft }
  /** the listing is sold, or a changed field is locked while in escrow */
  | { ok: false; reason: 'locked' };

/**
 * Applies the form to one of the seller's own listings and deletes the draft of the edit. Fields that the seller did
 * not touch keep their current values. The status stays: changes are live at once, are recorded in the history, and
 * mark an Active listing as changed since its approval. Watchers are notified by a database trigger. While a buyer is paying,
 * price, type and address stay as the buyer was shown them.
 * @throws Unauthenticated; Forbidden; NotFound; TooManyRequests
 */
export async function editListing(ctx: CtxWith<'geocoder'>, input: EditInput): Promise<EditResult> {
  const { agentId } = authorizedSeller(ctx, mayList);
  const before = await loadOwnListing(ctx, input.propertyId);
  await takeTokens(ctx, listingFormLimits.submit, agentId);
  const intent = intendedChange(input, before.form);
  const located = intent.moved ? await geocodeTypedAddress(ctx, intent.form.address) : null;
  return ctx.db.tx(async () => {
    const listing = await loadOwnListing(ctx, input.propertyId, { lock: true });
    return applyChange(ctx, agentId, listing, input, located);
  });
}

/** The current listing with the seller's changes applied. */
function intendedChange(input: Pick<EditInput, 'base' | 'form'>, current: ListingForm) {
  const typed = sanitizeForm(input.form);
  const touched = changedFields(sanitizeForm(input.base), typed);
  const form = touched.reduce((intent, name) => withField(intent, name, typed), current);
  const changed = changedFields(current, form);
  // Without a new pin, the old coordinates belong to the old address.
  const moved = changed.includes('address') && !(changed.includes('place') && form.place.endsWith(' pin'));
  return { form, changed, moved };
}

async function applyChange(
  ctx: Ctx,
  agentId: string,
  listing: OwnListingRecord,
  input: EditInput,
  located: GeoLocation | null,
): Promise<EditResult> {
  const { form, changed, moved } = intendedChange(input, listing.form);
  const draft = await findDraft(ctx, { agentId, propertyId: listing.id, current: listing.form }, true);
  if (draft && draft.version !== input.version) return { ok: false, reason: 'newer', draft };
  const scope = editScope(listing.status);
  const locked = changed.some(
    (name) => scope === 'nothing' || (scope === 'description' && name !== 'description'),
  );
  if (locked) return { ok: false, reason: 'locked' };
  const fixed = FIXED_WHILE_BOUGHT.filter((name) => changed.includes(name));
  if (fixed.length > 0 && (await isHeldBySale(ctx, listing.id)))
    return {
      ok: false,
      reason: 'invalid',
      errors: Object.fromEntries(fixed.map((name) => [name, BEING_BOUGHT])),
    };
  const parsed = parseListing(form, ctx.now().getUTCFullYear());
  const errors = parsed.ok ? {} : errorsInScope(scope, parsed.errors);
  if (Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors };
  if (parsed.ok && !(await isTypeAllowed(ctx, parsed.values.typeId, listing.row.type_id)))
    return { ok: false, reason: 'invalid', errors: { type: 'Property type is required.' } };
  const columns: Partial<EditableColumns> =
    scope === 'all' && parsed.ok
      ? changedColumns(parsed.values, changed, moved ? located : parsed.values.place, moved)
      : { description: form.description.trim() };
  await updateListing(ctx, listing, columns, changed);
  if (parsed.ok && changed.includes('amenities'))
    await setAmenities(ctx, listing.id, parsed.values.amenityIds);
  await ctx.db.q().deleteFrom('property_drafts').where('property_id', '=', listing.id).execute();
  if (changed.length > 0)
    await audit(ctx, {
      action: 'listing.edit',
      entity: 'property',
      entityId: listing.id,
      before: pickFields(listing.form, changed),
      after: pickFields(form, changed),
    });
  return { ok: true, status: await statusAfter(ctx, listing, input) };
}

const FIXED_WHILE_BOUGHT = fieldsOfColumns(fixedWhileBought);

/** Resubmits a listing that was sent back, if the seller asks for it; returns the status that it has then. */
async function statusAfter(ctx: Ctx, listing: OwnListingRecord, input: EditInput): Promise<PropertyStatus> {
  if (!input.resubmit || !mayResubmit(listing.status)) return listing.status;
  const moved = await moveListing(ctx, {
    propertyId: listing.id,
    event: 'resubmit',
    reason: 'resubmitted',
  });
  return moved.ok ? moved.status : listing.status;
}

/**
 * In escrow only the description can be edited, so invalid values that an import left in other fields are not
 * reported.
 */
const errorsInScope = (scope: 'all' | 'description' | 'nothing', errors: FormErrors): FormErrors =>
  scope === 'all' ? errors : errors.description ? { description: errors.description } : {};

async function updateListing(
  ctx: Ctx,
  listing: OwnListingRecord,
  columns: Partial<EditableColumns>,
  changed: readonly FormField[],
): Promise<void> {
  const { row } = listing;
  const changedNames = editableColumns.filter((name) => name in columns && columns[name] !== row[name]);
  if (changed.length === 0 && changedNames.length === 0) return;
  const values = {
    ...Object.fromEntries(changedNames.map((name) => [name, columns[name]])),
    ...marksOfChange(listing, { onlyPrice: changed.every((name) => name === 'price'), at: ctx.now() }),
  };
  if (Object.keys(values).length === 0) return;
  await setAuditActor(ctx);
  await ctx.db.q().updateTable('properties').set(values).where('id', '=', listing.id).execute();
  await recordChanges(ctx, {
    propertyId: listing.id,
    changes: changedNames.map((field) => ({ field, from: row[field], to: columns[field] ?? null })),
  });
}

const pickFields = (form: ListingForm, names: readonly FormField[]) =>
  Object.fromEntries(names.map((name) => [name, form[name]]));
