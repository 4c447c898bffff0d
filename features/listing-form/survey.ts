import { registerDocument } from '#features/documents/commands/register-document.ts';
import { storeDocument } from '#features/documents/commands/store-document.ts';
import { discardUnnamed } from '#features/documents/discard-unnamed.ts';
import type { StoredDocument } from '#features/documents/model.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import type { PropertyErrors } from './property-form.ts';

/** A survey document as it was uploaded with the form. */
export interface UploadedSurvey {
  name: string;
  bytes: Uint8Array;
}

interface RefusedSurvey {
  ok: false;
  reason: 'invalid';
  errors: PropertyErrors;
}

/**
 * Stores the uploaded survey document, if any, runs `save` with it, and deletes it again when nothing was saved.
 * @throws FileStoreError; TooManyRequests; what `save` throws
 */
export async function withSurvey<Result extends { ok: boolean }>(
  ctx: CtxWith<'files' | 'malware'>,
  survey: UploadedSurvey | null,
  save: (stored: StoredDocument | null) => Promise<Result>,
): Promise<Result | RefusedSurvey> {
  if (!survey) return save(null);
  const stored = await storeDocument(ctx, survey);
  if (!stored.ok) return { ok: false, reason: 'invalid', errors: { survey: stored.text } };
  const { document } = stored;
  let saved = false;
  try {
    const result = await save(document);
    saved = result.ok;
    return result;
  } finally {
    if (!saved) await discardUnnamed(ctx, document);
  }
}

/** Registers the stored document as the property's survey, in the transaction that holds the property's row. */
export async function attachSurvey(ctx: Ctx, propertyId: string, document: StoredDocument): Promise<void> {
  await registerDocument(ctx, { propertyId, type: 'Survey', document });
  await ctx.db
    .q()
    .updateTable('properties')
    .set({ survey_document_path: document.key })
    .where('id', '=', propertyId)
    .execute();
}
