import type { Context } from 'hono';
import { setFlash } from '#app/flash.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { uploadImport } from '#features/import-runs/commands/upload-import.ts';
import { MAX_IMPORT_BYTES, type SparedListing } from '#features/import-runs/model.ts';
import { type RefusedRowOfFile, refusedRows, sparedRows } from '#features/import-runs/reads.ts';
import { fieldLabels, isFieldName } from '#features/listing-import/fields.ts';
import { incomingFolder, receiveUpload, UploadAborted } from '#gateways/files/uploads.ts';
import { AppError } from '#platform/errors.ts';
import { formFile } from '#platform/http/multipart.ts';
import type { FileColumn } from '#platform/table-file/columns.ts';
import { CSV_TYPE, csvFile, csvText } from '#platform/table-file/csv.ts';
import { type ImportArea, importPaths } from '#routing/import-paths.ts';
import { paths } from '#routing/paths.ts';
import { drainBody } from './drain-body.ts';
import { fileDownload } from './file-download.ts';

type Web = Context<WebEnv>;

/**
 * POST /agent/uploads/import, /admin/uploads/import with a form that has one file: keeps a file of listings. A script gets the address of its
 * page or a message; a form without scripts is redirected.
 */
export const uploadImportFile =
  (area: ImportArea) =>
  async (c: Web): Promise<Response> => {
    const { ctx } = c.var;
    const { details, list } = importPaths(area);
    const asJson = c.req.header('accept')?.includes('application/json') ?? false;
    let begun = false;
    try {
      const result = await uploadImport(ctx, {
        area,
        async receive() {
          begun = true;
          const found = await formFile(c.req.raw, 'file');
          if (!found) return null;
          const file = await receiveUpload(incomingFolder(ctx.config), found.body, MAX_IMPORT_BYTES);
          return { name: found.name, file };
        },
      });
      if (result.ok) {
        const to = details(result.importId);
        return asJson ? c.json({ to }, 201, { 'cache-control': 'no-store' }) : c.redirect(to, 303);
      }
      if (asJson) return c.json({ error: result.text }, 422, { 'cache-control': 'no-store' });
      c.header('set-cookie', setFlash({ title: 'Error', text: result.text, tone: 'bad' }));
      return c.redirect(list(), 303);
    } catch (error) {
      if (error instanceof UploadAborted) throw new AppError('The upload was interrupted', 400);
      throw error;
    } finally {
      if (!begun && ctx.actor.kind === 'user') await drainBody(c.req.raw.body);
    }
  };

const nameOf = (fileName: string, what: string) =>
  `${fileName.replace(/\.\w{1,5}$/, '').replace(/[^A-Za-z0-9._-]+/g, '-') || 'listings'}-${what}.csv`;

const refusedColumns: FileColumn<RefusedRowOfFile>[] = [
  { header: 'Line', text: ({ line }) => String(line) },
  {
    header: 'Field',
    text: ({ column }) => (column !== null && isFieldName(column) ? fieldLabels[column] : column),
  },
  { header: 'Reason', text: ({ reason }) => reason },
  { header: 'Value', text: ({ detail }) => detail },
];

/** GET …/import-files/:id/refused.csv : the refused rows of an import; visitors must sign in. */
export const refusedRowsFile =
  (area: ImportArea) =>
  async (c: Web): Promise<Response> => {
    const { ctx } = c.var;
    if (ctx.actor.kind !== 'user') return toLogin(c, area);
    const { fileName, rows } = await refusedRows(ctx, { importId: c.req.param('id') ?? '' });
    const body = csvFile(refusedColumns, rows);
    return fileDownload({ name: nameOf(fileName, 'refused'), type: CSV_TYPE, body });
  };

const sparedColumns: FileColumn<SparedListing>[] = [
  { header: 'Line', text: ({ line }) => String(line) },
  { header: 'Address', text: ({ address }) => address },
  { header: 'Reason', text: ({ because }) => because },
  { header: 'Listing', text: ({ propertyId }) => propertyId },
];

/** GET …/import-files/:id/spared.csv : the listings that undoing an import left as they are; visitors must sign in. */
export const sparedRowsFile =
  (area: ImportArea) =>
  async (c: Web): Promise<Response> => {
    const { ctx } = c.var;
    if (ctx.actor.kind !== 'user') return toLogin(c, area);
    const { fileName, rows } = await sparedRows(ctx, { importId: c.req.param('id') ?? '' });
    return fileDownload({
      name: nameOf(fileName, 'left'),
      type: CSV_TYPE,
      body: csvText(sparedColumns, rows),
    });
  };

const toLogin = (c: Web, area: ImportArea): Response => {
  const next = importPaths(area).list();
  return c.redirect(area === 'admin' ? paths.adminLogin({ next }) : paths.sellerLogin({ next }));
};
