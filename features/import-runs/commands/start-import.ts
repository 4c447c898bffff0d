import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { announceImport } from '../announce.ts';
import type { ImportResult } from '../model.ts';
import { lockImport } from '../own-import.ts';
import { enqueueWork } from '../queues.ts';
import { importMessages, isPossible, isWhole, mayImportFiles, refusalTexts } from '../rules.ts';

/**
 * Starts an import whose file was checked, or continues one that was stopped. Pressed twice, it is started once.
 * @throws Unauthenticated, Forbidden; NotFound for another seller's
 */
export async function startImport(ctx: Ctx, { importId }: { importId: string }): Promise<ImportResult> {
  authorize(ctx, mayImportFiles);
  return ctx.db.tx(async () => {
    const row = await lockImport(ctx, importId);
    if (row.status === 'running') return { ok: true };
    if (!isPossible('start', row.status)) return { ok: false, reason: 'state', text: refusalTexts.state };
    if (!isWhole(row)) return { ok: false, reason: 'state', text: importMessages.partlyUndone };
    if (row.file_parts === 0) return { ok: false, reason: 'state', text: importMessages.fileGone };
    const seller = await ctx.db
      .q()
      .selectFrom('agents')
      .select(['status', 'archived_at'])
      .where('id', '=', row.agent_id)
      .executeTakeFirst();
    if (seller?.archived_at) return { ok: false, reason: 'seller', text: importMessages.archivedSeller };
    if (seller?.status === 'suspended')
      return { ok: false, reason: 'seller', text: importMessages.suspendedSeller };
    const first = row.status === 'checked';
    await ctx.db
      .q()
      .updateTable('listing_imports')
      .set({
        status: 'running',
        problem: null,
        ...(first && { started_at: ctx.now(), rows_done: 0, notes: '{}' }),
      })
      .where('id', '=', row.id)
      .execute();
    await audit(ctx, {
      action: first ? 'import.start' : 'import.continue',
      entity: 'listing_import',
      entityId: row.id,
      after: { file: row.file_name, seller: row.agent_id, status: row.first_status },
    });
    await enqueueWork(ctx, row.id);
    await announceImport(ctx, row);
    return { ok: true };
  });
}
