import { authorize, authorizedUser } from '#platform/access.ts';
import { userOfResetToken } from '#platform/auth/auth.ts';
import { isKnownDevice } from '#platform/auth/device-cookie.ts';
import type { Ctx } from '#platform/context.ts';
import type { Viewer } from './model.ts';
import { deviceName, mayAuthenticate, mayManageOwnSessions } from './rules.ts';
import { unconfirmedAccountOf } from './unconfirmed-account.ts';

/** The signed-in user, for navigation and pages; null for a visitor. Runs no query. */
export function viewerOf(ctx: Ctx): Viewer | null {
  const { actor } = ctx;
  if (actor.kind !== 'user') return null;
  const { id, role, name, email, emailVerified, suspended } = actor;
  return { id, role, name, email, emailVerified, suspended };
}

export interface OwnSession {
  id: string;
  device: string;
  ip: string | null;
  startedAt: Date;
  lastUsedAt: Date;
  /** the session of this request */
  current: boolean;
}

/**
 * The user's open sessions, the current one first, then the newest. `lastUsedAt` is accurate to a day.
 * @throws Unauthenticated
 */
export async function ownSessions(ctx: Ctx, currentSessionId: string | null): Promise<OwnSession[]> {
  const user = authorizedUser(ctx, mayManageOwnSessions);
  const rows = await ctx.db
    .q()
    .selectFrom('sessions')
    .select(['id', 'ip_address', 'user_agent', 'created_at', 'updated_at'])
    .where('user_id', '=', user.id)
    .where('expires_at', '>', ctx.now())
    .orderBy('created_at', 'desc')
    .limit(200)
    .execute();
  const sessions = rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    ip: row.ip_address || null,
    startedAt: row.created_at,
    lastUsedAt: row.updated_at,
    current: row.id === currentSessionId,
  }));
  return sessions.sort((a, b) => Number(b.current) - Number(a.current));
}

/**
 * Whether the mailed link asks for the account's password before it confirms the address: in every browser but the one in which
 * that password was chosen.
 */
export async function confirmationAsksPassword(
  ctx: Ctx,
  { token, cookie }: { token: string; cookie?: string | null },
): Promise<boolean> {
  authorize(ctx, mayAuthenticate);
  const account = await unconfirmedAccountOf(ctx, token);
  return account !== null && !isKnownDevice(ctx.config, cookie, account);
}

/** True while a reset token can still set a password. */
export async function isResetTokenValid(ctx: Ctx, token: string): Promise<boolean> {
  authorize(ctx, mayAuthenticate);
  return (await userOfResetToken(ctx, token)) !== null;
}
