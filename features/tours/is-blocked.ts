import type { Ctx } from '#platform/context.ts';

/** Whether either of two users has blocked the other; a seller without an account has blocked no one. */
export async function isBlocked(ctx: Ctx, userId: string, otherId: string | null): Promise<boolean> {
  if (otherId === null) return false;
  const block = await ctx.db
    .q()
    .selectFrom('user_blocks')
    .select('user_id')
    .where((either) =>
      either.or([
        either.and({ user_id: userId, blocked_id: otherId }),
        either.and({ user_id: otherId, blocked_id: userId }),
      ]),
    )
    .executeTakeFirst();
  return block !== undefined;
}
