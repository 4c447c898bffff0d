import { isUuid } from '#features/accounts/rules.ts';
import type { Geocoder } from '#gateways/geocoder/port.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { BadRequest, NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/limits.ts';
import { draftOf, submittedAs } from '../form/drafts.ts';
import { foundPlace } from '../form/found-place.ts';
import { setAmenities } from '../form/listing.ts';
import { type FormErrors, parseListing } from '../form/schema.ts';
import { columnsOf, type StoredDraft } from '../form/stored.ts';
import { typeAllowed } from '../form/types.ts';
import { readForm } from '../listing-form.ts';
import { listingLimits } from '../model.ts';
import { mayList } from '../rules.ts';

/** What a submission needs of others. */
export interface SubmitMeans {
  geocoder: Geocoder;
  /** hands the draft's photographs over to the listing, in the running transaction */
  attachPhotos(ctx: Ctx, from: { draftId: string; propertyId: string }): Promise<unknown>;
}

export interface SubmitInput {
  draftId: string;
  /** the version of the draft that the page knows; 0 for none */
  version: number;
  form: unknown;
}

export type SubmitResult =
  | { ok: true; propertyId: string }
  | { ok: false; reason: 'invalid'; errors: FormErrors }
  /** another window has saved since: nothing was submitted */
  | { ok: false; reason: 'newer'; draft: StoredDraft };

/**
 * Makes a listing that waits for approval of the seller's form (S0 §4) and ends its draft. Submitted twice, one draft
 * answers with its one listing (B-105).
 * @throws Unauthenticated; Forbidden; NotFound for an id that is somebody else's; TooManyRequests
 */
export async function submitListing(ctx: Ctx, input: SubmitInput, means: SubmitMeans): Promise<SubmitResult> {
  const { agentId } = authorizedUser(ctx, mayList);
  if (!agentId || !isUuid(input.draftId)) throw new BadRequest('A draft needs an id');
  const form = readForm(input.form);
  const parsed = parseListing(form, ctx.now().getUTCFullYear());
  if (!parsed.ok) return { ok: false, reason: 'invalid', errors: parsed.errors };
  const { values } = parsed;
  if (!(await typeAllowed(ctx, values.typeId)))
    return { ok: false, reason: 'invalid', errors: { type: 'Property type is required.' } };
  await takeTokens(ctx, listingLimits.submit, agentId);
  const place =
    values.place?.precision === 'pin' ? values.place : await foundPlace(means.geocoder, form.address);
  return ctx.db.tx(async (q) => {
    const draft = await draftOf(ctx, { agentId, propertyId: null }, true);
    const fresh = draft ? draft.id === input.draftId && draft.version === input.version : true;
    const created = fresh
      ? await q
          .insertInto('properties')
          .values({
            ...columnsOf(values, place ?? values.place),
            agent_id: agentId,
            status: 'pending',
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
      const before = await submittedAs(ctx, agentId, input.draftId);
      return before ? { ok: true, propertyId: before } : newer(draft);
    }
    const { id } = created;
    await setAmenities(ctx, id, values.amenityIds);
    await means.attachPhotos(ctx, { draftId: input.draftId, propertyId: id });
    await q
      .deleteFrom('property_drafts')
      .where('id', '=', input.draftId)
      .where('agent_id', '=', agentId)
      .execute();
    await audit(ctx, { action: 'listing.submit', entity: 'property', entityId: id, after: form });
    return { ok: true, propertyId: id };
  });
}

function newer(draft: StoredDraft | null): SubmitResult {
  if (!draft) throw new NotFound();
  return { ok: false, reason: 'newer', draft };
}
