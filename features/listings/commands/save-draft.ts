import { isUuid } from '#features/accounts/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { BadRequest, NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/limits.ts';
import { draftOf, submittedAs } from '../form/drafts.ts';
import { ownListing } from '../form/listing.ts';
import type { StoredDraft } from '../form/stored.ts';
import { blankForm, readForm } from '../listing-form.ts';
import { listingLimits } from '../model.ts';
import { editScope, mayList } from '../rules.ts';

export interface DraftInput {
  /** chosen by the page that first saves it */
  draftId: string;
  /** null for a new listing */
  propertyId: string | null;
  /** the version that was read or saved last; 0 when the page knows of no draft */
  version: number;
  /** the form's texts, and the edited listing as the page had read it */
  form: unknown;
  base?: unknown;
}

export type SaveDraftResult =
  | { ok: true; draft: Omit<StoredDraft, 'form'> }
  /** another window has saved since: here is what it saved */
  | { ok: false; reason: 'newer'; draft: StoredDraft }
  /** it was discarded elsewhere, or submitted */
  | { ok: false; reason: 'gone' | 'locked' }
  | { ok: false; reason: 'submitted'; propertyId: string };

/**
 * Keeps what stands in the seller's form, unchecked, so that a closed window loses nothing (B-105). A seller has one
 * draft of a new listing and one of each edit. Whoever does not know its newest version overwrites nothing and is told it.
 * @throws Unauthenticated; Forbidden; NotFound for a property that is not the seller's; TooManyRequests
 */
export async function saveDraft(ctx: Ctx, input: DraftInput): Promise<SaveDraftResult> {
  const { agentId } = authorizedUser(ctx, mayList);
  if (!agentId || !isUuid(input.draftId)) throw new BadRequest('A draft needs an id');
  const { propertyId } = input;
  const now = propertyId === null ? null : await ownListing(ctx, { agentId, propertyId });
  if (now && editScope(now.status) === 'nothing') return { ok: false, reason: 'locked' };
  await takeTokens(ctx, listingLimits.saveDraft, agentId);
  return ctx.db.tx(async () => {
    const saved =
      (input.version > 0 ? null : await begin(ctx, agentId, input, 1)) ??
      (await saveAgain(ctx, agentId, input));
    if (saved)
      return {
        ok: true,
        draft: { id: saved.id, version: saved.version, savedAt: saved.updated_at.toISOString() },
      };
    const submitted = propertyId === null && (await submittedAs(ctx, agentId, input.draftId));
    if (submitted) return { ok: false, reason: 'submitted', propertyId: submitted };
    const draft = await draftOf(ctx, { agentId, propertyId, ...(now && { now: now.form }) });
    return draft ? { ok: false, reason: 'newer', draft } : { ok: false, reason: 'gone' };
  });
}

/**
 * The seller's draft of a new listing, begun blank under `draftId` where there is none: photographs hang on it. Its id.
 * @throws Unauthenticated; Forbidden; NotFound when the id is somebody else's or its listing was submitted
 */
export async function ensureDraft(ctx: Ctx, { draftId }: { draftId: string }): Promise<string> {
  const { agentId } = authorizedUser(ctx, mayList);
  if (!agentId || !isUuid(draftId)) throw new NotFound();
  return ctx.db.tx(async () => {
    // As if it were not there yet: the first saving of the page's form is the first version.
    const begun = await begin(ctx, agentId, { draftId, propertyId: null, form: blankForm }, 0);
    const id = begun?.id ?? (await draftOf(ctx, { agentId, propertyId: null }))?.id;
    if (!id) throw new NotFound();
    return id;
  });
}

const written = ['id', 'version', 'updated_at'] as const;
const contentOf = (ctx: Ctx, { form, base }: Pick<DraftInput, 'form' | 'base'>) => ({
  form: JSON.stringify(readForm(form)),
  base: base === undefined ? null : JSON.stringify(readForm(base)),
  updated_at: ctx.now(),
});

const saveAgain = (ctx: Ctx, agentId: string, input: DraftInput) =>
  ctx.db
    .q()
    .updateTable('property_drafts')
    .set({ ...contentOf(ctx, input), version: input.version + 1 })
    .where('id', '=', input.draftId)
    .where('agent_id', '=', agentId)
    .where('property_id', 'is not distinct from', input.propertyId)
    .where('version', '=', input.version)
    .returning(written)
    .executeTakeFirst();

async function begin(ctx: Ctx, agentId: string, input: Omit<DraftInput, 'version'>, version: 0 | 1) {
  if (input.propertyId === null && (await submittedAs(ctx, agentId, input.draftId))) return undefined;
  return ctx.db
    .q()
    .insertInto('property_drafts')
    .values({
      ...contentOf(ctx, input),
      id: input.draftId,
      agent_id: agentId,
      property_id: input.propertyId,
      version,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(written)
    .executeTakeFirst();
}
