import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayReadOwnNotices } from '../rules.ts';

/**
 * The signed-in user has read a notice, which is not shown again. Confirmed twice it stays as it is.
 * @throws Unauthenticated; NotFound for a notice of someone else
 */
export async function confirmNotice(ctx: Ctx, { noticeId }: { noticeId: string }): Promise<void> {
  const { id } = authorizedUser(ctx, mayReadOwnNotices);
  if (!isUuid(noticeId)) throw new NotFound();
  await ctx.db.tx(async () => {
    const own = await ctx.db
      .q()
      .selectFrom('user_notices')
      .select('confirmed_at')
      .where('id', '=', noticeId)
      .where('user_id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!own) throw new NotFound();
    if (own.confirmed_at) return;
    await ctx.db
      .q()
      .updateTable('user_notices')
      .set({ confirmed_at: ctx.now() })
      .where('id', '=', noticeId)
      .execute();
    await audit(ctx, { action: 'notice.confirm', entity: 'user', entityId: id });
  });
}
