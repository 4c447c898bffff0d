import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { readLeaveToken } from '../leave-link.ts';
import type { UnsubscribeResult } from '../model.ts';
import { mayUnsubscribe, topicColumn } from '../rules.ts';

/** Stops the mails that a signed link is about, for the person it was written for, whoever is signed in. */
export async function unsubscribe(ctx: Ctx, token: string): Promise<UnsubscribeResult> {
  authorize(ctx, mayUnsubscribe);
  const meant = readLeaveToken(ctx, token);
  if (!meant) return { ok: false };
  const off = { [topicColumn[meant.topic]]: false, updated_at: ctx.now() };
  return ctx.db.tx(async (q) => {
    const user = await q.selectFrom('users').select('id').where('id', '=', meant.userId).executeTakeFirst();
    if (!user) return { ok: false };
    await q
      .insertInto('notification_preferences')
      .values({ user_id: user.id, ...off })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(off))
      .execute();
    await audit(ctx, {
      action: 'preferences.unsubscribe',
      entity: 'user',
      entityId: user.id,
      after: { topic: meant.topic },
    });
    return { ok: true, topic: meant.topic };
  });
}
