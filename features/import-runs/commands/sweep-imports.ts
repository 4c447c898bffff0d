import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { plural } from '#platform/format-count.ts';
import { oneByOne } from '#platform/one-by-one.ts';
import { deleteImportFile } from '../import-file.ts';
import { FILE_RETENTION_MS, mayWorkImports, UNUSED_RETENTION_MS } from '../rules.ts';

const BATCH = 200;

/**
 * Deletes uploads of which nothing was imported for a week, those that broke off, and the files of imports that ended a month ago; the
 * record of what was imported stays. One that is started meanwhile keeps its file. One whose
 * file the store does not delete keeps none of the others, and is tried again by the next run.
 * @returns how many
 * @throws Unauthenticated, Forbidden for everyone but jobs; AggregateError when some could not be swept
 */
export async function sweepImports(ctx: CtxWith<'files'>): Promise<number> {
  authorize(ctx, mayWorkImports);
  const old = await oldImports(ctx).orderBy('created_at').limit(BATCH).execute();
  const summary = (failed: number) => `${plural(failed, 'old import', 'old imports')} could not be swept`;
  const swept = await oneByOne(old, summary, ({ id }) => sweepImport(ctx, id));
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
