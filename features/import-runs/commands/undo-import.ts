import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { announceImport } from '../announce.ts';
import type { ImportResult } from '../model.ts';
import { lockImport } from '../own-import.ts';
import { enqueueWork } from '../queues.ts';
import { isPossible, mayImportFiles, refusalTexts } from '../rules.ts';

/**
 * Has a whole import undone: listings that it added are removed, those that it changed are as before, and those that someone has touched
 * since stay as they are. Pressed twice, it is undone once.
 * @throws Unauthenticated, Forbidden; NotFound for another seller's
 */
export async function undoImport(ctx: Ctx, { importId }: { importId: string }): Promise<ImportResult> {
  authorize(ctx, mayImportFiles);
  return ctx.db.tx(async () => {
    const row = await lockImport(ctx, importId);
    if (row.status === 'undoing' || row.status === 'undone') return { ok: true };
    if (!isPossible('undo', row.status)) return { ok: false, reason: 'state', text: refusalTexts.state };
    await ctx.db
      .q()
      .updateTable('listing_imports')
      .set({ status: 'undoing', problem: null })
      .where('id', '=', row.id)
      .execute();
    await audit(ctx, { action: 'import.undo', entity: 'listing_import', entityId: row.id });
    await enqueueWork(ctx, row.id);
    await announceImport(ctx, row);
    return { ok: true };
  });
}
