import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mailFactorsReset } from '../mails.ts';
import { lockFactors } from '../own-factors.ts';
import { mayResetFactors } from '../rules.ts';

/** How many factors were removed; `unknown` when no account has the address. */
type ResetFactorsResult = { ok: true; removed: number } | { ok: false; reason: 'unknown' };

/**
 * Removes authenticator app, passkeys and recovery codes of somebody who has lost them, ends all their sessions and mails them.
 * An administrator has to set up a factor again at the next sign-in.
 * @throws Unauthenticated, Forbidden for everyone but the command line
 */
export async function resetFactors(ctx: Ctx, { email }: { email: string }): Promise<ResetFactorsResult> {
  authorize(ctx, mayResetFactors);
  return ctx.db.tx(async (): Promise<ResetFactorsResult> => {
    const q = ctx.db.q();
    const user = await q
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', email.trim().toLowerCase())
      .executeTakeFirst();
    if (!user) return { ok: false, reason: 'unknown' };
    const removed = await lockFactors(ctx, user.id);
    await q.deleteFrom('authenticators').where('user_id', '=', user.id).execute();
    await q.deleteFrom('passkeys').where('user_id', '=', user.id).execute();
    await q.deleteFrom('recovery_codes').where('user_id', '=', user.id).execute();
    await q.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    await mailFactorsReset(ctx, user);
    await audit(ctx, {
      action: 'factor.reset',
      entity: 'user',
      entityId: user.id,
      before: { factors: removed },
    });
    await publish(ctx, { audience: `user:${user.id}`, type: 'session', payload: {} });
    return { ok: true, removed };
  });
}
