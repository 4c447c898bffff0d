import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mayPostNotices } from '../rules.ts';

/**
 * Leaves a notice for a person, which is shown on their pages until they confirm it.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function postNotice(
  ctx: Ctx,
  { userId, message }: { userId: string; message: string },
): Promise<void> {
  authorize(ctx, mayPostNotices);
  await ctx.db.tx(async () => {
    await ctx.db
      .q()
      .insertInto('user_notices')
      .values({ user_id: userId, message, created_at: ctx.now() })
      .execute();
    await audit(ctx, { action: 'notice.post', entity: 'user', entityId: userId, after: { message } });
    await publish(ctx, { audience: `user:${userId}`, type: 'account', payload: {} });
  });
}
