import { createHmac, randomBytes } from 'node:crypto';

// Time-based one-time passwords (RFC 6238) as authenticator apps make them: SHA-1, six digits, 30 seconds.

const DIGITS = 6;
const STEP_MS = 30_000;
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret, in base32. */
export function newSecret(): string {
  const bits = [...randomBytes(SECRET_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
}

function secretBytes(secret: string): Buffer {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The number of the time step of 30 seconds that a moment lies in. */
export const stepAt = (now: Date): number => Math.floor(now.getTime() / STEP_MS);

/** The code of a time step, given the secret in base32. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secretBytes(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/**
 * The time step that a typed code belongs to: the present one, the one before or the one after, for clocks that differ. Null for
 * a wrong code, and for one that is not newer than `lastStep`, whose code has been used.
 */
export function matchingStep(secret: string, typed: string, now: Date, lastStep: number): number | null {
  const code = typed.replace(/\s/g, '');
  const present = stepAt(now);
  const steps = [present, present - 1, present + 1];
  return steps.find((step) => step > lastStep && codeAt(secret, step) === code) ?? null;
}

/** The address by which an authenticator app learns the secret, as the QR code has it. */
export function authenticatorUri(secret: string, issuer: string, account: string): string {
  const query = new URLSearchParams({
    secret,
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: '30',
  });
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`;
}
