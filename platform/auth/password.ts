import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import type { Ctx } from '../context.ts';

interface Prepared {
  password: string;
  hash?: string;
  matchedHash?: string;
}

export { hashPassword };

const prepared = new AsyncLocalStorage<Prepared>();

/**
 * Runs `work` with the scrypt hash of a new password already computed, so that no transaction stays open for the 80 ms
 * that it takes.
 */
export async function withHashedPassword<T>(password: string, work: () => Promise<T>): Promise<T> {
  const hash = await hashPassword(password);
  return prepared.run({ password, hash }, work);
}

/** Runs `work` with a password that was already verified against a stored hash. */
export function withMatchedPassword<T>(password: string, hash: string, work: () => Promise<T>): Promise<T> {
  return prepared.run({ password, matchedHash: hash }, work);
}

let dummyHash: Promise<string> | undefined;

/** The stored hash if the password matches it, else null. A null hash takes just as long and never matches. */
export async function matchingHash(hash: string | null, password: string): Promise<string | null> {
  dummyHash ??= hashPassword(crypto.randomUUID());
  const matches = await verifyPassword({ hash: hash ?? (await dummyHash), password });
  return matches ? hash : null;
}

/** The stored hash of a user's password if this is the password, else null. */
export async function matchedPassword({ db }: Ctx, userId: string, password: string): Promise<string | null> {
  const credential = await db
    .q()
    .selectFrom('credentials')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return matchingHash(credential?.password ?? null, password);
}

/** Whether a password is that of a user's account. */
export const isPasswordOf = async (ctx: Ctx, userId: string, password: string): Promise<boolean> =>
  (await matchedPassword(ctx, userId, password)) !== null;

/**
 * Whether the password that was compared before is still the user's, which nobody replaces then until the current transaction ends.
 * Comparing takes long, so that it is done before; what a password allows must not outlast it, or a new one would shut nobody out.
 * @param hash the stored hash that it was compared with; null, the one of an account without a password, is never held
 */
export async function holdPassword({ db }: Ctx, userId: string, hash: string | null): Promise<boolean> {
  const held = await db
    .q()
    .selectFrom('credentials')
    .select('id')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .where('password', '=', hash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return held !== undefined;
}

/** Hash functions for the library: scrypt, unless the result was already computed. */
export const passwordHasher = {
  hash: async (password: string): Promise<string> => {
    const known = prepared.getStore();
    return known?.password === password && known.hash ? known.hash : hashPassword(password);
  },
  verify: async ({ hash, password }: { hash: string; password: string }): Promise<boolean> => {
    const known = prepared.getStore();
    if (known?.password === password && known.matchedHash === hash) return true;
    return verifyPassword({ hash, password });
  },
};
