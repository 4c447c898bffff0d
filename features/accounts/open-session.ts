import { randomBytes } from 'node:crypto';
import { audit } from '#platform/audit.ts';
import { SESSION_SECONDS, sessionCookie } from '#platform/auth/cookie.ts';
import { deviceCookie } from '#platform/auth/device-cookie.ts';
import type { Ctx } from '#platform/context.ts';
import { SECOND } from '#platform/durations.ts';
import { publish } from '#platform/events/events.ts';
import { signOut } from './commands/sign-out.ts';
import { actorFrom, type SignInAccount } from './sign-in-account.ts';

interface Browser {
  userAgent: string | null;
  /** ends, which prevents session fixation */
  currentSessionId: string | null;
}

/**
 * Starts a session with a new token, in the current transaction, for somebody who has shown more than a password.
 * @returns its Set-Cookie values
 */
export async function openSession(
  ctx: Ctx,
  account: SignInAccount,
  { userAgent, currentSessionId }: Browser,
  by: string,
): Promise<string[]> {
  const token = randomBytes(24).toString('base64url');
  await signOut(ctx, { sessionId: currentSessionId });
  const { id } = await ctx.db
    .q()
    .insertInto('sessions')
    .values({
      user_id: account.id,
      token,
      expires_at: new Date(ctx.now().getTime() + SESSION_SECONDS * SECOND),
      ip_address: ctx.ip,
      user_agent: userAgent?.slice(0, 400) ?? null,
      proved_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const asUser: Ctx = { ...ctx, actor: actorFrom(ctx, account) };
  await audit(asUser, { action: 'session.start', entity: 'session', entityId: id, after: { by } });
  await publish(ctx, { audience: `user:${account.id}`, type: 'session', payload: {} });
  return [sessionCookie(ctx.config, token), deviceCookie(ctx.config, account)];
}
