import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Ctx } from '../context.ts';
import type { Database, Query } from '../db/database.ts';
import { authSecret, COOKIE_PREFIX, PROLONG_AFTER_SECONDS, SESSION_SECONDS, usesHttps } from './cookie.ts';
import { passwordWork } from './password.ts';

/** The shortest and longest password that is ever stored (S0 §5). */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
/** How long a mailed link works, in seconds: a day to confirm an address, an hour to set a new password (B-008). */
export const CONFIRM_SECONDS = 24 * 60 * 60;
export const RESET_SECONDS = 60 * 60;

/** The account a mail is about. */
export interface AuthUser {
  id: string;
  email: string;
}

/** What the library reported while it was called: whom to mail, and the token that belongs into the mail. */
export interface Reported {
  confirmAddress?: { user: AuthUser; token: string };
  addressTaken?: { user: AuthUser };
  addressConfirmed?: { user: AuthUser };
  resetAsked?: { user: AuthUser; token: string };
  passwordReset?: { user: AuthUser };
}

type AuthLibrary = Awaited<ReturnType<typeof createAuth>>;
type Surroundings = Pick<Ctx, 'db' | 'config' | 'log'>;

const reports = new AsyncLocalStorage<Reported>();
const opened = new WeakMap<Database, Promise<AuthLibrary>>();

/**
 * The account library over our own database. It writes through the running transaction and is called by our commands
 * alone: none of its HTTP routes is exposed, so that limits, origin check and audit cannot be gone around.
 */
export function authOf(around: Surroundings): Promise<AuthLibrary> {
  const known = opened.get(around.db);
  if (known) return known;
  const created = createAuth(around);
  opened.set(around.db, created);
  return created;
}

/**
 * Calls the library and says what it reported. What follows from that (mails, audit) is for the caller to do: inside its
 * callbacks the library would swallow a failure.
 */
export async function callAuth(
  around: Surroundings,
  work: (auth: AuthLibrary) => Promise<unknown>,
): Promise<Reported> {
  const auth = await authOf(around);
  const reported: Reported = {};
  await reports.run(reported, () => work(auth));
  return reported;
}

/**
 * A token that opens the page to set a new password, without a mail: for someone who has just shown the old one.
 * Single use, one hour.
 */
export async function issueResetToken(around: Surroundings, userId: string): Promise<string> {
  const { internalAdapter } = await (await authOf(around)).$context;
  const token = randomBytes(24).toString('base64url');
  await internalAdapter.createVerificationValue({
    identifier: resetIdentifier(token),
    value: userId,
    expiresAt: new Date(Date.now() + RESET_SECONDS * 1000),
  });
  return token;
}

/** The token that confirms an address, for a mail sent again. It says nothing about whether the address is known. */
export async function issueConfirmToken(around: Surroundings, email: string): Promise<string> {
  const { createEmailVerificationToken } = await import('better-auth/api');
  return createEmailVerificationToken(authSecret(around.config), email, undefined, CONFIRM_SECONDS);
}

/** Whose password a reset token may set; null when it is unknown, used or too old. */
export async function ownerOfResetToken(around: Surroundings, token: string): Promise<string | null> {
  const { internalAdapter } = await (await authOf(around)).$context;
  const found = await internalAdapter.findVerificationValue(resetIdentifier(token));
  return found && found.expiresAt > new Date() ? found.value : null;
}

const resetIdentifier = (token: string) => `reset-password:${token}`;

/** The library's word for why it refused (`INVALID_TOKEN` and the like); null for every other error. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'APIError') return null;
  const { body } = error as { body?: { code?: unknown } };
  return typeof body?.code === 'string' ? body.code : null;
}

/** The headers that the library may see: who connects, as our own server judged it. */
export function deviceHeaders(ctx: Pick<Ctx, 'ip'>, userAgent: string | null): Headers {
  const headers = new Headers();
  if (userAgent) headers.set('user-agent', userAgent.slice(0, 400));
  if (ctx.ip) headers.set('x-acre-ip', ctx.ip);
  return headers;
}

async function createAuth({ db, config, log }: Surroundings) {
  // Loaded with the first account operation, not with the process: it is large.
  const { betterAuth } = await import('better-auth');
  const report = async (what: Reported): Promise<void> => void Object.assign(reports.getStore() ?? {}, what);
  return betterAuth({
    appName: 'Acre Trading Post',
    baseURL: config.publicUrl,
    secret: authSecret(config),
    database: { db: throughOurTransactions(db), type: 'postgres', transaction: true },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: passwordWork,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => report({ resetAsked: { user, token } }),
      onPasswordReset: ({ user }) => report({ passwordReset: { user } }),
      onExistingUserSignUp: ({ user }) => report({ addressTaken: { user } }),
    },
    emailVerification: {
      expiresIn: CONFIRM_SECONDS,
      sendOnSignUp: true,
      sendOnSignIn: false,
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ user, token }) => report({ confirmAddress: { user, token } }),
      afterEmailVerification: (user) => report({ addressConfirmed: { user } }),
    },
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_SECONDS,
      updateAge: PROLONG_AFTER_SECONDS,
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...touched,
      },
    },
    user: { modelName: 'users', fields: { emailVerified: 'email_verified', ...touched } },
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
        ...touched,
      },
    },
    // The token itself stands in the mail alone; the table keeps its hash.
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', ...touched },
      storeIdentifier: 'hashed',
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: usesHttps(config),
      database: { generateId: 'uuid', validateSchema: false },
      ipAddress: { ipAddressHeaders: ['x-acre-ip'] },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Its lower levels name people; what matters of them stands in the audit log.
    logger: { level: 'error', log: (_level, message) => log.error({ from: 'accounts' }, message) },
  });
}

const touched = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/** A query builder that always speaks through the running transaction, and joins it instead of opening a second one. */
function throughOurTransactions(db: Database): Query {
  return new Proxy(db.q(), {
    get(_target, property) {
      if (property === 'transaction') return () => ({ execute: db.tx });
      const query = db.q();
      const value: unknown = Reflect.get(query, property, query);
      return typeof value === 'function' ? value.bind(query) : value;
    },
  });
}
