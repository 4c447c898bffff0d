import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { discardUnnamed } from './discard-unnamed.ts';
import { insertDocument } from './insert-document.ts';
import { type SaleFileField, type StoredDocument, saleFileFields } from './model.ts';
import { storeUpload, type UploadedFile } from './store-upload.ts';

/** A file of a sale's form, with the field that it was chosen in. */
export interface SaleUpload extends UploadedFile {
  field: SaleFileField;
}

/** A stored document of a sale that no row names yet. */
export interface SaleFile {
  field: SaleFileField;
  document: StoredDocument;
}

type FileErrors = Partial<Record<SaleFileField, string>>;

/**
 * Checks and stores the files of a form, runs `save` with them, and deletes again what `save` did not register: all of them when it
 * refuses or throws. With an unacceptable file none is stored. Must run outside of a transaction; the caller has authorised.
 * @param save returns the keys of the files that rows now name
 * @throws TooManyRequests; FileStoreError; what `save` throws
 */
export async function withSaleFiles<Result>(
  ctx: CtxWith<'files' | 'malware'>,
  { files, userId }: { files: readonly SaleUpload[]; userId: string },
  save: (stored: readonly SaleFile[]) => Promise<{ result: Result; registered: readonly string[] }>,
): Promise<{ ok: true; result: Result } | { ok: false; errors: FileErrors }> {
  const stored: SaleFile[] = [];
  let registered: readonly string[] = [];
  try {
    const errors: FileErrors = {};
    for (const { field, ...file } of files) {
      const answer = await storeUpload(ctx, file, userId);
      if (answer.ok) stored.push({ field, document: answer.document });
      else errors[field] ??= `‘${file.name}’: ${answer.text}`;
    }
    if (Object.keys(errors).length > 0) return { ok: false, errors };
    const saved = await save(stored);
    registered = saved.registered;
    return { ok: true, result: saved.result };
  } finally {
    for (const { document } of stored)
      if (!registered.includes(document.key)) await discardUnnamed(ctx, document);
  }
}

/** The sale to which documents are added; its row is held. */
interface SaleOfFiles {
  id: string;
  propertyId: string;
}

/**
 * Registers files for both parties of a sale, in the transaction that holds the sale's row. A file that the same person has added
 * before is not added twice.
 * @returns the keys of the files that rows now name
 */
export async function registerSaleFiles(
  ctx: Ctx,
  { sale, files, userId }: { sale: SaleOfFiles; files: readonly SaleFile[]; userId: string },
): Promise<string[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select('sha256')
    .where('property_sale_id', '=', sale.id)
    .where('uploaded_by', '=', userId)
    .execute();
  const known = new Set(rows.map(({ sha256 }) => sha256));
  const registered: string[] = [];
  for (const { field, document } of files) {
    if (known.has(document.sha256)) continue;
    known.add(document.sha256);
    await insertDocument(ctx, {
      propertyId: sale.propertyId,
      saleId: sale.id,
      type: saleFileFields[field],
      shownTo: 'parties',
      uploadedBy: userId,
      document,
    });
    registered.push(document.key);
  }
  return registered;
}

/** How many documents somebody has added to a sale. */
export async function countAddedBy(ctx: Ctx, saleId: string, userId: string): Promise<number> {
  const { count } = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('property_sale_id', '=', saleId)
    .where('uploaded_by', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
