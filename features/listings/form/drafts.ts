import type { Ctx } from '#platform/context.ts';
import { type ListingForm, readForm } from '../listing-form.ts';
import { mergeForms } from './merge.ts';
import type { StoredDraft } from './stored.ts';

interface Whose {
  agentId: string;
  /** null for the draft of a new listing */
  propertyId: string | null;
  /** the edited listing as it stands now; what changed in it since the draft began shows in the draft too */
  now?: ListingForm;
}

/** The seller's draft of a new listing or of an edit; null when there is none. */
export async function draftOf(
  ctx: Ctx,
  { agentId, propertyId, now }: Whose,
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
  const form = readForm(row.form);
  return {
    id: row.id,
    version: row.version,
    form: now && row.base ? mergeForms(readForm(row.base), form, now).form : form,
    savedAt: row.updated_at.toISOString(),
  };
}

/** The listing that a draft has become, or null. */
export async function submittedAs(ctx: Ctx, agentId: string, draftId: string): Promise<string | null> {
  const row = await ctx.db
    .q()
    .selectFrom('properties')
    .select('id')
    .where('draft_id', '=', draftId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst();
  return row?.id ?? null;
}
