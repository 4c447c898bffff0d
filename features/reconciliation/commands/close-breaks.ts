import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { type BreakEnd, resolveBreak } from '../close-break.ts';
import type { BreakKind } from '../model.ts';
import { mayOpenBreaks } from '../rules.ts';

interface CloseBreaksInput extends BreakEnd {
  saleId: string;
  kind: BreakKind;
}

/**
 * Resolves the open breaks of one kind about a sale in the current transaction, because an operation has settled them; their
 * tasks are closed. Unfreezing the sale is the caller's part: the move of the sale that follows does it.
 * @returns how many were open
 * @throws Unauthenticated, Forbidden for every user
 */
export async function closeBreaks(ctx: Ctx, { saleId, kind, ...end }: CloseBreaksInput): Promise<number> {
  authorize(ctx, mayOpenBreaks);
  return ctx.db.tx(async () => {
    const open = await ctx.db
      .q()
      .selectFrom('breaks')
      .select('id')
      .where('sale_id', '=', saleId)
      .where('kind', '=', kind)
      .where('state', '<>', 'resolved')
      .forUpdate()
      .execute();
    for (const { id } of open) await resolveBreak(ctx, id, end);
    return open.length;
  });
}
