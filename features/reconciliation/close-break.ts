import { lockSale } from '#features/sales/sale-row.ts';
import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { audit } from '#platform/audit.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { unfreezeSale } from './freeze-sale.ts';
import type { BreakResolution } from './model.ts';
import { BREAK_TEXT_MAX_LENGTH } from './rules.ts';

/** How a break ended. */
export interface BreakEnd {
  resolution: BreakResolution;
  /** why, as written by whoever decided it */
  note: string;
  /** the administrator who decided it; null for the system */
  by: string | null;
  /** the second one, where one was needed */
  approvedBy?: string | null;
}

/**
 * Ends one break in the current transaction: whoever was asked to approve something about it need not anymore, and its task is
 * closed. It does not touch the sale, since some operations end a break with a move of the sale that unfreezes it.
 * @returns what it was about; null when it had ended before
 */
export async function resolveBreak(
  ctx: Ctx,
  id: string,
  { resolution, note, by, approvedBy = null }: BreakEnd,
): Promise<{ saleId: string | null; freezes: boolean } | null> {
  const closed = await ctx.db
    .q()
    .updateTable('breaks')
    .set({
      state: 'resolved',
      resolution,
      note: cutText(note, BREAK_TEXT_MAX_LENGTH),
      resolved_by: by,
      approved_by: approvedBy,
      resolved_at: ctx.now(),
    })
    .where('id', '=', id)
    .where('state', '<>', 'resolved')
    .returning(['kind', 'sale_id', 'freezes'])
    .executeTakeFirst();
  if (!closed) return null;
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
    before: { kind: closed.kind },
    after: { resolution, note, by, approvedBy },
  });
  await closeTasks(asSystem(ctx, 'reconciliation'), {
    kinds: ['break_found'],
    subjectId: id,
    resolution: note || resolution,
  });
  return { saleId: closed.sale_id, freezes: closed.freezes };
}

/**
 * Ends one break in the current transaction, and unfreezes its sale when nothing else holds it.
 * @returns false when it had ended before
 */
export async function closeBreak(ctx: Ctx, { id, ...end }: BreakEnd & { id: string }): Promise<boolean> {
  const about = await ctx.db
    .q()
    .selectFrom('breaks')
    .select('sale_id')
    .where('id', '=', id)
    .executeTakeFirst();
  // Before the break, as everything that moves a sale locks them.
  if (about?.sale_id) await lockSale(ctx, about.sale_id);
  const closed = await resolveBreak(ctx, id, end);
  if (closed?.freezes && closed.saleId !== null)
    await unfreezeSale(ctx, closed.saleId, end.note || end.resolution);
  return closed !== null;
}
