import { firstListingStatus, mayList } from '#features/listings/rules.ts';
import { attachPhotos } from '#features/photos/commands/attach-photos.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { BadRequest } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { setAmenities } from '../amenities.ts';
import { findDraft, listingIdOfDraft } from '../drafts.ts';
import { sanitizeForm } from '../form.ts';
import { columnsFromValues, type StoredDraft } from '../form-mapping.ts';
import { geocodeTypedAddress } from '../geocode-typed-address.ts';
import { isTypeAllowed } from '../is-type-allowed.ts';
import { listingFormLimits } from '../limits.ts';
import { type FormErrors, parseListing } from '../schema.ts';

export interface SubmitInput {
  draftId: string;
  /** the draft version that the page has; 0 for none */
  version: number;
  form: unknown;
}

export type SubmitResult =
  | { ok: true; propertyId: string }
  | { ok: false; reason: 'invalid'; errors: FormErrors }
  /** another window has saved in the meantime; nothing was submitted */
  | { ok: false; reason: 'newer'; draft: StoredDraft };

/**
 * Creates a listing that waits for approval from the seller's form and deletes its draft. Idempotent: submitting the
 * same draft twice returns the same listing.
 * @throws Unauthenticated; Forbidden; NotFound for somebody else's id; TooManyRequests
 */
export async function submitListing(ctx: CtxWith<'geocoder'>, input: SubmitInput): Promise<SubmitResult> {
  const { agentId } = authorizedUser(ctx, mayList);
  if (!agentId || !isUuid(input.draftId)) throw new BadRequest('A draft needs an id');
  const form = sanitizeForm(input.form);
  const parsed = parseListing(form, ctx.now().getUTCFullYear());
  if (!parsed.ok) return { ok: false, reason: 'invalid', errors: parsed.errors };
  const { values } = parsed;
  if (!(await isTypeAllowed(ctx, values.typeId)))
    return { ok: false, reason: 'invalid', errors: { type: 'Property type is required.' } };
  await takeTokens(ctx, listingFormLimits.submit, agentId);
  const place =
    values.place?.precision === 'pin' ? values.place : await geocodeTypedAddress(ctx, form.address);
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    const draft = await findDraft(ctx, { agentId, propertyId: null }, true);
    const isCurrent = draft ? draft.id === input.draftId && draft.version === input.version : true;
    const created = isCurrent
      ? await q
          .insertInto('properties')
          .values({
            ...columnsFromValues(values, place ?? values.place),
            agent_id: agentId,
            status: firstListingStatus('submit'),
            draft_id: input.draftId,
            created_at: ctx.now(),
          })
          .onConflict((conflict) =>
            conflict.columns(['agent_id', 'draft_id']).where('draft_id', 'is not', null).doNothing(),
          )
          .returning('id')
          .executeTakeFirst()
      : undefined;
    if (!created) {
      const before = await listingIdOfDraft(ctx, agentId, input.draftId);
      if (before) return { ok: true, propertyId: before };
      if (draft) return { ok: false, reason: 'newer', draft };
      throw new Error('Neither a listing nor another draft stands against the new one');
    }
    const { id } = created;
    await setAmenities(ctx, id, values.amenityIds);
    await attachPhotos(ctx, { draftId: input.draftId, propertyId: id });
    await q
      .deleteFrom('property_drafts')
      .where('id', '=', input.draftId)
      .where('agent_id', '=', agentId)
      .execute();
    await audit(ctx, { action: 'listing.submit', entity: 'property', entityId: id, after: form });
    return { ok: true, propertyId: id };
  });
}
