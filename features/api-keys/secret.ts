import { createHash, randomBytes } from 'node:crypto';

const SECRET = /^acre_[0-9a-f]{8}_[\w-]{43}$/;

/** A new secret: its prefix is shown in lists, 256 bits follow. */
export function newSecret(): { secret: string; prefix: string } {
  const prefix = `acre_${randomBytes(4).toString('hex')}`;
  return { prefix, secret: `${prefix}_${randomBytes(32).toString('base64url')}` };
}

/** Whether a text has the form of a secret, so that nothing else is looked up. */
export const isSecret = (text: string): boolean => SECRET.test(text);

/** What is stored of a secret. It has 256 random bits, so a fast hash keeps it as safe as a slow one. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
