import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { BreakKind, BreakResolution } from '../model.ts';
import { BREAK_TEXT_MAX_LENGTH, mayOpenBreaks } from '../rules.ts';

export interface CloseBreaksInput {
  saleId: string;
  kind: BreakKind;
  resolution: BreakResolution;
  /** why, as written by whoever decided it */
  note: string;
  /** the administrator who decided it; null for the system */
  by: string | null;
  /** the second administrator, where one had to agree */
  approvedBy?: string;
}

/**
 * Resolves the open breaks of one kind about a sale in the current transaction, because an operation has settled them; their
 * tasks are closed. Unfreezing the sale is the caller's part.
 * @returns how many were open
 * @throws Unauthenticated, Forbidden for every user
 */
export async function closeBreaks(
  ctx: Ctx,
  { saleId, kind, resolution, note, by, approvedBy }: CloseBreaksInput,
): Promise<number> {
  authorize(ctx, mayOpenBreaks);
  return ctx.db.tx(async () => {
    const closed = await ctx.db
      .q()
      .updateTable('breaks')
      .set({
        state: 'resolved',
        resolution,
        note: note.slice(0, BREAK_TEXT_MAX_LENGTH),
        resolved_by: by,
        approved_by: approvedBy ?? null,
        resolved_at: ctx.now(),
      })
      .where('sale_id', '=', saleId)
      .where('kind', '=', kind)
      .where('state', '<>', 'resolved')
      .returning('id')
      .execute();
    for (const { id } of closed) {
      await ctx.db
        .q()
        .updateTable('break_approvals')
        .set({ decision: 'withdrawn', decided_at: ctx.now() })
        .where('break_id', '=', id)
        .where('decision', 'is', null)
        .execute();
      await audit(ctx, {
        action: 'break.resolve',
        entity: 'break',
        entityId: id,
        before: { kind },
        after: { resolution, note },
      });
      await closeTasks(ctx, { kinds: ['break_found'], subjectId: id, resolution: note || resolution });
    }
    return closed.length;
  });
}
