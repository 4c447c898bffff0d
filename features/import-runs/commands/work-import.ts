import type { UpdateObject } from 'kysely';
import { importListings } from '#features/listing-import/commands/import-listings.ts';
import { importTypes } from '#features/listing-import/import-types.ts';
import { applyMapping, type FieldChoices, type Mapping } from '#features/listing-import/mapping.ts';
import type { ImportRequest, RefusedRow, SameHome } from '#features/listing-import/model.ts';
import type { ListingsFile } from '#features/listing-import/read-file.ts';
import type { ImportReport } from '#features/listing-import/report.ts';
import { typeColumns, type UnknownTypeWords, unknownTypeWords } from '#features/listing-import/type-words.ts';
import { refreshSearchSoon } from '#features/search/jobs.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { announceImport } from '../announce.ts';
import { ImportFileGone, openImportFile } from '../import-file.ts';
import {
  holdImport,
  type LeasedImport,
  LeaseLost,
  leaseImport,
  releaseImport,
  whileHolding,
} from '../lease.ts';
import type { FirstStatus, ImportStatus } from '../model.ts';
import { recordBatch, recordRefusals } from '../record-batch.ts';
import { importMessages, mayWorkImports } from '../rules.ts';
import { undoRows } from '../undo-rows.ts';

interface Attempt {
  importId: string;
  signal?: AbortSignal;
  /** a failure ends the step, instead of being tried again */
  isLastTry?: boolean;
}

/**
 * Works on an import: checks it, runs it, or undoes it, whichever its status says. What is done is recorded batch by batch in the transaction
 * that does it, so that another process continues where a killed one was. Does nothing while another process works on it, or on another
 * import of the same seller.
 * @throws Unauthenticated, Forbidden for everyone but jobs; whatever goes wrong, unless it was the last try
 */
export async function workImport(ctx: CtxWith<'files'>, attempt: Attempt): Promise<void> {
  authorize(ctx, mayWorkImports);
  const leased = await leaseImport(ctx, attempt.importId);
  if (!leased) return;
  try {
    await whileHolding(ctx, leased, () => steps[leased.status](ctx, leased, attempt.signal));
  } catch (error) {
    if (error instanceof LeaseLost) return;
    const gone = error instanceof ImportFileGone;
    if (!gone && !attempt.isLastTry) throw error;
    ctx.log.error({ err: error, import: leased.id }, 'an import could not be worked on');
    const { status, problem } = failures[leased.status];
    await end(ctx, leased, { status, problem: gone ? importMessages.fileGone : problem });
  } finally {
    await releaseImport(ctx, leased);
  }
}

type Step = (ctx: CtxWith<'files'>, leased: LeasedImport, signal?: AbortSignal) => Promise<void>;

const steps: Record<LeasedImport['status'], Step> = { checking: check, running: run, undoing: undo };

/** How a step can end. */
type EndedStatus = Exclude<ImportStatus, LeasedImport['status']>;

const failures: Record<LeasedImport['status'], { status: EndedStatus; problem: string }> = {
  checking: { status: 'uploaded', problem: importMessages.checkFailed },
  running: { status: 'stopped', problem: importMessages.interrupted },
  undoing: { status: 'stopped', problem: importMessages.undoFailed },
};

/** A run that writes nothing: its figures are those that the import would have. */
async function check(ctx: CtxWith<'files'>, leased: LeasedImport, signal?: AbortSignal): Promise<void> {
  const q = () => ctx.db.q();
  // Of a check before, or of one that was interrupted.
  await q()
    .deleteFrom('listing_import_refusals')
    .where('import_id', '=', leased.id)
    .where('step', '=', 'check')
    .execute();
  let refusals: RefusedRow[] = [];
  const keep = (done: UpdateObject<DB, 'listing_imports'>) =>
    ctx.db.tx(async () => {
      await holdImport(ctx, leased, done);
      await recordRefusals(ctx, { id: leased.id, step: 'check' }, refusals);
      refusals = [];
    });
  const report = await importFile(ctx, leased, signal, {
    dryRun: true,
    onRefusal: (line, refusal) => void refusals.push({ line, refusal }),
    onProgress: (done) => keep({ rows_done: done }),
  });
  if (!report) return;
  await keep({});
  await end(ctx, leased, {
    status: 'checked',
    rows_done: report.rows,
    rows_total: report.rows,
    check_added: report.accepted,
    check_changed: report.updated,
    check_unchanged: report.unchanged,
    check_refused: report.refused,
    notes: JSON.stringify(Object.fromEntries(report.notes)),
  });
}

/** The import itself, from where it was. */
async function run(ctx: CtxWith<'files'>, leased: LeasedImport, signal?: AbortSignal): Promise<void> {
  const report = await importFile(ctx, leased, signal, {
    dryRun: false,
    onBatch: (batch) => recordBatch(ctx, leased, batch),
  });
  if (!report) return;
  await end(ctx, leased, { status: 'done', finished_at: ctx.now() });
}

async function undo(ctx: CtxWith<'files'>, leased: LeasedImport, signal?: AbortSignal): Promise<void> {
  if (!(await undoRows(ctx, leased, signal))) return;
  await end(ctx, leased, { status: 'undone', undone_at: ctx.now() });
}

/** Reads the file with the columns that were chosen; null when it was stopped in between. */
async function importFile(
  ctx: CtxWith<'files'>,
  leased: LeasedImport,
  signal: AbortSignal | undefined,
  how: Pick<ImportRequest, 'dryRun' | 'onBatch' | 'onRefusal' | 'onProgress'>,
): Promise<ImportReport | null> {
  const row = await ctx.db
    .q()
    .selectFrom('listing_imports')
    .select(['file_parts', 'description', 'mapping', 'first_status', 'activate_types', 'types', 'same_home'])
    .select(['type_words', 'resume_line', 'file_name', 'made_as'])
    .where('id', '=', leased.id)
    .executeTakeFirstOrThrow();
  const copy = await openImportFile(ctx, { importId: leased.id, parts: row.file_parts, name: row.file_name });
  try {
    const file = { ...(row.description as object), path: copy.path } as ListingsFile;
    const mapping = applyMapping(file, { map: row.mapping as FieldChoices });
    if (!mapping.ok)
      throw new Error(`The columns of the import ${leased.id} cannot be read: ${mapping.reason}`);
    if (how.dryRun)
      await readTypeWords(ctx, leased, { file, mapping: mapping.mapping, words: row.type_words });
    const result = await importListings(ctx, {
      file,
      mapping: mapping.mapping,
      agentId: leased.agentId,
      firstStatus: row.first_status as FirstStatus,
      importId: leased.id,
      activateTypes: row.activate_types,
      typesOfRows: row.types as Record<string, string>,
      sameHome: row.same_home as SameHome,
      surface: row.made_as === 'admin' ? 'office' : 'seller',
      ...(!how.dryRun && row.resume_line > 0 && { resumeAfterLine: row.resume_line }),
      ...(signal && { signal }),
      ...how,
    });
    if (!result.ok) {
      await end(ctx, leased, {
        status: failures[leased.status].status,
        problem: cutText(result.reason, 1000),
      });
      return null;
    }
    return result.completed ? result.report : null;
  } finally {
    await copy.remove();
  }
}

interface Words {
  file: ListingsFile;
  mapping: Mapping;
  /** `UnknownTypeWords` as they were read before */
  words: unknown;
}

/** Reads the words for property types again when other columns were chosen for them. */
async function readTypeWords(ctx: Ctx, leased: LeasedImport, { file, mapping, words }: Words): Promise<void> {
  if ((words as UnknownTypeWords).columns === typeColumns(mapping)) return;
  const found = await unknownTypeWords(file, mapping, await importTypes(ctx));
  await holdImport(ctx, leased, { type_words: JSON.stringify(found) });
}

/** Ends a step. */
async function end(
  ctx: Ctx,
  leased: LeasedImport,
  done: Omit<UpdateObject<DB, 'listing_imports'>, 'status'> & { status: EndedStatus },
): Promise<void> {
  await ctx.db.tx(async () => {
    await holdImport(ctx, leased, { problem: null, ...done });
    const row = await ctx.db
      .q()
      .selectFrom('listing_imports')
      .select(['id', 'made_by', 'added', 'changed', 'unchanged', 'refused', 'removed', 'restored', 'spared'])
      .where('id', '=', leased.id)
      .executeTakeFirstOrThrow();
    const { id, made_by, ...counts } = row;
    await audit(ctx, {
      action: `import.${done.status}`,
      entity: 'listing_import',
      entityId: id,
      after: counts,
    });
    await announceImport(ctx, { id, made_by });
    const hasListings = done.status === 'done' || done.status === 'undone';
    if (hasListings && counts.added + counts.changed > 0) await refreshSearchSoon(ctx);
  });
}
