import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from 'better-auth/crypto';

interface Prepared {
  password: string;
  hash?: string;
  matchedHash?: string;
}

export { hashPassword };

const prepared = new AsyncLocalStorage<Prepared>();

/**
 * Runs `work` with the scrypt hash of a new password already made, so that no transaction stays open for the
 * 80 ms that it takes.
 */
export async function withHashedPassword<T>(password: string, work: () => Promise<T>): Promise<T> {
  const hash = await hashPassword(password);
  return prepared.run({ password, hash }, work);
}

/** Runs `work` with the knowledge that a password was found to match a stored hash. */
export function withMatchedPassword<T>(password: string, hash: string, work: () => Promise<T>): Promise<T> {
  return prepared.run({ password, matchedHash: hash }, work);
}

let decoy: Promise<string> | undefined;

/** Compares a password with a stored hash. Without one it takes as long as with one, and never matches (B-089). */
export async function passwordMatches(hash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const matches = await verifyPassword({ hash: hash ?? (await decoy), password });
  return hash !== null && matches;
}

/** How the library hashes and compares: scrypt, unless the answer was prepared. */
export const passwordWork = {
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
