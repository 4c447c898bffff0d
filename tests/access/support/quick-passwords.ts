import { randomBytes, scryptSync } from 'node:crypto';
import { vi } from 'vitest';

/** The rest of the library's module is its own. */
export const { verifyJWT } = await vi.importActual<typeof import('better-auth/crypto')>('better-auth/crypto');

/**
 * Stands in for the library's password hashing in the access matrix, at scrypt's lowest cost: who may sign in does not depend
 * on what a hash costs, and hundreds of cells make one. The tests of features/accounts use the real one.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${keyOf(password, salt)}`;
}

/** Whether a password is the one hashed. */
export async function verifyPassword(given: { hash: string; password: string }): Promise<boolean> {
  const [salt = '', key] = given.hash.split(':');
  return keyOf(given.password, salt) === key;
}

const keyOf = (password: string, salt: string) =>
  scryptSync(password, salt, 64, { N: 2, r: 1, p: 1 }).toString('hex');
