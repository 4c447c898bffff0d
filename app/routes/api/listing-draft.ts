import type { Context } from 'hono';
import { z } from 'zod';
import { readJson } from '#app/actions/read-json.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { deleteDraft } from '#features/listing-form/commands/delete-draft.ts';
import { saveDraft } from '#features/listing-form/commands/save-draft.ts';
import { placeOfAddress } from '#features/listing-form/reads.ts';

const saving = z.object({
  draftId: z.string(),
  propertyId: z.string().nullable(),
  version: z.int().min(0).max(2_000_000_000),
  form: z.record(z.string(), z.unknown()),
  base: z.record(z.string(), z.unknown()).nullish(),
});
const discarding = z.object({ discard: z.string() });

/**
 * POST /api/listing-draft: saves a seller's form as a draft; 409 with the draft that another window has saved, 410 when
 * the draft can no longer be saved. With {discard: ID} the draft is discarded.
 */
export async function saveListingDraft(c: Context<WebEnv>): Promise<Response> {
  const call = await readJson(c, saving.or(discarding), () => 'This is no form of a property');
  if ('discard' in call) return c.json(await deleteDraft(c.var.ctx, { draftId: call.discard }));
  const { base, ...draft } = call;
  const result = await saveDraft(c.var.ctx, { ...draft, ...(base && { base }) });
  if (result.ok) return c.json(result);
  return c.json(result, result.reason === 'newer' ? 409 : 410);
}

/** GET /api/place?address=: the coordinates of an address, or null. */
export async function placeEndpoint(c: Context<WebEnv>): Promise<Response> {
  const place = await placeOfAddress(c.var.ctx, { address: c.req.query('address') ?? '' });
  return c.json({ place });
}
