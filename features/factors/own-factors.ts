import { needsFactor } from '#platform/auth/factors/required.ts';
import type { Ctx, UserActor } from '#platform/context.ts';

/**
 * Locks a user's factors against changes by others until the running transaction ends, and counts them: the authenticator app is
 * one, each passkey is one.
 */
export async function lockFactors(ctx: Ctx, userId: string): Promise<number> {
  const q = ctx.db.q();
  await q.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
  const apps = await q.selectFrom('authenticators').select('user_id').where('user_id', '=', userId).execute();
  const passkeys = await q.selectFrom('passkeys').select('id').where('user_id', '=', userId).execute();
  return apps.length + passkeys.length;
}

/** Whether a user has to keep at least one factor. */
export const mustKeepFactor = ({ role }: UserActor, { config }: Ctx): boolean => needsFactor(role, config);

/** Without any factor left, recovery codes open nothing and go too. */
export async function dropCodesWithoutFactor(ctx: Ctx, userId: string): Promise<void> {
  if ((await lockFactors(ctx, userId)) > 0) return;
  await ctx.db.q().deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}
