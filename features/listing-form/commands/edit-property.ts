import { moveListing } from '#features/listings/commands/move-listing.ts';
import { recordChanges } from '#features/listings/commands/record-changes.ts';
import { mailGivenListing, mailTakenListing } from '#features/listings/mails.ts';
import { editableColumns } from '#features/listings/model.ts';
import { actionRefusalMessages, mayEditListings } from '#features/listings/rules.ts';
import { isHeldBySale } from '#features/listings/sale-hold.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { setAuditActor } from '#platform/audit-actor.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { setAmenities } from '../amenities.ts';
import { changedColumns } from '../changed-columns.ts';
import { canHaveListings } from '../find-seller.ts';
import type { FormField } from '../form.ts';
import { geocodeTypedAddress } from '../geocode-typed-address.ts';
import { isTypeAllowed } from '../is-type-allowed.ts';
import { listingFormLimits } from '../limits.ts';
import type { GeoLocation } from '../place.ts';
import {
  changedPropertyFields,
  isSettable,
  mergePropertyForms,
  type PropertyErrors,
  type PropertyField,
  type PropertyForm,
  sanitizePropertyForm,
  settableStatuses,
} from '../property-form.ts';
import { loadProperty, type PropertyRecord } from '../property-record.ts';
import { checkPropertyForm, eventForStatus, FIXED_BY_SALE, propertyMessages } from '../property-rules.ts';
import { type Refuse, withRefusals } from '../refusals.ts';
import type { ListingValues } from '../schema.ts';
import { attachSurvey, type UploadedSurvey, withSurvey } from '../survey.ts';
import { writeFeatured } from '../write-featured.ts';

export interface EditPropertyInput {
  propertyId: string;
  /** the property as the page loaded it; the differences are the administrator's changes */
  base: unknown;
  form: unknown;
  /** why the status changes */
  reason: string;
  /** null leaves the survey document as it is */
  survey: UploadedSurvey | null;
}

type EditPropertyResult =
  | { ok: true; survey: 'none' | 'stored' | 'held' }
  | { ok: false; reason: 'invalid'; errors: PropertyErrors }
  /** somebody else has changed the same fields since the page was loaded: the property as it is now */
  | { ok: false; reason: 'newer'; current: PropertyForm; conflicting: PropertyField[] };

type Refusal = Extract<EditPropertyResult, { ok: false }>;

/**
 * Applies an administrator's form to a property, with its survey document, in one transaction. Fields that were not touched keep
 * their current values; one that somebody else has changed differently meanwhile is refused. A new status tells the seller and the
 * watchers; what a buyer agreed to stays while a sale lives.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound; TooManyRequests; FileStoreError
 */
export async function editProperty(
  ctx: CtxWith<'geocoder' | 'files' | 'malware'>,
  input: EditPropertyInput,
): Promise<EditPropertyResult> {
  const user = authorizedUser(ctx, mayEditListings);
  const before = await loadProperty(ctx, input.propertyId);
  await takeTokens(ctx, listingFormLimits.submit, user.id);
  const first = await intendedChange(ctx, before, input);
  if (!first.ok) return first;
  const located = first.moved ? await geocodeTypedAddress(ctx, first.form.address) : null;
  return withSurvey(ctx, input.survey, (stored) =>
    withRefusals<EditPropertyResult>((refuse) =>
      ctx.db.tx(async () => {
        // A seller is taken before listings.
        if (first.changed.includes('seller')) await canHaveListings(ctx, first.form.seller);
        const listing = await loadProperty(ctx, input.propertyId, { lock: true });
        const intent = await intendedChange(ctx, listing, input);
        if (!intent.ok) return intent;
        await setAuditActor(ctx);
        await writeColumns(ctx, listing, intent, located);
        if (stored) await attachSurvey(ctx, listing.id, stored);
        await writeStatus(ctx, listing, intent, input.reason.trim(), refuse);
        if (intent.changed.includes('featured'))
          await writeFeatured(ctx, listing.id, intent.form.featured === '1', refuse);
        return { ok: true, survey: stored ? (stored.scan === 'held' ? 'held' : 'stored') : 'none' };
      }),
    ),
  );
}

interface Intent {
  ok: true;
  form: PropertyForm;
  changed: PropertyField[];
  values: ListingValues;
  /** the address has changed without a new pin: the old coordinates belong to the old one */
  moved: boolean;
}

/** The current property with the administrator's changes, or why they cannot be made. */
async function intendedChange(
  ctx: Ctx,
  listing: PropertyRecord,
  input: EditPropertyInput,
): Promise<Intent | Refusal> {
  const current = listing.form;
  const { form, conflicting } = mergePropertyForms(
    sanitizePropertyForm(input.base),
    sanitizePropertyForm(input.form),
    current,
  );
  if (conflicting.length > 0) return { ok: false, reason: 'newer', current, conflicting };
  const changed = changedPropertyFields(current, form);
  const checked = checkPropertyForm({
    form,
    stored: current,
    reason: input.reason,
    statuses: settableStatuses,
    year: ctx.now().getUTCFullYear(),
  });
  if (!checked.ok) return { ok: false, reason: 'invalid', errors: checked.errors };
  const { values } = checked;
  const fixed = FIXED_BY_SALE.filter((name) => changed.includes(name));
  if (fixed.length > 0 && (await isHeldBySale(ctx, listing.id)))
    return invalid(Object.fromEntries(fixed.map((name) => [name, propertyMessages.liveSale])));
  if (!(await isTypeAllowed(ctx, values.typeId, listing.row.type_id)))
    return invalid({ type: 'Property type is required.' });
  if (changed.includes('seller') && !(await canHaveListings(ctx, form.seller)))
    return invalid({ seller: propertyMessages.sellerUnknown });
  const moved = changed.includes('address') && !(changed.includes('place') && form.place.endsWith(' pin'));
  return { ok: true, form, changed, values, moved };
}

const invalid = (errors: PropertyErrors): Refusal => ({ ok: false, reason: 'invalid', errors });

async function writeColumns(
  ctx: Ctx,
  listing: PropertyRecord,
  { form, changed, values, moved }: Intent,
  located: GeoLocation | null,
): Promise<void> {
  if (changed.length === 0) return;
  const fields = changed.filter(
    (name): name is FormField => !['seller', 'status', 'featured'].includes(name),
  );
  const columns = changedColumns(values, fields, moved ? located : values.place, moved);
  const names = editableColumns.filter((name) => name in columns && columns[name] !== listing.row[name]);
  const written = Object.fromEntries(names.map((name) => [name, columns[name]]));
  if (names.length > 0)
    await ctx.db.q().updateTable('properties').set(written).where('id', '=', listing.id).execute();
  if (changed.includes('seller')) await giveTo(ctx, listing, form.seller);
  if (changed.includes('amenities')) await setAmenities(ctx, listing.id, values.amenityIds);
  await recordChanges(ctx, {
    propertyId: listing.id,
    changes: [
      ...names.map((field) => ({ field, from: listing.row[field], to: columns[field] ?? null })),
      ...(changed.includes('seller') ? [{ field: 'agent_id', from: listing.agentId, to: form.seller }] : []),
    ],
  });
  // Status and featuring write audit rows of their own.
  const audited = changed.filter((name) => name !== 'status' && name !== 'featured');
  if (audited.length === 0) return;
  await audit(ctx, {
    action: 'listing.edit',
    entity: 'property',
    entityId: listing.id,
    before: Object.fromEntries(audited.map((name) => [name, listing.form[name]])),
    after: Object.fromEntries(audited.map((name) => [name, form[name]])),
  });
}

/** Gives the listing to another seller, who did not write the former one's draft. */
async function giveTo(ctx: Ctx, listing: PropertyRecord, agentId: string): Promise<void> {
  const q = ctx.db.q();
  await q.deleteFrom('property_drafts').where('property_id', '=', listing.id).execute();
  await q
    .updateTable('properties')
    // An import finds a seller's listings by these ids; the new seller's own listing keeps its id.
    .set((of) => ({
      agent_id: agentId,
      source_id: of
        .case()
        .when(
          of.exists(
            of
              .selectFrom('properties as other')
              .select('other.id')
              .where('other.agent_id', '=', agentId)
              .whereRef('other.source_id', '=', 'properties.source_id'),
          ),
        )
        .then(null)
        .else(of.ref('properties.source_id'))
        .end(),
    }))
    .where('id', '=', listing.id)
    .execute();
  await mailTakenListing(ctx, { propertyId: listing.id, agentId: listing.agentId });
  await mailGivenListing(ctx, listing.id);
}

async function writeStatus(
  ctx: Ctx,
  listing: PropertyRecord,
  { form, changed }: Intent,
  reason: string,
  refuse: Refuse<Refusal>,
): Promise<void> {
  if (!changed.includes('status') || !isSettable(form.status)) return;
  const moved = await moveListing(ctx, {
    propertyId: listing.id,
    event: eventForStatus[form.status],
    reason,
  });
  if (!moved.ok)
    refuse(
      invalid({
        status:
          moved.reason === 'ownership' || moved.reason === 'seller_gone'
            ? actionRefusalMessages[moved.reason]
            : propertyMessages.liveSale,
      }),
    );
}
