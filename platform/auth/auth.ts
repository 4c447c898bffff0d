import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Ctx } from '../context.ts';
import type { Database, Query } from '../db/database.ts';
import { DAY, HOUR, SECOND } from '../durations.ts';
import { authSecret, RENEW_AFTER_SECONDS, SESSION_SECONDS } from './cookie.ts';
import { passwordHasher } from './password.ts';

/** Minimum and maximum password length. */
export const PASSWORD_MIN = 8;
const PASSWORD_MAX = 128;
/** Lifetime of mailed links in seconds: a day to confirm an address, an hour to reset a password. */
export const CONFIRM_TOKEN_SECONDS = DAY / SECOND;
const RESET_TOKEN_SECONDS = HOUR / SECOND;

/** The account that a mail is about. */
interface AuthUser {
  id: string;
  email: string;
}

/** What the auth library reported during a call: whom to mail, and the token for the mail. */
interface AuthEvents {
  confirmAddress?: { user: AuthUser; token: string };
  addressTaken?: { user: AuthUser };
  addressConfirmed?: { user: AuthUser };
  resetRequested?: { user: AuthUser; token: string };
  passwordReset?: { user: AuthUser };
}

type AuthLibrary = Awaited<ReturnType<typeof createAuth>>;
type AuthDependencies = Pick<Ctx, 'db' | 'config' | 'log'>;

const eventStorage = new AsyncLocalStorage<AuthEvents>();
const instances = new WeakMap<Database['pool'], Promise<AuthLibrary>>();

/**
 * The auth library on our own database. It writes in the current transaction and is only called from our commands: none of
 * its HTTP routes is exposed, so rate limits, origin checks and audit cannot be bypassed.
 */
export function authOf(dependencies: AuthDependencies): Promise<AuthLibrary> {
  const known = instances.get(dependencies.db.pool);
  if (known) return known;
  const created = createAuth(dependencies);
  instances.set(dependencies.db.pool, created);
  return created;
}

/**
 * Calls the library and returns what it reported. The caller handles the consequences (mails, audit), because the library
 * swallows errors thrown in its callbacks.
 */
export async function callAuth(
  dependencies: AuthDependencies,
  work: (auth: AuthLibrary) => Promise<unknown>,
): Promise<AuthEvents> {
  const auth = await authOf(dependencies);
  const events: AuthEvents = {};
  await eventStorage.run(events, () => work(auth));
  return events;
}

/**
 * Issues a password reset token without a mail, for a user who has just entered the old password. Single use, valid for
 * one hour.
 */
export async function issueResetToken(dependencies: AuthDependencies, userId: string): Promise<string> {
  const { internalAdapter } = await (await authOf(dependencies)).$context;
  const token = randomBytes(24).toString('base64url');
  await internalAdapter.createVerificationValue({
    identifier: resetIdentifier(token),
    value: userId,
    expiresAt: new Date(Date.now() + RESET_TOKEN_SECONDS * 1000),
  });
  return token;
}

/** Issues a token that confirms an address, for resending the mail. Does not reveal whether the address is known. */
export async function issueConfirmToken(dependencies: AuthDependencies, email: string): Promise<string> {
  const { createEmailVerificationToken } = await import('better-auth/api');
  return createEmailVerificationToken(
    authSecret(dependencies.config),
    email,
    undefined,
    CONFIRM_TOKEN_SECONDS,
  );
}

/** The address, in lower case, that a confirmation token was issued for; null for a token that is expired or not ours. */
export async function emailOfConfirmToken(
  { config }: Pick<AuthDependencies, 'config'>,
  token: string,
): Promise<string | null> {
  const { verifyJWT } = await import('better-auth/crypto');
  const claims = await verifyJWT<{ email?: unknown }>(token, authSecret(config));
  return typeof claims?.email === 'string' ? claims.email.toLowerCase() : null;
}

/** The user id that a reset token belongs to; null when it is unknown, used or expired. */
export async function userOfResetToken(
  dependencies: AuthDependencies,
  token: string,
): Promise<string | null> {
  const { internalAdapter } = await (await authOf(dependencies)).$context;
  const found = await internalAdapter.findVerificationValue(resetIdentifier(token));
  return found && found.expiresAt > new Date() ? found.value : null;
}

const resetIdentifier = (token: string) => `reset-password:${token}`;

/** The library's error code (such as `INVALID_TOKEN`); null for every other error. */
export function authErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'APIError') return null;
  const { body } = error as { body?: { code?: unknown } };
  return typeof body?.code === 'string' ? body.code : null;
}

/** The only headers passed to the library: user agent and the client address that our server determined. */
export function deviceHeaders(ctx: Pick<Ctx, 'ip'>, userAgent: string | null): Headers {
  const headers = new Headers();
  if (userAgent) headers.set('user-agent', userAgent.slice(0, 400));
  if (ctx.ip) headers.set('x-acre-ip', ctx.ip);
  return headers;
}

async function createAuth({ db, config, log }: AuthDependencies) {
  // Loaded with the first account operation rather than at startup, because it is large.
  const { betterAuth } = await import('better-auth');
  const recordEvent = async (what: AuthEvents): Promise<void> =>
    void Object.assign(eventStorage.getStore() ?? {}, what);
  return betterAuth({
    appName: 'Acre Trading Post',
    baseURL: config.publicUrl,
    secret: authSecret(config),
    database: { db: transactionAwareQuery(db), type: 'postgres', transaction: true },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: passwordHasher,
      resetPasswordTokenExpiresIn: RESET_TOKEN_SECONDS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => recordEvent({ resetRequested: { user, token } }),
      onPasswordReset: ({ user }) => recordEvent({ passwordReset: { user } }),
      onExistingUserSignUp: ({ user }) => recordEvent({ addressTaken: { user } }),
    },
    emailVerification: {
      expiresIn: CONFIRM_TOKEN_SECONDS,
      sendOnSignUp: true,
      sendOnSignIn: false,
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ user, token }) => recordEvent({ confirmAddress: { user, token } }),
      afterEmailVerification: (user) => recordEvent({ addressConfirmed: { user } }),
    },
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_SECONDS,
      updateAge: RENEW_AFTER_SECONDS,
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...timestampFields,
      },
    },
    user: { modelName: 'users', fields: { emailVerified: 'email_verified', ...timestampFields } },
    account: {
      modelName: 'credentials',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...timestampFields,
      },
    },
    // The table stores only the hash; the token itself is only in the mail.
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', ...timestampFields },
      storeIdentifier: 'hashed',
    },
    advanced: {
      database: { generateId: 'uuid', validateSchema: false },
      ipAddress: { ipAddressHeaders: ['x-acre-ip'] },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Lower levels log personal data; the audit log covers what matters.
    logger: { level: 'error', log: (_level, message) => log.error({ from: 'accounts' }, message) },
  });
}

const timestampFields = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/** A query builder that always uses the current transaction and joins it instead of opening a second one. */
function transactionAwareQuery(db: Database): Query {
  return new Proxy(db.q(), {
    get(_target, property) {
      if (property === 'transaction')
        return () => ({ execute: <T>(work: (q: Query) => Promise<T>) => db.tx(() => work(db.q())) });
      const query = db.q();
      const value: unknown = Reflect.get(query, property, query);
      return typeof value === 'function' ? value.bind(query) : value;
    },
  });
}
