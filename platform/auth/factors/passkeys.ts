import type {
  AuthenticationResponseJSON,
  AuthenticatorTransportFuture,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Ctx, UserActor } from '../../context.ts';
import { type ChallengePurpose, newChallenge, spendChallenge } from './challenge.ts';
import { holdUser } from './hold-user.ts';

/** What a passkey is asked with, as the browser's `PublicKeyCredential` reads it. */
export type PasskeyRequest = Readonly<Record<string, unknown>> & { challenge: string };

// Loaded with the first passkey rather than at startup, because it is large.
const library = () => import('@simplewebauthn/server');

/** The site that passkeys belong to: the name of its public address. */
function relyingParty({ config }: Pick<Ctx, 'config'>): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(config.publicUrl);
  return { rpID: hostname, origin };
}

/** The passkeys of a user as the browser names them, to ask for them or to leave them out. */
export async function credentialsOf(ctx: Ctx, userId: string) {
  const rows = await ctx.db
    .q()
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({ id: row.credential_id, transports: transportsOf(row.transports) }));
}

const transportsOf = (stored: string) => stored.split(',').filter(Boolean) as AuthenticatorTransportFuture[];

/** Asks for one of a user's passkeys, or, without a user, for any that the browser has for this site. */
export async function passkeyRequest(
  ctx: Ctx,
  purpose: ChallengePurpose,
  userId: string | null,
): Promise<PasskeyRequest> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx).rpID,
    challenge: newChallenge(ctx, purpose, userId),
    userVerification: 'required',
    ...(userId !== null && { allowCredentials: await credentialsOf(ctx, userId) }),
  });
  return { ...options };
}

/** Asks the browser to make a passkey for a user of the site with this name, on a device that has none for this account yet. */
export async function newPasskeyRequest(ctx: Ctx, user: UserActor, rpName: string): Promise<PasskeyRequest> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpID: relyingParty(ctx).rpID,
    rpName,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.id),
    challenge: newChallenge(ctx, 'add', user.id),
    attestationType: 'none',
    excludeCredentials: await credentialsOf(ctx, user.id),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  return { ...options };
}

/** Checks a passkey that a browser made, in the current transaction. @returns what is stored of it; null when it is not valid */
export async function newPasskey(ctx: Ctx, response: RegistrationResponseJSON, userId: string) {
  const { verifyRegistrationResponse } = await library();
  const { rpID, origin } = relyingParty(ctx);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => spendChallenge(ctx, challengeIn(challenge), 'add', userId),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter,
      transports: transports.join(','),
    };
  } catch (error) {
    ctx.log.info({ err: error }, 'a new passkey was refused');
    return null;
  }
}

/** The sealed challenge in what a browser answers. */
const challengeIn = (encoded: string): string => Buffer.from(encoded, 'base64url').toString('utf8');

/**
 * Checks what a passkey answered, in the current transaction: signature, site, challenge (once) and counter.
 * @param userId whose passkey it has to be; null for anybody's
 * @returns the user of the passkey, or null
 */
export async function userOfPasskey(
  ctx: Ctx,
  answer: string,
  purpose: ChallengePurpose,
  userId: string | null,
): Promise<string | null> {
  const response = parsed<AuthenticationResponseJSON>(answer);
  if (!response) return null;
  const owner = await ctx.db
    .q()
    .selectFrom('passkeys')
    .select('user_id')
    .where('credential_id', '=', response.id)
    .executeTakeFirst();
  if (!owner || (userId !== null && owner.user_id !== userId)) return null;
  await holdUser(ctx, owner.user_id);
  const passkey = await ctx.db
    .q()
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'credential_id', 'public_key', 'counter', 'transports'])
    .where('credential_id', '=', response.id)
    .forUpdate()
    .executeTakeFirst();
  if (passkey?.user_id !== owner.user_id) return null;
  const newCounter = await verifiedCounter(ctx, response, passkey, (challenge) =>
    spendChallenge(ctx, challengeIn(challenge), purpose, userId),
  );
  if (newCounter === null) return null;
  await ctx.db
    .q()
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: ctx.now() })
    .where('id', '=', passkey.id)
    .execute();
  return passkey.user_id;
}

interface StoredPasskey {
  credential_id: string;
  public_key: Buffer;
  counter: number | string | bigint;
  transports: string;
}

/** The counter after a valid answer; null for any other. */
async function verifiedCounter(
  ctx: Ctx,
  response: AuthenticationResponseJSON,
  passkey: StoredPasskey,
  expectedChallenge: (challenge: string) => Promise<boolean>,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const { rpID, origin } = relyingParty(ctx);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
        transports: transportsOf(passkey.transports),
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    ctx.log.info({ err: error }, 'the answer of a passkey was refused');
    return null;
  }
}

/** The parts of an answer that are read here; the library checks the rest. Null for what no browser sends. */
export function parsed<T extends { id: string }>(answer: string): T | null {
  try {
    const value: unknown = JSON.parse(answer);
    return isAnswer(value) ? (value as unknown as T) : null;
  } catch {
    // Not JSON: nothing that a passkey answered.
    return null;
  }
}

const isAnswer = (value: unknown): value is { id: string } =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'response' in value &&
  typeof value.response === 'object' &&
  value.response !== null;
