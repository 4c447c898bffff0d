import { brandName } from '#features/settings/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import { credentialsOf, newPasskeyRequest, passkeyRequest } from '#platform/auth/factors/passkeys.ts';
import { authenticatorUri, newSecret } from '#platform/auth/factors/totp.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { type QrCode, qrCode } from '#platform/qr-code.ts';
import type { PasskeyRequest, ProofChoices } from './model.ts';
import { mustKeepFactor } from './own-factors.ts';
import { mayManageOwnFactors } from './rules.ts';
import { sealSetUp, secretOfSetUp } from './set-up-authenticator.ts';

/**
 * By what the signed-in user can prove who they are, besides the password.
 * @throws Unauthenticated
 */
export async function proofChoices(ctx: Ctx): Promise<ProofChoices> {
  const { id } = authorizedUser(ctx, mayManageOwnFactors);
  const app = await ctx.db
    .q()
    .selectFrom('authenticators')
    .select('user_id')
    .where('user_id', '=', id)
    .executeTakeFirst();
  const passkeys = await credentialsOf(ctx, id);
  return {
    code: app !== undefined,
    passkey: passkeys.length > 0 ? await passkeyRequest(ctx, 'prove', id) : null,
  };
}

interface OwnPasskey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

interface OwnFactors {
  authenticator: { createdAt: Date; lastUsedAt: Date | null } | null;
  passkeys: OwnPasskey[];
  /** those that were not used yet */
  recoveryCodes: number;
  /** at least one factor has to stay */
  required: boolean;
}

/**
 * The signed-in user's own second factors.
 * @throws Unauthenticated
 */
export async function ownFactors(ctx: Ctx): Promise<OwnFactors> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  const q = ctx.db.q();
  const app = await q
    .selectFrom('authenticators')
    .select(['created_at', 'last_used_at'])
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  const passkeys = await q
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', user.id)
    .orderBy('created_at')
    .execute();
  const codes = await q
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', user.id)
    .where('used_at', 'is', null)
    .execute();
  return {
    authenticator: app ? { createdAt: app.created_at, lastUsedAt: app.last_used_at } : null,
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      createdAt: created_at,
      lastUsedAt: last_used_at,
    })),
    recoveryCodes: codes.length,
    required: mustKeepFactor(user, ctx),
  };
}

export interface AuthenticatorSetUp {
  /** sealed, for the form that confirms it */
  setUp: string;
  /** for typing it, in groups of four */
  secret: string;
  qr: QrCode;
}

/**
 * A new secret for an authenticator app, which nothing keeps until a code of the app confirms it.
 * @throws Unauthenticated
 */
export async function newAuthenticator(ctx: Ctx): Promise<AuthenticatorSetUp> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  return setUpOf(ctx, user, newSecret());
}

/**
 * The same set-up once more, after a wrong code; null when it has expired.
 * @throws Unauthenticated
 */
export async function authenticatorAgain(ctx: Ctx, setUp: string): Promise<AuthenticatorSetUp | null> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  const secret = secretOfSetUp(ctx, user.id, setUp);
  return secret === null ? null : setUpOf(ctx, user, secret);
}

const setUpOf = async (ctx: Ctx, { id, email }: UserActor, secret: string): Promise<AuthenticatorSetUp> => ({
  setUp: sealSetUp(ctx, id, secret),
  secret: (secret.match(/.{4}/g) ?? []).join(' '),
  qr: qrCode(authenticatorUri(secret, await brandName(ctx), email)),
});

/**
 * What the browser needs to make a passkey for the signed-in user.
 * @throws Unauthenticated
 */
export async function passkeyToAdd(ctx: Ctx): Promise<PasskeyRequest> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  return newPasskeyRequest(ctx, user, await brandName(ctx));
}
