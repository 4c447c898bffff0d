import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';

type Keys = Pick<Config, 'secret'>;
/** The secret of the server, and the one before it while that is still given. */
export type StoredKeys = Pick<Config, 'secret' | 'previousSecret'>;

const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyFor = ({ secret }: Keys, purpose: string): Buffer =>
  createHmac('sha256', secret).update(`seal:${purpose}`).digest();

/**
 * Names the secret of the server without telling anything about it. Kept beside what is stored encrypted, it shows which of it
 * was sealed with a former one.
 */
export const sealKeyId = ({ secret }: Keys): string =>
  createHmac('sha256', secret).update('name of the seal').digest('hex').slice(0, 12);

/**
 * Encrypts and authenticates a text (AES-256-GCM) with a key of its own for each purpose, which follows from the secret of the
 * server. Only characters that may stand in URLs and cookies.
 */
export function seal(config: Keys, purpose: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(config, purpose), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The text that was sealed for this purpose; null for anything else, also after the secret of the server was replaced. */
export function unseal(config: Keys, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyFor(config, purpose),
    bytes.subarray(0, IV_BYTES),
  ).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    // It was changed, or sealed with another key.
    return null;
  }
}

/**
 * The same for what is stored in the database, which outlives the secret of the server: opened with the former one too, as long
 * as that is configured. Nothing that comes from a browser is opened so: whoever has learned the former secret could have made it.
 */
export const unsealStored = (config: StoredKeys, purpose: string, sealed: string): string | null =>
  unseal(config, purpose, sealed) ??
  (config.previousSecret === undefined ? null : unseal({ secret: config.previousSecret }, purpose, sealed));
