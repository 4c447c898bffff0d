import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { endResetLinks } from './end-reset-links.ts';

/**
 * Removes all that somebody could sign in to an account with, and its sessions, in the current transaction: whoever opened an account
 * without proving its address has no part in it once the owner of the address has.
 */
export async function endSignIns(ctx: Ctx, userId: string): Promise<void> {
  const q = ctx.db.q();
  await q.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await q.deleteFrom('credentials').where('user_id', '=', userId).execute();
  await q.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await q.deleteFrom('authenticators').where('user_id', '=', userId).execute();
  await q.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await endResetLinks(ctx, userId);
  await publish(ctx, { audience: `user:${userId}`, type: 'session', payload: {} });
}
