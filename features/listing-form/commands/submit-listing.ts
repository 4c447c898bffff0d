import type { Insertable } from 'kysely';
import { firstListingStatus, mayMoveListing } from '#features/listings/rules.ts';
import { attachPhotos } from '#features/photos/commands/attach-photos.ts';
import { photosOf } from '#features/photos/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedSeller } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { BadRequest, Forbidden } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { uuidOf } from '#platform/uuid-of.ts';
import { setAmenities } from '../amenities.ts';
import { endDraft, findDraft, listingIdOfDraft, submittedForm } from '../drafts.ts';
import { canHaveListings } from '../find-seller.ts';
import { changedFields, formFields, type ListingForm, sanitizeForm } from '../form.ts';
import { columnsFromValues, type StoredDraft } from '../form-mapping.ts';
import { geocodeTypedAddress } from '../geocode-typed-address.ts';
import { isTypeAllowed } from '../is-type-allowed.ts';
import { listingFormLimits } from '../limits.ts';
import { isSameAddress } from '../same-address.ts';
import { type FormErrors, parseListing } from '../schema.ts';

interface SubmitInput {
  draftId: string;
  /** the draft version that the page has; 0 for none */
  version: number;
  form: unknown;
  /** the photos that the page shows; all of the draft when null. Others, as of another tab, stay with the draft */
  photoIds?: readonly string[] | null;
}

type SubmitResult =
  /** `photosLeft`: how many of the page's photos are not the listing's, because it was approved without them */
  | { ok: true; propertyId: string; photosLeft: number }
  | { ok: false; reason: 'invalid'; errors: FormErrors }
  /** another window has saved in the meantime; nothing was submitted */
  | { ok: false; reason: 'newer'; draft: StoredDraft }
  /** the draft has become a listing of the same address, with something else in it; nothing was changed */
  | { ok: false; reason: 'submitted'; propertyId: string };

/**
 * Creates a listing that waits for approval from the seller's form, with the photos that the page shows, and ends its draft. Idempotent: the same form of the same
 * draft again is the same listing. Another home that was written into a draft that has become a listing, as in a second window,
 * is a listing of its own, as is one at the same address from a form that began after that.
 * @throws Unauthenticated; Forbidden; NotFound for somebody else's id; TooManyRequests
 */
export async function submitListing(ctx: CtxWith<'geocoder'>, input: SubmitInput): Promise<SubmitResult> {
  const { agentId } = authorizedSeller(ctx, mayMoveListing('submit'));
  if (!isUuid(input.draftId)) throw new BadRequest('A draft needs an id');
  const form = sanitizeForm(input.form);
  const parsed = parseListing(form, ctx.now().getUTCFullYear());
  if (!parsed.ok) return { ok: false, reason: 'invalid', errors: parsed.errors };
  const { values } = parsed;
  if (!(await isTypeAllowed(ctx, values.typeId)))
    return { ok: false, reason: 'invalid', errors: { type: 'Property type is required.' } };
  await takeTokens(ctx, listingFormLimits.submit, agentId);
  const place =
    values.place?.precision === 'pin' ? values.place : await geocodeTypedAddress(ctx, form.address);
  const create = (draftId: string) =>
    createListing(
      ctx,
      { form, amenityIds: values.amenityIds, photosOf: input },
      {
        ...columnsFromValues(values, place ?? values.place),
        agent_id: agentId,
        status: firstListingStatus('submit'),
        draft_id: draftId,
        created_at: ctx.now(),
      },
    );
  return ctx.db.tx(async (): Promise<SubmitResult> => {
    if (!(await canHaveListings(ctx, agentId))) throw new Forbidden();
    const earlier = await listingIdOfDraft(ctx, agentId, input.draftId);
    if (earlier === null) {
      const draft = await findDraft(ctx, { agentId, propertyId: null }, true);
      const isCurrent = !draft || (draft.id === input.draftId && draft.version === input.version);
      const propertyId = isCurrent ? await create(input.draftId) : null;
      if (propertyId !== null) return { ok: true, propertyId, photosLeft: 0 };
    }
    // Perhaps by a request that has just been committed.
    const submittedId = earlier ?? (await listingIdOfDraft(ctx, agentId, input.draftId));
    if (submittedId === null) {
      const draft = await findDraft(ctx, { agentId, propertyId: null });
      if (draft) return { ok: false, reason: 'newer', draft };
      throw new Error('Neither a listing nor another draft stands against the new one');
    }
    const submitted = await submittedForm(ctx, submittedId);
    if (submitted === null || changedFields(submitted, form).length === 0) {
      const photosLeft = await addShownPhotos(ctx, submittedId, input);
      return { ok: true, propertyId: submittedId, photosLeft };
    }
    const ownId = idOfForm(input.draftId, form);
    // Locked, so that the second of two requests sees the listing of the first.
    const draft = await findDraft(ctx, { agentId, propertyId: null }, true);
    const startedAfter = draft?.id === input.draftId && draft.version === input.version;
    const isKnown = startedAfter || (await listingIdOfDraft(ctx, agentId, ownId)) !== null;
    if (isSameAddress(submitted, form) && !isKnown)
      return { ok: false, reason: 'submitted', propertyId: submittedId };
    const propertyId = (await create(ownId)) ?? (await listingIdOfDraft(ctx, agentId, ownId));
    if (propertyId === null)
      throw new Error('Neither this listing nor an earlier one of the same form exists');
    return { ok: true, propertyId, photosLeft: 0 };
  });
}

interface NewListing {
  form: ListingForm;
  amenityIds: readonly number[];
  /** the draft on which its photos hang, and which of them are its own */
  photosOf: Pick<SubmitInput, 'draftId' | 'version' | 'photoIds'>;
}

/** @returns its id; null when the draft has become a listing already */
async function createListing(
  ctx: Ctx,
  { form, amenityIds, photosOf: { draftId, version, photoIds } }: NewListing,
  columns: Insertable<DB['properties']> & { agent_id: string },
): Promise<string | null> {
  const created = await ctx.db
    .q()
    .insertInto('properties')
    .values(columns)
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'draft_id']).where('draft_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!created) return null;
  const { id } = created;
  await setAmenities(ctx, id, amenityIds);
  await attachPhotos(ctx, { draftId, propertyId: id, photoIds });
  await endDraft(ctx, draftId, version);
  await audit(ctx, { action: 'listing.submit', entity: 'property', entityId: id, after: form });
  return id;
}

/**
 * Adds the photos of a tab whose home another tab has submitted without them. One that was approved meanwhile is left as it was seen;
 * its photos are added on its own page.
 * @returns how many of them stay with the draft
 */
async function addShownPhotos(
  ctx: Ctx,
  propertyId: string,
  { draftId, version, photoIds }: Pick<SubmitInput, 'draftId' | 'version' | 'photoIds'>,
): Promise<number> {
  if (!photoIds?.length) return 0;
  const waiting = await ctx.db
    .q()
    .selectFrom('properties')
    .select('id')
    .where('id', '=', propertyId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (!waiting) {
    const left = await photosOf(ctx, { draftId });
    return left.filter(({ id }) => photoIds.includes(id)).length;
  }
  await attachPhotos(ctx, { draftId, propertyId, photoIds });
  await endDraft(ctx, draftId, version);
  return 0;
}

/** An id for a form in a draft that has ended: the same for the same form, so that a repeat is recognized. */
const idOfForm = (draftId: string, form: ListingForm): string =>
  uuidOf(JSON.stringify([draftId, ...formFields.map((name) => form[name])]));
