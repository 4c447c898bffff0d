import { blocksOf } from '#features/accounts/sql.ts';
import type { Ctx } from '#platform/context.ts';

/** Whether either of two users has blocked the other; a seller without an account has blocked no one. */
export async function isBlocked(ctx: Ctx, userId: string, otherId: string | null): Promise<boolean> {
  if (otherId === null) return false;
  const block = await blocksOf(ctx, userId, otherId).executeTakeFirst();
  return block !== undefined;
}
