import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { workingStatuses } from '../model.ts';
import { enqueueWork } from '../queues.ts';
import { mayWorkImports } from '../rules.ts';

/**
 * Has imports taken up that no process works on, such as those of one that was killed.
 * @returns how many
 * @throws Unauthenticated, Forbidden for everyone but jobs
 */
export async function watchImports(ctx: Ctx): Promise<number> {
  authorize(ctx, mayWorkImports);
  return ctx.db.tx(async () => {
    const left = await ctx.db
      .q()
      .selectFrom('listing_imports')
      .select('id')
      .where('status', 'in', [...workingStatuses])
      .where(({ eb, or }) => or([eb('leased_until', 'is', null), eb('leased_until', '<', ctx.now())]))
      .orderBy('created_at')
      .limit(100)
      .execute();
    for (const { id } of left) await enqueueWork(ctx, id);
    return left.length;
  });
}
