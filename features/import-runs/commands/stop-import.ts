import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { announceImport } from '../announce.ts';
import type { ImportResult } from '../model.ts';
import { lockImport } from '../own-import.ts';
import { importMessages, isPossible, mayImportFiles, refusalTexts } from '../rules.ts';

/**
 * Stops an import between two of its batches: what was imported until then stays, and it can be continued or undone. A check that is stopped
 * leads back to the columns. The process at work loses its lease, since the import can be at the same step again before that process notices:
 * checked with other columns, or continued.
 * @throws Unauthenticated, Forbidden; NotFound for another seller's
 */
export async function stopImport(ctx: Ctx, { importId }: { importId: string }): Promise<ImportResult> {
  authorize(ctx, mayImportFiles);
  return ctx.db.tx(async () => {
    const row = await lockImport(ctx, importId);
    if (row.status === 'stopped') return { ok: true };
    if (!isPossible('stop', row.status)) return { ok: false, reason: 'state', text: refusalTexts.state };
    const running = row.status === 'running';
    await ctx.db
      .q()
      .updateTable('listing_imports')
      .set({
        ...(running ? { status: 'stopped', problem: importMessages.stopped } : { status: 'uploaded' }),
        lease: null,
        leased_until: null,
      })
      .where('id', '=', row.id)
      .execute();
    await audit(ctx, { action: 'import.stop', entity: 'listing_import', entityId: row.id });
    await announceImport(ctx, row);
    return { ok: true };
  });
}
