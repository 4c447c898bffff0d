import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { DAY } from '#platform/durations.ts';
import { deleteImportFile } from '../import-file.ts';
import { FILE_RETENTION_MS, mayWorkImports, UNUSED_RETENTION_MS } from '../rules.ts';

const BATCH = 200;

/**
 * Deletes uploads of which nothing was imported for a week, those that broke off, and the files of imports that ended a month ago; the
 * record of what was imported stays.
 * @returns how many
 * @throws Unauthenticated, Forbidden for everyone but jobs; FileStoreError
 */
export async function sweepImports(ctx: CtxWith<'files'>): Promise<number> {
  authorize(ctx, mayWorkImports);
  const before = (ms: number) => new Date(ctx.now().getTime() - ms);
  const old = await ctx.db
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
    )
    .orderBy('created_at')
    .limit(BATCH)
    .execute();
  for (const { id, status } of old) {
    await deleteImportFile(ctx.files, id);
    const unused = status === 'uploaded' || status === 'checked';
    await ctx.db.tx(async () => {
      const q = ctx.db.q();
      if (unused)
        await q.deleteFrom('listing_imports').where('id', '=', id).where('status', '=', status).execute();
      else await q.updateTable('listing_imports').set({ file_parts: 0 }).where('id', '=', id).execute();
      await audit(ctx, {
        action: 'import.sweep',
        entity: 'listing_import',
        entityId: id,
        before: { status },
      });
    });
  }
  return old.length;
}
