import { randomUUID } from 'node:crypto';
import { importTypes } from '#features/listing-import/import-types.ts';
import { choicesOf, recognizeColumns } from '#features/listing-import/mapping.ts';
import { openListingsFile } from '#features/listing-import/read-file.ts';
import { unknownTypeWords } from '#features/listing-import/type-words.ts';
import { mayEditListings, mayList } from '#features/listings/rules.ts';
import { type UploadedFile, UploadTooLarge } from '#gateways/files/uploads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { cutText } from '#platform/cut-text.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { oneLine, visibleText } from '#platform/typed-text.ts';
import { storeImportFile } from '../import-file.ts';
import { importLimits } from '../limits.ts';
import { importMessages } from '../rules.ts';

interface Upload {
  /** as a seller, for the own listings, or as an administrator */
  area: 'agent' | 'admin';
  /** starts receiving the file, of at most `MAX_IMPORT_BYTES`; null when the form has none */
  receive: () => Promise<{ name: string; file: UploadedFile } | null>;
}

type Result = { ok: true; importId: string } | { ok: false; text: string };

const MAX_NAME_LENGTH = 120;

/**
 * Receives a file of listings, reads what it is, and keeps it in the private file store until its columns are chosen. Nothing is imported yet.
 * @throws Unauthenticated, Forbidden; TooManyRequests; UploadAborted; FileStoreError
 */
export async function uploadImport(ctx: CtxWith<'files'>, { area, receive }: Upload): Promise<Result> {
  const user = authorizedUser(ctx, area === 'admin' ? mayEditListings : mayList);
  await takeTokens(ctx, importLimits.upload, user.id);
  const received = await receive().catch((error: unknown) => {
    if (error instanceof UploadTooLarge) return 'too large' as const;
    throw error;
  });
  if (received === 'too large') return { ok: false, text: importMessages.tooLarge };
  if (received === null) return { ok: false, text: importMessages.noFile };
  const { name, file } = received;
  try {
    const opened = await openListingsFile(file.path);
    if (!opened.ok) return { ok: false, text: opened.reason };
    const { path: _, ...description } = opened.file;
    const mapping = recognizeColumns(opened.file);
    const typeWords = await unknownTypeWords(opened.file, mapping, await importTypes(ctx));
    const importId = randomUUID();
    const fileName = cutText(oneLine(visibleText(name)), MAX_NAME_LENGTH) || 'listings';
    await ctx.db
      .q()
      .insertInto('listing_imports')
      .values({
        id: importId,
        agent_id: area === 'admin' ? null : user.agentId,
        made_by: user.id,
        made_as: area,
        file_name: fileName,
        file_format: description.format,
        byte_size: description.size,
        description: JSON.stringify(description),
        mapping: JSON.stringify(choicesOf(mapping)),
        type_words: JSON.stringify(typeWords),
        rows_total: description.rows,
        created_at: ctx.now(),
      })
      .execute();
    // The row first: the sweep finds the file of an upload that broke off here by it.
    const parts = await storeImportFile(ctx.files, importId, file.path);
    await ctx.db.tx(async () => {
      await ctx.db
        .q()
        .updateTable('listing_imports')
        .set({ file_parts: parts })
        .where('id', '=', importId)
        .execute();
      const { rows, size } = description;
      await audit(ctx, {
        action: 'import.upload',
        entity: 'listing_import',
        entityId: importId,
        after: { file: fileName, rows, bytes: size },
      });
    });
    return { ok: true, importId };
  } finally {
    await file.remove();
  }
}
