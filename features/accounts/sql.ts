import type { Ctx } from '#platform/context.ts';

/** The blocks between two users, whoever of them has blocked the other. */
export const blocksOf = (ctx: Ctx, userId: string, otherId: string) =>
  ctx.db
    .q()
    .selectFrom('user_blocks')
    .select('user_id')
    .where((either) =>
      either.or([
        either.and({ user_id: userId, blocked_id: otherId }),
        either.and({ user_id: otherId, blocked_id: userId }),
      ]),
    );
