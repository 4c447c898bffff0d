import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { UnsubscribeResult } from '../model.ts';
import { mayUnsubscribe, topicColumn } from '../rules.ts';
import { readUnsubscribeToken } from '../unsubscribe-token.ts';

/** Unsubscribes the user and topic of a signed link, whoever is signed in. */
export async function unsubscribe(ctx: Ctx, { token }: { token: string }): Promise<UnsubscribeResult> {
  authorize(ctx, mayUnsubscribe);
  const meant = readUnsubscribeToken(ctx.config, token);
  if (!meant) return { ok: false };
  const off = { [topicColumn[meant.topic]]: false, updated_at: ctx.now() };
  return ctx.db.tx(async () => {
    const user = await ctx.db
      .q()
      .selectFrom('users')
      .select('id')
      .where('id', '=', meant.userId)
      .executeTakeFirst();
    if (!user) return { ok: false };
    await ctx.db
      .q()
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
