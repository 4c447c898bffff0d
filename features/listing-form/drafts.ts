import type { Ctx } from '#platform/context.ts';
import { blankForm, type ListingForm, sanitizeForm } from './form.ts';
import type { StoredDraft } from './form-mapping.ts';
import { mergeForms } from './merge.ts';

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

/**
 * Ends a draft that has become a listing. While photos are left that another tab has uploaded for another home, it stays with
 * them for that tab; what was typed is in the listing, so its form is blank again.
 */
export async function endDraft(ctx: Ctx, draftId: string): Promise<void> {
  const q = ctx.db.q();
  const { numDeletedRows } = await q
    .deleteFrom('property_drafts as d')
    .where('d.id', '=', draftId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('property_images as i').select('i.id').whereRef('i.draft_id', '=', 'd.id'))),
    )
    .executeTakeFirst();
  if (numDeletedRows > 0n) return;
  await q
    .updateTable('property_drafts')
    .set({ form: JSON.stringify(blankForm) })
    .where('id', '=', draftId)
    .execute();
}
