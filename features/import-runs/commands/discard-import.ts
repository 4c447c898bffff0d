import { FileStoreError } from '#gateways/files/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { deleteImportFile } from '../import-file.ts';
import type { ImportResult } from '../model.ts';
import { lockImport } from '../own-import.ts';
import { isPossible, mayImportFiles, refusalTexts } from '../rules.ts';

/**
 * Discards a file of which nothing was imported.
 * @throws Unauthenticated, Forbidden; NotFound for another seller's
 */
export async function discardImport(
  ctx: CtxWith<'files'>,
  { importId }: { importId: string },
): Promise<ImportResult> {
  authorize(ctx, mayImportFiles);
  const result = await ctx.db.tx(async (): Promise<ImportResult> => {
    const row = await lockImport(ctx, importId);
    if (!isPossible('discard', row.status)) return { ok: false, reason: 'state', text: refusalTexts.state };
    await ctx.db.q().deleteFrom('listing_imports').where('id', '=', row.id).execute();
    await audit(ctx, {
      action: 'import.discard',
      entity: 'listing_import',
      entityId: row.id,
      before: { file: row.file_name },
    });
    return { ok: true };
  });
  if (result.ok)
    await deleteImportFile(ctx.files, importId).catch((error: unknown) => {
      // The sweep deletes it later.
      if (!(error instanceof FileStoreError)) throw error;
      ctx.log.warn({ err: error, import: importId }, 'the file of a discarded import could not be deleted');
    });
  return result;
}
