import type { Ctx } from '#platform/context.ts';
import { blankForm, type ListingForm, sanitizeForm } from './form.ts';
import type { StoredDraft } from './form-mapping.ts';
import { mergeForms } from './merge.ts';
import { isSameAddress } from './same-address.ts';

interface DraftKey {
  agentId: string;
  /** null for the draft of a new listing */
  propertyId: string | null;
  /** the current state of the edited listing; changes made since the draft began are merged into the draft */
  current?: ListingForm;
}

/** The seller's draft of a new listing or an edit, or null. */
export async function findDraft(
  ctx: Ctx,
  { agentId, propertyId, current }: DraftKey,
  lock = false,
): Promise<StoredDraft | null> {
  const query = ctx.db
    .q()
    .selectFrom('property_drafts')
    .select(['id', 'version', 'form', 'base', 'updated_at'])
    .where('agent_id', '=', agentId)
    .where('property_id', 'is not distinct from', propertyId);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) return null;
  const form = sanitizeForm(row.form);
  return {
    id: row.id,
    version: row.version,
    form: current && row.base ? mergeForms(sanitizeForm(row.base), form, current).form : form,
    savedAt: row.updated_at.toISOString(),
  };
}

/** Id of the listing created from a draft, or null. */
export async function listingIdOfDraft(ctx: Ctx, agentId: string, draftId: string): Promise<string | null> {
  const row = await ctx.db
    .q()
    .selectFrom('properties')
    .select('id')
    .where('draft_id', '=', draftId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The form that a seller's listing was created from; null for one that was created otherwise. */
export async function submittedForm(ctx: Ctx, propertyId: string): Promise<ListingForm | null> {
  const row = await ctx.db
    .q()
    .selectFrom('audit_log')
    .select('after')
    .where('entity', '=', 'property')
    .where('entity_id', '=', propertyId)
    .where('action', '=', 'listing.submit')
    .executeTakeFirst();
  return row ? sanitizeForm(row.after) : null;
}

/**
 * Id of the listing that a form in a draft has become already, in this tab or another one; null for another home in that draft, and
 * for a page that has the draft as it is now: it began blank after the listing was submitted, so its home is one more at that address.
 */
export async function submittedAs(
  ctx: Ctx,
  agentId: string,
  draft: { id: string; form: ListingForm; version: number },
): Promise<string | null> {
  const propertyId = await listingIdOfDraft(ctx, agentId, draft.id);
  const form = propertyId && (await submittedForm(ctx, propertyId));
  if (!form || !isSameAddress(form, draft.form)) return null;
  const now = await findDraft(ctx, { agentId, propertyId: null });
  return now?.id === draft.id && now.version === draft.version ? null : propertyId;
}

/**
 * Deletes a draft on which no photos hang.
 * @returns false when it stays with its photos, or is gone already
 */
export async function deleteEmptyDraft(ctx: Ctx, draftId: string): Promise<boolean> {
  const deleted = await ctx.db
    .q()
    .deleteFrom('property_drafts as d')
    .where('d.id', '=', draftId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('property_images as i').select('i.id').whereRef('i.draft_id', '=', 'd.id'))),
    )
    .returning('d.id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/**
 * Ends a draft that has become a listing. While photos are left, which another tab has uploaded, perhaps for another home, it stays with
 * them for that tab, blank, in a version that no tab has yet. What another tab has saved in it since stays.
 * @param version that the page had which submitted it; null for a draft that holds nothing but photos, in which nothing was saved
 */
export async function endDraft(ctx: Ctx, draftId: string, version: number | null): Promise<void> {
  if (await deleteEmptyDraft(ctx, draftId)) return;
  await ctx.db
    .q()
    .updateTable('property_drafts')
    .set((of) => ({
      form: JSON.stringify(blankForm),
      version: of('version', '+', 1),
      updated_at: ctx.now(),
    }))
    .where('id', '=', draftId)
    .$if(version !== null, (that) => that.where('version', '=', version))
    .execute();
}
