import type { PasskeyRequest } from '#features/factors/model.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import { userOfResetToken } from '#platform/auth/auth.ts';
import { isKnownDevice } from '#platform/auth/device-cookie.ts';
import { credentialsOf, passkeyRequest } from '#platform/auth/factors/passkeys.ts';
import { hasFactor } from '#platform/auth/factors/required.ts';
import type { Ctx } from '#platform/context.ts';
import { Unauthenticated } from '#platform/errors.ts';
import type { Viewer } from './model.ts';
import { deviceName, type LoginRole, mayAuthenticate, mayListAdmins, mayManageOwnSessions } from './rules.ts';
import { openStep } from './sign-in-step.ts';
import { unconfirmedAccountOf } from './unconfirmed-account.ts';

/** The signed-in user, for navigation and pages; null for a visitor. Runs no query. */
export function viewerOf(ctx: Ctx): Viewer | null {
  const { actor } = ctx;
  if (actor.kind !== 'user') return null;
  const { id, role, name, email, emailVerified, suspended } = actor;
  return { id, role, name, email, emailVerified, suspended };
}

interface OwnSession {
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

/** How a sign-in can be finished: the second step of one that has begun, or with a passkey alone. */
interface SignInStepChoices {
  /** null without a first step, or when it was too long ago */
  step: { loginRole: LoginRole; code: boolean } | null;
  /** null where the account has no passkey */
  passkey: PasskeyRequest | null;
}

/** What the page of the second step offers, given what the first step left in the browser. */
export async function signInStepChoices(ctx: Ctx, sealed: string | null): Promise<SignInStepChoices> {
  authorize(ctx, mayAuthenticate);
  const step = sealed === null ? null : openStep(ctx, sealed);
  if (!step) return { step: null, passkey: await passkeyRequest(ctx, 'sign-in', null) };
  const app = await ctx.db
    .q()
    .selectFrom('authenticators')
    .select('user_id')
    .where('user_id', '=', step.userId)
    .executeTakeFirst();
  const passkeys = await credentialsOf(ctx, step.userId);
  return {
    step: { loginRole: step.loginRole, code: app !== undefined },
    passkey: passkeys.length > 0 ? await passkeyRequest(ctx, 'sign-in', step.userId) : null,
  };
}

export interface Administrator {
  id: string;
  email: string;
  createdAt: Date;
  /** has set up an authenticator app or a passkey */
  hasFactor: boolean;
  /** whoever asks */
  self: boolean;
}

/**
 * All administrators, those who became it first first.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function adminList(ctx: Ctx): Promise<Administrator[]> {
  const { actor } = ctx;
  if (actor.kind === 'visitor') throw new Unauthenticated('Not authenticated');
  authorize(ctx, mayListAdmins);
  const rows = await ctx.db
    .q()
    .selectFrom('profiles as p')
    .innerJoin('users as u', 'u.id', 'p.id')
    .select(['u.id', 'u.email', 'p.created_at', hasFactor('u.id').as('has_factor')])
    .where('p.role', '=', 'admin')
    .orderBy('p.created_at')
    .orderBy('p.id')
    .limit(500)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    createdAt: row.created_at,
    hasFactor: row.has_factor,
    self: actor.kind === 'user' && actor.id === row.id,
  }));
}
