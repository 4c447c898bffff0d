import { sql } from 'kysely';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { discardUnnamed } from '../discard-unnamed.ts';
import { insertDocument } from '../insert-document.ts';
import type { StoredDocument } from '../model.ts';
import { mayManageDocuments, type UploadErrors, uploadableTypes, uploadRefusals } from '../rules.ts';
import { storeUpload, type UploadedFile } from '../store-upload.ts';

/** The form by which an administrator adds a document to a property, as it was sent. */
export interface UploadForm {
  propertyId: string;
  /** one of `uploadableTypes` */
  type: string;
  /** how the document is called; the file's own name when empty */
  name: string;
  /** `public` or `private` */
  visibility: string;
  /** the warning about a public document was confirmed */
  confirmedPublic: boolean;
  file: UploadedFile | null;
}

type UploadResult =
  | { ok: true; id: string; name: string; version: number; scan: StoredDocument['scan'] }
  | { ok: false; errors: UploadErrors };

/**
 * Stores an uploaded document and registers it as the next version of its name; a survey is then the property's survey. The same file
 * sent again is refused, so that a repeated form adds nothing. Must run outside of a transaction.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound; TooManyRequests; FileStoreError
 */
export async function uploadDocument(
  ctx: CtxWith<'files' | 'malware'>,
  form: UploadForm,
): Promise<UploadResult> {
  const user = authorizedUser(ctx, mayManageDocuments);
  const { propertyId, file } = form;
  await requireProperty(ctx, propertyId);
  const type = uploadableTypes.find((one) => one === form.type);
  const visibility = form.visibility === 'public' ? 'public' : 'private';
  const notConfirmed = visibility === 'public' && !form.confirmedPublic;
  if (!file || !type || notConfirmed)
    return {
      ok: false,
      errors: {
        ...(!file && { file: uploadRefusals.noFile }),
        ...(!type && { type: uploadRefusals.noType }),
        ...(notConfirmed && { confirm: uploadRefusals.notConfirmed }),
      },
    };
  const stored = await storeUpload(
    ctx,
    { bytes: file.bytes, name: withEnding(form.name.trim()) || file.name },
    user.id,
  );
  if (!stored.ok) return { ok: false, errors: { file: stored.text } };
  const { document } = stored;
  let registered = false;
  try {
    const result = await ctx.db.tx(async (): Promise<UploadResult> => {
      if (await isLatest(ctx, { propertyId, type, visibility, document }))
        return { ok: false, errors: { file: uploadRefusals.known(document.name) } };
      const { id, version } = await insertDocument(ctx, {
        propertyId,
        type,
        visibility,
        document,
        uploadedBy: user.id,
      });
      if (type === 'Survey')
        await ctx.db
          .q()
          .updateTable('properties')
          .set({ survey_document_path: document.key })
          .where('id', '=', propertyId)
          .execute();
      return { ok: true, id, name: document.name, version, scan: document.scan };
    });
    registered = result.ok;
    return result;
  } finally {
    if (!registered) await discardUnnamed(ctx, document);
  }
}

async function requireProperty(ctx: CtxWith<'files'>, propertyId: string): Promise<void> {
  const found = isUuid(propertyId)
    ? await ctx.db
        .q()
        .selectFrom('properties')
        .select('id')
        .where('id', '=', propertyId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined;
  if (!found) throw new NotFound('Property not found');
}

/** Of a file's name the ending is replaced by that of its format, which a typed name does not have: 'Deed v1.2'. */
const withEnding = (typed: string): string =>
  typed && !/\.(pdf|docx?)$/i.test(typed) ? `${typed}.pdf` : typed;

interface Candidate {
  propertyId: string;
  type: string;
  visibility: string;
  document: StoredDocument;
}

/**
 * Whether the newest version of its name is this very file already and counts, of a survey the newest of all of them; holds the property's row, so
 * that two forms come one by one.
 */
async function isLatest(
  ctx: CtxWith<'files'>,
  { propertyId, type, visibility, document }: Candidate,
): Promise<boolean> {
  const q = ctx.db.q();
  // By itself: a statement that waited for the row would not see what the other form has added.
  await sql`select from properties where id = ${propertyId} for no key update`.execute(q);
  const { rows } = await sql<{ same: boolean }>`
    select d.status <> 'revoked' and d.sha256 = ${document.sha256} and d.visibility = ${visibility} and d.document_name = ${document.name} as same
    from document_registry d
    where d.property_id = ${propertyId} and d.document_type = ${type}
      and (d.document_name = ${document.name} or d.document_type = 'Survey')
      and d.shown_to = 'office' and d.property_sale_id is null and d.agent_id is null
    order by d.version desc limit 1`.execute(q);
  return rows[0]?.same ?? false;
}
