import type { Ctx } from '#platform/context.ts';

/** Ends every mailed link that would set a user's password: whoever has just set it does not expect an older one to work. */
export async function endResetLinks(ctx: Ctx, userId: string): Promise<void> {
  // Nothing else names the account as its value; the identifiers are stored as hashes.
  await ctx.db.q().deleteFrom('verifications').where('value', '=', userId).execute();
}
