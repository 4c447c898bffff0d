import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { mayWorkImports } from '../rules.ts';

/**
 * Frees every import, before a server on the embedded database begins to work: it has one server at a time, so whichever worked on an import
 * is gone, and nobody has to wait until that is certain.
 * @throws Unauthenticated, Forbidden for everyone but jobs
 */
export async function freeImports(ctx: Ctx): Promise<void> {
  authorize(ctx, mayWorkImports);
  await ctx.db
    .q()
    .updateTable('listing_imports')
    .set({ lease: null, leased_until: null })
    .where('lease', 'is not', null)
    .execute();
}
