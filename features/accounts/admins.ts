import type { Ctx } from '#platform/context.ts';

/**
 * Locks the administrators against changes by others until the running transaction ends, in one order for all, and returns their
 * ids as they then are.
 */
export async function lockAdmins(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('profiles')
    .select('id')
    .where('role', '=', 'admin')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
