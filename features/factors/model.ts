import type { PasskeyRequest } from '#platform/auth/factors/passkeys.ts';

export type { PasskeyRequest };

/** The fields that prove once more who somebody is, in the form that repeats a refused one. */
export const PROOF = {
  form: 'proof.form',
  password: 'proof.password',
  code: 'proof.code',
  passkey: 'proof.passkey',
} as const;

/** By what an account can prove who it is, besides its password. */
export interface ProofChoices {
  /** it has an authenticator app */
  code: boolean;
  /** null without passkeys */
  passkey: PasskeyRequest | null;
}

/** What a page gets instead of an answer while a fresh proof is missing: by what to prove it, and the form to repeat. */
export interface ProofRequest {
  /** the refused form, sealed */
  form: string;
  /** the URL that handles the form */
  action: string;
  choices: ProofChoices;
  errors?: Partial<Record<'password' | 'code' | 'passkey', string>>;
}

/** What an answer of an action asks for; null when it asks for no proof. */
export function proofRequestOf(answer: unknown): ProofRequest | null {
  if (typeof answer !== 'object' || answer === null || !('proof' in answer)) return null;
  return (answer.proof ?? null) as ProofRequest | null;
}

export const MAX_PASSKEYS = 20;
export const PASSKEY_NAME_MAX = 60;
