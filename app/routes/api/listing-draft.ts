import type { Context } from 'hono';
import { z } from 'zod';
import type { WebEnv } from '#app/server/environment.ts';
import { deleteDraft } from '#features/listings/commands/delete-draft.ts';
import { saveDraft } from '#features/listings/commands/save-draft.ts';
import { placeOfAddress } from '#features/listings/reads.ts';
import { BadRequest } from '#platform/errors.ts';

const saving = z.object({
  draftId: z.string(),
  propertyId: z.string().nullable(),
  version: z.int().min(0).max(2_000_000_000),
  form: z.record(z.string(), z.unknown()),
  base: z.record(z.string(), z.unknown()).nullish(),
});
const discarding = z.object({ discard: z.string() });

/**
 * POST /api/listing-draft: keeps what stands in a seller's form; 409 with the draft that another window has saved, 410
 * where there is nothing to keep any more. With {discard: ID} the draft is discarded.
 */
export async function keepDraft(c: Context<WebEnv>): Promise<Response> {
  const call = await bodyOf(c, saving.or(discarding));
  if ('discard' in call) return c.json(await deleteDraft(c.var.ctx, { draftId: call.discard }));
  const { base, ...draft } = call;
  const result = await saveDraft(c.var.ctx, { ...draft, ...(base && { base }) });
  if (result.ok) return c.json(result);
  return c.json(result, result.reason === 'newer' ? 409 : 410);
}

/** GET /api/place?address=: where an address lies, or null. */
export async function placeEndpoint(c: Context<WebEnv>): Promise<Response> {
  const { ctx, services } = c.var;
  const place = await placeOfAddress(ctx, c.req.query('address') ?? '', services.geocoder);
  return c.json({ place });
}

async function bodyOf<Schema extends z.ZodType>(
  c: Context<WebEnv>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const body = await c.req.json<unknown>().catch(() => {
    throw new BadRequest('The body is not JSON');
  });
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new BadRequest('This is no form of a property');
}
