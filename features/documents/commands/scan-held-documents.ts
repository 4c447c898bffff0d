import { FileStoreError } from '#gateways/files/port.ts';
import { MalwareScanError } from '#gateways/malware/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { deleteFileJob } from '../delete-file-job.ts';
import { documentSubject, nameForAudit } from '../insert-document.ts';
import { mailInfected } from '../mails.ts';
import { mayScanDocuments } from '../rules.ts';

const BATCH_SIZE = 20;

interface HeldDocument {
  id: string;
  property_id: string | null;
  property_sale_id: string | null;
  agent_id: string | null;
  file_key: string;
  document_name: string;
  document_type: string;
}

/** What follows for a sale from what the scanner said about one of its documents, in the same transaction; the sale's row is held. */
export interface SaleFollowUps {
  removed: (ctx: Ctx, document: { saleId: string; name: string }) => Promise<void>;
  released: (ctx: Ctx, document: { saleId: string; documentId: string }) => Promise<void>;
}

/**
 * Scans the documents again that are held: one without malware is released, another one is deleted, its file by a job, and whoever uploaded it is
 * told by mail. Ends at the first one that the scanner cannot be asked about, since it will not answer about the others either; one whose
 * file is missing, or cannot be opened, is passed over.
 * @returns how many are still held of those that it looked at
 * @throws Unauthenticated, Forbidden for every user; FileStoreError when the store cannot be reached
 */
export async function scanHeldDocuments(
  ctx: CtxWith<'files' | 'malware'>,
  followUps: SaleFollowUps,
): Promise<number> {
  authorize(ctx, mayScanDocuments);
  const held = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select([
      'id',
      'property_id',
      'property_sale_id',
      'agent_id',
      'file_key',
      'document_name',
      'document_type',
    ])
    .where('scan', '=', 'held')
    .where('erased_at', 'is', null)
    // One that the scanner cannot cope with must not stand in the way of the others.
    .orderBy('scan_attempts')
    .orderBy('created_at')
    .limit(BATCH_SIZE)
    .execute();
  let waiting = held.length;
  for (const document of held) {
    const outcome = await scanAgain(ctx, document, followUps);
    if (outcome === 'no_answer') break;
    if (outcome === 'scanned') waiting -= 1;
  }
  return waiting;
}

const subjectOf = ({ id, property_id, property_sale_id, agent_id }: HeldDocument) =>
  documentSubject({ propertyId: property_id, saleId: property_sale_id, agentId: agent_id, id });

async function scanAgain(
  ctx: CtxWith<'files' | 'malware'>,
  document: HeldDocument,
  followUps: SaleFollowUps,
): Promise<'scanned' | 'no_file' | 'no_answer'> {
  const bytes = await read(ctx, document);
  if (!bytes) {
    await countAttempt(ctx, document);
    return 'no_file';
  }
  try {
    const found = await ctx.malware.scan(bytes);
    if (found.verdict === 'infected')
      await remove(ctx, { document, threat: found.threat, removedOfSale: followUps.removed });
    else await release(ctx, { document, scan: found.verdict, releasedOfSale: followUps.released });
    return 'scanned';
  } catch (error) {
    if (!(error instanceof MalwareScanError)) throw error;
    ctx.log.warn({ err: error, document: document.id }, 'a held document could not be scanned');
    await countAttempt(ctx, document);
    return 'no_answer';
  }
}

/** The file of a document; null when it is missing or cannot be opened, as after it was damaged or its key is no longer configured. */
async function read(ctx: CtxWith<'files'>, { id, file_key: key }: HeldDocument): Promise<Uint8Array | null> {
  try {
    const file = await ctx.files.get(key);
    if (file) return new Uint8Array(await new Response(file.body).arrayBuffer());
    ctx.log.error({ document: id, key }, 'the file of a held document is missing');
  } catch (error) {
    if (!(error instanceof FileStoreError) || error.retryable) throw error;
    ctx.log.error({ err: error, document: id, key }, 'the file of a held document cannot be opened');
  }
  return null;
}

/** Puts a document behind those that were tried less often. */
async function countAttempt(ctx: Ctx, { id }: HeldDocument): Promise<void> {
  await ctx.db
    .q()
    .updateTable('document_registry')
    .set((of) => ({ scan_attempts: of('scan_attempts', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

interface Release {
  document: HeldDocument;
  scan: 'clean' | 'unchecked';
  releasedOfSale: SaleFollowUps['released'];
}

const release = (ctx: Ctx, { document, scan, releasedOfSale }: Release): Promise<void> =>
  ctx.db.tx(async () => {
    const { id: documentId, property_sale_id: saleId } = document;
    if (saleId) await holdSale(ctx, saleId);
    const released = await ctx.db
      .q()
      .updateTable('document_registry')
      .set({ scan })
      .where('id', '=', document.id)
      .where('scan', '=', 'held')
      .returning('id')
      .executeTakeFirst();
    if (!released) return;
    await audit(ctx, {
      action: 'document.release',
      ...subjectOf(document),
      before: { document: document.id, scan: 'held' },
      after: { document: document.id, scan },
    });
    if (saleId) await releasedOfSale(ctx, { saleId, documentId });
  });

/** Before anything else of it, as whatever moves a sale does. */
const holdSale = ({ db }: Ctx, saleId: string) =>
  db.q().selectFrom('property_sales').select('id').where('id', '=', saleId).forUpdate().execute();

interface Removal {
  document: HeldDocument;
  threat: string;
  removedOfSale: SaleFollowUps['removed'];
}

/**
 * The row goes before the file, so that no row ever names a missing one; the file then goes by a job, which is retried while the file store
 * is unavailable, and is not lost when this process ends.
 */
async function remove(ctx: Ctx, { document, threat, removedOfSale }: Removal): Promise<void> {
  const { id, property_id, property_sale_id: saleId, file_key, document_name, document_type } = document;
  ctx.log.error({ document: id, threat }, 'a held document contains malware and is deleted');
  await ctx.db.tx(async () => {
    const q = ctx.db.q();
    if (saleId) await holdSale(ctx, saleId);
    const property = property_id
      ? await q
          .selectFrom('properties')
          .select('address')
          .where('id', '=', property_id)
          .forNoKeyUpdate()
          .executeTakeFirstOrThrow()
      : null;
    const removed = await q
      .deleteFrom('document_registry')
      .where('id', '=', id)
      .where('scan', '=', 'held')
      .returning('uploaded_by')
      .executeTakeFirst();
    // Another process may have released it meanwhile.
    if (!removed) return;
    if (property_id)
      await q
        .updateTable('properties')
        .set({ survey_document_path: null })
        .where('id', '=', property_id)
        .where('survey_document_path', '=', file_key)
        .execute();
    await audit(ctx, {
      action: 'document.remove',
      ...subjectOf(document),
      before: { document: id, ...nameForAudit(document_type, document_name), scan: 'held' },
      after: { document: id, threat },
    });
    if (saleId) await removedOfSale(ctx, { saleId, name: document_name });
    if (removed.uploaded_by)
      await mailInfected(ctx, {
        id,
        name: document_name,
        address: property?.address ?? null,
        uploadedBy: removed.uploaded_by,
      });
    await enqueue(ctx, deleteFileJob, { key: file_key }, { key: file_key });
  });
}
