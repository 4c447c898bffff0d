import { saleFileFields } from '#features/documents/model.ts';
import type { SaleUpload } from '#features/documents/sale-files.ts';
import { keysOf } from '#platform/typed-keys.ts';

/** The files of a sale's form; a field in which none was chosen arrives as one without a name. */
export async function readSaleFiles(form: FormData): Promise<SaleUpload[]> {
  const chosen = keysOf(saleFileFields).flatMap((field) =>
    form
      .getAll(field)
      .flatMap((value) =>
        value instanceof File && (value.name || value.size) ? [{ field, file: value }] : [],
      ),
  );
  return Promise.all(
    chosen.map(async ({ field, file }) => ({
      field,
      name: file.name,
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  );
}
