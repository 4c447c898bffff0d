import { HOTP, Secret, TOTP } from 'otpauth';

// Time-based one-time passwords (RFC 6238) as authenticator apps make them: SHA-1, six digits, 30 seconds.

const STEP_SECONDS = 30;
const SECRET_BYTES = 20;

/** A new secret, in base32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The number of the time step of 30 seconds that a moment lies in. */
export const stepAt = (now: Date): number => TOTP.counter({ period: STEP_SECONDS, timestamp: now.getTime() });

/** The code of a time step, given the secret in base32. */
export const codeAt = (secret: string, step: number): string =>
  HOTP.generate({ secret: Secret.fromBase32(secret), counter: step });

/**
 * The time step that a typed code belongs to: the present one, the one before or the one after, for clocks that differ. Null for
 * a wrong code, and for one that is not newer than `lastStep`, whose code has been used.
 */
export function matchingStep(secret: string, typed: string, now: Date, lastStep: number): number | null {
  const token = typed.replace(/\s/g, '');
  const distance = TOTP.validate({
    token,
    secret: Secret.fromBase32(secret),
    period: STEP_SECONDS,
    timestamp: now.getTime(),
    window: 1,
  });
  const step = distance === null ? null : stepAt(now) + distance;
  return step !== null && step > lastStep ? step : null;
}

/** The address by which an authenticator app learns the secret, as the QR code has it. */
export const authenticatorUri = (secret: string, issuer: string, account: string): string =>
  new TOTP({ issuer, label: account, secret, period: STEP_SECONDS }).toString();
