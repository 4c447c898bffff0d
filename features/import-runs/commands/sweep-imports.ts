import { sql } from 'kysely';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { plural } from '#platform/format-count.ts';
import { oneByOne } from '#platform/one-by-one.ts';
import { deleteImportFile, importsWithFiles } from '../import-file.ts';
import { FILE_RETENTION_MS, mayWorkImports, UNUSED_RETENTION_MS } from '../rules.ts';

const BATCH = 200;

/**
 * Deletes uploads of which nothing was imported for a week, those that broke off, the files of imports that ended a month ago, and those
 * that the store did not delete when their imports were discarded; the record of what was imported stays. One that is started meanwhile
 * keeps its file. One whose file the store does not delete keeps none of the others, and is tried again by the next run.
 * @returns how many
 * @throws Unauthenticated, Forbidden for everyone but jobs; FileStoreError; AggregateError when some could not be swept
 */
export async function sweepImports(ctx: CtxWith<'files'>): Promise<number> {
  authorize(ctx, mayWorkImports);
  const old = await oldImports(ctx).orderBy('created_at').limit(BATCH).execute();
  const summary = (failed: number) => `${plural(failed, 'old import', 'old imports')} could not be swept`;
  const sweeps = [
    ...old.map(({ id }) => ({ id, sweep: sweepImport })),
    ...(await discardedImports(ctx)).map((id) => ({ id, sweep: sweepDiscarded })),
  ];
  const swept = await oneByOne(sweeps, summary, ({ id, sweep }) => sweep(ctx, id));
  return swept.filter(Boolean).length;
}

function oldImports(ctx: Ctx) {
  const before = (ms: number) => new Date(ctx.now().getTime() - ms);
  return ctx.db
    .q()
    .selectFrom('listing_imports')
    .select(['id', 'status'])
    .where(({ eb, and, or }) =>
      or([
        and([
          eb('status', 'in', ['uploaded', 'checked']),
          or([
            eb('updated_at', '<', before(UNUSED_RETENTION_MS)),
            and([eb('file_parts', '=', 0), eb('created_at', '<', before(DAY))]),
          ]),
        ]),
        and([
          eb('status', 'in', ['stopped', 'done', 'undone']),
          eb('file_parts', '>', 0),
          eb('updated_at', '<', before(FILE_RETENTION_MS)),
        ]),
      ]),
    );
}

/** Imports that have a file and no row any longer. The row of one that is being uploaded is there before its file. */
async function discardedImports(ctx: CtxWith<'files'>): Promise<string[]> {
  const withFiles = await importsWithFiles(ctx.files);
  const rows = await ctx.db
    .q()
    .selectFrom('listing_imports')
    .select('id')
    .where(sql<boolean>`id = any(${withFiles}::uuid[])`)
    .execute();
  const present = new Set(rows.map(({ id }) => id));
  return withFiles.filter((id) => !present.has(id)).slice(0, BATCH);
}

async function sweepDiscarded({ files }: CtxWith<'files'>, id: string): Promise<boolean> {
  await deleteImportFile(files, id);
  return true;
}

/** The import is held while its file is deleted, so that nobody starts it; interrupted, the next run finds it again. */
const sweepImport = (ctx: CtxWith<'files'>, id: string): Promise<boolean> =>
  ctx.db.tx(async () => {
    const old = await oldImports(ctx).where('id', '=', id).forUpdate().executeTakeFirst();
    if (!old) return false;
    const { status } = old;
    await deleteImportFile(ctx.files, id);
    const q = ctx.db.q();
    if (status === 'uploaded' || status === 'checked')
      await q.deleteFrom('listing_imports').where('id', '=', id).execute();
    else await q.updateTable('listing_imports').set({ file_parts: 0 }).where('id', '=', id).execute();
    await audit(ctx, {
      action: 'import.sweep',
      entity: 'listing_import',
      entityId: id,
      before: { status },
    });
    return true;
  });
